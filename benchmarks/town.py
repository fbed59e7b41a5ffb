"""The data sets: towns of businesses, with bookings, hours and calendars."""

import time
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from reservation.domain.calendar import upkeep
from reservation.domain.people import accounts
from reservation.lib.instants import DAY
from reservation.settings import Settings
from reservation.storage import schema, words
from reservation.storage.database import Database, connect, forget, transaction
from tests.resources.large import BUSINESSES, BUSY, Town

PASSWORD = "un bon mot de passe"
PAST_DAYS = 400  # days before today that have the events and all bookings
OWN = {0: range(500, 508), 10: range(508, 516), 50: range(516, 524)}  # customers by bookings
_HOURS = (
    "INSERT INTO semainetype (entreprise_id, jour, debut, fin, pas_minutes, capacite)"
    " VALUES (?, ?, ?, ?, ?, 1)"
)
_PERSON = (
    "INSERT INTO ressource (entreprise_id, genre, nom, description, ordre, semaine_propre, actif,"
    " flux_version, version, cree_le) VALUES (?, 'personne', 'Alice', '', ?, 0, 1, 1, 1, 0)"
)
_BOOKED_BY = "UPDATE reservation SET titulaire_id = ?, demandeur_id = ? WHERE {} BETWEEN ? AND ?"


class Account(NamedTuple):
    id: int
    email: str
    role: str


class Accounts(NamedTuple):
    """Accounts with much data.

    The owner has the business BUSY, the manager has 20 businesses, the regular customer has most
    bookings.
    """

    admin: Account
    owner: Account
    manager: Account
    regular: Account

    def customer(self, number: int) -> Account:
        return Account(self.regular.id + 1 + number, f"{number}@example.net", "student")


def fill(
    settings: Settings, bookings: int, businesses: int, days: int, persons: int = 1
) -> Accounts:
    """Creates a town. The first `businesses` businesses have a calendar of `days` days.

    Each business has its own hours, `persons` persons and five services, two of them longer than a
    slot. All bookings are in the past.
    """
    db = connect(settings.database_url)
    schema.create(db)
    made = Accounts(*(_account(db, role) for role in ("admin", "company", "company", "student")))
    start = (int(time.time()) // DAY - PAST_DAYS - 20) * DAY
    Town(db, made.owner.id, made.manager.id, made.regular.id, start=start).fill(bookings)
    transaction(db, lambda: _change(db, made, businesses, days))
    others = [(id, number) for id in range(1, businesses + 1) for number in range(1, persons)]
    transaction(db, lambda: db.write_many(_PERSON, others))
    transaction(db, lambda: words.index_all(db))
    list(upkeep.extend_all(db, int(time.time())))
    forget(db)
    return made


def _account(db: Database, role: str) -> Account:
    ((count,),) = db.rows("SELECT COUNT(*) FROM utilisateur")
    email = f"{role}{count}@example.fr"
    values = {"email": email, "password": PASSWORD, "role": role, "nom": "Martin"}
    return Account(accounts.add(db, 4, now=0, **values), email, role)


def _change(db: Database, made: Accounts, businesses: int, days: int) -> None:
    def change(table: str, values: str, ids: Iterable[int]) -> None:
        some = ", ".join(map(str, ids))
        db.write(f"UPDATE {table} SET {values} WHERE id IN ({some or 0})")

    everyone, services = range(1, BUSINESSES + 1), range(1, 5 * BUSINESSES + 1)
    for minutes in (20, 30, 40, 60, 90):
        alike = (id for id in services if step_of((id - 1) // 5 + 1) * length_of(id) == minutes)
        change("prestation", f"duree_minutes = {minutes}", alike)
    change("entreprise", f"horizon_jours = {days}", everyone)
    change("entreprise", "actif = 0", everyone[businesses:])
    change("entreprise", "ville = 'Paris', ville_cle = 'paris'", everyone[BUSY + 1:])
    db.write_many(_HOURS, [row for id in everyone for row in _hours(id)])
    regular, last = made.regular.id, 0
    own = [(rows, made.customer(one).id) for rows, some in OWN.items() for one in some]
    by_customer, by_id = _BOOKED_BY.format("titulaire_id"), _BOOKED_BY.format("id")
    db.write(by_customer, regular, regular, own[0][1], own[-1][1])
    for rows, customer in own:
        db.write(by_id, customer, customer, last + 1, last + rows)
        last += rows


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
