"""Creates the accounts, businesses and bookings of the invented town (see town.py)."""

import secrets
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from reservation.demo import drawings, teams, visits
from reservation.demo.town import DatedEvent, Hours, Resident, Shop, town
from reservation.demo.visits import OpenShop
from reservation.domain.people import accounts
from reservation.domain.people.sessions import Account
from reservation.domain.planning import businesses, closures, events, hours, services
from reservation.lib import instants
from reservation.lib.folding import search_key
from reservation.storage.database import Database
from reservation.storage.models import Entreprise

LEAST_ROUNDS = 4  # lowest bcrypt cost; safe for a password of 32 random bytes
_COLUMNS = (
    "nom", "description", "adresse", "code_postal", "ville", "telephone", "email", "metiers",
)


class DemoAccount(NamedTuple):
    who: str
    email: str
    password: str


def fill(db: Database, rounds: int, now: int) -> tuple[list[DemoAccount], int]:
    """Creates the town. Returns the accounts to print, and the number of bookings.

    `rounds` is the bcrypt cost for the passwords of the printed accounts.
    """
    admin, customers, _, shops = town()
    printed = [
        _printed(db, rounds, "customer", customers[0], "student", now),
        _printed(db, rounds, "owner", shops[0].gerant, "company", now),
        _printed(db, rounds, "admin", admin, "admin", now),
    ]
    for shop in shops[1:]:
        _add_account(db, LEAST_ROUNDS, shop.gerant, "company", secrets.token_urlsafe(32), now)
    opened = [_open(db, shop, now) for shop in shops]
    drawings.add(db, opened[0].entreprise, now)
    booking = [_customer(db, number, person, now) for number, person in enumerate(customers)]
    return printed, visits.fill(db, opened, booking, now)


def email_of(person: Resident) -> str:
    return search_key(f"{person.prenom}-{person.nom}").replace(" ", ".") + "@example.fr"


def _printed(
    db: Database, rounds: int, who: str, person: Resident, role: str, now: int
) -> DemoAccount:
    credentials = DemoAccount(who, email_of(person), secrets.token_urlsafe(12))
    _add_account(db, rounds, person, role, credentials.password, now)
    return credentials


def _add_account(
    db: Database, rounds: int, person: Resident, role: str, password: str, now: int
) -> None:
    fields = {"email": email_of(person), "password": password, "role": role}
    accounts.add(db, rounds, now=now, email_prouve_le=now, **fields, **person._asdict())


def _customer(db: Database, number: int, person: Resident, now: int) -> Account:
    email = email_of(person)
    if (known := accounts.find(db, email)) is not None:  # already added by `fill`
        return Account(known.id, "student")
    telephone = f"06 39 98 {number + 1:02} {number * 37 % 100:02}"
    customer_id = accounts.add_proven(
        db, now, email=email, telephone=telephone, **person._asdict()
    )
    return Account(customer_id, "student")


def _open(db: Database, shop: Shop, now: int) -> OpenShop:
    owner = accounts.find(db, email_of(shop.gerant))
    assert owner is not None
    asking = Account(owner.id, "company")
    about = {column: getattr(shop, column) for column in _COLUMNS}
    entreprise = businesses.get(db, businesses.create(db, asking, {**about, **shop.regles}, now))
    team = teams.add(db, shop, entreprise, now)
    ids = {
        service.nom: services.add(
            db, entreprise, {**service._asdict(), "ressources": teams.able(shop, service, team)}
        )
        for service in shop.prestations
    }
    hours.replace(db, entreprise, _week(shop.semaine, ids), now=now)
    for member in shop.equipe:
        if member.semaine:
            teams.set_hours(db, team[member.nom], _week(member.semaine, ids), now)
    _add_events(db, shop, entreprise, team, now)
    prestations = [services.get(db, prestation_id) for prestation_id in ids.values()]
    return OpenShop(shop, asking, entreprise, prestations)


def _week(openings: Sequence[Hours], ids: dict[str, int]) -> list[dict[str, Any]]:
    return [
        {
            "jour": int(jour),
            "debut": debut,
            "fin": fin,
            "pas_minutes": opening.pas_minutes,
            "capacite": opening.capacite,
            "prestation_id": ids[opening.prestation] if opening.prestation else None,
        }
        for opening in openings
        for jour in opening.jours
        for debut, fin in map(_minutes, opening.heures.split())
    ]


def _minutes(span: str) -> tuple[int, int]:
    """Converts "09:00-12:30" to (540, 750), in minutes since midnight."""
    debut, fin = (int(time[:2]) * 60 + int(time[3:]) for time in span.split("-"))
    return debut, fin


def _add_events(
    db: Database, shop: Shop, entreprise: Entreprise, team: dict[str, int], now: int
) -> None:
    zone = instants.zone_of(entreprise.fuseau)
    today = instants.local_date(now, zone)
    years = {today.year, (today + timedelta(days=entreprise.horizon_jours)).year}
    for year in sorted(years) if shop.feries else ():
        for closure in closures.missing_holidays(db, entreprise, year, shop.feries):
            events.add(db, entreprise, closure, now=now)
    for event in shop.evenements:
        who = {"ressource_id": team[event.qui] if event.qui else None}
        events.add(db, entreprise, {**_values(event, today, zone), **who}, now=now)


def _values(event: DatedEvent, today: date, zone: ZoneInfo) -> dict[str, Any]:
    first = today + timedelta(days=event.dans)
    if event.jour:
        first += timedelta(days=(event.jour - first.isoweekday()) % 7)
    debut, fin = _minutes(event.heures)
    return {
        "type": event.type,
        "titre": event.titre,
        "description": event.description,
        "debut": _at(first, debut, zone),
        "fin": _at(first + timedelta(days=event.jours - 1), fin, zone),
        "pas_minutes": event.pas_minutes,
        "capacite": event.capacite,
    }


def _at(day: date, minutes: int, zone: ZoneInfo) -> int:
    midnight = datetime(day.year, day.month, day.day, tzinfo=zone)
    return int((midnight + timedelta(minutes=minutes)).timestamp())
