"""Creates a bar for each race, with steps that change its calendar or book a slot."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from reservation.conflicts import SlotTaken
from reservation.domain.booking import booking, changing
from reservation.domain.booking.requests import Change, Request
from reservation.domain.calendar import calendar, reconciling, stored_plans
from reservation.domain.people.sessions import Account
from reservation.domain.planning import businesses, events, hours, services
from reservation.lib import instants
from reservation.storage.database import Database, transaction
from reservation.storage.models import Evenement
from tests.calendars import calendar_of
from tests.clock import now

SLOT = 1800  # seconds
ZONE, OTHER_ZONE = "Africa/Lagos", "Africa/Abidjan"  # one hour apart, without daylight saving time
CAPACITY = 3


@dataclass(frozen=True)
class Bar:
    """A bar that is open from 18:00 to 22:00.

    The races concern the last slot of the last evening in the calendar. That evening has a closure
    from 20:30 to 21:30; the morning has an extra opening. The long service has buffers of an hour,
    so its buffer after the last slot covers time that a change may open. `visit` is a booking of
    the long service that awaits approval, or None if no step needs such a booking.
    """

    owner: Account
    customer: Account
    id: int
    short: int
    long: int
    last: int  # start of the last slot
    closure: int
    opening: int
    visit: int | None = None

    @property
    def end(self) -> int:
        return self.last + SLOT

    def slot(self, db: Database, debut: int) -> int:
        """Returns the id of the slot. Raises SlotTaken if a change has removed the slot."""
        sql = "SELECT id FROM creneau WHERE ressource_id = ? AND debut = ?"
        rows = db.rows(sql, calendar_of(db, self.id), debut)
        if not rows:
            raise SlotTaken()
        return int(rows[0][0])


Step = Callable[[Database, Bar], Any]


def open_bar(db: Database, owner: Account, customer: Account, steps: tuple[Step, ...]) -> Bar:
    """Returns a new bar with the data that the steps need."""
    return transaction(db, lambda: _open(db, owner, customer, steps))


def _open(db: Database, owner: Account, customer: Account, steps: tuple[Step, ...]) -> Bar:
    present = now()
    about = {"nom": "Bar", "ville": "Lyon", "fuseau": ZONE, "validation_manuelle": True}
    number = businesses.create(db, owner, about, present)
    entreprise = businesses.get(db, number)
    zone = instants.zone_of(ZONE)
    last = instants.midnight_after(present, zone, 2) + 43 * SLOT
    service = {"nom": "Table", "duree_minutes": 30}
    buffers = {"tampon_avant": 60, "tampon_apres": 60}
    hours.replace(db, entreprise, _week(fin=22), present)
    bar = Bar(
        owner,
        customer,
        number,
        short=services.add(db, entreprise, service),
        long=services.add(db, entreprise, service | buffers),
        last=last,
        closure=_insert(db, number, _event("fermeture", last - 2 * SLOT, last)),
        opening=_insert(db, number, _event("ouverture", last - 30 * SLOT, last - 28 * SLOT)),
    )
    calendar.extend(db, businesses.get(db, number), last, present)
    if not set(steps) & OF_A_VISIT:
        return bar
    debut = last - 5 * SLOT if move in steps else last
    request = Request(bar.slot(db, debut), bar.long)
    return Bar(**{**vars(bar), "visit": booking.book(db, customer, request, present)})


def _insert(db: Database, number: int, values: dict[str, Any]) -> int:
    row = {**values, "portee_jours": 1, "entreprise": number}
    return int(Evenement.insert(row).execute(db))


def _week(fin: int) -> list[dict[str, Any]]:
    opening = {
        "debut": 18 * 60, "fin": fin * 60, "pas_minutes": 30, "capacite": CAPACITY,
        "prestation_id": None,
    }
    return [{"jour": jour, **opening} for jour in range(1, 8)]


def _event(kind: str, debut: int, fin: int) -> dict[str, Any]:
    opens = kind == "ouverture"
    return {
        "type": kind, "titre": "", "description": "", "debut": debut, "fin": fin,
        "pas_minutes": 30 if opens else None, "capacite": CAPACITY if opens else None,
    }


def is_as_planned(db: Database, bar: Bar) -> bool:
    """Returns whether rebuilding the calendar of that day would change nothing."""

    def slots() -> list[tuple[Any, ...]]:
        return db.rows(
            "SELECT debut, fin, ouverture, capacite, ouvert FROM creneau"
            " WHERE ressource_id = ? ORDER BY debut", calendar_of(db, bar.id),
        )

    before = slots()
    with db.transaction() as trial:
        mine = calendar.lock(db, bar.id)
        start, end = bar.last - 40 * SLOT, mine.calendrier_jusqua
        for number, plan in stored_plans.read(db, mine, start, end).items():
            reconciling.rebuild(db, number, plan, start, end)
        after = slots()
        trial.rollback()
    return before == after


# Changes of the calendar.


def replace_week(db: Database, bar: Bar) -> None:
    """Extends the opening hours to midnight."""
    hours.replace(db, businesses.get(db, bar.id), _week(fin=24), now())


def add_opening(db: Database, bar: Bar) -> None:
    """Adds an opening that begins a quarter of an hour after the last slot."""
    values = _event("ouverture", bar.end + SLOT // 2, bar.end + 7 * SLOT)
    events.add(db, businesses.get(db, bar.id), values, now())


def add_closure(db: Database, bar: Bar) -> None:
    """Closes from the middle of the last slot until the end of the next day."""
    values = _event("fermeture", bar.last + SLOT // 2, bar.end + 52 * SLOT)
    events.add(db, businesses.get(db, bar.id), values, now())


def update_event(db: Database, bar: Bar) -> None:
    """Moves the extra opening to ten minutes after the last slot."""
    values = _event("ouverture", bar.end + SLOT // 3, bar.end + 6 * SLOT)
    old = events.get(db, bar.opening)
    events.update(db, businesses.get(db, bar.id), old, values, old.version, now())


def remove_event(db: Database, bar: Bar) -> None:
    """Removes the closure of the hour before the last slot."""
    old = events.get(db, bar.closure)
    events.remove(db, businesses.get(db, bar.id), old, now())


def change_zone(db: Database, bar: Bar) -> None:
    """Moves all opening hours one hour later."""
    values = {"nom": "Bar", "ville": "Lyon", "fuseau": OTHER_ZONE}
    entreprise = businesses.get(db, bar.id)
    businesses.update(db, entreprise, values, entreprise.version, now())


def extend(db: Database, bar: Bar) -> None:
    """Extends the calendar by two days."""
    until = bar.last + 2 * instants.DAY
    calendar.extend(db, businesses.get(db, bar.id), until, now())


CALENDAR: tuple[Step, ...] = (
    replace_week, add_opening, add_closure, update_event, remove_event, change_zone, extend
)

# Steps that book or change a booking.


def book(db: Database, bar: Bar) -> None:
    request = Request(bar.slot(db, bar.last), bar.short)
    booking.book(db, bar.customer, request, now())


def book_with_buffers(db: Database, bar: Bar) -> None:
    request = Request(bar.slot(db, bar.last), bar.long)
    booking.book(db, bar.customer, request, now())


def move(db: Database, bar: Bar) -> None:
    change = Change(1, creneau_id=bar.slot(db, bar.last))
    changing.change(db, bar.customer, bar.visit, change, now())


def cancel(db: Database, bar: Bar) -> None:
    changing.cancel(db, bar.customer, bar.visit, now())


def take_more_places(db: Database, bar: Bar) -> None:
    changing.change(db, bar.customer, bar.visit, Change(1, places=2), now())


def approve(db: Database, bar: Bar) -> None:
    changing.change(db, bar.owner, bar.visit, Change(1, statut="confirmee"), now())


def refuse(db: Database, bar: Bar) -> None:
    changing.change(db, bar.owner, bar.visit, Change(1, statut="refusee"), now())


OF_A_VISIT = {move, cancel, take_more_places, approve, refuse}
BOOKING: tuple[Step, ...] = (
    book, book_with_buffers, move, cancel, take_more_places, approve, refuse
)
