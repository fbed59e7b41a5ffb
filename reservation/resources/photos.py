"""The photos and the logo of a business."""

import re
from concurrent.futures import ThreadPoolExecutor

import falcon

from reservation.domain.lanes import Lane
from reservation.domain.people.sessions import Account
from reservation.domain.planning import businesses, photos
from reservation.domain.planning.photos import LOGO, PHOTO, PhotoRecord
from reservation.errors import NotFound, PhotosUnavailable, PictureInvalid, PictureTooLarge
from reservation.http.conditional import add_tag
from reservation.http.files import YEAR
from reservation.lib import pictures
from reservation.operations import properties
from reservation.operations.answers import created, no_content, ok, refused
from reservation.operations.bodies import Body, Octets
from reservation.operations.fields import Field, Query
from reservation.operations.kinds import choice, text, whole
from reservation.operations.operation import operation
from reservation.operations.properties import COUNT, ID, as_sent
from reservation.operations.resource import Resource
from reservation.operations.shapes import Many, Property, Shape
from reservation.operations.versions import VERSION
from reservation.storage.database import Database
from reservation.storage.models import Entreprise

# One picture at a time in each process, to limit memory. A Lane also limits how many requests
# wait, so that a few uploads do not occupy every thread.
_lane = Lane(1)
# Always the same thread: each thread that has read pictures keeps about 40 MB for the next one.
_reader = ThreadPoolExecutor(1, "pictures")
_NAME = re.compile(r"([0-9a-f]{32})-([1-9][0-9]{2,3})")


class PictureFile(Octets):
    most_bytes = 5 * 2**20


class PhotoQuery(Query):
    genre = Field(choice(PHOTO, LOGO), default=PHOTO, doc="A new logo replaces the old logo.")
    texte = Field(text(200), default="", doc="What the photo shows.")


class PhotoChange(Body):
    texte = Field(text(200), default="", example="L'entrée du salon", doc="What the photo shows.")
    ordre = Field(whole(0, photos.LAST), default=0, doc="Lower numbers are shown first.")
    version = VERSION


def _address(photo: PhotoRecord) -> str:
    return f"photos/{photo.empreinte}-{{taille}}.webp"


SHOWN = Shape(
    "Photo",
    {
        "id": ID,
        "genre": {"type": "string", "enum": [PHOTO, LOGO], "examples": [PHOTO]},
        **as_sent(PhotoChange),
        "adresse": Property(
            {
                **properties.text("photos/9f86d081884c7d659a2feaa0c55ad015-{taille}.webp"),
                "description": "The path of the WebP files; {taille} is the upper bound of width"
                f" and height in pixels: {', '.join(map(str, pictures.SIZES))}.",
            },
            show=_address,
            source="",
        ),
        "largeur": {**COUNT, "examples": [1600]},
        "hauteur": {**COUNT, "examples": [1067]},
        "version": properties.VERSION,
    },
)


class PhotosOfEntreprise(Resource):
    """GET, POST /api/entreprises/{id}/photos"""

    @operation(
        "listPhotos",
        "The logo and the photos of a business",
        ok("The logo, then the photos in their order.", Many(SHOWN)),
        subject=businesses.get,
    )
    def on_get(self, entreprise: Entreprise) -> list[PhotoRecord]:
        return photos.of_business(self.db, entreprise.id)

    @operation(
        "createPhoto",
        "Add a photo, or set the logo",
        created("The photo.", SHOWN, location="/api/photos/{id}"),
        description="The body is the file: JPEG, PNG or WebP, at most 5 MiB. A JPEG may have 50"
        " million pixels, a PNG 16 million, a WebP 9 million, and a progressive JPEG in colour 12"
        " to 33 million. The service stores smaller WebP files without the metadata. Answers 501"
        " if Pillow is not installed, and 503 if other pictures are being stored.",
        subject=businesses.owned,
        refuses=refused(409, 501),
    )
    def on_post(
        self, entreprise: Entreprise, query: PhotoQuery, body: PictureFile, now: int
    ) -> PhotoRecord:
        if not pictures.is_supported():
            raise PhotosUnavailable()
        try:
            with _lane.place():
                picture = _reader.submit(pictures.read, body.octets).result()
        except pictures.NotAPicture:
            raise PictureInvalid() from None
        except pictures.TooManyPixels as ex:
            raise PictureTooLarge(max=ex.max) from None
        return photos.add(self.db, entreprise, picture, query.genre, query.texte, now)


def owned_photo(db: Database, account: Account, id: int) -> PhotoRecord:
    found = photos.get(db, id)
    businesses.owned(db, account, found.entreprise_id)
    return found


class OnePhoto(Resource):
    """PUT, DELETE /api/photos/{id}"""

    @operation(
        "updatePhoto",
        "Change the text and the place of a photo",
        ok("The photo.", SHOWN),
        subject=owned_photo,
    )
    def on_put(self, photo: PhotoRecord, body: PhotoChange, version: int) -> PhotoRecord:
        photos.update(self.db, photo, body.values, version)
        return photos.get(self.db, photo.id)

    @operation(
        "removePhoto",
        "Remove a photo",
        no_content("Removed."),
        subject=owned_photo,
    )
    def on_delete(self, photo: PhotoRecord, version: int | None) -> None:
        photos.remove(self.db, photo, version)


class PhotoFile(Resource):
    """GET /photos/{photo}.webp: a picture. `photo` is `<digest>-<size>`."""

    def on_get(self, req: falcon.Request, resp: falcon.Response, photo: str) -> None:
        found = _NAME.fullmatch(photo)
        if found is None:
            raise NotFound()
        resp.data = photos.file(self.db, found[1], int(found[2]))
        resp.content_type = "image/webp"
        resp.set_header("Cache-Control", YEAR)
        add_tag(req, resp)

    on_get.database = True  # type: ignore[attr-defined]
