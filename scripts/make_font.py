"""Makes the font of the site from the npm package @fontsource-variable/inter.

    pip install fonttools brotli
    npm pack @fontsource-variable/inter
    python scripts/make_font.py fontsource-variable-inter-5.3.0.tgz

Keeps only the weights 400 to 700, kerning, tabular figures, and the characters of French and
English texts, so that the file is small and loads fast.
"""

import io
import sys
import tarfile
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

VENDOR = Path(__file__).parent.parent / "reservation" / "site" / "vendor"
SOURCE = "package/files/inter-latin-wght-normal.woff2"
WEIGHTS = (400, 700)
FEATURES = ["ccmp", "kern", "tnum"]
LETTERS = "àáâãäæçèéêëíîïñóôõöùúûüÿœßÀÂÆÇÈÉÊËÎÏÔÙÛÜŒ"
SIGNS = "\u00a0«»°·×–—‘’“”•…€→−"
# Inter has no glyphs for these spaces and this hyphen: each gets the glyph of a similar character.
ALIKE = {0x202F: 0x00A0, 0x2011: 0x002D, 0x2009: 0x00A0}


def main(package: str) -> None:
    with tarfile.open(package) as archive:
        member = archive.extractfile(SOURCE)
        licence = archive.extractfile("package/LICENSE")
        assert member and licence
        font = TTFont(io.BytesIO(member.read()))
        (VENDOR / "inter.LICENSE").write_bytes(licence.read())
    for table in font["cmap"].tables:
        known = table.cmap
        known |= {code: known[other] for code, other in ALIKE.items() if other in known}
    options = subset.Options(layout_features=FEATURES, hinting=False, notdef_outline=True)
    subsetter = subset.Subsetter(options)
    plain = "".join(map(chr, range(0x20, 0x7F)))
    subsetter.populate(text=plain + LETTERS + SIGNS + "".join(map(chr, ALIKE)))
    subsetter.subset(font)
    font = instancer.instantiateVariableFont(font, {"wght": WEIGHTS})
    font.flavor = "woff2"
    font.save(VENDOR / "inter.woff2")


if __name__ == "__main__":
    main(sys.argv[1])
