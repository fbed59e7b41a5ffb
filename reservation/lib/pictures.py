"""Converts uploaded pictures to WebP files without metadata. Needs Pillow."""

import hashlib
import importlib.util
import io
import math
import re
import struct
from functools import cache
from typing import Any, NamedTuple

SIZES = (320, 800, 1600)  # maximum width and height in pixels, ascending
# {format: maximum number of pixels}, to limit memory to about 200 MB. Pillow takes about 4 bytes
# for each pixel of a PNG and 20 of a WebP, but decodes a large JPEG at a smaller scale. A picture
# as large as a 4K screen has 8.3 million pixels.
MOST_PIXELS = {"JPEG": 50_000_000, "PNG": 16_000_000, "WEBP": 9_000_000}
_QUALITY = 80
_ORIENTATION = 0x0112  # the tag in the EXIF metadata
# {EXIF orientation: transposition}. `ImageOps.exif_transpose` is not used, because it fails if
# some metadata is malformed.
_TURNS = {
    2: "FLIP_LEFT_RIGHT", 3: "ROTATE_180", 4: "FLIP_TOP_BOTTOM", 5: "TRANSPOSE",
    6: "ROTATE_270", 7: "TRANSVERSE", 8: "ROTATE_90",
}  # fmt: skip
# A limit against malicious JPEG files: a scan of 50 million pixels takes 0.05 s to decode, but
# only 80 bytes of the file. Ordinary files have at most 12 scans.
_MOST_SCANS = 64
# What Pillow raises for malformed pictures. Its own UnidentifiedImageError is an OSError.
# `_most_pixels` divides by the number of samples, which can be 0 in a malformed JPEG.
_MALFORMED = (OSError, ValueError, SyntaxError, EOFError, ZeroDivisionError, struct.error)
_SCAN = re.compile(rb"\xff\xda\0([\x08\x0a\x0c\x0e])")  # the header of a scan; its length
_BAND = 64  # rows of a reduced picture that are converted at once, to save memory


class NotAPicture(ValueError):
    """The content is not a JPEG, PNG or WebP picture."""


class TooManyPixels(Exception):
    """The picture has more than `max` million pixels, the limit of its format."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.max = most // 10**6


class Picture(NamedTuple):
    digest: str
    width: int
    height: int
    files: dict[int, bytes]  # {size: WebP file}


@cache
def is_supported() -> bool:
    return importlib.util.find_spec("PIL") is not None


def read(octets: bytes) -> Picture:
    """Returns the picture in all SIZES, upright and without metadata. Raises NotAPicture or
    TooManyPixels."""
    from PIL import Image  # optional, and slow to import

    try:
        with Image.open(io.BytesIO(octets), formats=tuple(MOST_PIXELS)) as opened:
            scans = _SCAN.findall(octets) if _format(opened) == "JPEG" else []
            most = _most_pixels(opened, scans)
            if opened.width * opened.height > most:
                raise TooManyPixels(most)
            if len(scans) > _MOST_SCANS:
                raise NotAPicture()
            scale = SIZES[-1] / max(opened.size)
            width, height = opened.size
            opened.draft("RGB", (math.ceil(width * scale), math.ceil(height * scale)))
            opened.load()  # a PNG file may contain its metadata after the pixels
            turn = _TURNS.get(opened.getexif().get(_ORIENTATION, 1))
            plain = _reduced(opened)
            plain = plain.transpose(Image.Transpose[turn]) if turn else plain
            plain.thumbnail((SIZES[-1], SIZES[-1]))
            plain = _in_srgb(plain, opened.info.get("icc_profile"))
            plain.info.clear()  # older versions of Pillow save this metadata
            width, height = plain.size
            files = {}
            for size in reversed(SIZES):
                plain.thumbnail((size, size))
                file = io.BytesIO()
                plain.save(file, "WEBP", quality=_QUALITY)
                files[size] = file.getvalue()
    except Image.DecompressionBombError:
        raise TooManyPixels(max(MOST_PIXELS.values())) from None
    except _MALFORMED:
        raise NotAPicture() from None
    digest = hashlib.sha256(files[SIZES[-1]]).hexdigest()[:32]
    return Picture(digest, width, height, files)


def _format(opened: Any) -> str:
    """Returns a key of MOST_PIXELS. "MPO" is a JPEG file that has other pictures after the first
    one, such as a depth map. Only the first picture is used."""
    return "JPEG" if opened.format == "MPO" else opened.format


def _most_pixels(opened: Any, scans: list[bytes]) -> int:
    kind = _format(opened)
    most = MOST_PIXELS[kind]
    if kind != "JPEG":
        return most
    layers = [across * down for _, across, down, _ in opened.layer]
    # If the colours come in several scans, libjpeg keeps all samples in memory, 2 bytes each. Then
    # the limit is for samples instead of pixels. The number of scans does not tell, because a
    # thumbnail in the metadata has its own scan.
    several = "progressive" in opened.info or min(scans, default=b"\xff")[0] < 6 + 2 * len(layers)
    return most * max(layers) // sum(layers) if several else most


def _reduced(opened: Any) -> Any:
    """Returns a copy in RGB or RGBA that is less than twice as large as the largest of SIZES."""
    from PIL import Image

    factor = max(1, max(opened.size) // SIZES[-1])
    reduced = None
    for top in range(0, opened.height, _BAND * factor):
        bottom = min(opened.height, top + _BAND * factor)
        band = opened.crop((0, top, opened.width, bottom))
        if band.mode.startswith("I"):
            band = _with_8_bits(band)
        band = band.convert("RGBA" if band.has_transparency_data else "RGB").reduce(factor)
        if reduced is None:
            reduced = Image.new(band.mode, (band.width, -(-opened.height // factor)))
        reduced.paste(band, (0, top // factor))
    return reduced


def _with_8_bits(grey: Any) -> Any:
    """Returns a copy of a PNG picture with 16 bits of grey. Pillow's own conversion would make all
    but the darkest greys white."""
    grey.info.pop("transparency", None)  # a grey of 16 bits
    return grey.point(lambda value: value / 257).convert("L")


def _in_srgb(picture: Any, profile: bytes | None) -> Any:
    """Returns the picture in sRGB. Telephones use a wider space of colours (Display P3): without
    its profile, a picture would look pale."""
    if not profile:
        return picture
    from PIL import ImageCms

    try:
        given = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        return ImageCms.profileToProfile(picture, given, ImageCms.createProfile("sRGB"))
    # The profile is malformed or not for RGB, or this Pillow was built without profiles.
    except (ImageCms.PyCMSError, OSError, ImportError):
        return picture
