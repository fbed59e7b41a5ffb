"""Reads the calendars of many businesses on a day, in one statement for each kind of row."""

from collections import defaultdict
from datetime import date
from typing import Any, NamedTuple

from reservation.domain.budget import Budget
from reservation.domain.calendar import calendar
from reservation.domain.calendar.availability import (
    COLUMNS,
    OVERLAPPING,
    BookingWindow,
    SlotRows,
    Start,
    slots_between,
)
from reservation.domain.calendar.plans import LONGEST_SLOT
from reservation.domain.calendar.terms import BusinessTerms, Visit
from reservation.errors import CalendarNotReady
from reservation.lib import instants
from reservation.storage import records
from reservation.storage.database import Database, marks

_TOGETHER = 3 * instants.DAY  # longer calendars are not read in one statement with others


class _Service(NamedTuple):
    """Columns of prestation, in an order that puts short services first."""

    duree_minutes: int
    id: int
    entreprise_id: int
    nom_cle: str
    tampon_avant: int
    tampon_apres: int
    intervalle_minutes: int | None


_SERVICES = (
    f"SELECT {records.columns(_Service)} FROM prestation"
    " WHERE actif = 1 AND entreprise_id IN ({})"
)


class FreeSlot(NamedTuple):
    id: int
    debut: int
    fin: int
    places_left: int
    prestation_id: int | None  # the only service for which the slot is


_FIRST_FREE = (
    "SELECT e.id, c.id, c.debut, c.fin, c.capacite - c.places_prises, c.prestation_id"
    " FROM entreprise e JOIN creneau c ON c.id = (SELECT f.id FROM creneau f"
    " WHERE f.entreprise_id = e.id AND f.debut >= ? AND f.debut < ? AND f.ouvert = 1"
    " AND f.places_prises < f.capacite ORDER BY f.debut LIMIT 1) WHERE e.id IN ({})"
)


class Day(NamedTuple):
    """The local day of a business, [start, end), and the visits that are wanted.

    The slots under these visits are in [first, last).
    """

    entreprise: BusinessTerms
    visits: list[Visit]
    start: int
    end: int
    first: int
    last: int

    def start_in(self, slot: FreeSlot, window: BookingWindow) -> Start | None:
        """Returns the start of the shortest visit in the first free slot; None if the slots
        around it must be known first."""
        visit = self.visits[0]
        fin = slot.debut + visit.length
        if not (visit.is_plain and slot.prestation_id in (None, visit.prestation_id)):
            return None
        if fin > slot.fin or not max(self.start, window.earliest) <= slot.debut:
            return None
        if slot.debut >= min(self.end, window.horizon) or slot.places_left < visit.places:
            return None
        return Start(slot.id, slot.debut, fin, slot.places_left)


def prepared(
    db: Database, rows: list[BusinessTerms], words: str, day: date, now: int, budget: Budget,
    whole: bool,
) -> list[Day]:
    """Returns the day of each business, with its calendar extended. `words` select the services.

    Stops at the first calendar that cannot be extended, unless the `whole` block is wanted.
    Raises CalendarNotReady.
    """
    visits = _visits(db, [row.id for row in rows], words)
    days: list[Day] = []
    for row in rows:
        zone = instants.zone_of(row.fuseau)
        start, end = instants.midnight(day, zone), instants.end_of(day, zone)
        wanted = visits[row.id]
        before = max((visit.before for visit in wanted), default=0)
        beyond = max((visit.length + visit.after for visit in wanted), default=0)
        try:
            calendar.extend(db, row, end + beyond, now, budget)
        except CalendarNotReady:
            if whole or not days:
                raise
            break
        days.append(Day(row, wanted, start, end, start - before, end + beyond))
    return days


def _visits(db: Database, ids: list[int], words: str) -> dict[int, list[Visit]]:
    """Returns the visits for the selected services of each business, the shortest first."""
    offered: dict[int, list[_Service]] = defaultdict(list)
    if ids:
        for row in sorted(map(_Service._make, db.rows(_SERVICES.format(marks(ids)), *ids))):
            offered[row.entreprise_id].append(row)
    visits: dict[int, list[Visit]] = defaultdict(list)
    for number, rows in offered.items():
        named = [row for row in rows if words in row.nom_cle] or rows
        visits[number] = [Visit.of(row) for row in named]
    return visits


def first_free(db: Database, days: list[Day], now: int) -> dict[int, FreeSlot]:
    """Returns the first free slot of each business on the day; no visit can start earlier."""
    if not days:
        return {}
    start, end = max(min(day.start for day in days), now), max(day.end for day in days)
    ids = [day.entreprise.id for day in days]
    rows = db.rows(_FIRST_FREE.format(marks(ids)), start, end, *ids)
    return {number: FreeSlot(*slot) for number, *slot in rows}


def slots(db: Database, days: list[Day]) -> dict[int, SlotRows]:
    """Returns the slots under the visits of each business, by start."""
    slots: dict[int, Any] = defaultdict(list)
    near = [day for day in days if day.last - day.first <= _TOGETHER]
    if near:
        first, last = min(day.first for day in near), max(day.last for day in near)
        source = OVERLAPPING.replace("= ?", f"IN ({marks(near)})", 1)
        ids = [day.entreprise.id for day in near]
        for *slot, number in db.many_rows(
            f"{COLUMNS}, entreprise_id", source, *ids, first - LONGEST_SLOT, last, first
        ):
            slots[number].append(slot)
    for day in days:
        if day.last - day.first > _TOGETHER:
            slots[day.entreprise.id] = slots_between(db, day.entreprise.id, day.first, day.last)
    return slots
