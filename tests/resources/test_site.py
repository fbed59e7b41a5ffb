"""The booking site over HTTP: its pages, the files they load, and framing."""

import gzip
import re
from functools import cache

import pytest
from falcon.testing import simulate_get

from reservation import Settings, create_app
from reservation.application import operations
from reservation.resources import site

ADDRESSES = [path.replace("{id:id}", "7") for path, cls in site.PAGES if cls is not site.SiteFile]


@pytest.fixture(scope="module")
def visit(tmp_path_factory):
    """Sends a GET as a browser does: visit(path, prefix="/agenda", SITE="off")."""
    url = f"sqlite:///{tmp_path_factory.mktemp('site')}/reservation.db"

    @cache
    def application(**changes):
        changed = {f"RESERVATION_{name}": value for name, value in changes.items()}
        return create_app(Settings.from_environ({"RESERVATION_DATABASE_URL": url, **changed}))

    def get(path, headers=None, prefix="", **changes):
        return simulate_get(application(**changes), path, headers=headers, root_path=prefix)

    return get


@pytest.mark.parametrize("path", ADDRESSES)
def test_every_address_for_people_answers_the_page(visit, path):
    page = visit(path)
    assert page.status_code == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.text.startswith("<!DOCTYPE html>")


@pytest.mark.parametrize(
    "path", ["/entreprises", "/entreprises/0", "/entreprises/x", "/gestion/7/autre", "/autre"]
)
def test_any_other_address_is_the_404_of_the_api(visit, path):
    answer = visit(path)
    assert answer.status_code == 404
    assert answer.json == {"error": "Not found", "code": "not_found"}


def test_a_page_is_asked_for_again_each_time_and_answered_304(visit):
    page = visit("/")
    assert page.headers["cache-control"] == "no-cache"
    again = visit("/compte", headers={"If-None-Match": page.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("path", ADDRESSES)
def test_only_the_page_to_embed_may_be_framed(visit, path):
    policy = visit(path).headers["content-security-policy"]
    assert policy.startswith("default-src 'self';")
    assert "unsafe" not in policy
    framed_by = re.search("frame-ancestors (.+)", policy)[1]
    assert framed_by == ("*" if path.startswith("/integrer/") else "'none'")


@pytest.mark.parametrize("path", [*ADDRESSES, "/docs"])
def test_a_page_runs_scripts_of_the_service_alone(visit, path):
    policy = visit(path).headers["content-security-policy"]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules.get("script-src", rules["default-src"]) == "'self'"
    assert rules["base-uri"] in ("'self'", "'none'") and "unsafe" not in policy


@pytest.mark.parametrize("path", ADDRESSES)
def test_no_page_tells_another_site_its_address(visit, path):
    assert visit(path).headers["referrer-policy"] == "same-origin"


@pytest.mark.parametrize("path", ["//", "//compte", "//evil.example/compte"])
def test_a_path_that_starts_with_two_slashes_is_no_page(visit, path):
    assert visit(path).status_code == 404


@pytest.mark.parametrize("prefix", ["", "/agenda", "/a%20b/c"])
def test_what_a_page_loads_is_kept_for_good_and_travels_compressed(visit, prefix):
    page = visit("/", prefix=prefix).text
    names = re.findall(r'(?:src|href)="(site/[^"]+)"', page)
    assert len(names) > 5
    for name in names:
        file = visit(f"/{name}", headers={"Accept-Encoding": "gzip"})
        assert file.status_code == 200, name
        assert file.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert gzip.decompress(file.content) == visit(f"/{name}").content


@pytest.mark.parametrize(
    "prefix, base", [("", "/"), ("/agenda", "/agenda/"), ("/a+b=c", "/a+b=c/")]
)
def test_the_page_knows_the_prefix_it_is_served_below(visit, prefix, base):
    assert f'<base href="{base}">' in visit("/", prefix=prefix).text


@pytest.mark.parametrize("name", ["missing.js", "index.html", "../settings.py", "views", ""])
def test_nothing_else_lies_in_the_folder(visit, name):
    (digest,) = set(re.findall("site/([0-9a-f]+)/", visit("/").text))
    assert visit(f"/site/{digest}/{name}").status_code == 404
    assert visit(f"/site/{digest}/app.js").status_code == 200
    assert visit("/site/0123456789abcdef/app.js").status_code == 404


def test_another_content_is_another_address(tmp_path):
    def digest():
        return site.Shipped(tmp_path).digest

    (tmp_path / "index.html").write_text("$base $digest")
    (tmp_path / "a.js").write_text("1")
    before = digest()
    (tmp_path / "a.js").write_text("2")
    assert digest() != before


def test_the_site_can_be_left_out(visit):
    assert {visit(path, SITE="off").status_code for path in ADDRESSES} == {404}
    assert visit("/health", SITE="off").status_code == 200


def test_the_pages_are_not_operations_of_the_api():
    documented = {path for path, _ in operations(Settings())}
    assert not documented & {path for path, _ in site.PAGES}
