"""Extends all calendars and removes old slots, in short transactions.

A transaction changes the calendars of many businesses, because a commit takes longer than the
change of a calendar. Businesses are locked in the order of their ids, to avoid deadlocks.
"""

import time
from collections.abc import Collection, Iterator
from functools import partial

from reservation.domain.calendar import calendar
from reservation.domain.calendar.calendar import CalendarRecord
from reservation.domain.calendar.terms import touch
from reservation.domain.calendar.window import horizon
from reservation.storage.database import Database, marks, transaction

PAGE = 500  # businesses, or persons and rooms, read at once
TURN = 0.01  # seconds; a transaction that has run longer extends no further calendar
SLOTS = 100  # slots read at once; a transaction removes fewer than 2 * SLOTS slots

_PAGE = f"{calendar.SELECT} WHERE id > ? AND actif = 1 ORDER BY id LIMIT ?"
_IDS = "SELECT id, entreprise_id FROM ressource WHERE id > ? ORDER BY id LIMIT ?"
_PAST = (
    "SELECT debut, id, places_prises FROM creneau WHERE ressource_id = ? AND debut >= ?"
    " AND debut < ? ORDER BY debut LIMIT ?"
)
_REMOVE = (
    "DELETE FROM creneau WHERE id IN ({}) AND debut < ? AND places_prises = 0"
    " AND NOT EXISTS (SELECT 1 FROM reservation r WHERE r.creneau_id = creneau.id)"
)


def extend_all(db: Database, now: int) -> Iterator[int]:
    """Extends the calendars of all active businesses to their horizons.

    After each transaction, yields the id of the last business handled, to show the progress.
    """
    for last, ids in _pages(db, now):
        while ids:
            done = transaction(db, partial(_extend_some, db, ids, now))
            yield ids[max(done - 1, 0)]
            ids = ids[done:]
        yield last


def last_id(db: Database) -> int:
    """Returns the highest id of a business, or 0 without businesses."""
    return db.rows("SELECT COALESCE(MAX(id), 0) FROM entreprise")[0][0]


def lagging(db: Database, now: int) -> list[int]:
    """Returns the ids of the active businesses whose calendar ends before its horizon."""
    return [id for _, ids in _pages(db, now) for id in ids]


def _pages(db: Database, now: int) -> Iterator[tuple[int, list[int]]]:
    """Reads the active businesses, page by page. Yields, for each page, the last id of the page,
    and the ids of those businesses of the page whose calendar ends before its horizon."""
    last = 0
    while rows := db.rows(_PAGE, last, PAGE):
        page = [CalendarRecord(*row) for row in rows]
        last = page[-1].id
        yield last, [one.id for one in page if one.calendrier_jusqua < horizon(one, now)]


def _extend_some(db: Database, ids: list[int], now: int) -> int:
    """Extends calendars, each by one slice (see `calendar`), until TURN seconds have passed. Stops
    earlier at a calendar that needs a further slice. Returns the number of calendars that now
    reach their horizon."""
    until = time.monotonic() + TURN
    for done, id in enumerate(ids):
        mine = calendar.next_slice(db, id, None, now)
        if mine.calendrier_jusqua < horizon(mine, now):
            return done
        if time.monotonic() > until:
            return done + 1
    return len(ids)


def remove_empty(db: Database, since: int, before: int) -> Iterator[None]:
    """Removes the empty slots that start in [since, before). Yields between short steps.

    An empty slot has no places taken and no bookings, not even cancelled bookings.
    """
    businesses: set[int] = set()
    slots: list[int] = []
    for entreprise_id, free in _past(db, since, before):
        if free:
            businesses.add(entreprise_id)
            slots += free
        if len(slots) >= SLOTS:
            transaction(db, partial(_remove, db, businesses, slots, before))
            businesses, slots = set(), []
        yield
    if slots:
        transaction(db, partial(_remove, db, businesses, slots, before))


def _past(db: Database, since: int, before: int) -> Iterator[tuple[int, list[int]]]:
    """Reads the slots that start in [since, before), at most SLOTS of a person or room at a time.
    Yields the id of the business, and the ids of those slots that have no places taken.

    Also yields (0, []) after each page of persons and rooms, so that the caller can pause even if
    no slots were found.
    """
    last = 0
    while page := db.rows(_IDS, last, PAGE):
        for last, entreprise_id in page:
            start = since
            while rows := db.rows(_PAST, last, start, before, SLOTS):
                yield entreprise_id, [slot for _, slot, taken in rows if not taken]
                start = rows[-1][0] + 1
        yield 0, []


def _remove(db: Database, businesses: Collection[int], slots: list[int], before: int) -> None:
    touch(db, *businesses)
    db.write(_REMOVE.format(marks(slots)), *slots, before)
