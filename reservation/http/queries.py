"""Query parameters and pages: what a request carries beside its body."""

import base64
import re
from collections.abc import Callable
from datetime import date
from typing import Any
from urllib.parse import urlencode

import falcon
from falcon.routing import BaseConverter

from reservation.errors import InvalidInput
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


class Query:
    """The query parameters of a request; `done` refuses the ones that were wrong, together."""

    def __init__(self, req: falcon.Request) -> None:
        self._given: Any = req.params  # no name stands twice: middleware.Door
        self._wrong: dict[str, str] = {}

    def text(self, name: str) -> str:
        value = self._given.get(name, "")
        if len(value) > 200 or "\0" in value:
            self._wrong[name] = "must have 200 characters at most"
        return str(value).strip()

    def id(self, name: str) -> int | None:
        return self._read(name, None, lambda text: _or_raise(whole_id(text)), "must be an id")

    def whole(self, name: str, default: int, low: int, high: int) -> int:
        def convert(text: str) -> int:
            return _or_raise(int(text) if re.fullmatch("[0-9]{1,6}", text) else None, low, high)

        return self._read(name, default, convert, f"must be a whole number from {low} to {high}")

    def date(self, name: str, default: date | None = None) -> Any:
        return self._read(name, default, _date, "must be a date such as 2026-01-31")

    def flag(self, name: str) -> bool:
        return self._read(name, False, {"1": True, "0": False}.__getitem__, "must be 1 or 0")

    def choice(self, name: str, choices: tuple[str, ...]) -> str:
        chosen = dict(zip(choices, choices, strict=True))
        wrong = "must be one of " + ", ".join(choices)
        return str(self._read(name, "", chosen.__getitem__, wrong))

    def refuse(self, name: str, reason: str) -> None:
        self._wrong[name] = reason

    def done(self) -> None:
        if self._wrong:
            raise InvalidInput("Invalid query", self._wrong)

    def _read(self, name: str, default: Any, convert: Callable[[str], Any], wrong: str) -> Any:
        text = self._given.get(name, "")
        if not text:
            return default
        try:
            return convert(text)
        except (ValueError, KeyError):
            self._wrong[name] = wrong
            return default


def _or_raise(number: int | None, low: int = 0, high: int = _LARGEST_ID) -> int:
    if number is None or not low <= number <= high:
        raise ValueError
    return number


def _date(text: str) -> date:
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII):
        raise ValueError
    day = date.fromisoformat(text)
    if not 1970 < day.year < 9999:
        raise ValueError
    return day


class Page:
    """One page of a list: `limite` entries after the opaque cursor `apres`.

    The cursor holds the key of the page's last entry, one to three whole numbers.
    """

    def __init__(self, req: falcon.Request, query: Query, keys: int = 1) -> None:
        self._req = req
        self.limit = query.whole("limite", LIMIT, 1, MOST)
        self.after: tuple[int, ...] | None = None
        cursor = query.text("apres")
        if cursor:
            self.after = _decoded(cursor, keys)
            if self.after is None:
                query.refuse("apres", "is no cursor of this list")

    def read(self, db: Database, query: Any, key: Any) -> list[Any]:
        """The rows of a query in the order of one key, one more than the page holds."""
        if self.after is not None:
            query = query.where(key > self.after[0])
        return list(query.order_by(key).limit(self.limit + 1).execute(db))

    def is_after(self, key: tuple[int, ...]) -> bool:
        return self.after is None or key > self.after

    def cut(self, resp: falcon.Response, rows: list[Any], key: Callable[[Any], Any]) -> list[Any]:
        """The page of `limit` rows, out of limit + 1 read; links the next where there is one."""
        if len(rows) > self.limit:
            rows = rows[: self.limit]
            parameters = {**self._req.params, "apres": _encoded(key(rows[-1]))}
            path = self._req.root_path + self._req.path
            resp.set_header("Link", f'<{path}?{urlencode(parameters)}>; rel="next"')
        return rows


def _encoded(key: tuple[int, ...]) -> str:
    return base64.urlsafe_b64encode(".".join(map(str, key)).encode()).decode().rstrip("=")


def _decoded(cursor: str, keys: int) -> tuple[int, ...] | None:
    try:
        text = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode("ascii")
        numbers = tuple(int(part) for part in text.split(".") if re.fullmatch("[0-9]{1,18}", part))
    except ValueError:
        return None
    genuine = len(numbers) == keys and _encoded(numbers) == cursor
    return numbers if genuine else None
