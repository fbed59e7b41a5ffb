"""The upkeep of all calendars, in short transactions. Yields between the transactions.

Many businesses share a transaction, because a commit takes longer than the change of a calendar.
Businesses are locked by id, so that several workers wait for each other instead of deadlocking.
"""

import time
from collections.abc import Iterator
from functools import partial

from reservation.domain.calendar import calendar
from reservation.domain.calendar.availability import horizon
from reservation.domain.calendar.calendar import CalendarRecord
from reservation.storage.database import Database, transaction

PAGE = 500  # businesses read at once
TURN = 0.01  # seconds after which a transaction begins no further calendar

_PAGE = f"{calendar.SELECT} WHERE id > ? AND actif = 1 ORDER BY id LIMIT ?"


def extend_all(db: Database, now: int) -> Iterator[int]:
    """Extends the calendars of all active businesses to their horizons.

    Yields the id of the last business after each transaction.
    """
    for last, ids in _pages(db, now):
        while ids:
            done = transaction(db, partial(_extend_some, db, ids, now))
            yield ids[max(done - 1, 0)]
            ids = ids[done:]
        yield last


def last_id(db: Database) -> int:
    """Returns the highest id of a business, 0 without businesses."""
    return db.rows("SELECT COALESCE(MAX(id), 0) FROM entreprise")[0][0]


def lagging(db: Database, now: int) -> list[int]:
    """Returns the ids of the active businesses whose calendar ends before its horizon."""
    return [id for _, ids in _pages(db, now) for id in ids]


def _pages(db: Database, now: int) -> Iterator[tuple[int, list[int]]]:
    """Yields the last id of each page of businesses, and the ids of its lagging businesses."""
    last = 0
    while rows := db.rows(_PAGE, last, PAGE):
        page = [CalendarRecord(*row) for row in rows]
        last = page[-1].id
        yield last, [one.id for one in page if one.calendrier_jusqua < horizon(one, now)]


def _extend_some(db: Database, ids: list[int], now: int) -> int:
    """Extends calendars for TURN seconds, at least by one slice. Returns the number of calendars
    that reached their horizon."""
    until = time.monotonic() + TURN
    for done, id in enumerate(ids):
        mine = calendar.next_slice(db, id, None, now)
        if mine.calendrier_jusqua < horizon(mine, now):
            return done
        if time.monotonic() > until:
            return done + 1
    return len(ids)
