"""The data of a business for search engines and link previews."""

from typing import NamedTuple

from reservation.domain.planning import businesses, photos
from reservation.domain.planning.photos import PhotoRecord
from reservation.storage.database import Database
from reservation.storage.models import Entreprise

MOST_SERVICES = 50
_SERVICES = (
    "SELECT nom, prix_centimes FROM prestation WHERE entreprise_id = ? AND actif = 1"
    " ORDER BY id LIMIT ?"
)
_OPENINGS = (
    "SELECT jour, debut, fin FROM semainetype WHERE entreprise_id = ? AND ressource_id IS NULL"
    " ORDER BY jour, debut"
)


class SharedService(NamedTuple):
    nom: str
    prix_centimes: int


class SharedOpening(NamedTuple):
    """Weekly opening hours.

    `jour` is 1 for Monday. `debut` and `fin` are minutes since local midnight.
    """

    jour: int
    debut: int
    fin: int


class SharedBusiness(NamedTuple):
    entreprise: Entreprise
    services: list[SharedService]
    openings: list[SharedOpening]
    photos: list[PhotoRecord]


def read(db: Database, entreprise_id: int) -> SharedBusiness:
    """Returns a business with at most MOST_SERVICES services.

    Raises NotFound if there is no such business.
    """
    entreprise = businesses.get(db, entreprise_id)
    return SharedBusiness(
        entreprise,
        [SharedService(*row) for row in db.rows(_SERVICES, entreprise_id, MOST_SERVICES)],
        [SharedOpening(*row) for row in db.rows(_OPENINGS, entreprise_id)],
        photos.of_business(db, entreprise_id),
    )
