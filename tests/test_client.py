"""The test client detects applications that break the WSGI protocol."""

import pytest

from tests import contract
from tests.client import Client

TEXT = [("Content-Type", "text/plain")]


@pytest.fixture(autouse=True)
def no_contract(monkeypatch):
    """Turns off the check against the document: these applications are not in the document."""
    monkeypatch.setattr(contract, "checked", lambda app: app)


def no_media_type(_environ, start_response):
    start_response("200 OK", [])
    return []


def type_of_nothing(_environ, start_response):
    start_response("304 Not Modified", TEXT)
    return []


def reads_without_end(environ, start_response):
    environ["wsgi.input"].read()
    start_response("200 OK", TEXT)
    return []


def line_break_in_a_header(_environ, start_response):
    start_response("200 OK", [*TEXT, ("X-Request-Id", "a\x0bSet-Cookie: b")])
    return []


def text_for_bytes(_environ, start_response):
    start_response("200 OK", TEXT)
    return ["OK"]


@pytest.mark.parametrize(
    "app",
    [no_media_type, type_of_nothing, reads_without_end, line_break_in_a_header, text_for_bytes],
)
def test_an_application_that_breaks_the_protocol_fails(app):
    with pytest.raises(AssertionError):
        Client(app).call("POST", "/", {}, expect="*")


def test_an_application_that_keeps_to_the_protocol_passes():
    def good(environ, start_response):
        assert environ["wsgi.input"].read(2) == b"{}"
        start_response("200 OK", TEXT)
        return [b"OK"]

    assert Client(good).post("/", {}).body == b"OK"
