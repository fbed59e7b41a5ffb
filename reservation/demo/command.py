"""`reservation demo`: a believable small town, made by what the API itself is made of."""

import argparse
import secrets
import time
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from reservation.demo import visits as demo_visits
from reservation.demo.town import ADMIN, CUSTOMERS, SHOPS, Dated, Hours, Person, Shop
from reservation.domain.people import accounts
from reservation.domain.people.accounts import Account
from reservation.domain.planning import businesses, events, hours, services
from reservation.errors import Refusal
from reservation.lib import instants
from reservation.lib.folding import search_key
from reservation.settings import Settings
from reservation.storage import schema
from reservation.storage.database import Database, connect, transaction
from reservation.storage.models import Entreprise

# For passwords that nobody is told and that are too long to be guessed, whatever their hash.
LEAST_ROUNDS = 4


class Told(NamedTuple):
    """An account whose password is printed, this once."""

    who: str
    email: str
    password: str


def add_to(commands: Any) -> None:
    command = commands.add_parser(
        "demo",
        help="fill an empty database with invented businesses and bookings",
        description="Fill a database without businesses with twelve invented ones in French"
        " cities, their services, weeks and customers, and a month of bookings around today."
        " Prints the passwords of a customer, an owner and an admin. Refused in production.",
    )
    command.set_defaults(run=run)


def run(_options: argparse.Namespace, settings: Settings) -> None:
    if settings.production:
        raise Refusal("demo is refused in production: it would make an admin for all to see")
    db = connect(settings.database_url)
    schema.create(db)
    schema.require(db)
    require_room(db)
    # All at once: a worker beside must not send what is said here to invented people.
    told, booked = transaction(db, lambda: fill(db, settings.bcrypt_rounds, int(time.time())))
    print(f"made {len(SHOPS)} businesses, {len(CUSTOMERS)} customers and {booked} bookings")
    print("accounts to log in with, whose passwords are shown this once:")
    for one in told:
        print(f"  {one.who:<8}  {one.email:<26}  {one.password}")


def require_room(db: Database) -> None:
    """Raises Refusal where the demo would mix with what somebody else has made."""
    if Entreprise.select().exists(db):
        raise Refusal("the database has businesses already: demo fills only one without any")
    for person in (*CUSTOMERS, ADMIN, *(shop.gerant for shop in SHOPS)):
        email = email_of(person)
        if accounts.find(db, email) is not None:
            raise Refusal(f"the database has the account {email} already, which demo would make")


def fill(db: Database, rounds: int, now: int) -> tuple[list[Told], int]:
    """Make the town as of `now`; the accounts to be told and how many visits were booked."""
    told = [
        _told(db, rounds, "customer", CUSTOMERS[0], "student", now),
        _told(db, rounds, "owner", SHOPS[0].gerant, "company", now),
        _told(db, rounds, "admin", ADMIN, "admin", now),
    ]
    for shop in SHOPS[1:]:
        _account(db, LEAST_ROUNDS, shop.gerant, "company", secrets.token_urlsafe(32), now)
    opened = [_open(db, shop, now) for shop in SHOPS]
    customers = [_customer(db, number, person, now) for number, person in enumerate(CUSTOMERS)]
    return told, demo_visits.fill(db, opened, customers, now)


def email_of(person: Person) -> str:
    return search_key(f"{person.prenom}-{person.nom}").replace(" ", ".") + "@example.fr"


def _told(
    db: Database, rounds: int, who: str, person: Person, role: str, now: int
) -> Told:
    told = Told(who, email_of(person), secrets.token_urlsafe(12))
    _account(db, rounds, person, role, told.password, now)
    return told


def _account(
    db: Database, rounds: int, person: Person, role: str, password: str, now: int
) -> None:
    email = email_of(person)
    accounts.add(
        db, rounds, email=email, password=password, role=role, now=now, **person._asdict()
    )


def _customer(db: Database, number: int, person: Person, now: int) -> Account:
    telephone = f"06 39 98 {number + 1:02} {number * 37 % 100:02}"
    customer_id = accounts.customer(
        db, now, email=email_of(person), telephone=telephone, **person._asdict()
    )
    return Account(customer_id, "student")


def _open(db: Database, shop: Shop, now: int) -> demo_visits.Open:
    owner = accounts.find(db, email_of(shop.gerant))
    assert owner is not None
    asking = Account(owner.id, "company")
    entreprise = businesses.get(db, businesses.create(db, asking, _about(shop), now))
    ids = {
        service.nom: services.add(db, entreprise, service._asdict())
        for service in shop.prestations
    }
    week = [row for hours in shop.semaine for row in _openings(hours, ids)]
    hours.replace(db, entreprise, week, now)
    _plan(db, shop, entreprise, now)
    return demo_visits.Open(shop, asking, entreprise, [
        services.get(db, prestation_id) for prestation_id in ids.values()
    ])


def _about(shop: Shop) -> dict[str, Any]:
    columns = ("nom", "description", "adresse", "code_postal", "ville", "telephone", "email")
    return {**{column: getattr(shop, column) for column in columns}, **shop.regles}


def _openings(hours: Hours, ids: dict[str, int]) -> list[dict[str, Any]]:
    """The rows of semainetype."""
    return [
        {
            "jour": int(jour),
            "debut": debut,
            "fin": fin,
            "pas_minutes": hours.pas_minutes,
            "capacite": hours.capacite,
            "prestation_id": ids[hours.prestation] if hours.prestation else None,
        }
        for jour in hours.jours
        for debut, fin in map(_minutes, hours.heures.split())
    ]


def _minutes(span: str) -> tuple[int, int]:
    """`09:00-12:30` in minutes since midnight."""
    debut, fin = (int(time[:2]) * 60 + int(time[3:]) for time in span.split("-"))
    return debut, fin


def _plan(db: Database, shop: Shop, entreprise: Entreprise, now: int) -> None:
    """Its dated exceptions, the public holidays of this year and of the horizon among them."""
    zone = instants.zone_of(entreprise.fuseau)
    today = instants.local_date(now, zone)
    years = {today.year, (today + timedelta(days=entreprise.horizon_jours)).year}
    for year in sorted(years) if shop.feries else ():
        for closure in events.missing_holidays(db, entreprise, year, shop.feries):
            events.add(db, entreprise, closure, now)
    for dated in shop.evenements:
        events.add(db, entreprise, _event(dated, today, zone), now)


def _event(dated: Dated, today: date, zone: ZoneInfo) -> dict[str, Any]:
    """The columns of evenement."""
    first = today + timedelta(days=dated.dans)
    if dated.jour:
        first += timedelta(days=(dated.jour - first.isoweekday()) % 7)
    debut, fin = _minutes(dated.heures)
    return {
        "type": dated.type,
        "titre": dated.titre,
        "description": dated.description,
        "debut": _at(first, debut, zone),
        "fin": _at(first + timedelta(days=dated.jours - 1), fin, zone),
        "pas_minutes": dated.pas_minutes,
        "capacite": dated.capacite,
    }


def _at(day: date, minutes: int, zone: ZoneInfo) -> int:
    midnight = datetime(day.year, day.month, day.day, tzinfo=zone)
    return int((midnight + timedelta(minutes=minutes)).timestamp())
