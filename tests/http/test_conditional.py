"""304 answers of a real gunicorn."""

from tests.http.wire import CLOSE, answers, request
from tests.resources.test_docs import BUNDLE_PATH

OF_BODIES = ("Content-Type", "Content-Length", "Transfer-Encoding")


def test_a_304_ends_with_its_headers_and_the_connection_goes_on(wire, token):
    for path in ("/api/villes?q=par", "/api/entreprises", "/api/reservations"):
        bearer = {"Authorization": f"Bearer {token}"}
        first = wire.call("GET", path, headers=bearer)
        known = {**bearer, "If-None-Match": first.headers["ETag"]}
        raw = wire.server.send(
            request("GET", path, known)
            + request("HEAD", path, known)
            + request("GET", path, {**bearer, "If-None-Match": '"x"', **CLOSE})
        )
        *same, other = answers(raw)
        assert [one.status for one in same] == [304, 304]
        for one in same:
            assert one.headers["ETag"] == first.headers["ETag"]
            assert one.headers["Cache-Control"] == "private, no-cache"
            assert not [name for name in OF_BODIES if name in one.headers]
        assert (other.status, other.body) == (200, first.body)


def test_the_tags_that_are_known_may_come_in_several_headers(wire):
    tag = wire.call("GET", "/api/villes").headers["ETag"]
    known = f'"x"\r\nIf-None-Match: W/{tag}\r\nIf-None-Match: "y"'
    assert wire.call("GET", "/api/villes", headers={"If-None-Match": known}).status == 304


def test_a_refused_answer_is_not_announced_as_compressed(wire):
    headers = {"If-Match": '"x"', "Accept-Encoding": "gzip"}
    answer = wire.call("GET", BUNDLE_PATH, headers=headers)
    assert answer.json["code"] == "stale_version" and "Content-Encoding" not in answer.headers
