"""Customers as CSV, which spreadsheets in France open: with semicolons and a byte order mark."""

import csv
import io
import re
from collections.abc import Iterator

from reservation.errors import Fault, InvalidInput
from reservation.lib.folding import search_key
from reservation.storage.database import Database

COLUMNS = ("nom", "prenom", "email", "telephone", "note")
MOST = 5000  # lines of an import
BYTE_ORDER_MARK = "\ufeff"
_FORMULA = re.compile(r"'*[=+@\t\r-]")
_WRITTEN = (
    f"SELECT {', '.join(COLUMNS)} FROM client {{}} WHERE entreprise_id = ?"
    " AND (email <> '' OR telephone <> '') ORDER BY nom_cle, id"
)


def written(db: Database, entreprise_id: int) -> str:
    """Returns the customers of a business as CSV, by name.

    An apostrophe before each cell that a spreadsheet would compute as a formula makes it text.
    """
    text = io.StringIO()
    writer = csv.writer(text, delimiter=";", lineterminator="\r\n")
    writer.writerow(COLUMNS)
    rows = db.rows(_WRITTEN.format(db.BY_INDEX.format("client_entreprise_nom_cle")), entreprise_id)
    writer.writerows([_as_text(cell) for cell in row] for row in rows)
    return BYTE_ORDER_MARK + text.getvalue()


def _as_text(cell: str) -> str:
    return f"'{cell}" if _FORMULA.match(cell) else cell


def _as_typed(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def parsed(text: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Yields the number of each line and its cells by column, without blank lines.

    The first line names the columns, in any order. Raises InvalidInput with the faults of the
    first line, or if the text is no CSV from some line on.
    """
    text = text.removeprefix(BYTE_ORDER_MARK)
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    names: list[str] = []
    lines, start = 0, 1
    try:
        for cells in reader:
            number, start = start, reader.line_num + 1
            if not any(cell.strip() for cell in cells):
                continue
            if not names:
                names = _columns(cells)
                continue
            lines += 1
            if lines > MOST:
                fault = Fault("too_many_lines", f"must have at most {MOST} lines", max=MOST)
                raise InvalidInput({"texte": fault})
            # A cell beyond the columns has the number of its column.
            named = [*names, *map(str, range(len(names) + 1, len(cells) + 1))]
            found = {name: _as_typed(cell) for name, cell in zip(named, cells, strict=False)}
            yield number, {name: cell for name, cell in found.items() if cell.strip()}
    except csv.Error:
        raise InvalidInput({str(start): Fault("malformed_csv", "is not CSV")}) from None
    if not names:
        raise InvalidInput({"1.nom": Fault("required", "is required")})


def _columns(cells: list[str]) -> list[str]:
    """Returns the column of each cell of the first line, ignoring case, accents and hyphens."""
    names = [search_key(cell).replace(" ", "") for cell in cells]
    faults = {}
    for cell, name in zip(cells, names, strict=True):
        if name not in COLUMNS:
            faults[f"1.{cell}"] = Fault("unknown_field", "is not a column of customers")
        elif names.count(name) > 1:
            faults[f"1.{name}"] = Fault("contradiction", "is named twice")
    if "nom" not in names:
        faults["1.nom"] = Fault("required", "is required")
    if faults:
        raise InvalidInput(faults)
    return names
