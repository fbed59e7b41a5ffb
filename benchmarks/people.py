"""The requests of the people of a town."""

import json
import random
import time
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import count, cycle, product
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from benchmarks import town
from benchmarks.load import request
from benchmarks.town import OWN, Account, length_of, step_of
from reservation.domain.people.sessions import Tokens
from reservation.lib.instants import DAY
from reservation.settings import Settings
from reservation.storage.database import connect, forget
from tests.resources.large import BUSY

CUSTOMERS = range(524, 564)  # numbers of the customers who book in turn
LETTERS = 12  # a typed prefix of a name has fewer letters
_FREE = (
    "SELECT c.id, r.entreprise_id, c.debut, c.fin FROM creneau c"
    " JOIN ressource r ON r.id = c.ressource_id WHERE c.debut > ? AND c.places_prises = 0"
    " AND c.ouvert = 1 AND r.genre = 'personne' AND r.ordre = 0"
    " ORDER BY r.entreprise_id, c.debut"
)
_SERVICES = (
    "SELECT p.id, p.entreprise_id FROM prestation p"
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


class People:
    """Creates a town, and creates requests of its customers and owners."""

    def __init__(
        self, settings: Settings, bookings: int, businesses: int, days: int = 30,
        persons: int = 1,
    ) -> None:
        self.settings = settings
        self.accounts = town.fill(settings, bookings, businesses, days, persons)
        self._tokens = Tokens(settings.secret, settings.token_lifetime)
        db = connect(settings.database_url)
        self._services = db.rows(_SERVICES)
        forget(db)

    def sent_by(self, account: Account, path: str, body: Any = None, **headers: str) -> bytes:
        """Returns a request of an account: a GET, or a POST with a body."""
        token = self._tokens.issue(*account, int(time.time()))
        method, octets = ("POST", json.dumps(body).encode()) if body else ("GET", b"")
        return request(method, path, octets, Authorization=f"Bearer {token}", **headers)

    def own(self, rows: int) -> Iterator[bytes]:
        """Yields requests of customers for their own bookings; each has `rows` bookings."""
        accounts = map(self.accounts.customer, OWN[rows])
        return cycle([self.sent_by(one, "/api/reservations") for one in accounts])

    def weeks(self, longer: bool = False, options: str = "", days: int = 7) -> Iterator[bytes]:
        """Yields requests for the free starts of a random service in a random week.

        The service takes one slot, or more with `longer`. With fewer than 7 `days`, the first day
        is a day on which the business is open. The requests are the same in every run.
        """
        chance = random.Random(1)
        some = [(id, of) for id, of in self._services if (length_of(id) > 1) == longer]
        monday = date.today() + timedelta(days=8 - date.today().isoweekday())
        while True:
            prestation, entreprise = chance.choice(some)
            du = monday + timedelta(weeks=chance.randrange(3))
            if days < 7:
                du += timedelta(days=(entreprise + 1) % 6)  # see benchmarks.town
            yield request(
                "GET",
                f"/api/entreprises/{entreprise}/creneaux?prestation={prestation}&du={du}"
                f"&au={du + timedelta(days=days - 1)}{options}",
            )

    def searches(self) -> Iterator[bytes]:
        """Yields searches for free businesses on each day of two weeks, except Sundays, on which
        all businesses are closed."""
        coming = [date.today() + timedelta(days=ahead) for ahead in range(1, 15)]
        for day in cycle([day for day in coming if day.isoweekday() < 7]):
            yield request("GET", f"/api/entreprises?ville=Paris&disponible={day}")

    def words(self) -> Iterator[bytes]:
        """Yields searches for words, with and without typing errors and places."""
        some = ("coupe", "coupes", "cuope", "coupe salon", "coupe 75011", "cou")
        for q, ville in cycle(product(some, ("", "Paris", "69100"))):
            yield request("GET", f"/api/entreprises?{urlencode({'q': q, 'ville': ville})}")

    def new_events(self) -> Iterator[bytes]:
        """Yields requests of the owner of BUSY to add closures, each on another day."""
        for ahead in count(400):
            first, last = (date.today() + timedelta(days=ahead + n) for n in (0, 1))
            body = {"type": "fermeture", "titre": "Congés", "debut": f"{first}T00:00:00+00:00",
                    "fin": f"{last}T00:00:00+00:00"}
            yield self.sent_by(self.accounts.owner, f"/api/entreprises/{BUSY}/evenements", body)

    def free(self) -> Iterator[Visit]:
        """Returns visits that can all be booked, in the same random order in every run.

        In a team, these are the times at which the first person is free.
        """
        db = connect(self.settings.database_url)
        slots = db.rows(_FREE, int(time.time()) + DAY)
        forget(db)
        offered: dict[int, list[int]] = {}
        for prestation, entreprise in self._services:
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
        """Yields requests of customers to book the visits of `free`, one after another."""
        customers = cycle(map(self.accounts.customer, CUSTOMERS))
        for number, (visit, customer) in enumerate(zip(self.free(), customers)):
            body = {"creneauId": visit.creneau, "prestationId": visit.prestation}
            yield self.sent_by(
                customer, "/api/reservations", body, Idempotency_Key=f"bench-{number}"
            )


def prefixes(names: str) -> Iterator[bytes]:
    """Yields requests to complete the beginnings of the names in this file.

    Each beginning comes once, in the same random order in every run.
    """
    lines = Path(names).read_text(encoding="utf-8").splitlines()
    typed = {name[:length] for name in lines for length in range(1, LETTERS)}
    for one in random.Random(1).sample(sorted(typed), len(typed)):
        yield request("GET", f"/api/villes?q={quote(one)}")
