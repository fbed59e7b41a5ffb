"""A country: businesses with the same hours.

Their slots are stored day by day, in the order in which the worker stores them at midnight.
"""

import os
import time
from collections.abc import Sequence
from functools import partial
from typing import Any

from benchmarks.servers import run
from reservation.domain.booking import booking
from reservation.domain.booking.requests import Request
from reservation.domain.calendar import calendar
from reservation.domain.calendar.terms import terms
from reservation.domain.people import accounts
from reservation.domain.people.sessions import Account
from reservation.lib.instants import DAY
from reservation.settings import Settings
from reservation.storage import schema
from reservation.storage.database import Database, connect, forget, transaction
from reservation.storage.models import (
    Client,
    Entreprise,
    Prestation,
    Ressource,
    SemaineType,
    Utilisateur,
)

HOUR = 3600
SLOTS, STEP, AHEAD = 20, HOUR // 2, 90  # slots a day, seconds of a slot, days of a calendar
CUSTOMERS = 20  # of each business
FIRST = 10  # the id of the first customer: earlier accounts have ids such as 1, 4, 7
_HASH = "$2b$12$" + "x" * 53
_OF_DAY = " UNION ALL ".join(f"SELECT {number} AS n" for number in range(SLOTS))
_INTO_SLOTS = (
    "INSERT INTO creneau (ressource_id, debut, fin, ouverture, capacite, capacite_prevue,"
    " places_prises, ouvert) SELECT r.id, ? + n * ?, ? + (n + 1) * ?, ?, 1, 1,"
    f" n < ?, 1 FROM ressource r JOIN ({_OF_DAY}) hours ORDER BY r.id, n"
)
# Each account is a customer of one business; its record there has the id of the account. The
# person of a business has the id of the business.
_CUSTOMER = f"{FIRST - 1} + ressource_id + ? * MOD(id, {CUSTOMERS})"
_INTO_BOOKINGS = (
    "INSERT INTO reservation (client_id, titulaire_id, demandeur_id, entreprise_id, prestation_id,"
    " ressource_id, creneau_id, debut, fin, occupe_debut, occupe_fin, places, statut, commentaire,"
    " cle_idempotence, empreinte, version, cree_le, modifie_le)"
    f" SELECT {_CUSTOMER}, {_CUSTOMER}, {_CUSTOMER}, ressource_id, ressource_id,"
    " ressource_id, id,"
    " debut, fin, debut, fin, 1, 'confirmee', '', id + 1000000000000000000, ?, 1, ?, ?"
    " FROM creneau WHERE id > ? AND places_prises = 1 ORDER BY id"
)
_INTO_MESSAGES = (
    "INSERT INTO eventemail (reservation_id, entreprise_id, ressource_id, genre, destinataire,"
    " debut, fin, sequence, sujet, corps, piece_jointe, statut, essais, prochain_essai,"
    " envoye_le, cree_le)"
    " SELECT id, entreprise_id, ressource_id, ?, ?, debut, fin, 0, ?, ?, ?, 'envoye', 1, ?, ?, ?"
    " FROM reservation WHERE id > ? ORDER BY id"
)
_TEXTS = "genre, destinataire, sujet, corps, piece_jointe"
_SENT = f"SELECT {_TEXTS} FROM eventemail WHERE statut = 'envoye'"


def fill(settings: Settings, businesses: int, past: int, booked: int) -> None:
    """Creates slots for `past` days up to today, and for AHEAD days from tomorrow.

    Each business has `booked` bookings a day.
    """
    db, now = connect(settings.database_url), int(time.time())
    schema.create(db)
    today = now // DAY * DAY
    end = today + (AHEAD + 1) * DAY
    owner, customer = (
        accounts.add(db, 4, email=f"{role}@example.fr", password="x", role=role, nom="", now=now)
        for role in ("company", "student")
    )
    _add_businesses(db, range(1, 2), owner, now)
    texts = _texts(settings, db, customer, now)
    transaction(db, partial(_add_businesses, db, range(2, businesses + 1), owner, now))
    transaction(db, partial(_add_customers, db, businesses, now))
    db.write("UPDATE entreprise SET calendrier_jusqua = ?", end)
    with db.alone(5):
        for number in range(1 - past, AHEAD + 1):
            day = today + number * DAY
            transaction(db, partial(_day, db, day, texts, booked, businesses, now))
    forget(db)
    os.sync()


def customer_of(slot: int, business: int, businesses: int) -> int:
    return FIRST - 1 + business + businesses * (slot % CUSTOMERS)


def _insert(db: Database, model: Any, rows: Sequence[dict[str, Any]]) -> None:
    for at in range(0, len(rows), 500):
        model.insert_many(rows[at : at + 500]).execute(db)


def _add_businesses(db: Database, ids: range, owner: int, now: int) -> None:
    """Adds businesses, each with a service and hours."""
    _insert(db, Entreprise, [
        {"id": id, "proprietaire": owner, "nom": f"Salon {id}", "nom_cle": f"salon {id}",
         "adresse_courte": f"salon-{id}", "ville": f"Ville {id % 500}",
         "ville_cle": f"ville {id % 500}", "fuseau": "UTC",
         "horizon_jours": AHEAD, "rappel_heures": 24, "cree_le": now} for id in ids
    ])
    _insert(db, Ressource, [
        {"id": id, "entreprise": id, "genre": "personne", "cree_le": now} for id in ids
    ])
    _insert(db, Prestation, [
        {"id": id, "entreprise": id, "nom": "Coupe", "nom_cle": "coupe", "duree_minutes": 30,
         "duree_max_minutes": 30} for id in ids
    ])
    _insert(db, SemaineType, [
        {"entreprise": id, "jour": jour, "debut": 540, "fin": 540 + SLOTS * STEP // 60,
         "pas_minutes": STEP // 60, "capacite": 1} for id in ids for jour in range(1, 8)
    ])


def _add_customers(db: Database, businesses: int, now: int) -> None:
    person = {"nom": "Martin", "nom_cle": "martin", "prenom": "Alice", "cree_le": now}
    ids = range(FIRST, FIRST + businesses * CUSTOMERS)
    _insert(db, Utilisateur, [
        {"id": id, "type": 1, "email": f"{id}@example.net", "mot_de_passe_hash": _HASH, **person}
        for id in ids
    ])
    _insert(db, Client, [
        {"id": id, "entreprise": (id - FIRST) % businesses + 1, "utilisateur": id,
         "email": f"{id}@example.net", "telephone": "", "telephone_cle": "",
         "suit_compte": True, **person} for id in ids
    ])


def _texts(settings: Settings, db: Database, customer: int, now: int) -> list[tuple[Any, ...]]:
    """Returns the messages of a booking, as the service stores them after sending."""
    business, _ = terms(db, 1, 1)
    calendar.extend(db, business, now + 3 * DAY, now)
    ((slot,),) = db.rows("SELECT MIN(id) FROM creneau WHERE debut > ?", now + DAY)
    booking.book(db, Account(customer, "student"), Request(slot, 1), now)
    run(settings, "worker", "--once")
    texts = [tuple(row) for row in db.rows(_SENT)]
    for table in ("eventemail", "reservation", "client", "creneau"):
        db.write(f"DELETE FROM {table}")
    reminder = next(row for row in texts if row[0] == "confirmee")
    return [*texts, ("rappel", *reminder[1:])]


def _day(
    db: Database, day: int, texts: list[tuple[Any, ...]], booked: int, businesses: int, now: int
) -> None:
    slots, bookings = last_id(db, "creneau"), last_id(db, "reservation")
    start = day + 9 * HOUR
    db.write(_INTO_SLOTS, start, STEP, start, STEP, start, booked)
    db.write(_INTO_BOOKINGS, *[businesses] * 3, "x" * 64, now, now, slots)
    for text in texts:
        db.write(_INTO_MESSAGES, *text, now, now, now, bookings)


def last_id(db: Database, table: str) -> int:
    return int(db.rows(f"SELECT COALESCE(MAX(id), 0) FROM {table}")[0][0])
