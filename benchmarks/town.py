"""Creates databases of many identical businesses, and requests of their customers."""

import itertools
import random
import time
from collections.abc import Iterator
from datetime import date, timedelta

from benchmarks.load import request
from reservation.domain.people import accounts
from reservation.domain.people.sessions import Account, Tokens
from reservation.domain.planning import businesses, hours, services
from reservation.settings import Settings
from reservation.storage import schema
from reservation.storage.database import connect

SLOT_MINUTES = 30  # duration of a slot and of the only service
HOURS = [
    {"jour": jour, "debut": debut, "fin": fin, "pas_minutes": SLOT_MINUTES, "capacite": 1,
     "prestation_id": None}
    for jour in range(1, 7)
    for debut, fin in ((540, 720), (810, 1140))  # 17 slots a day
]
OWNER, CUSTOMER = "alice@example.fr", "chloe@example.fr"
WEEKS = 11  # full weeks within the calendar of 90 days


def fill(settings: Settings, count: int) -> None:
    """Creates businesses without a calendar; a business and its service have the same id."""
    db = connect(settings.database_url)
    schema.create(db)
    owner, _ = (
        accounts.add(
            db, 4, email=email, password="x" * 12, role=role, nom="Martin", now=int(time.time())
        )
        for email, role in ((OWNER, "company"), (CUSTOMER, "student"))
    )
    now = int(time.time())
    for number in range(1, count + 1):
        values = {"nom": f"Salon {number}", "ville": "Lyon"}
        made = businesses.create(db, Account(owner, "company"), values, now)
        salon = businesses.get(db, made)
        service = {"nom": "Coupe", "duree_minutes": SLOT_MINUTES}
        assert services.add(db, salon, service) == made == number
        hours.replace(db, salon, HOURS, now)
    db.close()


def count_slots(settings: Settings) -> int:
    db = connect(settings.database_url)
    ((count,),) = db.rows("SELECT COUNT(*) FROM creneau")
    db.close()
    return int(count)


def weeks(count: int, options: str = "") -> Iterator[bytes]:
    """Yields requests for the week of a random business, the same requests in every run."""
    chance = random.Random(options)
    while True:
        number = chance.randint(1, count)
        monday = date.today() + timedelta(days=8 - date.today().isoweekday())
        monday += timedelta(weeks=chance.randrange(WEEKS - 1))
        yield request(
            "GET",
            f"/api/entreprises/{number}/creneaux?prestation={number}&du={monday}"
            f"&au={monday + timedelta(days=6)}{options}",
        )


def free(settings: Settings) -> Iterator[tuple[int, int]]:
    """Returns (slot, business) of all free slots, in the same random order in every run."""
    db = connect(settings.database_url)
    rows = db.rows(
        "SELECT id, entreprise_id FROM creneau WHERE debut > ? AND places_prises = 0 ORDER BY id",
        int(time.time()) + 86400,
    )
    db.close()
    random.Random(1).shuffle(rows)
    return iter(rows)


def bookings(settings: Settings) -> Iterator[bytes]:
    """Yields the requests of a customer who books one slot after another."""
    tokens = Tokens(settings.secret, settings.token_lifetime)
    token = tokens.issue(2, CUSTOMER, "student")
    for number, (creneau, entreprise) in zip(itertools.count(), free(settings)):
        body = f'{{"creneauId": {creneau}, "prestationId": {entreprise}}}'
        yield request(
            "POST", "/api/reservations", body.encode(), Content_Type="application/json",
            Authorization=f"Bearer {token}", Idempotency_Key=f"bench-{number}",
        )
