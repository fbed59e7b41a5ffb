"""The data of a business for search engines and link previews."""

from typing import NamedTuple

from reservation.domain.calendar import stored_plans
from reservation.domain.calendar.timetable import Opening
from reservation.domain.planning import businesses, photos
from reservation.domain.planning.photos import PhotoRecord
from reservation.storage.database import Database
from reservation.storage.models import Entreprise

MOST_SERVICES = 50
_SERVICES = (
    "SELECT nom, prix_centimes FROM prestation WHERE entreprise_id = ? AND actif = 1"
    " ORDER BY id LIMIT ?"
)


class SharedService(NamedTuple):
    nom: str
    prix_centimes: int


class SharedBusiness(NamedTuple):
    entreprise: Entreprise
    services: list[SharedService]
    openings: list[Opening]
    photos: list[PhotoRecord]


def read(db: Database, entreprise_id: int) -> SharedBusiness:
    """Returns a business with at most MOST_SERVICES services.

    Raises NotFound if there is no such business.
    """
    entreprise = businesses.get(db, entreprise_id)
    week = stored_plans.read_week(db, entreprise_id)
    return SharedBusiness(
        entreprise,
        [SharedService(*row) for row in db.rows(_SERVICES, entreprise_id, MOST_SERVICES)],
        [opening for owner, opening in week if owner is None],
        photos.of_business(db, entreprise_id),
    )
