"""Compares the taken places of slots with the places that bookings hold."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from reservation.domain import states
from reservation.domain.calendar import stored_slots
from reservation.domain.calendar.reconciling import StoredSlot
from reservation.storage import records
from reservation.storage.database import Database


class ActiveReservation(NamedTuple):
    occupe_debut: int
    id: int
    debut: int
    fin: int
    occupe_fin: int
    places: int


# Plain SQL for speed: a check reads every slot and every active booking.
_SLOTS = (
    f"SELECT {records.columns(StoredSlot)} FROM creneau WHERE ressource_id = ?"
    " ORDER BY debut, id"
)
_ACTIVE = f"statut NOT IN {states.RELEASED}"


class Breach(NamedTuple):
    """A slot with a wrong number of taken places, or with a wrong capacity."""

    slot: StoredSlot
    held: int  # the number of places that `bookings` hold
    bookings: Sequence[ActiveReservation]

    @property
    def capacite(self) -> int:
        """Returns the correct capacity: the higher of the planned capacity and `held`."""
        return max(self.slot.capacite_prevue, self.held)

    def __str__(self) -> str:
        slot = self.slot
        if slot.places_prises == self.held:
            return (
                f"slot {slot.id} has room for {slot.capacite} places instead of {self.capacite}"
            )
        said = f"slot {slot.id} counts {slot.places_prises} places, its bookings hold {self.held}"
        if self.held > slot.capacite:
            numbers = ", ".join(str(one.id) for one in self.bookings)
            said += f", more than its capacity of {slot.capacite}: bookings {numbers}"
        return said


def rows(db: Database, ressource_id: int) -> tuple[list[StoredSlot], list[ActiveReservation]]:
    """Returns the slots and the active bookings of a person or room, each ordered by start."""
    slots = [StoredSlot(*row) for row in db.rows(_SLOTS, ressource_id)]
    columns = records.columns(ActiveReservation)
    active = stored_slots.bookings(db, columns, [ressource_id], _ACTIVE)
    return slots, [ActiveReservation(*row) for row in active]


def breaches(slots: list[StoredSlot], bookings: list[ActiveReservation]) -> Iterator[Breach]:
    """Yields the slots with a wrong number of taken places or a wrong capacity. Both lists must be
    ordered by start."""
    open_: list[ActiveReservation] = []
    coming = 0
    for slot in slots:
        while coming < len(bookings) and bookings[coming].occupe_debut < slot.fin:
            open_.append(bookings[coming])
            coming += 1
        open_ = [one for one in open_ if one.occupe_fin > slot.debut]
        # If slots overlap, `open_` may also have bookings that begin after the end of this slot.
        holding = [one for one in open_ if one.occupe_debut < slot.fin]
        breach = Breach(slot, sum(one.places for one in holding), holding)
        if breach.held != slot.places_prises or slot.capacite != breach.capacite:
            yield breach
