"""Pictures to upload."""

import io
from typing import Any

from PIL import Image


def picture(width: int = 64, height: int = 48, kind: str = "PNG", **saving: Any) -> bytes:
    """Returns a picture whose left half is red and whose right half is blue."""
    image = Image.new("RGB", (width, height), "red")
    image.paste("blue", (width // 2, 0, width, height))
    file = io.BytesIO()
    image.save(file, kind, **saving)
    return file.getvalue()
