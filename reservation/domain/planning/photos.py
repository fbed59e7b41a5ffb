"""The photos and the logo of a business."""

from typing import Any, NamedTuple

from reservation.conflicts import TooManyPhotos
from reservation.domain.calendar.terms import touch
from reservation.lib.pictures import Picture
from reservation.storage import records
from reservation.storage.database import Database, check_version, transaction, update_row
from reservation.storage.models import Entreprise, Image, Photo

MOST = 12
LAST = 10**9  # highest `ordre`
PHOTO, LOGO = "photo", "logo"
_FILE = (
    "SELECT i.octets FROM photo p JOIN image i ON i.photo_id = p.id"
    " WHERE p.empreinte = ? AND i.taille = ? ORDER BY p.id LIMIT 1"
)


class PhotoRecord(NamedTuple):
    id: int
    entreprise_id: int
    genre: str
    texte: str
    ordre: int
    empreinte: str
    largeur: int
    hauteur: int
    version: int


_SELECT = f"SELECT {records.columns(PhotoRecord)} FROM photo WHERE "


def get(db: Database, photo_id: int) -> PhotoRecord:
    """Returns a photo. Raises NotFound if the photo does not exist."""
    return PhotoRecord(*records.first(db.rows(_SELECT + "id = ?", photo_id)))


def of_business(db: Database, entreprise_id: int) -> list[PhotoRecord]:
    """Returns the logo, if any, and then the photos, ordered by `ordre`."""
    rows = db.rows(_SELECT + "entreprise_id = ? ORDER BY genre, ordre, id", entreprise_id)
    return [PhotoRecord(*row) for row in rows]


def file(db: Database, empreinte: str, taille: int) -> bytes:
    """Returns the WebP file of a photo in the size `taille`. Raises NotFound."""
    return bytes(records.first(db.rows(_FILE, empreinte, taille))[0])


def add(
    db: Database, entreprise: Entreprise, picture: Picture, genre: str, texte: str, now: int
) -> PhotoRecord:
    """Adds a photo after the other photos, or replaces the logo. Returns the new photo or logo.
    Raises TooManyPhotos if the business already has MOST photos."""

    def work() -> PhotoRecord:
        touch(db, entreprise.id)  # a lock, so that concurrent uploads cannot exceed MOST
        before = [one for one in of_business(db, entreprise.id) if one.genre == genre]
        if genre == LOGO:
            for one in before:
                _delete(db, one.id)
        elif len(before) >= MOST:
            raise TooManyPhotos(max=MOST)
        photo_id = int(Photo.insert(
            entreprise=entreprise.id, genre=genre, texte=texte, empreinte=picture.digest,
            ordre=min(LAST, max((one.ordre for one in before), default=-1) + 1),
            largeur=picture.width, hauteur=picture.height, cree_le=now,
        ).execute(db))
        for size, octets in picture.files.items():
            Image.insert(photo=photo_id, taille=size, octets=octets).execute(db)
        return get(db, photo_id)

    return transaction(db, work)


def update(db: Database, photo: PhotoRecord, values: dict[str, Any], version: int) -> None:
    """Raises StaleVersion unless `version` is current."""
    transaction(db, lambda: update_row(db, Photo, photo.id, version, values))


def remove(db: Database, photo: PhotoRecord, version: int | None) -> None:
    """Raises StaleVersion if `version` is given and is not current."""

    def work() -> None:
        touch(db, photo.entreprise_id)
        check_version(get(db, photo.id), version)
        _delete(db, photo.id)

    transaction(db, work)


def remove_all(db: Database, entreprise_ids: list[int]) -> None:
    """Call within a transaction."""
    for entreprise_id in entreprise_ids:
        for one in of_business(db, entreprise_id):
            _delete(db, one.id)


def _delete(db: Database, photo_id: int) -> None:
    Image.delete().where(Image.photo == photo_id).execute(db)
    Photo.delete().where(Photo.id == photo_id).execute(db)
