"""Finds the times at which a visit can start."""

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Any

from reservation.domain.budget import UNLIMITED, Budget
from reservation.domain.calendar import availability, calendar, choices, stored_slots
from reservation.domain.calendar.availability import BookingWindow, Start
from reservation.domain.calendar.stored_slots import SlotRows
from reservation.domain.calendar.terms import Business, Visit, keeping_its_time
from reservation.lib import instants
from reservation.storage.database import Database, marks
from reservation.storage.sqlite import Row

# Plain SQL for speed: lists of free times read many slots.
# For a large team, SQLite would use the index on prestation_id, and read all slots whose
# prestation_id is NULL, even of other businesses. The plus signs prevent the use of this index.
_ARE_FREE = (
    "debut >= ? AND debut < ? AND ouvert = 1 AND capacite - places_prises >= ?"
    " AND (+prestation_id IS NULL OR +prestation_id = ?)"
)
_FREE_SLOTS = (
    "SELECT id, debut, fin, capacite - places_prises FROM creneau WHERE ressource_id = ?"
    f" AND {_ARE_FREE} ORDER BY debut"
)
# For teams. Grouping rows in SQL is several times as fast as in Python.
_FREE_TOGETHER = (
    "SELECT MIN(id), debut, MIN(fin), MAX(capacite - places_prises), GROUP_CONCAT(ressource_id)"
    f" FROM creneau WHERE ressource_id IN ({{}}) AND {_ARE_FREE} GROUP BY debut ORDER BY debut"
)


class UnfinishedSearch(Exception):
    """The time limit was reached. All free starts before `at` were found."""

    def __init__(self, at: int) -> None:
        super().__init__()
        self.at = at


def all_starts(
    db: Database, entreprise: Business, visit: Visit, start: int, end: int,
    now: int, budget: Budget = UNLIMITED,
) -> list[Start]:
    """Returns all starts of the visit in [start, end), free or not."""
    calendar.extend(db, entreprise, end, now, budget, visit.reach)
    window = BookingWindow.of(entreprise, now)
    found = {
        person: list(availability.starts(
            _slots_under(db, person, visit, start, end), visit, window, start, end
        ))
        for person in visit.persons
    }
    return choices.merged(visit, choices.with_rooms(db, visit, found))


def free_starts(
    db: Database, entreprise: Business, visit: Visit, start: int, end: int,
    now: int, budget: Budget = UNLIMITED,
) -> list[Start]:
    if not entreprise.actif:
        return []
    if visit.moved is not None:
        return _new_starts(db, entreprise, visit, start, end, now, budget)
    calendar.extend(db, entreprise, end, now, budget, visit.reach)
    window = BookingWindow.of(entreprise, now)
    if visit.is_plain and visit.of_team and visit.persons and visit.rooms is None:
        together = _free_together(db, visit, window, start, end)
        if together is not None:
            return together
    found = {
        person: _free_starts_of(db, person, visit, window, start, end)
        for person in visit.persons
    }
    starts = choices.merged(visit, choices.with_rooms(db, visit, found))
    return starts if visit.rooms is None else [start for start in starts if not start.motif]


def _new_starts(
    db: Database, entreprise: Any, visit: Visit, start: int, end: int, now: int, budget: Budget
) -> list[Start]:
    """Returns the free starts of a booking that is moved. At its present time, other terms apply
    (see `keeping_its_time`), and the person who already has the booking is omitted."""
    booking, visit = visit.moved, visit._replace(moved=None)
    found = free_starts(db, entreprise, visit, start, end, now, budget)
    debut = booking.debut
    if not start <= debut < end:
        return found
    rules, kept = keeping_its_time(entreprise, visit, booking)
    others = [person for person in kept.persons if kept.hold(person, debut) not in kept.old]
    kept = kept._replace(persons=tuple(others))
    found = [one for one in found if one.debut != debut]
    found += free_starts(db, rules, kept, debut, debut + 1, now, budget)
    return sorted(found, key=attrgetter("debut"))


def _free_together(
    db: Database, visit: Visit, window: BookingWindow, start: int, end: int
) -> list[Start] | None:
    """Returns the free starts of all persons from one query. Returns None if a slot is shorter
    than the visit."""
    values = max(start, window.earliest), min(end, window.horizon), visit.places
    sql = _FREE_TOGETHER.format(marks(visit.persons))
    rows = db.rows(sql, *visit.persons, *values, visit.prestation_id)
    length, texts = visit.length, {row[4] for row in rows}
    if any(fin - debut < length for _, debut, fin, _, _ in rows):
        return None
    sets = {text: visit.among(text) for text in texts}
    return [
        Start(number, debut, debut + length, left, None, sets[text])
        for number, debut, _, left, text in rows
    ]


def _free_starts_of(
    db: Database, person: int, visit: Visit, window: BookingWindow, start: int, end: int
) -> list[Start]:
    if not visit.is_plain:
        slots = _slots_under(db, person, visit, start, end)
        return list(availability.free_starts(slots, visit, window, start, end))
    first, last = max(start, window.earliest), min(end, window.horizon)
    rows = _free_slots(db, person, visit, first, last)
    found = _within_slots(rows, visit)
    if len(found) == len(rows):
        return found
    # A visit that begins before `last` may also need slots after `last`.
    rows += _free_slots(db, person, visit, last, last + visit.length)
    free = [(number, debut, fin, debut, left, None, True) for number, debut, fin, left in rows]
    return list(availability.free_starts(free, visit, window, start, end))


def _free_slots(
    db: Database, person: int, visit: Visit, start: int, end: int, limit: str = ""
) -> list[Row]:
    return db.rows(_FREE_SLOTS + limit, person, start, end, visit.places, visit.prestation_id)


def _within_slots(rows: Sequence[Row], visit: Visit) -> list[Start]:
    length = visit.length
    return [
        Start(number, debut, debut + length, left)
        for number, debut, fin, left in rows if debut + length <= fin
    ]


def _slots_under(db: Database, person: int, visit: Visit, start: int, end: int) -> SlotRows:
    first, last = visit.occupied(start)[0], visit.occupied(end)[1]
    return stored_slots.between(db, person, first, last, visit.old)


def following(
    db: Database, entreprise: Business, visit: Visit, after: int, now: int,
    budget: Budget = UNLIMITED,
) -> Iterator[Start]:
    """Yields the free starts from `after` to the horizon, and reads slots lazily.

    Raises UnfinishedSearch or CalendarNotReady if the budget is spent.
    """
    window = BookingWindow.of(entreprise, now)
    horizon = window.horizon
    at, step = max(after, window.earliest, now), max(instants.DAY, visit.reach)
    while entreprise.actif and at < horizon:
        if budget.is_spent():
            raise UnfinishedSearch(at)
        end = min(at + step, horizon)
        calendar.extend(db, entreprise, end, now, budget, visit.reach)
        known = min(entreprise.calendrier_jusqua, horizon)
        free = [
            row
            for person in visit.persons
            for row in _free_slots(db, person, visit, at, known, " LIMIT 1")
        ]
        first = min((row[1] for row in free), default=known)
        if visit.prestation_id is None or any(hold.fin > at for hold in visit.old):
            # Do not skip ahead, because the query leaves out some free slots. If the visit has no
            # service, it leaves out the slots that are for one service only. If a booking is
            # moved, it leaves out the slots that only this booking fills.
            first = at
        found = _within_slots(free, visit) if visit.is_plain and visit.has_no_choice else []
        if found:
            yield from found
            first += 1
        elif first < end:
            yield from free_starts(db, entreprise, visit, first, end, now, budget)
            first = end
        at = first
