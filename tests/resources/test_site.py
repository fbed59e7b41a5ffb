"""The booking site over HTTP: its pages, the files they load, and framing."""

import gzip
import json
import re
from functools import cache

import pytest
from falcon.testing import simulate_get

from reservation import Settings, create_app
from reservation.application import operations
from reservation.domain.people import accounts
from reservation.domain.people.sessions import Account
from reservation.domain.planning import businesses
from reservation.lib import short_addresses
from reservation.resources import site, site_files
from reservation.routes import DOCS, ROUTES
from reservation.storage.database import connect, forget
from tests.servers import variables

NAMED = "/salon-alice-lyon"
ADDRESSES = [
    path.replace("{id:id}", "7").replace("/{adresse:short}", NAMED)
    for path, cls in site.PAGES if cls is not site_files.SiteFile
]


HOSTILE = "</script><!--<script>alert(1)</script>\"><b>"


@pytest.fixture(scope="module")
def visit(tmp_path_factory):
    """Sends a GET as a browser does: visit(path, prefix="/agenda", SITE="off")."""
    url = f"sqlite:///{tmp_path_factory.mktemp('site')}/reservation.db"

    @cache
    def application(**changes):
        settings = variables({"DATABASE_URL": url, **changes})
        return create_app(Settings.from_environ(settings))

    application()
    db = connect(url)
    who = {"email": "alice@example.fr", "password": "un bon mot de passe", "role": "company"}
    owner = accounts.add(db, 4, now=0, nom="Alice", **who)
    for number in range(1, 8):
        nom = "Salon Alice" if number == 7 else f"Salon {number}"
        about = {"nom": nom, "ville": "Lyon", "description": HOSTILE}
        assert businesses.create(db, Account(owner, "company"), about, now=0) == number
    forget(db)

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


@pytest.mark.parametrize("path", ["/entreprises", "/entreprises/99", "/salon-bob-lyon", "/a.php"])
def test_a_browser_gets_a_page_at_an_unknown_address(visit, path):
    page = visit(path, headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    assert page.status_code == 404
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["x-error-code"] == "not_found"
    assert page.headers["content-security-policy"] == visit("/").headers["content-security-policy"]
    assert ' data-status="404"' in page.text


@pytest.mark.parametrize("path", ["/api/entreprises/99", "/api/autre", "/auth/autre", "//autre"])
def test_the_api_has_no_page_for_refusals(visit, path):
    answer = visit(path, headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    assert answer.status_code == 404
    assert answer.json == {"error": "Not found", "code": "not_found"}


@pytest.mark.parametrize("path", ["/entreprises/7", NAMED])
def test_the_head_of_a_business_is_for_messengers_and_search_engines(visit, path):
    text = visit(path, prefix="/agenda", headers={"Host": "salon.example:8443"}).text
    url = f"http://salon.example:8443/agenda{NAMED}"
    assert "<title>Salon Alice · Lyon</title>" in text
    assert f'<link rel="canonical" href="{url}">' in text
    assert f'<meta property="og:url" content="{url}">' in text
    assert '<meta property="og:title" content="Salon Alice · Lyon">' in text
    (data,) = re.findall('<script type="application/ld.json">(.*?)</script>', text)
    data = json.loads(data)
    assert (data["name"], data["url"], data["description"]) == ("Salon Alice", url, HOSTILE)
    assert data["address"] == {"@type": "PostalAddress", "addressLocality": "Lyon"}
    assert "<b>" not in text and "<!--" not in text
    assert ' data-entreprise="7"' in text


@pytest.mark.parametrize(
    ("prefers", "langue", "locale", "about", "action"),
    [
        ("", "fr", "fr_FR", "Prenez rendez-vous en ligne : Coupe", "Prendre rendez-vous"),
        ("en-GB,en;q=0.9,fr;q=0.8", "en", "en_GB", "Book online: Coupe", "Book an appointment"),
    ],
)
def test_the_head_of_a_business_follows_the_language_of_the_browser(
    client, salon, alice, prefers, langue, locale, about, action
):
    short = client.get(f"/api/entreprises/{salon.id}").json["adresseCourte"]
    for path in (f"/entreprises/{salon.id}", f"/{short}"):
        headers = {"Accept-Language": prefers} if prefers else {}
        page = client.app.get(path, headers=headers)
        assert f'<html lang="{langue}"' in page.text
        assert f'<meta property="og:locale" content="{locale}">' in page.text
        for name in ('name="description"', 'property="og:description"'):
            assert f'<meta {name} content="{about}' in page.text
        (data,) = re.findall('<script type="application/ld.json">(.*?)</script>', page.text)
        assert json.loads(data)["potentialAction"]["name"] == action


@pytest.mark.parametrize("path", ["/entreprises/7", NAMED])
def test_each_language_of_the_head_has_a_tag_of_its_own(visit, path):
    french, english = visit(path), visit(path, headers={"Accept-Language": "en"})
    assert french.headers["vary"] == "Accept-Encoding, Accept-Language"
    known = {"Accept-Language": "en", "If-None-Match": english.headers["etag"]}
    same = visit(path, headers=known)
    assert (same.status_code, same.headers["vary"]) == (304, french.headers["vary"])
    again = visit(path, headers={**known, "If-None-Match": french.headers["etag"]})
    assert (again.status_code, again.content) == (200, english.content)
    assert visit("/").headers["vary"] == "Accept-Encoding"


def test_the_public_url_is_in_the_head(visit):
    text = visit(NAMED, PUBLIC_URL="https://agenda.example").text
    assert f'href="https://agenda.example{NAMED}"' in text


def test_no_short_address_hides_another_path():
    paths = [path for path, _ in (*ROUTES, *DOCS, *site.PAGES)]
    firsts = {path.split("/")[1].replace("_", "-") for path in paths}
    assert {one for one in firsts if short_addresses.is_valid(one)} <= short_addresses.RESERVED


def test_a_page_is_asked_for_again_each_time_and_answered_304(visit):
    page = visit("/")
    assert page.headers["cache-control"] == "no-cache"
    again = visit("/", headers={"If-None-Match": page.headers["etag"]})
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


@pytest.mark.parametrize("name", ["site.css", "manage.css"])
def test_a_style_sheet_is_one_file_without_comments(name):
    sheet = site_files.shipped().files[name].octets.decode()
    assert "{" in sheet and "@import" not in sheet and "/*" not in sheet


@pytest.mark.parametrize("path", ADDRESSES)
def test_a_page_names_its_scripts_with_all_that_these_import(visit, path):
    page = visit(path).text
    scripts = re.findall(r'(?:src|modulepreload" href)="site/[0-9a-f]+/([^"]+\.js)"', page)
    assert len(scripts) == len(set(scripts)) > 6  # app.js, its imports, and the view
    for name in scripts:
        source = site_files.shipped().files[name].octets.decode()
        for other in re.findall(r"^} from '(.+)';$|^import .* from '(.+)';$", source, re.M):
            imported = site_files.FOLDER / name / ".." / "".join(other)
            assert imported.resolve().relative_to(site_files.FOLDER).as_posix() in scripts


def test_another_content_is_another_address(tmp_path):
    def digest():
        return site_files.Shipped(tmp_path).digest

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
