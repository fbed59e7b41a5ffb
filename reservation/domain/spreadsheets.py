"""CSV for French spreadsheet programs: with semicolons and a byte order mark."""

import csv
import io
import re
from collections.abc import Iterable, Sequence

BYTE_ORDER_MARK = "\ufeff"
_FORMULA = re.compile(r"'*[=+@\t\r-]")


def written(columns: Sequence[str], rows: Iterable[Sequence[str | int]]) -> str:
    """Returns the rows as CSV. Puts an apostrophe before each formula, so that spreadsheet
    programs do not run the formula."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=";", lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows([_as_text(cell) for cell in row] for row in rows)
    return BYTE_ORDER_MARK + text.getvalue()


def _as_text(cell: str | int) -> str | int:
    return f"'{cell}" if isinstance(cell, str) and _FORMULA.match(cell) else cell


def as_typed(cell: str) -> str:
    """Removes the apostrophe with which `written` escapes a formula."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell
