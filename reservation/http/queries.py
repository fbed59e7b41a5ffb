"""Query parameters and pages: what a request carries beside its body."""

import base64
import re
from collections.abc import Callable
from datetime import date
from typing import Any
from urllib.parse import urlencode

import falcon
import peewee
from falcon.routing import BaseConverter

from reservation.errors import Fault
from reservation.http.codes import InvalidQuery
from reservation.http.fields import REQUIRED, Field, Kind, Table
from reservation.storage.database import Database

LIMIT, MOST = 50, 200
_LARGEST_ID = 2**63 - 1
_ID = re.compile(r"[1-9][0-9]{0,18}")


class Identifier(BaseConverter):
    """A path's id: a plain positive decimal below 2^63; anything else is a 404."""

    def convert(self, value: str) -> int | None:
        return whole_id(value)


def whole_id(text: str) -> int | None:
    number = int(text) if _ID.fullmatch(text) else 0
    return number if 0 < number <= _LARGEST_ID else None


def read_query(table: Table, req: falcon.Request) -> dict[str, Any]:
    """The query parameters of a table, by their names; InvalidQuery names every wrong one.

    Others are not looked at; no name stands twice (middleware.Door).
    """
    values, faults = {}, {}
    for name, field in table.items():
        values[name] = None if field.default is REQUIRED else field.default
        if name in req.params:
            try:
                values[name] = field.kind.check(req.params[name])
            except Fault as ex:
                faults[name] = ex
    if faults:
        raise InvalidQuery(faults)
    return values


def _words(text: str) -> str:
    if len(text) > 200:
        raise Fault("too_long", "must have at most 200 characters", max=200)
    if "\0" in text:
        raise Fault("nul_character", "must not contain a NUL character")
    return text.strip()


def _id(text: str) -> int:
    number = whole_id(text)
    if number is None:
        raise Fault("invalid_id", "must be an id")
    return number


def whole_number(low: int, high: int) -> Kind:
    def check(text: str) -> int:
        if not re.fullmatch("[0-9]{1,6}", text) or not low <= int(text) <= high:
            message = f"must be a whole number from {low} to {high}"
            raise Fault("out_of_range", message, min=low, max=high)
        return int(text)

    return Kind(check, {"type": "integer", "minimum": low, "maximum": high})


def one_of(*choices: str) -> Kind:
    def check(text: str) -> str:
        if text not in choices:
            raise Fault("invalid_choice", f"must be one of {', '.join(choices)}", choices=choices)
        return text

    return Kind(check, {"type": "string", "enum": list(choices)})


def _no_date() -> Fault:
    return Fault("invalid_date", "must be a date such as 2026-01-31")


def _date(text: str) -> date:
    if not re.fullmatch(_DATE, text):
        raise _no_date()
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise _no_date() from None


def _flag(text: str) -> bool:
    if text not in ("0", "1"):
        raise Fault("invalid_choice", "must be 1 or 0", choices=("0", "1"))
    return text == "1"


def _encoded(key: tuple[int, ...]) -> str:
    return base64.urlsafe_b64encode(".".join(map(str, key)).encode()).decode().rstrip("=")


def _no_cursor() -> Fault:
    return Fault("invalid_cursor", "must be a cursor of this list")


def _cursor(text: str) -> tuple[int, ...]:
    try:
        plain = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode("ascii")
        key = tuple(int(part) for part in plain.split(".") if re.fullmatch("[0-9]{1,18}", part))
    except ValueError:
        key = ()
    if not key or _encoded(key) != text:
        raise _no_cursor()
    return key


# From 1971 to 9998: whatever the zone, and with some days around it, Python can reckon with it.
_DATE = "(197[1-9]|19[89][0-9]|[2-8][0-9]{3}|9[0-8][0-9]{2}|99[0-8][0-9]|999[0-8])(-[0-9]{2}){2}"
ANY_WORDS = Kind(str, {"type": "string"})
WORDS = Kind(_words, {"type": "string", "maxLength": 200})
ID = Kind(_id, {"type": "integer", "minimum": 1, "maximum": _LARGEST_ID})
DATE = Kind(_date, {"type": "string", "format": "date", "pattern": f"^{_DATE}$"})
CURSOR = Kind(_cursor, {"type": "string", "format": "cursor", "maxLength": 200})
FLAG = Kind(_flag, {"type": "string", "enum": ["0", "1"]})


PAGE = {
    "limite": Field(whole_number(1, MOST), default=LIMIT, doc="How many entries at most."),
    "apres": Field(CURSOR, default=None, doc="The cursor of the `Link` to the next page."),
}


def check_span(du: date, au: date, days: int) -> None:
    """Raises InvalidQuery unless `au` is one of the `days` days from `du` on."""
    if au < du:
        raise InvalidQuery({"au": Fault("before_start", "must not be before du")})
    if (au - du).days >= days:
        message = f"must be within {days} days of du"
        raise InvalidQuery({"au": Fault("too_far_from_start", message, max=days)})


class Page:
    """One page of a list: `limite` entries after the opaque cursor `apres`.

    The cursor holds the key of the page's last entry, one to three whole numbers.
    """

    def __init__(self, req: falcon.Request, query: dict[str, Any], keys: int = 1) -> None:
        """`query` holds the values of PAGE. Raises InvalidQuery for another list's cursor."""
        self._req = req
        self.limit: int = query["limite"]
        self.after: tuple[int, ...] | None = query["apres"]
        if self.after and len(self.after) != keys:
            raise InvalidQuery({"apres": _no_cursor()})

    def read(self, db: Database, query: Any, *key: Any) -> list[Any]:
        """The rows of a query in the order of a key, one more than the page holds."""
        if self.after is not None:
            query = query.where(peewee.Tuple(*key) > peewee.Tuple(*self.after))
        return list(query.order_by(*key).limit(self.limit + 1).execute(db))

    def cut(
        self,
        resp: falcon.Response,
        rows: list[Any],
        key: Callable[[Any], tuple[int, ...]],
        rest: tuple[int, ...] | None = None,
    ) -> list[Any]:
        """Returns the page of `limit` rows, and links the next page where there is one.

        `rows` holds at least one row more than the page if there are more; `rest` is the
        cursor of what comes behind all of them.
        """
        if len(rows) > self.limit:
            rows = rows[: self.limit]
            rest = key(rows[-1])
        if rest is not None:
            link_next(self._req, resp, apres=_encoded(rest))
        return rows


def link_next(req: falcon.Request, resp: falcon.Response, **changes: Any) -> None:
    """Links the same request with some parameters changed as what comes next: RFC 8288."""
    parameters = {**req.params, **changes}
    path = req.root_path + req.path
    resp.set_header("Link", f'<{path}?{urlencode(parameters)}>; rel="next"')
