"""Query parameters and pages."""

import base64
import re
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any, Generic, NamedTuple, TypeVar
from urllib.parse import urlencode

import falcon
from falcon.routing import BaseConverter

from reservation.errors import Fault
from reservation.http.codes import InvalidQuery
from reservation.http.replies import as_list
from reservation.lib import short_addresses
from reservation.operations.fields import Field, Kind, Query
from reservation.operations.kinds import (
    LARGEST_ID,
    REFERENCE,
    out_of_range,
    read_date,
    text,
    whole,
)
from reservation.operations.shapes import Shape

LIMIT, MOST = 50, 200  # entries of a page: default and maximum
_ID = re.compile(r"[1-9][0-9]{0,18}")
T = TypeVar("T")
R = TypeVar("R")


class Identifier(BaseConverter):
    """Converts the id in a path: a whole number from 1 to 2^63 - 1. An invalid id gives 404."""

    def convert(self, value: str) -> int | None:
        return whole_id(value)


class ShortAddressConverter(BaseConverter):
    """Converts the short address of a business in a path. An invalid address gives 404."""

    def convert(self, value: str) -> str | None:
        return value if short_addresses.is_valid(value) else None


def whole_id(text: str) -> int | None:
    number = int(text) if _ID.fullmatch(text) else 0
    return number if 0 < number <= LARGEST_ID else None


def _id(text: str) -> int:
    number = whole_id(text)
    if number is None:
        raise Fault("invalid_id", "must be an id")
    return number


def whole_number(low: int, high: int) -> Kind[int]:
    def check(text: str) -> int:
        if not re.fullmatch("[0-9]{1,6}", text) or not low <= int(text) <= high:
            raise out_of_range(low, high)
        return int(text)

    return Kind(check, whole(low, high).schema)


def _date(text: str) -> date:
    return read_date(text, _DATE, "2026-01-31")


def _flag(text: str) -> bool:
    if text not in ("0", "1"):
        raise Fault("invalid_choice", "must be 1 or 0", choices=("0", "1"))
    return text == "1"


def _encoded(key: tuple[int, ...]) -> str:
    return base64.urlsafe_b64encode(".".join(map(str, key)).encode()).decode().rstrip("=")


def _cursor(text: str) -> tuple[int, ...]:
    try:
        plain = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode("ascii")
        key = tuple(int(part) for part in plain.split(".") if re.fullmatch("[0-9]{1,18}", part))
    except ValueError:
        key = ()
    if not key or _encoded(key) != text:
        raise _not_a_cursor()
    return key


def _not_a_cursor() -> Fault:
    return Fault("invalid_cursor", "must be a cursor of this list")


# Dates of the years 1971 to 9998. So the day before and the day after each date are valid in any
# time zone.
_DATE = "(197[1-9]|19[89][0-9]|[2-8][0-9]{3}|9[0-8][0-9]{2}|99[0-8][0-9]|999[0-8])(-[0-9]{2}){2}"
WORDS = text(200)
ID = Kind(_id, REFERENCE.schema)
DATE = Kind(_date, {"type": "string", "format": "date", "pattern": f"^{_DATE}$"})
CURSOR = Kind(_cursor, {"type": "string", "format": "cursor", "maxLength": 200})
FLAG = Kind(_flag, {"type": "string", "enum": ["0", "1"]})


class Page(NamedTuple, Generic[T]):
    """A page of a list. `following` is {query parameter: new value} for the link to the next page.
    On the last page, `following` is None."""

    rows: Sequence[T]  # `show` replaces the rows with their JSON text, as bytes
    following: dict[str, Any] | None = None

    @classmethod
    def before(cls, rows: Sequence[T], cursor: tuple[int, ...] | None) -> "Page[T]":
        """Returns a page with these rows. The next page begins after the key `cursor`. If `cursor`
        is None, this page is the last page."""
        return cls(rows, {"apres": _encoded(cursor)} if cursor else None)

    def load(self, read: Callable[[Sequence[T]], Sequence[R]]) -> "Page[R]":
        """Returns a page of rows for a page of their keys. The link to the next page stays, even
        if rows were deleted after their keys were read."""
        return Page(read(self.rows), self.following)

    def show(self, shape: Shape) -> "Page[Any]":
        return Page(as_list(shape.texts(self.rows)), self.following)


class PageQuery(Query):
    """The query for a page: at most `limite` entries after the cursor `apres`.

    A cursor encodes the key of an entry: one to four whole numbers.
    """

    limite = Field(whole_number(1, MOST), default=LIMIT, doc="Maximum number of entries.")
    apres = Field(CURSOR, default=None, doc="The cursor from the `Link` to the next page.")

    def after(self, length: int) -> tuple[int, ...] | None:
        """Returns the key in the cursor, or None without a cursor.

        Raises InvalidQuery if the key does not have `length` numbers.
        """
        if self.apres and len(self.apres) != length:
            raise InvalidQuery({"apres": _not_a_cursor()})
        return self.apres

    def page(
        self,
        read: Callable[[tuple[int, ...] | None, int], Sequence[T]],
        key: Callable[[T], tuple[int, ...]],
        length: int = 1,
    ) -> Page[T]:
        """Returns a page of the rows from `read`.

        `read(after, most)` returns at most `most` rows after the row with the key `after`.
        `key(row)` returns the key of a row: `length` whole numbers.
        """
        rows = read(self.after(length), self.limite + 1)
        if len(rows) <= self.limite:
            return Page(rows)
        rows = rows[: self.limite]
        return Page.before(rows, key(rows[-1]))


def by_id(row: Any) -> tuple[int]:
    return (row.id,)


def link_next(req: falcon.Request, resp: falcon.Response, **changes: Any) -> None:
    """Adds a Link header with `rel="next"` (RFC 8288): the URL of the request, with `changes` in
    its query."""
    path = req.root_path + req.path
    resp.set_header("Link", f'<{path}?{urlencode({**req.params, **changes})}>; rel="next"')


def check_order(du: date | None, au: date | None) -> None:
    """Raises InvalidQuery if `au` is before `du`."""
    if du and au and au < du:
        raise InvalidQuery({"au": Fault("before_start", "must not be before `du`")})


def check_span(du: date, au: date, days: int) -> None:
    """Raises InvalidQuery if `au` is before `du`, or if the period has more than `days` days."""
    check_order(du, au)
    if (au - du).days >= days:
        message = f"must be within {days} days of du"
        raise InvalidQuery({"au": Fault("too_far_from_start", message, max=days)})
