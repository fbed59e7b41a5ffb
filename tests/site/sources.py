"""The sources of the site, as the tests read them."""

import re

from reservation.resources import site_files

FOLDER = site_files.FOLDER
OWN = [
    path
    for path in sorted(FOLDER.rglob("*"))
    if path.suffix in (".js", ".css") and "vendor" not in path.parts
]
SCRIPTS = [path for path in OWN if path.suffix == ".js"]
SHEETS = [path for path in OWN if path.suffix == ".css"]
CODES = FOLDER / "texts" / "errors.js"

_ENTRY = re.compile(r"^  '?([\w-]+)'?: \[\s*'([^']+)',\s*'([^']+)',?\s*\],$", re.M)
_KEY = re.compile(r"^  '?([\w-]+)'?: \[$|^  '?([\w-]+)'?: \['", re.M)


def texts(path):
    """Returns the texts of a file: {key: (French, English)}."""
    source = path.read_text()
    return {key: (french, english) for key, french, english in _ENTRY.findall(source)}


def keys(path):
    """Returns the keys of a file, whether or not they have both texts."""
    return ["".join(match) for match in _KEY.findall(path.read_text())]


def name_of(path):
    return path.relative_to(FOLDER).as_posix()
