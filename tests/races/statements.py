"""Counts the statements of a connection, so that a test can break a chosen statement."""

from collections.abc import Callable
from typing import Any

import peewee

from reservation.storage.database import MySQL, SQLite

Run = Callable[[], Any]
# Receives the database and a function that runs the statement, and may call the function.
Fault = Callable[[Any, Run], Any]


class Statements:
    """Counts the statements of all connections of this process while armed."""

    def __init__(self) -> None:
        self.at, self.fault, self.again = -1, None, False  # type: ignore[assignment]
        self.armed = False
        self.seen: list[tuple[str, bool]] = []  # text, and whether in a transaction
        self.struck: tuple[str, bool] | None = None

    def arm(self, at: int, fault: Fault | None, again: bool = False) -> None:
        """Breaks statement number `at`, counted from 0; with `again`, all later statements too."""
        self.at, self.fault, self.again = at, fault, again
        self.seen, self.struck, self.armed = [], None, True

    def disarm(self) -> None:
        self.armed = False

    def step(self, db: Any, text: str, run: Run) -> Any:
        if not self.armed:
            return run()
        self.seen.append((text, db.in_transaction() or text == "COMMIT"))
        number = len(self.seen) - 1
        if self.fault is None or not (number == self.at or self.again and number > self.at):
            return run()
        self.struck = self.seen[-1]
        return self.fault(db, run)

    def install(self, put: Callable[[Any, str, Any], None]) -> None:
        """Wraps the connection classes; `put` is setattr or monkeypatch.setattr."""
        self._wrap(put, peewee.Database, "execute_sql", lambda sql, *_: sql)
        self._wrap(put, SQLite, "rows", lambda sql, *_: sql)
        self._wrap(put, SQLite, "write_many", lambda sql, *_: sql)
        for engine in (SQLite, MySQL):
            self._wrap(put, engine, "begin", lambda *_: "BEGIN")
            self._wrap(put, engine, "commit", lambda *_: "COMMIT")

    def _wrap(self, put: Any, owner: Any, name: str, text_of: Callable[..., str]) -> None:
        inner = getattr(owner, name)

        def wrapped(db: Any, *args: Any) -> Any:
            return self.step(db, text_of(*args), lambda: inner(db, *args))

        put(owner, name, wrapped)
