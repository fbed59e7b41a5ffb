"""The terms of businesses and services: the rules for bookings."""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from reservation.domain.calendar.performers import Performers
from reservation.domain.calendar.stored_slots import Hold, Holds
from reservation.errors import Fault
from reservation.lib import instants
from reservation.storage import records
from reservation.storage.database import Database, marks
from reservation.storage.models import Entreprise

LONGEST_HORIZON = 730  # days
NOT_OFFERED = Fault("unknown_service", "is not a service of this business")
CANNOT_PERFORM = Fault("cannot_perform", "is not a person who performs this service")


@dataclass(slots=True)
class BusinessTerms:
    """Columns of entreprise."""

    id: int
    proprietaire_id: int
    nom: str
    fuseau: str
    actif: int
    delai_reservation: int
    horizon_jours: int
    delai_annulation: int
    validation_manuelle: int
    rappel_heures: int
    max_a_venir: int | None
    calendrier_jusqua: int

    def for_business(self) -> "BusinessTerms":
        """Returns the terms for a booking that the business makes or changes. They have no minimum
        notice, and allow bookings even if the business is closed to online bookings."""
        return replace(self, delai_reservation=0, actif=1)

    def since_midnight(self, now: int) -> "BusinessTerms":
        """Returns the terms under which also the times of today that have passed can be booked,
        for example for a customer who came without an appointment."""
        passed = now - instants.midnight_after(now, instants.zone_of(self.fuseau), 0)
        return replace(self, delai_reservation=passed // -60)

    def without_horizon(self) -> "BusinessTerms":
        """Returns the terms with LONGEST_HORIZON, so that a booking can keep its time even if the
        business has shortened its horizon since."""
        return replace(self, horizon_jours=LONGEST_HORIZON)


Business = BusinessTerms | Entreprise


class ServiceTerms(NamedTuple):
    """Columns of prestation."""

    id: int
    nom: str
    actif: int
    duree_minutes: int
    tampon_avant: int
    tampon_apres: int
    intervalle_minutes: int | None
    prix_centimes: int
    lieu_requis: int
    version: int


# Plain SQL for speed: every booking and every list of free times reads this row.
_TERMS = (
    f"SELECT {records.columns(BusinessTerms, 'e')}, {records.columns(ServiceTerms, 'p')}"
    " FROM entreprise e LEFT JOIN prestation p ON p.id = ? AND p.entreprise_id = e.id"
    " WHERE e.id = ?"
)
_TOUCH = "UPDATE entreprise SET calendrier_version = calendrier_version + 1 WHERE id IN ({})"
_OF_BUSINESS = len(BusinessTerms.__slots__)


def terms(
    db: Database, entreprise_id: int, prestation_id: int | None, shared: bool = False,
    alone: bool = False,
) -> tuple[BusinessTerms, ServiceTerms | None]:
    """Returns the terms of a business and of a service. If the service does not belong to the
    business, returns None for the service.

    `shared` locks the business until the transaction ends, so that no other transaction can change
    the terms or the calendar. `alone` makes this lock exclusive. Raises NotFound if the business
    does not exist.
    """
    sql = _TERMS
    if shared:
        sql += db.FOR_SHARE
        if alone or db.clustered:
            touch(db, entreprise_id)
    row = records.first(db.rows(sql, prestation_id or 0, entreprise_id))
    business, service = row[:_OF_BUSINESS], row[_OF_BUSINESS:]
    return BusinessTerms(*business), ServiceTerms(*service) if service[0] is not None else None


def touch(db: Database, *entreprise_ids: int) -> None:
    """Locks the rows of businesses, if any, until the transaction ends.

    Writes the rows, because a Galera cluster replicates writes, but not locks.
    """
    if entreprise_ids:
        db.write(_TOUCH.format(marks(entreprise_ids)), *entreprise_ids)


class Visit(NamedTuple):
    """What a booking needs: time (in seconds), places, a person and perhaps a room.

    A `length` of 0 means one slot of any length.
    """

    length: int = 0
    before: int = 0  # buffer before the visit
    after: int = 0  # buffer after the visit
    interval: int | None = None  # seconds between possible starts, counted from the opening
    prestation_id: int | None = None
    places: int = 1
    persons: tuple[int, ...] = ()
    rooms: tuple[int, ...] | None = None  # None if no room is needed
    of_team: bool = False
    old: Holds = ()  # the holds of the booking that is moved; their places count as free
    moved: Any = None  # the booking that is moved, in a search for its new time

    @classmethod
    def of(cls, prestation: Any, places: int, who: Performers, old: Holds = ()) -> "Visit":
        """Returns the visit for a service, which is a Prestation or a row such as ServiceTerms."""
        interval = prestation.intervalle_minutes
        return cls(
            prestation.duree_minutes * 60,
            prestation.tampon_avant * 60,
            prestation.tampon_apres * 60,
            interval * 60 if interval else None,
            prestation.id,
            places,
            who.persons,
            who.rooms,
            who.of_team,
            old,
        )

    @property
    def is_plain(self) -> bool:
        """Returns whether the visit has a fixed length, and no buffers, interval or old holds."""
        return self.length > 0 and not (self.before or self.after or self.interval or self.old)

    @property
    def has_no_choice(self) -> bool:
        """Returns whether the business has only one person, and the visit needs no room."""
        return len(self.persons) == 1 and self.rooms is None and not self.of_team

    def as_booked(self, booking: Any) -> "Visit":
        """Returns the visit with the length and the buffers of `booking`. The service may have
        other values by now, but a booking that keeps its time also keeps its own values."""
        return self._replace(
            interval=None,
            length=booking.fin - booking.debut,
            before=booking.debut - booking.occupe_debut,
            after=booking.occupe_fin - booking.fin,
        )

    def with_room_first(self, lieu_id: int | None) -> "Visit":
        """Returns the visit with the room `lieu_id` as the first choice, if this room is
        suitable."""
        if not self.rooms:
            return self
        return self._replace(rooms=tuple(sorted(self.rooms, key=lambda room: room != lieu_id)))

    def among(self, text: str) -> tuple[int, ...]:
        """Returns the ids of `persons` that are in `text`, a list of ids such as "3,17"."""
        ids = set(map(int, text.split(",")))
        return tuple(person for person in self.persons if person in ids)

    def hold(self, ressource_id: int, debut: int) -> Hold:
        """Returns the hold of a visit at `debut` on a person or room."""
        return Hold(ressource_id, *self.occupied(debut), self.places)

    def occupied(self, debut: int) -> tuple[int, int]:
        """Returns the start and end of a visit at `debut`, including the buffers."""
        return debut - self.before, debut + self.reach

    @property
    def reach(self) -> int:
        """Returns the seconds from the start of the visit to the end of the buffer after it."""
        return self.length + self.after


def keeping_its_time(
    entreprise: BusinessTerms, visit: Visit, booking: Any
) -> tuple[BusinessTerms, Visit]:
    """Returns the terms and the visit of a booking that keeps its time. The booking keeps its
    length and buffers. The horizon does not apply. The minimum notice applies only to additional
    places."""
    if visit.places <= booking.places:
        entreprise = replace(entreprise, delai_reservation=0)
    return entreprise.without_horizon(), visit.as_booked(booking)
