"""The files of the site.

The path of each file contains a digest of all files, so browsers can cache the files for a year.
A relative import keeps the digest, so it loads a file of the same version.
"""

import hashlib
import re
from functools import cache, cached_property
from pathlib import Path
from posixpath import dirname, join, normpath
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
# A comment of a script on lines of its own. The other comments stay.
_COMMENT_LINES = re.compile(r"^ *(?://.*|/\*(?:[^*]|\*(?!/))*\*/)\n", re.MULTILINE)
# The path of a script that another script imports at its start.
_IMPORTED = re.compile(r"^(?:import|export) [^;'(]*'(\..+?)';", re.MULTILINE)
# A page in ROUTES of router.js: the function that adds the page, its path, and the script of its
# view.
_PAGE = re.compile(r"^  (open|account|manage)\('(.*?)', .*import\('\./(.+?)'\)", re.MULTILINE)


class Shipped:
    def __init__(self, folder: Path = FOLDER) -> None:
        self.files = files.below(folder)
        index = self.files.pop(_INDEX).octets.decode()
        # The placeholder is inserted here, because the linter refuses `$langue` in index.html.
        self.index = Template(index.replace('lang="fr"', 'lang="$langue"', 1))
        # Each @import is replaced by its file, so that browsers load one style sheet. Without
        # comments, the compressed style sheet is an eighth smaller, and the compressed scripts are
        # a fifth to a quarter smaller.
        for sheet in self.files.keys() & _SHEETS:
            self.files[sheet] = File(self._whole(sheet).encode(), ".css")
        for name in self.files:
            if name.endswith(".js") and not name.startswith("vendor/"):
                self.files[name] = File(_COMMENT_LINES.sub("", self._text(name)).encode(), ".js")
        whole = hashlib.sha256()
        for name, file in self.files.items():
            whole.update(f"{name}\0{len(file.octets)}\0".encode() + file.octets)
        self.digest = whole.hexdigest()[:16]
        self.preloads = cache(self._preloads)

    @cached_property
    def icons(self) -> str:
        """Returns the icons as SVG, for embedding in the page."""
        return self._text("icons.svg")

    @cached_property
    def favicon(self) -> str:
        return "data:image/svg+xml," + quote(self.icons.partition("<defs>")[0] + "</svg>")

    @cached_property
    def _views(self) -> dict[str, list[str]]:
        """Returns {path in PAGES: the scripts that app.js loads to draw the page}."""
        views = {}
        for kind, page, view in _PAGE.findall(self._text("router.js")):
            path = f"/gestion/{{id}}/{page}" if kind == "manage" else f"/{page}"
            scripts = [view] if kind == "open" else [view, "parts/head.js"]  # loads manage.css
            views[path.replace("{id}", "{id:id}")] = scripts
        return views

    def _preloads(self, path: str) -> str:
        """Returns HTML that loads all scripts of the page at `path` at once. Otherwise a browser
        asks for a script only after it has read another script that imports it."""
        names = ["app.js", *self._views.get(path, [])]
        for name in names:  # grows
            for other in _IMPORTED.findall(self._text(name)):
                imported = normpath(join(dirname(name), other))
                if imported not in names:
                    names.append(imported)
        address = f'\n<link rel="modulepreload" href="site/{self.digest}/'
        return "".join(f'{address}{name}">' for name in names[1:])

    def _text(self, name: str) -> str:
        return self.files[name].octets.decode()

    def _whole(self, name: str) -> str:
        sheet = _COMMENT.sub("", self._text(name))
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
