"""Draws a photo and a logo for a business, if Pillow is installed."""

import io
from typing import Any

from reservation.domain.planning import photos
from reservation.domain.planning.photos import LOGO, PHOTO
from reservation.lib import pictures
from reservation.storage.database import Database
from reservation.storage.models import Entreprise

_WALL, _FLOOR, _FRAME, _MIRROR, _CHAIR = "#e9dfd0", "#b9936c", "#7a5a3c", "#cfe3e6", "#0d6b5e"


def add(db: Database, entreprise: Entreprise, now: int) -> None:
    if pictures.is_supported():
        for genre, texte, drawn in (
            (PHOTO, "Trois fauteuils devant leurs miroirs", _salon()),
            (LOGO, "", _logo()),
        ):
            file = io.BytesIO()
            drawn.save(file, "PNG")
            photos.add(db, entreprise, pictures.read(file.getvalue()), genre, texte, now)


def _salon() -> Any:
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (1500, 1000), _WALL)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 720, 1500, 1000), fill=_FLOOR)
    for left in (150, 600, 1050):
        draw.ellipse((left, 120, left + 300, 480), fill=_MIRROR, outline=_FRAME, width=14)
        draw.rounded_rectangle((left + 70, 520, left + 230, 720), 40, fill=_CHAIR)
        draw.rounded_rectangle((left + 40, 690, left + 260, 780), 30, fill=_CHAIR)
        draw.rectangle((left + 140, 780, left + 160, 880), fill=_FRAME)
        draw.ellipse((left + 70, 860, left + 230, 900), fill=_FRAME)
    return image


def _logo() -> Any:
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (512, 512), _CHAIR)
    draw = ImageDraw.Draw(image)
    draw.polygon([(96, 400), (256, 112), (416, 400)], outline=_WALL, width=28)
    draw.line((40, 400, 472, 400), fill=_WALL, width=28)
    return image
