"""The legal notice and the privacy page, from text files of the deployment.

The first paragraph of a file is the title. Blank lines separate paragraphs; a paragraph that
begins with `## ` is a heading.
"""

import re
from pathlib import Path
from typing import NamedTuple

from reservation.domain.messages.messages import LANGUAGES
from reservation.errors import NotFound
from reservation.lib.environment import TEXT, BadSetting
from reservation.operations.answers import ok, refused
from reservation.operations.fields import Field, Query
from reservation.operations.kinds import choice
from reservation.operations.operation import operation
from reservation.operations.properties import many, text
from reservation.operations.resource import Parts, Resource
from reservation.operations.shapes import Shape

NAMES = ("mentions-legales", "confidentialite")
HEADING = "## "
_BLANK = re.compile(r"\[[^\]]*\]")


class Paragraph(NamedTuple):
    texte: str
    titre: bool  # whether the paragraph is a heading


class LegalText(NamedTuple):
    titre: str
    paragraphes: list[Paragraph]


def read(folder: str) -> dict[tuple[str, str], LegalText]:
    """Returns {(language, name): page}, or {} if `folder` is "".

    A page that is absent in one language is shown in another language. Raises BadSetting if a page
    is absent in all languages, cannot be read, or still has a placeholder such as `[address]`.
    """
    found: dict[tuple[str, str], LegalText] = {}
    for nom in NAMES if folder else ():
        paths = {langue: Path(folder, langue, f"{nom}.txt") for langue in LANGUAGES}
        there = {langue: _page(path) for langue, path in paths.items() if path.exists()}
        if not there:
            raise BadSetting(f"RESERVATION_PAGES={folder!r} has no {LANGUAGES[0]}/{nom}.txt")
        for langue in LANGUAGES:
            found[langue, nom] = there.get(langue) or next(iter(there.values()))
    return found


def _page(path: Path) -> LegalText:
    try:
        text = path.read_text(encoding=TEXT)
    except (OSError, UnicodeDecodeError) as ex:
        raise BadSetting(f"the page {path} cannot be read: {ex}") from None
    if blank := _BLANK.search(text):
        raise BadSetting(f"the page {path} still has the blank {blank[0]}")
    titre, *parts = [" ".join(part.split()) for part in re.split(r"\n\s*\n", text.strip())]
    return LegalText(titre, [
        Paragraph(part.removeprefix(HEADING), part.startswith(HEADING)) for part in parts
    ])


_PARAGRAPH = Shape(
    "Paragraph",
    {
        "texte": text("Nous enregistrons votre nom."),
        "titre": {"type": "boolean", "examples": [False], "description": "A heading."},
    },
)
PAGE = Shape("Page", {"titre": text("Confidentialité"), "paragraphes": many(_PARAGRAPH)})


class LegalPageQuery(Query):
    langue = Field(choice(*LANGUAGES), default=LANGUAGES[0])


class LegalPage(Resource):
    """GET /api/pages/{nom}"""

    def __init__(self, parts: Parts) -> None:
        super().__init__(parts)
        self._pages = read(self.settings.pages)

    @operation(
        "readPage",
        "The legal notice (`mentions-legales`) or the privacy page (`confidentialite`)",
        ok("The page.", PAGE),
        refuses=refused(404),
        database=False,
    )
    def on_get(self, nom: str, query: LegalPageQuery) -> LegalText:
        page = self._pages.get((query.langue, nom))
        if page is None:
            raise NotFound()
        return page
