"""A team of five persons and two rooms, and clients that book, move and cancel there.

The clients run in forked processes, so they use only HTTP.
"""

import random
import threading
import time
from collections import Counter
from typing import Any, NamedTuple

from reservation.domain.planning import businesses, replanning, services
from reservation.storage.database import Database
from reservation.storage.models import Entreprise
from tests.clock import now
from tests.conftest import Salon
from tests.races.clients import Answer, Asking, persist

PERSONS, ROOMS = 5, 2
_RESSOURCE = (
    "INSERT INTO ressource (entreprise_id, genre, nom, description, ordre, semaine_propre, actif,"
    " flux_version, version, cree_le) VALUES (?, ?, ?, '', ?, 0, 1, 1, 1, 0)"
)
_LISTED = "INSERT INTO prestation_ressource (prestation_id, ressource_id) VALUES (?, ?)"


class Team(NamedTuple):
    salon: Salon
    persons: list[int]
    rooms: list[int]
    massage: int  # the id of a service of 60 minutes that needs a room

    @property
    def services(self) -> list[int]:
        return [self.salon.coupe, self.salon.couleur, self.massage, self.massage]


def make(db: Database, salon: Salon, persons: int = PERSONS, rooms: int = ROOMS) -> Team:
    """Adds persons and rooms to a salon. Only the first three persons colour."""
    kinds = ["personne"] * (persons - 1) + ["lieu"] * rooms

    def write(_mine: Entreprise) -> None:
        db.write("UPDATE ressource SET nom = 'Alice' WHERE entreprise_id = ?", salon.id)
        for number, genre in enumerate(kinds, 1):
            db.write(_RESSOURCE, salon.id, genre, f"{genre} {number}", number)

    replanning.change(db, salon.id, write, now())
    massage = services.add(db, businesses.get(db, salon.id), {
        "nom": "Massage", "duree_minutes": 60, "tampon_apres": 15, "lieu_requis": True,
    })
    found = db.rows("SELECT id, genre FROM ressource WHERE entreprise_id = ?", salon.id)
    alike = {kind: [id for id, genre in found if genre == kind] for _, kind in found}
    for person in alike["personne"][:3]:
        db.write(_LISTED, salon.couleur, person)
    return Team(salon, alike["personne"], alike.get("lieu", []), massage)


def retire(db: Database, team: Team, ressource_id: int, active: bool) -> None:
    """Retires a person or a room, or brings the ressource back."""

    def write(_mine: Entreprise) -> None:
        db.write("UPDATE ressource SET actif = ? WHERE id = ?", int(active), ressource_id)

    replanning.change(db, team.salon.id, write, now())


class Visits(NamedTuple):
    """What a client was told: its bookings by key, and all statuses."""

    bookings: dict[str, dict[str, Any]]
    statuses: Counter[str]


class Job(NamedTuple):
    """What one client process does until `until`."""

    port: int
    token: str
    number: int
    clients: int
    starts: list[int]  # ids of slots of the persons
    persons: list[int]
    services: list[int]
    until: float


def book_move_and_cancel(*job: Any) -> Visits:
    """Runs the clients of one process."""
    mine = Job(*job)
    told = Visits({}, Counter())
    threads = [
        threading.Thread(target=_Client(mine, number, told).run) for number in range(mine.clients)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return told


class _Client:
    def __init__(self, job: Job, number: int, told: Visits) -> None:
        self.job, self.told, self.name = job, told, f"{job.number}.{number}"
        self.chance = random.Random(self.name)
        self.keys: list[str] = []  # of the active bookings

    def run(self) -> None:
        while time.monotonic() < self.job.until:
            action = self.chance.choice((self.book, self.book, self.move, self.move, self.cancel))
            action()

    def ask(self, method: str, path: str, body: Any = None, key: str = "") -> Answer:
        answer = persist(self.job.port, Asking(method, path, self.job.token, body, key))
        code = answer.body.get("code", "") if answer.status >= 400 and answer.body else ""
        self.told.statuses[f"{method} {answer.status} {code}".strip()] += 1
        return answer

    def preference(self) -> dict[str, int]:
        prefers = self.chance.random() < 0.4
        return {"ressourceId": self.chance.choice(self.job.persons)} if prefers else {}

    def book(self) -> None:
        key = f"{self.name}.{time.monotonic()}"
        body = {
            "creneauId": self.chance.choice(self.job.starts),
            "prestationId": self.chance.choice(self.job.services), **self.preference(),
        }
        answer = self.ask("POST", "/api/reservations", body, key)
        if answer.status == 201:
            self.told.bookings[key] = answer.body
            self.keys.append(key)

    def move(self) -> None:
        if not self.keys:
            return
        key = self.chance.choice(self.keys)
        mine = self.told.bookings[key]
        body = {"version": mine["version"], **self.preference()}
        if len(body) == 1 or self.chance.random() < 0.5:
            body["creneauId"] = self.chance.choice(self.job.starts)
        path = f"/api/reservations/{mine['id']}"
        self.ask("PUT", path, body)
        # The response to an earlier attempt may be lost.
        self.told.bookings[key] = self.ask("GET", path).body

    def cancel(self) -> None:
        if self.keys:
            key = self.keys.pop(self.chance.randrange(len(self.keys)))
            mine = self.told.bookings[key]
            answer = self.ask("DELETE", f"/api/reservations/{mine['id']}")
            if answer.status == 204:
                self.told.bookings[key] = {**mine, "statut": "annulee"}
