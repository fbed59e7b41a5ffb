"""Reads bookings, and decides which bookings a caller may see."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Annotated, NamedTuple

from reservation.domain import states
from reservation.domain.calendar import stored_slots
from reservation.domain.calendar.plans import LONGEST_VISIT
from reservation.domain.calendar.stored_slots import Hold
from reservation.domain.people.sessions import Account
from reservation.domain.states import CUSTOMER, OWNER, STAFF
from reservation.errors import NotFound
from reservation.storage import records
from reservation.storage.database import Database
from reservation.storage.paging import FEW, Part, first_keys, first_of


class ReservationRecord(NamedTuple):
    id: int
    entreprise_id: int
    prestation_id: int
    ressource_id: int
    lieu_id: int | None
    client_id: int
    titulaire_id: int | None
    creneau_id: int | None
    debut: int
    fin: int
    occupe_debut: int
    occupe_fin: int
    places: int
    prix_centimes: int
    statut: str
    commentaire: str
    version: int
    cree_le: int
    entreprise_nom: Annotated[str, "e.nom"]
    fuseau: Annotated[str, "e.fuseau"]
    proprietaire_id: Annotated[int, "e.proprietaire_id"]
    prestation_nom: Annotated[str, "p.nom"]
    ressource_nom: Annotated[str, "w.nom"]
    performer_id: Annotated[int | None, "CASE WHEN w.actif = 1 THEN w.utilisateur_id END"]
    lieu_nom: Annotated[str | None, "l.nom"]
    client_nom: Annotated[str, "c.nom"] = ""
    client_prenom: Annotated[str, "c.prenom"] = ""
    client_email: Annotated[str, "c.email"] = ""
    client_telephone: Annotated[str, "c.telephone"] = ""

    @property
    def holds(self) -> list[Hold]:
        """Returns the holds on the person and, if the booking has a room, on the room. Returns []
        for a cancelled or refused booking."""
        if self.statut in states.RELEASED:
            return []
        rest = self.occupe_debut, self.occupe_fin, self.places
        calendars = self.ressource_id, self.lieu_id
        return [Hold(id, *rest) for id in calendars if id is not None]


_JOINED = (
    " JOIN entreprise e ON e.id = r.entreprise_id"
    " JOIN prestation p ON p.id = r.prestation_id JOIN client c ON c.id = r.client_id"
    " JOIN ressource w ON w.id = r.ressource_id LEFT JOIN ressource l ON l.id = r.lieu_id"
)
_FROM = f"FROM reservation r{_JOINED}"
_KEY = "debut", "id"
_TOUCHING = f"debut > ? AND debut < ? AND fin > ? AND statut IN {states.OPEN}"


def key_of(row: ReservationRecord) -> tuple[int, int]:
    """Returns (start, id), the sort key of bookings."""
    return row.debut, row.id


def visible(db: Database, asking: Account, reservation_id: int) -> tuple[ReservationRecord, str]:
    """Returns the booking, and the caller's side: CUSTOMER, STAFF or OWNER.

    Raises NotFound if the booking does not exist or the caller may not see it.
    """
    reservation = records.first(by_ids(db, [reservation_id]))
    return reservation, side_of(asking, reservation)


def side_of(asking: Account, reservation: ReservationRecord) -> str:
    """Returns CUSTOMER, STAFF or OWNER. Raises NotFound if the caller may not see the booking."""
    # A caller who followed a link in a message sees only the booking of that message.
    if asking.reservation_id is not None:
        if asking.reservation_id == reservation.id:
            return CUSTOMER
        raise NotFound()
    if asking.acts_for(reservation.proprietaire_id):
        return OWNER
    if reservation.performer_id == asking.id:
        return STAFF
    if reservation.titulaire_id == asking.id:
        return CUSTOMER
    raise NotFound()


def by_ids(db: Database, ids: list[int]) -> list[ReservationRecord]:
    """Returns bookings ordered by start. No permission check."""
    # Sorted in Python, because SQLite sorts such long rows slowly.
    return sorted(records.by_ids(db, ReservationRecord, "r", _FROM, ids), key=key_of)


def first(
    db: Database, parts: Sequence[Part], most: int, latest: bool
) -> list[ReservationRecord]:
    """Returns the earliest bookings in `parts` (see `storage.paging`), at most `most`, ordered by
    start. With `latest`, returns the latest bookings, the latest first. No permission check."""
    if not 1 <= len(parts) <= FEW:
        keys = first_keys(db, "reservation", _KEY, parts, most, latest)
        rows = by_ids(db, [id for _, id in keys])
        return rows[::-1] if latest else rows
    # For 50 bookings, one statement for the keys and the rows takes half as long as two.
    select, values = first_of(db, "reservation", _KEY, parts, most, latest)
    by_key = db.JOIN_BY_KEY.format("reservation r", "PRIMARY")
    source = f"FROM ({select}) AS found {by_key} ON r.id = found.id{_JOINED}"
    rows = records.read(db, ReservationRecord, "r", source, *values)
    return sorted(rows, key=key_of, reverse=latest)


def touching(
    db: Database, shut: Mapping[int, Sequence[tuple[int, int]]], now: int
) -> list[ReservationRecord]:
    """Returns the requested and confirmed bookings that end after `now` and overlap a closed time
    of their person or room.

    `shut` maps `ressource_id` to closed times (start, end), in order and without overlaps.
    """
    closed = {id: intervals for id, intervals in shut.items() if intervals}
    if not closed:
        return []
    start = max(min(intervals[0][0] for intervals in closed.values()), now)
    end = max(intervals[-1][1] for intervals in closed.values())
    asked = _TOUCHING, start - LONGEST_VISIT, end, start
    columns = "debut, id, fin, ressource_id, lieu_id"
    touched = set()
    for debut, number, fin, *calendars in stored_slots.bookings(db, columns, closed, *asked):
        for intervals in (closed.get(id, ()) for id in calendars):
            first = bisect_right(intervals, debut, key=itemgetter(1))
            if first < len(intervals) and intervals[first][0] < fin:
                touched.add(number)
    return by_ids(db, sorted(touched))
