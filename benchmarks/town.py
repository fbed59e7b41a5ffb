"""The data sets, and the requests of their people."""

import itertools
import json
import random
import time
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from benchmarks.load import request
from benchmarks.servers import run
from reservation.domain.people import accounts
from reservation.domain.people.sessions import Tokens
from reservation.lib.instants import DAY
from reservation.settings import Settings
from reservation.storage import schema
from reservation.storage.database import Database, connect, forget, transaction
from tests.resources.large import BUSINESSES, BUSY, Town

PASSWORD = "un bon mot de passe"
PAST_DAYS = 400  # in which the events and all bookings of the tables are
OWN = {0: range(500, 508), 10: range(508, 516), 50: range(516, 524)}  # customers by bookings
CUSTOMERS = range(524, 564)  # who book in turn
LETTERS = 12  # typed of a name at most
_HOURS = (
    "INSERT INTO semainetype (entreprise_id, jour, debut, fin, pas_minutes, capacite)"
    " VALUES (?, ?, ?, ?, ?, 1)"
)
_FREE = (
    "SELECT id, entreprise_id, debut, fin FROM creneau WHERE debut > ? AND places_prises = 0"
    " AND ouvert = 1 ORDER BY entreprise_id, debut"
)
_SERVICES = (
    "SELECT p.id, p.entreprise_id, p.duree_minutes FROM prestation p"
    " JOIN entreprise e ON e.id = p.entreprise_id WHERE p.actif = 1 AND e.actif = 1 ORDER BY p.id"
)


class Visit(NamedTuple):
    """A visit that nobody has booked yet."""

    creneau: int
    entreprise: int
    prestation: int
    debut: int
    fin: int
    slots: int


def step_of(entreprise: int) -> int:
    """Returns the length of the slots of a business, in minutes."""
    return 30 if entreprise % 4 else 20


def _hours(entreprise: int) -> Iterator[tuple[int, int, int, int, int]]:
    """Yields the hours of five days; the other days are closed."""
    step, later = step_of(entreprise), entreprise % 3
    slots = (9 if step == 30 else 14) + entreprise % 5
    for jour in range(1, 7):
        if jour != entreprise % 6 + 1:
            yield entreprise, jour, 480 + step * later, 720, step
            yield entreprise, jour, 810, 810 + step * slots, step


def length_of(prestation: int) -> int:
    """Returns the length of a service, in slots."""
    return {0: 3, 4: 2}.get(prestation % 5, 1)


Account = tuple[int, str, str]  # id, e-mail, role


def _account(db: Database, role: str) -> Account:
    ((count,),) = db.rows("SELECT COUNT(*) FROM utilisateur")
    email = f"{role}{count}@example.fr"
    how = {"email": email, "password": PASSWORD, "role": role, "nom": "Martin"}
    return accounts.add(db, 4, now=0, **how), email, role


class People:
    """A large town with a calendar for some of its businesses, and what its people request.

    Each business has its own hours; of five services, two are longer than a slot.
    """

    def __init__(
        self, settings: Settings, bookings: int, businesses: int, days: int = 30
    ) -> None:
        self.settings, self.days = settings, days
        self._tokens = Tokens(settings.secret, settings.token_lifetime)
        db = connect(settings.database_url)
        schema.create(db)
        self.admin, self.owner, self.manager, self.regular = (
            _account(db, role) for role in ("admin", "company", "company", "student")
        )
        start = (int(time.time()) // DAY - PAST_DAYS - 20) * DAY
        Town(db, self.owner[0], self.manager[0], self.regular[0], start=start).fill(bookings)
        transaction(db, lambda: self._fill(db, businesses))
        self._services = db.rows(_SERVICES)
        forget(db)
        run(settings, "worker", "--once")  # makes the calendars

    def _fill(self, db: Database, businesses: int) -> None:
        def change(table: str, values: str, ids: Iterable[int]) -> None:
            some = ", ".join(map(str, ids))
            db.write(f"UPDATE {table} SET {values} WHERE id IN ({some or 0})")

        everyone = range(1, BUSINESSES + 1)
        for length in (20, 30, 40, 60, 90):
            change("prestation", f"duree_minutes = {length}", (
                id for id in range(1, 5 * BUSINESSES + 1)
                if step_of((id - 1) // 5 + 1) * length_of(id) == length
            ))
        change("entreprise", f"horizon_jours = {self.days}", everyone)
        change("entreprise", "actif = 0", everyone[businesses:])
        change("entreprise", "ville = 'Paris', ville_cle = 'paris'", everyone[BUSY + 1:])
        db.write_many(_HOURS, [row for id in everyone for row in _hours(id)])
        number = 0
        customers = [self._customer(one)[0] for own in OWN.values() for one in own]
        both = "utilisateur_id = ?, demandeur_id = ?"
        db.write(f"UPDATE reservation SET {both} WHERE utilisateur_id BETWEEN ? AND ?",
                 self.regular[0], self.regular[0], customers[0], customers[-1])
        for rows, own in OWN.items():
            for one in own:
                customer = self._customer(one)[0]
                db.write(f"UPDATE reservation SET {both} WHERE id BETWEEN ? AND ?",
                         customer, customer, number + 1, number + rows)
                number += rows

    def _customer(self, number: int) -> Account:
        return self.regular[0] + 1 + number, f"{number}@example.net", "student"

    def sent_by(
        self, account: Account, path: str, body: object = None, **headers: str
    ) -> bytes:
        """Returns a request of an account: a GET, or a POST with a body."""
        token = self._tokens.issue(*account)
        method, octets = ("POST", json.dumps(body).encode()) if body else ("GET", b"")
        return request(method, path, octets, Authorization=f"Bearer {token}", **headers)

    def own(self, rows: int) -> Iterator[bytes]:
        """Yields requests for the own bookings of customers who have this number."""
        accounts = map(self._customer, OWN[rows])
        return itertools.cycle([self.sent_by(one, "/api/reservations") for one in accounts])

    def weeks(self, longer: bool = False, options: str = "", days: int = 7) -> Iterator[bytes]:
        """Yields requests for the free starts in a random week, or in fewer days, of a service of
        one slot, or of a `longer` service; the same requests in every run."""
        chance = random.Random(1)
        some = [(id, of) for id, of, _ in self._services if (length_of(id) > 1) == longer]
        monday = date.today() + timedelta(days=8 - date.today().isoweekday())
        while True:
            prestation, entreprise = chance.choice(some)
            # Within the horizon of the smallest calendars
            du = monday + timedelta(weeks=chance.randrange(3), days=chance.randrange(8 - days))
            yield request(
                "GET",
                f"/api/entreprises/{entreprise}/creneaux?prestation={prestation}&du={du}"
                f"&au={du + timedelta(days=days - 1)}{options}",
            )

    def searches(self) -> Iterator[bytes]:
        for ahead in itertools.cycle(range(1, 15)):
            day = date.today() + timedelta(days=ahead)
            yield request("GET", f"/api/entreprises?ville=Paris&disponible={day}")

    def new_events(self) -> Iterator[bytes]:
        """Yields requests of the owner of the busy business for closures, each on another day."""
        for ahead in itertools.count(400):
            first, last = (date.today() + timedelta(days=ahead + n) for n in (0, 1))
            body = {"type": "fermeture", "titre": "Congés", "debut": f"{first}T00:00:00+00:00",
                    "fin": f"{last}T00:00:00+00:00"}
            yield self.sent_by(self.owner, f"/api/entreprises/{BUSY}/evenements", body)

    def free(self) -> Iterator[Visit]:
        """Returns visits that can all be booked, in the same random order in every run."""
        db = connect(self.settings.database_url)
        slots = db.rows(_FREE, int(time.time()) + DAY)
        forget(db)
        offered: dict[int, list[int]] = {}
        for prestation, entreprise, _ in self._services:
            offered.setdefault(entreprise, []).append(prestation)
        visits, at = [], 0
        while at < len(slots):
            number, entreprise, debut, _ = slots[at]
            prestation = offered[entreprise][at % len(offered[entreprise])]
            under = slots[at : at + length_of(prestation)]
            at += len(under)
            fin = debut + length_of(prestation) * step_of(entreprise) * 60
            if under[-1][3] == fin and under[-1][1] == entreprise:
                visits.append(Visit(number, entreprise, prestation, debut, fin, len(under)))
        random.Random(1).shuffle(visits)
        return iter(visits)

    def bookings(self) -> Iterator[bytes]:
        """Yields the requests of customers who book one visit after another."""
        customers = itertools.cycle(map(self._customer, CUSTOMERS))
        for number, (visit, customer) in enumerate(zip(self.free(), customers)):
            body = {"creneauId": visit.creneau, "prestationId": visit.prestation}
            yield self.sent_by(
                customer, "/api/reservations", body, Idempotency_Key=f"bench-{number}"
            )


def prefixes(names: str) -> Iterator[bytes]:
    """Yields requests to complete beginnings of names of this file, each once, in the same random
    order in every run."""
    lines = Path(names).read_text(encoding="utf-8").splitlines()
    typed = {name[:length] for name in lines for length in range(1, LETTERS)}
    for one in random.Random(1).sample(sorted(typed), len(typed)):
        yield request("GET", f"/api/villes?q={quote(one)}")
