"""The stored calendar of a business: its creneaux, made from the week when first asked for.

Whoever changes a calendar first locks its business (`lock`); whoever books shares that lock
(`booking`); both then take the creneaux by start. One order, and so no deadlock.
"""

import time
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from peewee import chunked

from reservation.domain import instants
from reservation.domain.timetable import (
    REACH,
    WEEK,
    Exceptional,
    Opening,
    capacity_over,
    grains,
    openings,
)
from reservation.storage.database import Database, transaction
from reservation.storage.models import Creneau, Entreprise, Reservation

LONGEST_GRAIN = 1440 * 60  # seconds: how far before its end a creneau can start
_ROWS_A_STATEMENT = 500
_WEEK = (
    "SELECT jour, debut, fin, pas_minutes, capacite, prestation_id FROM semainetype"
    " WHERE entreprise_id = ? ORDER BY jour, debut"
)
_EXCEPTIONS = (
    "SELECT type, debut, fin, pas_minutes, capacite FROM evenement WHERE entreprise_id = ?"
    " AND type <> 'information' AND fin > ? AND debut < ? ORDER BY debut, fin, id"
)
_STORED = (
    "SELECT id, debut, fin, ouverture, capacite, prestation_id, ouvert, capacite_prevue,"
    " places_prises"
    " FROM creneau WHERE entreprise_id = ? AND debut >= ? AND debut < ? ORDER BY debut"
)
_INSERT = (
    "INSERT INTO creneau (entreprise_id, debut, fin, ouverture, capacite, prestation_id, ouvert,"
    " capacite_prevue, places_prises) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)"
)
_KEPT = (
    "SELECT debut, fin FROM creneau WHERE entreprise_id = ? AND debut >= ? AND debut < ?"
    " AND (places_prises > 0 OR fin > ?) ORDER BY debut"
)
_HOLDING = (
    "SELECT id, occupe_debut, occupe_fin, places FROM reservation WHERE entreprise_id = ?"
    " AND occupe_fin > ? AND debut < ? AND occupe_debut < ?"
    " AND statut NOT IN ('refusee', 'annulee')"
)


class Stored(NamedTuple):
    """A creneau as it stands in the table."""

    id: int
    debut: int
    fin: int
    ouverture: int
    capacite: int
    prestation_id: int | None
    ouvert: int
    capacite_prevue: int
    places_prises: int

    @property
    def interval(self) -> tuple[int, int]:
        return self.debut, self.fin


class New(NamedTuple):
    """A creneau to be, as the week has it."""

    debut: int
    fin: int
    ouverture: int
    capacite: int
    prestation_id: int | None
    ouvert: bool


class Plan(NamedTuple):
    """What lays out a calendar: the week, its exceptions, the zone of its wall times."""

    week: list[Opening]
    exceptions: list[Exceptional]
    zone: ZoneInfo

    def creneaux(self, start: int, end: int, kept: list[tuple[int, int]]) -> list[New]:
        """The creneaux that start in [start, end), laid around the kept ones."""
        begun = [debut for debut, _ in openings(*self, start, end)]
        return [
            New(one.debut, one.fin, begun[bisect_right(begun, one.debut) - 1], *one[2:])
            for one in grains(*self, start, end, kept)
        ]

    def capacity(self, debut: int, fin: int) -> int:
        """With how many places the plan opens all of [debut, fin); 0 where it does not."""
        return capacity_over(*self, debut, fin)


class Change(NamedTuple):
    """What a new week did to the calendar, in creneaux; the kept ones are booked. `fermes` are
    those of them that it closed, by start."""

    ajoutes: int
    supprimes: int
    conserves: int
    fermes: list[tuple[int, int]]


def horizon(entreprise: Any, now: int) -> int:
    """The first instant that cannot be booked yet: the end of the last day that can."""
    zone = instants.zone_of(entreprise.fuseau)
    last = instants.local_date(now, zone) + timedelta(days=entreprise.horizon_jours)
    return instants.end_of(last, zone)


def extend(db: Database, entreprise: Any, until: int, now: int | None = None) -> None:
    """Make the creneaux that start before `until`, by whole days, within the horizon.

    Any number of processes may do this at once: one moves the mark, the others see it moved.
    """
    now = int(time.time()) if now is None else now
    zone = instants.zone_of(entreprise.fuseau)
    last = instants.local_date(until - 1, zone)
    until = min(instants.end_of(last, zone), horizon(entreprise, now))
    if entreprise.calendrier_jusqua < until:
        transaction(db, lambda: _extend(db, entreprise.id, until, now))
        entreprise.calendrier_jusqua = until


def _extend(db: Database, entreprise_id: int, until: int, now: int) -> None:
    entreprise = lock(db, entreprise_id)
    zone = instants.zone_of(entreprise.fuseau)
    today = instants.midnight(instants.local_date(now, zone), zone)
    start = max(entreprise.calendrier_jusqua, today)
    if start >= until:
        return
    mine = Entreprise.id == entreprise_id
    Entreprise.update(calendrier_jusqua=until).where(mine).execute(db)
    kept = _kept_before(db, entreprise_id, start)
    new = plan(db, entreprise, start, until).creneaux(start, until, kept)
    _insert(db, entreprise_id, new)
    _charge(db, entreprise_id, new)


def lagging(db: Database, now: int) -> list[Entreprise]:
    """The active businesses whose calendar is not made up to its horizon."""
    columns = (
        Entreprise.id, Entreprise.fuseau, Entreprise.horizon_jours,
        Entreprise.calendrier_jusqua,
    )
    rows = Entreprise.select(*columns).where(Entreprise.actif).order_by(Entreprise.id)
    return [row for row in rows.execute(db) if row.calendrier_jusqua < horizon(row, now)]


def lock(db: Database, entreprise_id: int) -> Entreprise:
    """The business, whose calendar nobody else changes until the transaction ends."""
    query = Entreprise.select().where(Entreprise.id == entreprise_id)
    return (query.for_update() if db.for_update else query).get(db)


def plan(db: Database, entreprise: Entreprise, start: int, end: int) -> Plan:
    """The plan of a business for [start, end), with all that reaches into it."""
    week = [Opening(*row) for row in db.rows(_WEEK, entreprise.id)]
    around = db.rows(_EXCEPTIONS, entreprise.id, start - REACH, end + LONGEST_GRAIN)
    exceptions = [Exceptional(*row) for row in around]
    return Plan(week, exceptions, instants.zone_of(entreprise.fuseau))


def rebuild(db: Database, entreprise: Entreprise, start: int, end: int) -> Change:
    """Bring the creneaux that start in [start, end) into line with the week as it is now.

    To be called in a transaction, after `lock`. A creneau with places taken stays: its
    capacity falls no lower than its places taken, it closes where the week no longer opens,
    and the free time around it is filled.
    """
    end = min(end, entreprise.calendrier_jusqua)
    stored = _stored(db, entreprise.id, start, end)
    booked = [row for row in stored if row.places_prises]
    free = {row.interval: row for row in stored if not row.places_prises}
    planned = plan(db, entreprise, start, end)
    kept = _kept_before(db, entreprise.id, start) + [row.interval for row in booked]
    wanted = {(one.debut, one.fin): one for one in planned.creneaux(start, end, kept)}

    frozen = [(row, planned.capacity(row.debut, row.fin)) for row in booked]
    for row, capacity in frozen:
        _freeze(db, row, capacity)
    surplus = [row for interval, row in free.items() if interval not in wanted]
    _delete(db, surplus)
    _adapt(db, [(free[interval], one) for interval, one in wanted.items() if interval in free])
    new = [one for interval, one in wanted.items() if interval not in free]
    _insert(db, entreprise.id, new)
    _charge(db, entreprise.id, new)
    closed = [row.interval for row, capacity in frozen if row.ouvert and not capacity]
    return Change(len(new), len(surplus), len(booked), closed)


def _kept_before(db: Database, entreprise_id: int, start: int) -> list[tuple[int, int]]:
    """The creneaux before `start` around which those after it are laid: booked in the same
    opening, or still running."""
    rows = db.rows(_KEPT, entreprise_id, start - WEEK, start, start)
    return [(debut, fin) for debut, fin in rows]


def _stored(db: Database, entreprise_id: int, start: int, end: int) -> list[Stored]:
    return [Stored(*row) for row in db.rows(_STORED + db.FOR_UPDATE, entreprise_id, start, end)]


def _freeze(db: Database, row: Stored, planned: int) -> None:
    changes = {
        "capacite": max(planned, row.places_prises),
        "capacite_prevue": planned,
        "ouvert": planned > 0,
    }
    if any(getattr(row, name) != value for name, value in changes.items()):
        Creneau.update(changes).where(Creneau.id == row.id).execute(db)


def _delete(db: Database, rows: Sequence[Stored]) -> None:
    for some in chunked(rows, _ROWS_A_STATEMENT):
        Creneau.delete().where(Creneau.id.in_([row.id for row in some])).execute(db)


def _adapt(db: Database, pairs: Iterable[tuple[Stored, New]]) -> None:
    """Give free creneaux the attributes that the week has for their time now."""
    alike = defaultdict(list)
    for row, one in pairs:
        if (*row[3:6], bool(row.ouvert)) != one[2:]:
            alike[one[2:]].append(row.id)
    for (ouverture, capacite, prestation_id, ouvert), ids in alike.items():
        changes = {
            "ouverture": ouverture,
            "capacite": capacite,
            "capacite_prevue": capacite,
            "prestation": prestation_id,
            "ouvert": ouvert,
        }
        for some in chunked(ids, _ROWS_A_STATEMENT):
            Creneau.update(**changes).where(Creneau.id.in_(some)).execute(db)


def _insert(db: Database, entreprise_id: int, new: Sequence[New]) -> None:
    db.write_many(_INSERT, [(entreprise_id, *one, one.capacite) for one in new])


def _charge(db: Database, entreprise_id: int, new: Sequence[New]) -> None:
    """Take on new creneaux the places of the bookings whose buffers reach into them."""
    if not new:
        return
    start, end = new[0].debut, new[-1].fin
    holding = db.rows(_HOLDING, entreprise_id, start, end + LONGEST_GRAIN, end)
    for number, debut, fin, places in list(holding):
        under = [one.debut for one in new if one.debut < fin and one.fin > debut]
        if not under:
            continue
        mine = (Creneau.entreprise == entreprise_id) & Creneau.debut.in_(under)
        taken = Creneau.places_prises + places
        room = Creneau.update(capacite=taken).where(mine & (Creneau.capacite < taken))
        room.execute(db)
        Creneau.update(places_prises=taken).where(mine).execute(db)
        # On a cluster this makes a cancellation on another node meet this change.
        touched = Reservation.update(version=Reservation.version + 1)
        touched.where(Reservation.id == number).execute(db)
