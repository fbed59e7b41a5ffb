"""Sessions resist injected scripts and other sites, and appear in no URL and no log."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PUBLIC
from tests.browser.visitors import signed_in

INJECTED = "<script>window.ran = 1</script><img src='x:' onerror='window.ran = 1'></body>"


@pytest.mark.parametrize("address", ["", "connexion", "docs"])
def test_an_injected_inline_script_does_not_run(serve, new_page, faults, address):
    page = new_page(serve().url)

    def inject(route):
        answer = route.fetch()
        body = answer.text().replace("</body>", INJECTED)
        route.fulfill(response=answer, body=body)

    page.route(re.compile(rf"/{address}$"), inject)
    page.goto(address)
    page.wait_for_load_state("networkidle")
    page.evaluate(
        """() => {
          const script = document.createElement('script');
          script.textContent = 'window.ran = 1';
          document.body.append(script);
          document.body.insertAdjacentHTML('beforeend', '<img src="x:" onerror="window.ran = 1">');
        }"""
    )
    page.wait_for_timeout(200)
    assert page.evaluate("window.ran") is None
    refused = [one for one in faults.seen if "Content Security Policy" in one]
    assert len(refused) >= 4
    faults.seen[:] = []


def test_another_site_cannot_act_with_the_session(serve, chromium, client, chloe):
    """The other site is open in the same browser as the signed-in page."""
    url = serve().url
    context = chromium.new_context(base_url=f"{url}/", locale="fr-FR")
    page = context.new_page()
    signed_in(page, chloe)
    foreign = context.new_page()
    foreign.goto(serve().url.replace("127.0.0.1", PUBLIC) + "/openapi.json")  # without a policy
    fetched = foreign.evaluate(
        """async (url) => {
          const send = (method, path) => fetch(url + path, { method, headers: { 'X-A': '1' } });
          const answers = [await send('DELETE', '/api/compte'), await send('GET', '/api/compte'),
            await send('POST', '/auth/logout')];
          return answers.map((one) => one.status);
        }""",
        url,
    )
    assert fetched == [401, 401, 401]
    with foreign.expect_response(f"{url}/auth/logout") as posted:
        foreign.evaluate(
            """(action) => {
              const form = document.createElement('form');
              document.body.append(Object.assign(form, { method: 'post', action }));
              form.submit();
            }""",
            f"{url}/auth/logout",
        )
    assert posted.value.status == 401
    assert context.cookies() == []
    page.reload()
    expect(page.get_by_role("link", name="Mon compte")).to_be_visible()
    client.get("/api/compte", token=chloe.token)
    context.close()


def test_no_address_and_no_line_of_the_log_has_a_token(
    serve, new_page, salon, chloe, alice, tuesday
):
    server = serve()
    salon.book(chloe, salon.at(tuesday, "10:00"))
    for who, pages in (
        (chloe, ("reservations", "compte")),
        (alice, (f"gestion/{salon.id}/jour", f"gestion/{salon.id}/clients", "compte")),
    ):
        page = new_page(server.url)
        addresses = []
        page.on("request", lambda one, seen=addresses: seen.append(one.url))
        signed_in(page, who)
        token = page.evaluate("JSON.parse(localStorage.getItem('session')).token")
        for address in pages:
            page.goto(address)
            page.wait_for_load_state("networkidle")
        seen = f"{addresses} {server.output} {page.evaluate('history.length')}"
        assert "/api/compte" in seen
        for part in token.split(".")[1:]:
            assert part not in seen
