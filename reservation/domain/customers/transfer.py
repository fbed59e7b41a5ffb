"""Writes and reads the customers of a business as CSV."""

import csv
import io
from collections.abc import Iterator

from reservation.domain import spreadsheets
from reservation.errors import Fault, InvalidInput
from reservation.lib.folding import search_key
from reservation.storage.database import Database

COLUMNS = ("nom", "prenom", "email", "telephone", "note")
MOST = 5000  # maximum number of lines in an import
MOST_COLUMNS = 100  # maximum number of columns in a line, blank ones included
_TOO_MANY_LINES = Fault("too_many_lines", f"must have at most {MOST} lines", max=MOST)
_TOO_MANY_COLUMNS = Fault(
    "too_many_columns", f"must have at most {MOST_COLUMNS} columns", max=MOST_COLUMNS
)
_WRITTEN = (
    f"SELECT {', '.join(COLUMNS)} FROM client {{}} WHERE entreprise_id = ?"
    " AND (email <> '' OR telephone <> '') ORDER BY nom_cle, id"
)


def written(db: Database, entreprise_id: int) -> str:
    """Returns the customers of a business as CSV, ordered by name."""
    rows = db.rows(_WRITTEN.format(db.BY_INDEX.format("client_entreprise_nom_cle")), entreprise_id)
    return spreadsheets.written(COLUMNS, rows)


def parsed(text: str) -> Iterator[tuple[int, dict[str, str]]]:
    """For each line below the header, yields the line number and {column: non-blank cell}.

    Skips blank lines and columns. Raises InvalidInput if a line is not CSV, or if there are more
    than MOST lines or MOST_COLUMNS columns. Also raises InvalidInput if a column is unknown or
    duplicate, or if `nom` is missing.
    """
    text = text.removeprefix(spreadsheets.BYTE_ORDER_MARK)
    first = next((line for line in text.splitlines() if line.strip()), "")
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    names: list[str] = []
    lines, start = 0, 1
    try:
        for cells in reader:
            number, start = start, reader.line_num + 1
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) > MOST_COLUMNS:
                raise InvalidInput({str(number): _TOO_MANY_COLUMNS})
            if not names:
                names = _columns(number, cells)
                continue
            lines += 1
            if lines > MOST:
                raise InvalidInput({"texte": _TOO_MANY_LINES})
            # Cells in columns without a header are named by the number of the column.
            named = [name or str(at) for at, name in enumerate(names, start=1)]
            named += map(str, range(len(names) + 1, len(cells) + 1))
            found = dict(zip(named, map(spreadsheets.as_typed, cells), strict=False))
            yield number, {name: cell for name, cell in found.items() if cell.strip()}
    except csv.Error:
        raise InvalidInput({str(start): Fault("malformed_csv", "is not CSV")}) from None
    if not names:
        raise InvalidInput({"1.nom": Fault("required", "is required")})


def _columns(number: int, cells: list[str]) -> list[str]:
    names = [search_key(cell).replace(" ", "") for cell in cells]
    faults = {}
    for cell, name in zip(cells, names, strict=True):
        if not cell.strip():
            continue  # spreadsheet programs may add empty columns
        if name not in COLUMNS:
            unknown = Fault("unknown_field", "is not a column of the customer import")
            faults[f"{number}.{cell}"] = unknown
        elif names.count(name) > 1:
            faults[f"{number}.{name}"] = Fault("contradiction", "two columns have this name")
    if "nom" not in names:
        faults[f"{number}.nom"] = Fault("required", "is required")
    if faults:
        raise InvalidInput(faults)
    return names
