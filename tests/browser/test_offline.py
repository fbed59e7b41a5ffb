"""What a device keeps of the site: the page for visitors who are offline, the font, the icon."""

import json
import re
from urllib.parse import urljoin, urlsplit

from playwright.sync_api import expect


def test_a_visitor_without_connection_sees_a_page_that_says_so(serve, new_page):
    page = new_page(serve(prefix="/agenda").url, service_workers="allow")
    page.goto("")
    ready = "navigator.serviceWorker.ready.then((one) => one.scope)"
    assert page.evaluate(ready).endswith("/agenda/")
    page.goto("nous-ecrire")
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    page.goto("connexion?suite=compte")
    expect(page.get_by_role("heading", name="Hors connexion")).to_be_visible()
    page.context.set_offline(False)
    page.get_by_role("button", name="Réessayer").click()
    expect(page.get_by_role("heading", name="Se connecter", level=1)).to_be_visible()
    assert page.url.endswith("/agenda/connexion?suite=compte")


def test_the_caches_of_other_installations_on_the_same_host_are_kept(serve, new_page):
    page = new_page(serve(prefix="/agenda").url, service_workers="allow")
    page.goto("")
    old, other = "/agenda/site/old/device/offline.html", "/site/old/device/offline.html"
    for path in (old, other):
        page.evaluate("path => caches.open(new URL(path, location.href).href)", path)
    names = page.evaluate("caches.keys()")
    assert [urlsplit(name).path for name in names] == [old, other]
    page.evaluate("navigator.serviceWorker.ready")
    page.wait_for_function("async () => (await caches.keys()).length === 2")
    names = page.evaluate("caches.keys()")
    assert other in [urlsplit(name).path for name in names]
    assert old not in [urlsplit(name).path for name in names]


def test_the_manifest_starts_the_site_at_its_own_address(client, serve, new_page):
    page = new_page(serve(prefix="/agenda").url)
    page.goto("")
    manifest = page.locator("link[rel=manifest]").evaluate("(link) => link.href")
    answer = page.request.get(manifest)
    assert answer.headers["content-type"] == "application/manifest+json"
    told = json.loads(answer.text())
    assert urlsplit(urljoin(manifest, told["start_url"])).path == "/agenda/"
    for icon in told["icons"]:
        shown = page.request.get(urljoin(manifest, icon["src"]))
        assert shown.ok and re.match("image/(png|svg)", shown.headers["content-type"])


def test_the_font_of_the_site_is_used_and_small(serve, new_page):
    page = new_page(serve().url)
    page.goto("")
    page.wait_for_load_state("networkidle")
    assert page.evaluate("document.fonts.check('16px Inter')")
    (size,) = page.evaluate(
        "performance.getEntriesByType('resource').filter((one) => /woff2/.test(one.name))"
        ".map((one) => one.encodedBodySize)"
    )
    assert 5_000 < size < 40_000
