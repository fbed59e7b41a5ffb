"""The files of the site.

The path of each file contains a digest of all files, so browsers can cache the files for a year.
A relative import keeps the digest, so it loads a file of the same version.
"""

import hashlib
import re
from functools import cache, cached_property
from pathlib import Path
from string import Template
from urllib.parse import quote

import falcon

from reservation.errors import NotFound
from reservation.http import files
from reservation.http.files import File
from reservation.operations.resource import Resource

FOLDER = Path(__file__).parent.parent / "site"
_INDEX = "index.html"
_SHEETS, _WORKER = {"site.css", "manage.css"}, "device/worker.js"
_IMPORT = re.compile(r'@import url\("(.+)"\);')
_COMMENT = re.compile(r"/\*.*?\*/\n*", re.DOTALL)


class Shipped:
    def __init__(self, folder: Path = FOLDER) -> None:
        self.files = files.below(folder)
        index = self.files.pop(_INDEX).octets.decode()
        # The placeholder is inserted here, because the linter refuses `$langue` in index.html.
        self.index = Template(index.replace('lang="fr"', 'lang="$langue"', 1))
        # Each @import is replaced by its file, so that browsers load one style sheet. Comments are
        # removed: they would be an eighth of the compressed style sheet.
        for sheet in self.files.keys() & _SHEETS:
            self.files[sheet] = File(self._whole(sheet).encode(), ".css")
        whole = hashlib.sha256()
        for name, file in self.files.items():
            whole.update(f"{name}\0{len(file.octets)}\0".encode() + file.octets)
        self.digest = whole.hexdigest()[:16]

    @cached_property
    def icons(self) -> str:
        """Returns the icons as SVG, for embedding in the page."""
        return self.files["icons.svg"].octets.decode()

    @cached_property
    def favicon(self) -> str:
        return "data:image/svg+xml," + quote(self.icons.partition("<defs>")[0] + "</svg>")

    def _whole(self, name: str) -> str:
        sheet = _COMMENT.sub("", self.files[name].octets.decode())
        return _IMPORT.sub(lambda part: self._whole(part[1]), sheet)


shipped = cache(Shipped)


class SiteFile(Resource):
    """GET /site/{digest}/{name}"""

    def on_get(self, req: falcon.Request, resp: falcon.Response, digest: str, name: str) -> None:
        if digest != shipped().digest or name not in shipped().files:
            raise NotFound()
        if name == _WORKER:
            resp.set_header("Service-Worker-Allowed", f"{req.root_path}/")
        files.answer(req, resp, shipped().files[name], versioned=True)
