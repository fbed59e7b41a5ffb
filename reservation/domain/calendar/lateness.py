"""Decides whether it is too late for a customer to move or cancel a booking."""

from typing import Any

from reservation.domain.calendar.plans import LONGEST_EVENT
from reservation.storage.database import Database

# SQL condition: the booking `r` overlaps a closure. The placeholders are columns or values of the
# closure. The second COALESCE keeps the condition from being NULL if the booking has no room.
DURING = (
    "r.debut < {fin} AND r.fin > {debut} AND COALESCE({ressource}, r.ressource_id)"
    " IN (r.ressource_id, COALESCE(r.lieu_id, r.ressource_id))"
)
# SQL condition: the event `v` is a closure that covers the booking `r`. With the lower bound of
# `v.debut`, a query does not read all past events of a business.
COVERS = (
    f"v.entreprise_id = r.entreprise_id AND v.debut > r.debut - {LONGEST_EVENT}"
    " AND v.type = 'fermeture'"
    f" AND {DURING.format(fin='v.fin', debut='v.debut', ressource='v.ressource_id')}"
)
_CLOSURES = f"SELECT COUNT(*) FROM reservation r JOIN evenement v ON {COVERS} WHERE r.id = ?"


def is_closed(db: Database, reservation_id: int) -> bool:
    """Returns whether a closure covers the booking."""
    return bool(db.rows(_CLOSURES, reservation_id)[0][0])


def deadline(db: Database, booking: Any, delai_annulation: int) -> int:
    """Returns the last instant at which the customer can move or cancel: `delai_annulation`
    minutes before the start of the booking. It is the start itself if the booking is a request,
    which binds nobody, or if a closure covers the booking."""
    if not delai_annulation or booking.statut == "demandee" or is_closed(db, booking.id):
        return int(booking.debut)
    return int(booking.debut) - delai_annulation * 60


def is_too_late(db: Database, booking: Any, delai_annulation: int, now: int) -> bool:
    """Returns whether the customer's deadline has passed."""
    # `deadline` asks for closures, but no deadline is before this earliest one.
    earliest = booking.debut - delai_annulation * 60
    return now > earliest and now > deadline(db, booking, delai_annulation)
