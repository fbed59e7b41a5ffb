"""Adds a database of this version to tests/earlier: later versions test their migrations with it.

    .venv/bin/python scripts/make_earlier.py

The database has the town of `reservation demo`, and three bookings with queued messages.
"""

import lzma
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import reservation
from reservation.commands import demo
from reservation.domain.booking import booking
from reservation.domain.booking.requests import Request
from reservation.domain.people.sessions import Account
from reservation.lib.instants import DAY
from reservation.settings import Settings
from reservation.storage import definitions
from reservation.storage.database import Database, connect

EARLIER = Path(__file__).parent.parent / "tests" / "earlier"
MOST_ROWS = 500  # of one INSERT
_FREE = (
    "SELECT c.id, p.id FROM creneau c JOIN ressource r ON r.id = c.ressource_id"
    " JOIN prestation p ON p.entreprise_id = r.entreprise_id"
    " AND p.duree_minutes * 60 <= c.fin - c.debut WHERE c.places_prises = 0 AND c.ouvert = 1"
    " AND c.prestation_id IS NULL AND c.debut > ? GROUP BY r.entreprise_id ORDER BY c.id LIMIT 3"
)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings.from_environ({"RESERVATION_DATABASE_URL": f"sqlite:///{folder}/db"})
        demo.run(None, settings)
        db = connect(settings.database_url)
        _book(db, int(time.time()))
        sql = definitions.SCHEMA.read_text(encoding="utf-8") + "".join(_rows(db))
    target = EARLIER / f"{reservation.__version__}.sql.xz"
    target.write_bytes(lzma.compress(sql.encode(), preset=9 | lzma.PRESET_EXTREME))
    print(target)


def _book(db: Database, now: int) -> None:
    ((customer,),) = db.rows("SELECT MIN(id) FROM utilisateur WHERE type_id = 1")
    for slot, service in db.rows(_FREE, now + 3 * DAY):
        booking.book(db, Account(customer, "student"), Request(slot, service), now)


def _rows(db: Database) -> Iterator[str]:
    """Yields INSERT statements in SQLite's syntax. The rows of schema_version come first: some
    tests load only the rows before the first slot."""
    for table in sorted(definitions.wanted(), key=lambda name: name != "schema_version"):
        if table == "typeutilisateur":
            continue  # schema.sql has its rows
        names = [column.name for column in db.get_columns(table)]
        rows = db.rows(f"SELECT {', '.join(map('quote({})'.format, names))} FROM {table}")
        for first in range(0, len(rows), MOST_ROWS):
            some = rows[first : first + MOST_ROWS]
            values = ",\n".join(f"({', '.join(row)})" for row in some)
            yield f"INSERT INTO {table} ({', '.join(names)}) VALUES\n{values};\n"


if __name__ == "__main__":
    main()
