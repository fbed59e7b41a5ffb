"""Extends all calendars and removes old slots, in short transactions.

Each transaction handles several businesses, because a commit takes longer than the change of one
calendar. Businesses are locked in the order of their ids, to avoid deadlocks.
"""

import logging
import time
from collections.abc import Collection, Iterator
from contextlib import suppress
from functools import partial

from reservation.domain.calendar import calendar
from reservation.domain.calendar.availability import horizon
from reservation.domain.calendar.terms import BusinessTerms, touch
from reservation.storage import records
from reservation.storage.database import NO_ANSWER, Database, marks, transaction

logger = logging.getLogger("reservation")

PAGE = 500  # maximum number of rows that one SELECT reads
TURN = 0.01  # seconds; after this time, a transaction extends no further calendar
SLOTS = 100  # maximum number of slots per SELECT

# Plain SQL for speed: every night, a job extends the calendars of all active businesses.
_PAGE = (
    f"SELECT {records.columns(BusinessTerms)} FROM entreprise WHERE id > ? AND actif = 1"
    " ORDER BY id LIMIT ?"
)
_IDS = "SELECT id, entreprise_id FROM ressource WHERE id > ? ORDER BY id LIMIT ?"
_PAST = (
    "SELECT debut, id, places_prises FROM creneau WHERE ressource_id = ? AND debut >= ?"
    " AND debut < ? ORDER BY debut LIMIT ?"
)
_REMOVE = (
    "DELETE FROM creneau WHERE id IN ({}) AND debut < ? AND places_prises = 0"
    " AND NOT EXISTS (SELECT 1 FROM reservation r WHERE r.creneau_id = creneau.id)"
)


class CalendarBroken(Exception):
    """Raised if the calendar of a business cannot be extended. `__cause__` is the reason."""

    def __init__(self, entreprise_id: int) -> None:
        super().__init__()
        self.entreprise_id = entreprise_id


def extend_all(db: Database, now: int) -> Iterator[int]:
    """Extends the calendars of all active businesses to their horizons. Logs and skips a business
    whose calendar cannot be extended, for example because its time zone is unknown.

    Yields the id of a business after each transaction, to show the progress.
    """
    for last, ids in lagging(db, now):
        while ids:
            try:
                done = transaction(db, partial(_extend_some, db, ids, now))
            except CalendarBroken as ex:
                reason = f"{type(ex.__cause__).__name__}: {ex.__cause__}"
                logger.error("calendar of business %d not extended: %s", ex.entreprise_id, reason)
                ids = [id for id in ids if id != ex.entreprise_id]
                continue
            yield ids[max(done - 1, 0)]
            ids = ids[done:]
        yield last


def lagging(db: Database, now: int) -> Iterator[tuple[int, list[int]]]:
    """Yields (last id, lagging ids) for each page of active businesses. A business is lagging if
    its calendar must be extended."""
    last = 0
    while rows := db.rows(_PAGE, last, PAGE):
        page = [BusinessTerms(*row) for row in rows]
        last = page[-1].id
        yield last, [one.id for one in page if _is_lagging(one, now)]


def _is_lagging(one: BusinessTerms, now: int) -> bool:
    with suppress(ValueError, OverflowError):
        return one.calendrier_jusqua < horizon(one, now)
    return True  # `extend_all` reports why the horizon is unknown


def _extend_some(db: Database, ids: list[int], now: int) -> int:
    """Extends calendars, but stops after about TURN seconds of work. Returns the number of
    calendars extended to the horizon. Raises CalendarBroken."""
    until = time.monotonic() + TURN
    for done, id in enumerate(ids):
        try:
            mine = calendar.next_slice(db, id, None, now)
        except NO_ANSWER:
            raise
        except Exception as ex:
            raise CalendarBroken(id) from ex
        if mine.calendrier_jusqua < horizon(mine, now):
            return done
        if time.monotonic() > until:
            return done + 1
    return len(ids)


def remove_empty(db: Database, since: int, before: int) -> Iterator[None]:
    """Removes the slots that start in [since, before) and have no bookings, not even cancelled
    bookings.

    Yields between short steps.
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
    """Yields (id of a business, ids of slots). The slots start in [since, before), and no place in
    the slots is taken.

    Also yields (0, []), so that the caller can pause even if there are no slots.
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
