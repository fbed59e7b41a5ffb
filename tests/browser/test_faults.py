"""The watch over each page finds every kind of fault, and axe-core finds barriers."""

import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.browser.accessibility import violations
from tests.browser.conftest import PATIENCE

POLICY = "default-src 'self'; img-src 'self' data:"
PAGE = (
    '<!DOCTYPE html><html lang="fr"><meta charset="utf-8"><title>Page</title>'
    '<link rel="icon" href="data:,"><main><h1>Page</h1>{body}</main>'
)


class Site(ThreadingHTTPServer):
    """One page and one script."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.files = {}
        self.url = f"http://127.0.0.1:{self.server_port}"

    def holds(self, body, script="", policy=POLICY):
        self.files = {"/": PAGE.format(body=body), "/script.js": script}
        self.policy = policy


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        body = self.server.files.get(self.path)
        self.send_response(404 if body is None else 200)
        self.send_header(
            "Content-Type", "text/javascript" if self.path.endswith(".js") else "text/html"
        )
        self.send_header("Content-Security-Policy", self.server.policy)
        self.end_headers()
        self.wfile.write((body or "").encode())

    def log_message(self, *_):
        pass


@pytest.fixture
def site():
    server = Site()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def is_caught(page, faults, fault):
    until = time.monotonic() + PATIENCE / 1000
    while not faults.seen and time.monotonic() < until:
        page.wait_for_timeout(10)  # a rejected promise is reported late
    with pytest.raises(AssertionError, match=fault):
        faults.check()
    faults.seen.clear()


@pytest.mark.parametrize(
    "body, fault",
    [
        ("<script>1</script>", "console: .*inline script.*Content Security Policy"),
        ('<p style="color: red">', "console: .*inline style.*Content Security Policy"),
        ("<style>p {}</style>", "console: .*inline style.*Content Security Policy"),
    ],
)
def test_a_breach_of_the_policy_is_caught(site, new_page, faults, body, fault):
    site.holds(body)
    page = new_page(site.url)
    page.goto("")
    is_caught(page, faults, fault)


@pytest.mark.parametrize(
    "script, fault",
    [
        ("console.error('aïe')", "console: aïe"),
        ("throw new Error('aïe')", "uncaught: .*aïe"),
        ("Promise.reject(new Error('aïe'))", "uncaught: .*aïe"),
    ],
)
def test_errors_of_a_script_are_caught(site, new_page, faults, script, fault):
    site.holds('<script src="script.js"></script>', script)
    page = new_page(site.url)
    page.goto("")
    is_caught(page, faults, fault)


@pytest.mark.parametrize(
    "policy, fault",
    [
        (POLICY, "console: .*Content Security Policy"),
        ("img-src * data:", "console: .*ERR_NAME_NOT_RESOLVED"),
    ],
)
def test_a_request_to_another_host_is_caught(site, new_page, faults, policy, fault):
    site.holds('<img alt="" src="https://elsewhere.example/a.png">', policy=policy)
    page = new_page(site.url)
    page.goto("")
    is_caught(page, faults, fault)


def test_a_refusal_passes_only_where_its_status_is_allowed(site, new_page, faults):
    site.holds('<img alt="" src="missing.png">')
    page = new_page(site.url)
    faults.allow(409)
    page.goto("")
    is_caught(page, faults, "console: .*404")
    faults.allow(404)
    page.goto("")
    faults.check()


def test_axe_names_what_is_wrong_under_the_strictest_policy(site, new_page):
    strict = "default-src 'none'; img-src data:"
    site.holds('<p><label>Nom <input></label> <a href="/">Retour</a></p>', policy=strict)
    page = new_page(site.url)
    page.goto("")
    assert violations(page) == []
    site.holds("<p><input></p>")
    page.goto("")
    assert violations(page) == ["label (critical): input"]


def test_a_context_speaks_the_language_and_wears_the_colours_asked_for(site, new_page):
    site.holds("")
    page = new_page(site.url, locale="en-GB", color_scheme="dark")
    page.goto("")
    dark = "matchMedia('(prefers-color-scheme: dark)').matches"
    assert page.evaluate(f"[navigator.language, {dark}]") == ["en-GB", True]
