"""A short session with each server, at the root and below a prefix."""

import re
import tempfile
from pathlib import Path

import pytest

from tests import engines
from tests.conftest import PASSWORD, ROUNDS
from tests.embedding.starters import STARTERS, Site
from tests.http.wire import (
    CHUNKED,
    CLOSE,
    JSON,
    LAST_CHUNK,
    Wire,
    answers,
    chunk,
    declared,
    request,
)

pytestmark = engines.on_sqlite
CREDENTIALS = b'{"email": "alice@example.fr", "password": "%s"}' % PASSWORD.encode()
LIMIT = 64 * 1024
PUBLIC = "https://agenda.example/agenda"


class Session(Wire):
    """A session of Alice with one of the servers."""

    def __init__(self, name, server, prefix):
        super().__init__(server)
        self.name, self.prefix, self.token = name, prefix, ""

    def at(self, method, path, body=None, expect=200):
        """Sends a request below the prefix; asserts the status."""
        return self.away(method, self.prefix + path, body, expect)

    def away(self, method, path, body=None, expect=200):
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        answer = self.call(method, path, body or b"", {**(JSON if body else {}), **headers})
        assert answer.status == expect, answer.body
        return answer

    def raw(self, headers, body, half_close=False):
        """Sends a login with this exact body; returns all responses."""
        head = request("POST", self.prefix + "/auth/login", {**JSON, **CLOSE, **headers})
        return answers(self.server.send(head + body, half_close))


@pytest.fixture(scope="module", params=["", "/agenda"], ids=["root", "prefix"])
def prefix(request):
    return request.param


@pytest.fixture(scope="module", params=STARTERS)
def session(request, prefix):
    with tempfile.TemporaryDirectory(prefix="reservation-embedded-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # mod_wsgi cannot read pytest's folders
        site = Site(folder, settings(folder), prefix, engines.free_port())
        site.write()
        server = STARTERS[request.param](site)
        try:
            yield begun(Session(request.param, server, prefix))
        finally:
            server.stop()


def settings(folder):
    return {
        "RESERVATION_DATABASE_URL": f"sqlite:///{folder}/reservation.db",
        "RESERVATION_BCRYPT_ROUNDS": str(ROUNDS),
        "RESERVATION_SMTP_URL": f"file://{folder}/mails",
        "RESERVATION_PUBLIC_URL": PUBLIC,
    }


def begun(session):
    others = b', "first_name": "Alice", "last_name": "Petit", "role": "company"}'
    session.at("POST", "/auth/register", CREDENTIALS[:-1] + others, expect=201)
    session.token = session.at("POST", "/auth/login", CREDENTIALS).json["token"]
    return session


def salon(session, nom):
    body = b'{"nom": "%s", "ville": "Lyon"}' % nom.encode()
    return session.at("POST", "/api/entreprises", body, expect=201)


def test_it_completes_a_city(session):
    assert session.at("GET", "/api/villes?q=saint%20etienne%20du").json[0] == (
        "Saint-Étienne-du-Rouvray"
    )


def test_a_location_leads_to_what_was_made(session):
    made = salon(session, "Salon Alice")
    assert made.headers["Location"] == f"{session.prefix}/api/entreprises/{made.json['id']}"
    assert session.away("GET", made.headers["Location"]).json["nom"] == "Salon Alice"


def test_a_link_leads_to_the_next_page(session):
    two = [salon(session, nom).json["id"] for nom in ("Coiffure", "Coiffure bis")]
    first = session.at("GET", "/api/entreprises?limite=1&q=coiffure")
    (link,) = re.findall(r'<([^>]+)>; rel="next"', first.headers["Link"])
    assert link.startswith(f"{session.prefix}/api/entreprises?")
    second = session.away("GET", link)
    assert [one["id"] for page in (first, second) for one in page.json] == two


def test_the_private_address_of_a_feed_leads_to_it(session):
    url = session.at("GET", "/api/flux").json["url"]
    assert url.startswith(f"{PUBLIC}/flux/")
    feed = session.at("GET", url.removeprefix(PUBLIC))
    assert feed.body.startswith(b"BEGIN:VCALENDAR")


def test_the_document_of_the_api_names_the_prefix(session):
    servers = session.at("GET", "/openapi.json").json["servers"]
    assert servers == [{"url": session.prefix or "/"}]


def test_a_chunked_body_is_read_whole_or_refused(session):
    """uWSGI does not pass a chunked body on; the body must not be treated as empty."""
    parts = [chunk(CREDENTIALS[:7]), chunk(CREDENTIALS[7:40]), chunk(CREDENTIALS[40:])]
    (answer,) = session.raw(CHUNKED, b"".join(parts) + LAST_CHUNK)
    assert answer.status == (400 if session.name == "uWSGI" else 200), answer.body


def test_a_malformed_chunk_is_400(session):
    (answer,) = session.raw(CHUNKED, b"zz\r\n{}\r\n" + LAST_CHUNK, half_close=True)
    assert answer.status == 400, answer.body


def test_a_body_that_ends_too_early_is_400(session):
    """waitress and Apache's daemon process wait for the whole body."""
    found = session.raw(declared(CREDENTIALS + b"more"), CREDENTIALS, half_close=True)
    servers_own = {"waitress": [], "mod_wsgi daemon": [500]}
    assert [one.status for one in found] == servers_own.get(session.name, [400])


@pytest.mark.parametrize("size, status", [(LIMIT, 401), (LIMIT + 1, 413)])
def test_a_body_over_64_kb_is_413(session, size, status):
    body = b'{"email": "nobody@example.fr", "password": "wrong", "more": "'
    body += b"x" * (size - len(body) - 2) + b'"}'
    (answer,) = session.raw(declared(body), body)
    assert answer.status == status, answer.body


def test_nothing_that_was_asked_broke_it(session):
    session.at("GET", "/ready")
    assert "Traceback" not in session.server.output
