"""`reservation demo` creates a town that satisfies the rules of the API."""

import contextlib
import io
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from reservation import Settings, create_app
from reservation.commands import demo as command
from reservation.demo import filling as demo
from reservation.domain import states
from reservation.domain.booking import invariant
from reservation.errors import Refusal
from reservation.storage import schema
from reservation.storage.database import connect, forget
from reservation.storage.models import EventEmail
from tests import engines
from tests.client import Client
from tests.conftest import ROUNDS
from tests.outboxes import SECRET

KINDS = (
    "coiffeur, barbier, ostéopathe, yoga, vétérinaire, massage, contrôle technique, piano,"
    " notaire, photographe, padel, plongée"
).split(", ")
VISITS = (
    "SELECT u.email, p.nom, r.debut, r.places, r.commentaire FROM reservation r"
    " JOIN utilisateur u ON u.id = r.titulaire_id JOIN prestation p ON p.id = r.prestation_id"
    " ORDER BY r.id"
)


@dataclass
class Town:
    settings: Settings
    db: object
    client: Client
    printed: str
    waiting: int  # messages not sent yet

    def log_in(self, who):
        """Logs in as a customer, an owner or an admin with the printed password."""
        rows = [line.split() for line in self.printed.splitlines()]
        email, password = next(row[1:] for row in rows if row[0] == who)
        return self.client.post("/auth/login", {"email": email, "password": password}).json

    def businesses(self, query=""):
        return self.client.get(f"/api/entreprises?{query}").json


@pytest.fixture
def made_at(tmp_path):
    """Creates and checks a town as of a given time (of Paris); returns its bookings."""

    def make(*moment):
        now = datetime(*moment, tzinfo=ZoneInfo("Europe/Paris"))
        db = connect(f"sqlite:///{tmp_path}/{now:%Y%m%d%H}.db")
        schema.create(db)
        db.pragma("synchronous", "off")  # durability is not needed here
        demo.fill(db, ROUNDS, now=int(now.timestamp()))
        assert not any(invariant.breaches(db, one) for one in invariant.businesses(db))
        reached = {statut for (statut,) in db.rows("SELECT statut FROM reservation")}
        assert reached == set(states.STATES)
        visits = db.rows(VISITS)
        forget(db)
        return visits

    return make


@pytest.fixture(scope="module")
def town(request, tmp_path_factory):
    """A town shared by all tests that only read."""
    folder = tmp_path_factory.mktemp("demo")
    url = f"sqlite:///{folder}/reservation.db"
    if engines.ENGINE != "sqlite":
        url = request.getfixturevalue("mariadb").create("demo")
        engines.empty(connect(url))
    settings = Settings(
        database_url=url,
        bcrypt_rounds=ROUNDS,
        secret=SECRET,
    )
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        command.run(None, settings)
    db = connect(url)
    waiting = EventEmail.select().where(EventEmail.statut != "envoye").count(db)
    yield Town(settings, db, Client(create_app(settings)), printed.getvalue(), waiting)
    forget(db)


def test_there_are_twelve_businesses_of_twelve_kinds_in_twelve_cities(town):
    assert len(town.businesses()) == 12
    assert len({one["ville"] for one in town.businesses()}) == 12
    found = [[one["nom"] for one in town.businesses(f"q={kind}")] for kind in KINDS]
    assert [len(names) for names in found] == [1] * 12
    assert len({names[0] for names in found}) == 12


def test_each_business_has_services_a_week_and_events_to_come(town):
    for one in town.businesses():
        path = f"/api/entreprises/{one['id']}"
        assert 2 <= len(town.client.get(f"{path}/prestations").json) <= 6
        assert town.client.get(f"{path}/semainetype").json
        coming = town.client.get(f"{path}/evenements?du={date.today() + timedelta(1)}").json
        assert {"fermeture", "information"} <= {event["type"] for event in coming}


def test_a_hairdresser_is_found_in_lyon_with_a_free_time(town):
    days = [date.today() + timedelta(days) for days in range(1, 8)]
    for query in ("ville=Lyon&q=coiffeur", "ville=lyon&prestation=coupe+femme"):
        offers = [one for day in days for one in town.businesses(f"{query}&disponible={day}")]
        assert {one["nom"] for one in offers} == {"L'Atelier des Pentes, coiffeur"}
        assert all(one["prochainCreneau"]["debut"] for one in offers)


def test_a_free_time_can_be_booked_by_the_customer_who_was_printed(town):
    token = town.log_in("customer")["token"]
    salon = town.businesses("ville=Lyon")[0]["id"]
    service = town.client.get(f"/api/entreprises/{salon}/prestations").json[0]["id"]
    path = f"/api/entreprises/{salon}/creneaux?prestation={service}"
    last = town.client.get(f"{path}&au={date.today() + timedelta(20)}").json[-1]
    body = {"creneauId": last["id"], "prestationId": service}
    made = town.client.post("/api/reservations", body, expect=201, token=token).json
    town.client.delete(f"/api/reservations/{made['id']}", token=token)


def test_the_island_keeps_its_own_time(town):
    club = town.businesses("ville=Saint-Paul+(974)")[0]
    path = f"/api/entreprises/{club['id']}/creneaux?tous=1"
    assert {one["debut"][-6:] for one in town.client.get(path).json} == {"+04:00"}


def test_the_printed_accounts_log_in_with_their_roles(town):
    roles = [town.log_in(who)["user"]["role"] for who in ("customer", "owner", "admin")]
    assert roles == ["student", "company", "admin"]


def test_the_customer_has_visits_and_the_owner_those_of_the_salon(town):
    own, salon = (
        town.client.get("/api/reservations", token=town.log_in(who)["token"]).json
        for who in ("customer", "owner")
    )
    assert len(own) > 5 and len(salon) > 5
    assert {one["entreprise"]["nom"] for one in salon} == {"L'Atelier des Pentes, coiffeur"}


def test_the_places_taken_are_those_booked(town):
    for entreprise_id in invariant.businesses(town.db):
        assert invariant.breaches(town.db, entreprise_id) == []


def test_bookings_are_in_every_state_and_none_is_over_and_yet_open(town):
    rows = town.db.rows("SELECT statut, fin FROM reservation")
    assert {statut for statut, _ in rows} == set(states.STATES)
    now = datetime.now().timestamp()
    for statut, fin in rows:
        if statut in ("honoree", "absente"):
            assert fin <= now
        if statut in states.OPEN:
            assert fin > now - 600  # the visit may have just ended


def test_no_mail_to_an_invented_person_waits_to_be_sent(town):
    assert town.waiting == 0


def test_a_second_run_is_refused_and_changes_nothing(town):
    with pytest.raises(Refusal, match="has businesses already"):
        command.run(None, town.settings)
    assert len(town.businesses()) == 12


def test_a_database_with_somebody_elses_business_is_refused(reservation, salon):
    done = reservation("demo", status=1, fresh=True)
    assert done.stderr.startswith("reservation: the database has businesses already")


def test_a_database_with_an_account_of_the_same_email_is_refused(reservation, db):
    who = ["camille.moreau@example.fr", "--first-name", "Camille", "--last-name", "Moreau"]
    reservation("user", "add", *who, stdin="ouvre-toi sesame\n")
    done = reservation("demo", status=1)
    assert "has the account camille.moreau@example.fr already" in done.stderr


def test_production_is_refused(reservation, db):
    done = reservation("demo", status=1, ENV="production")
    assert done.stderr.startswith("reservation: demo is refused in production")
    assert reservation("user", "list").stdout == ""


def test_a_date_has_the_same_visits_whatever_the_hour(made_at):
    """Daylight saving time begins on this date."""
    early, late = made_at(2027, 3, 28, 0, 5), made_at(2027, 3, 28, 20)
    assert early == late


def test_a_town_is_made_amid_the_holidays_too(made_at):
    assert len(made_at(2028, 1, 1, 12)) > 300
