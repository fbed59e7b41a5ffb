"""/docs and the files it loads, over HTTP."""

import gzip
import re

import pytest
from falcon.testing import TestClient

from reservation import Settings, create_app
from reservation.http.files import accepts_gzip
from reservation.settings import DATA
from tests import engines

pytestmark = engines.on_sqlite  # these files do not depend on the database

(BUNDLE,) = (DATA / "docs").glob("*/swagger-ui-bundle.js")
BUNDLE_PATH = f"/docs/{BUNDLE.parent.name}/{BUNDLE.name}"
PATHS = pytest.mark.parametrize("path", ["/docs", "/docs/start.js", BUNDLE_PATH])


@pytest.fixture
def get(environ):
    """Sends a GET with Falcon's client, which does not decode the body."""
    app = TestClient(create_app(Settings.from_environ(environ)))

    def get(path, status=200, **headers):
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        answer = app.simulate_get(path, headers=names)
        assert answer.status_code == status
        return answer

    return get


def test_every_file_that_the_page_names_is_there(get):
    page = get("/docs").text
    names = re.findall(r'(?:src|href)="(docs/[^"]+)"', page)
    types = {get(f"/{name}").headers["Content-Type"] for name in names}
    assert types == {
        "image/png", "text/css; charset=utf-8", "text/javascript; charset=utf-8"
    }
    assert get("/docs").headers["Content-Type"] == "text/html; charset=utf-8"


def test_its_licence_lies_beside_swagger_ui(get):
    folder = BUNDLE_PATH.rpartition("/")[0]
    assert "Apache License" in get(f"{folder}/LICENSE").text
    get(f"{BUNDLE_PATH}.LICENSE.txt")


@PATHS
def test_each_answer_bears_a_policy_that_lets_nothing_foreign_in(get, path):
    policy = get(path).headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none';")
    for never in ("unsafe", "http", "*"):
        assert never not in policy


@PATHS
def test_a_known_tag_is_answered_304(get, path):
    answer = get(path)
    again = get(path, 304, if_none_match=answer.headers["ETag"])
    assert again.content == b""
    assert again.headers["ETag"] == answer.headers["ETag"]
    assert get(path, if_none_match='"other"').content == answer.content


def test_only_what_bears_its_version_is_kept_without_asking(get):
    assert get("/docs").headers["Cache-Control"] == "no-cache"
    assert get("/docs/start.js").headers["Cache-Control"] == "no-cache"
    kept = get(BUNDLE_PATH).headers["Cache-Control"]
    assert kept == "public, max-age=31536000, immutable"
    assert "Cache-Control" not in get(BUNDLE_PATH, 412, if_match='"other"').headers


def test_the_bundle_travels_compressed_to_whoever_takes_that(get):
    plain = get(BUNDLE_PATH)
    assert plain.content == BUNDLE.read_bytes()
    assert "Content-Encoding" not in plain.headers
    zipped = get(BUNDLE_PATH, accept_encoding="gzip, br")
    assert zipped.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(zipped.content) == plain.content
    assert {plain.headers["Vary"], zipped.headers["Vary"]} == {"Accept-Encoding"}


@pytest.mark.parametrize(
    "header, accepted",
    [
        ("gzip", True), ("br, GZIP ; q=0.5", True), ("deflate,gzip;q=0.001", True),
        ("", False), ("br", False), ("x-gzip2", False), ("gzip; q=0, br", False),
        ("gzip;q=0.000", False),
    ],
)
def test_gzip_is_taken_where_accept_encoding_weighs_it(header, accepted):
    assert accepts_gzip(header) is accepted


@pytest.mark.parametrize(
    "name", ["", "missing.js", BUNDLE.parent.name, "../docs.html", "..%2Fcities.txt", "%00"]
)
def test_nothing_else_is_there(get, name):
    get(f"/docs/{name}", 404)
