"""Finds the times at which a visit can start."""

from collections.abc import Iterator, Sequence
from heapq import nsmallest

from reservation.domain.budget import UNLIMITED, Budget
from reservation.domain.calendar import availability, calendar, choices, stored_slots
from reservation.domain.calendar.availability import Start
from reservation.domain.calendar.stored_slots import SlotRows
from reservation.domain.calendar.terms import Business, Visit
from reservation.domain.calendar.window import BookingWindow
from reservation.errors import CalendarNotReady
from reservation.lib import instants
from reservation.storage.database import Database, marks
from reservation.storage.sqlite import Row

NEAREST = 3  # maximum number of alternatives to an unavailable time
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
    calendar.extend(db, entreprise, visit.occupied(end)[1], now, budget)
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
    """Returns the free starts of the visit in [start, end)."""
    if not entreprise.actif:
        return []
    calendar.extend(db, entreprise, visit.occupied(end)[1], now, budget)
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
        starts = list(availability.free_starts(slots, visit, window, start, end))
        if visit.old:  # omit the start at which the booking already holds this person
            starts = [one for one in starts if visit.hold(person, one.debut) not in visit.old]
        return starts
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
    horizon, reach = window.horizon, visit.length + visit.after
    at, step = max(after, window.earliest), max(instants.DAY, reach)
    while entreprise.actif and at < horizon:
        if budget.is_spent():
            raise UnfinishedSearch(at)
        end = min(at + step, horizon)
        calendar.extend(db, entreprise, end + reach, now, budget)
        known = min(entreprise.calendrier_jusqua, horizon)
        free = [
            row
            for person in visit.persons
            for row in _free_slots(db, person, visit, at, known, " LIMIT 1")
        ]
        first = min((row[1] for row in free), default=known)
        if visit.prestation_id is None or any(hold.fin > at for hold in visit.old):
            # Do not skip ahead: there may be earlier free slots that the query leaves out. Without
            # a service, these are slots for one service. With `visit.old`, its own slots.
            first = at
        found = _within_slots(free, visit) if visit.is_plain and visit.has_no_choice else []
        if found:
            yield from found
            first += 1
        elif first < end:
            yield from free_starts(db, entreprise, visit, first, end, now, budget)
            first = end
        at = first


def nearest(
    db: Database, entreprise: Business, visit: Visit, wanted: int, now: int,
    budget: Budget = UNLIMITED, person: int | None = None,
) -> list[Start]:
    """Returns at most NEAREST free starts, the closest to `wanted`, ordered by time.

    With `person`, omits the starts at which only others are free, except the start at `wanted`. If
    no start would be left, omits none. If the budget is spent, may return fewer.
    """
    around: list[Start] = []
    mine: list[Start] = []
    for days in (1, 7, 31):
        low, high = max(wanted - days * instants.DAY, now), wanted + days * instants.DAY
        try:
            around = mine = free_starts(db, entreprise, visit, low, high, now, budget)
        except CalendarNotReady:
            break
        if person in visit.persons and visit.of_team:
            # The start at `wanted` stays, even if `person` is not free then.
            mine = [one for one in around if one.debut == wanted or person in one.persons]
        if len(mine) >= NEAREST:
            break
    near = nsmallest(NEAREST, mine or around, key=lambda start: abs(start.debut - wanted))
    return sorted(near, key=lambda start: start.debut)
