"""The comparison of `make screenshots`."""

import pytest
from PIL import Image, ImageDraw

from tests import pictures


@pytest.fixture
def kept(tmp_path):
    path = tmp_path / "kept.webp"
    pictures.reduced(pictures.picture(400, 300)).save(path, lossless=True)
    return path


def changed(kept, png):
    return pictures.changed(kept, pictures.reduced(png)) > pictures.FEW


def test_the_same_screenshot_has_not_changed(kept):
    assert not changed(kept, pictures.picture(400, 300))


def test_a_colour_a_line_and_a_size_have_changed(kept, tmp_path):
    assert changed(kept, pictures.picture(400, 300, left="#e00000"))
    assert changed(kept, pictures.picture(400, 301))
    assert changed(tmp_path / "none.webp", pictures.picture(400, 300))
    image = Image.open(kept)
    ImageDraw.Draw(image).line((0, 150, 399, 150), "white")
    image.save(tmp_path / "line.webp", lossless=True)
    assert changed(tmp_path / "line.webp", pictures.picture(400, 300))


def test_a_pixel_has_not_changed(kept, tmp_path):
    image = Image.open(kept)
    image.putpixel((9, 9), (255, 255, 255))
    image.save(tmp_path / "pixel.webp", lossless=True)
    assert not changed(tmp_path / "pixel.webp", pictures.picture(400, 300))
