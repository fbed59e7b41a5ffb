"""Pictures to upload, and the comparison of screenshots."""

import io
from pathlib import Path
from typing import Any

from PIL import Image, ImageChops

COLOURS = 128  # of a screenshot: enough for the eye, and for a small file
VISIBLE = 16  # of 255: a palette moves the colours of few pixels by less
FEW = 0.0005  # the part of the pixels that may differ, such as by the fonts of two machines


def picture(
    width: int = 64, height: int = 48, kind: str = "PNG", left: str = "red", **saving: Any
) -> bytes:
    """Returns a picture whose left half is `left` and whose right half is blue."""
    image = Image.new("RGB", (width, height), left)
    image.paste("blue", (width // 2, 0, width, height))
    file = io.BytesIO()
    image.save(file, kind, **saving)
    return file.getvalue()


def reduced(png: bytes) -> Image.Image:
    """Returns a screenshot with few colours."""
    full = Image.open(io.BytesIO(png)).convert("RGB")
    return full.quantize(COLOURS, kmeans=2, dither=Image.Dither.NONE).convert("RGB")


def changed(kept: Path, new: Image.Image) -> float:
    """Returns the part of the pixels by which a picture differs from the one that is kept."""
    if not kept.exists():
        return 1
    old = Image.open(kept).convert("RGB")
    if old.size != new.size:
        return 1
    red, green, blue = ImageChops.difference(old, new).split()
    most = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    return sum(most.histogram()[VISIBLE:]) / (new.width * new.height)
