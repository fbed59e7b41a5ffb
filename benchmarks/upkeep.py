"""The time to migrate and to back up a large database."""

import lzma
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from benchmarks.servers import Limit, run
from reservation.settings import Settings

EARLIER = Path(__file__).parent.parent / "tests/earlier/a30f556.sql.xz"
BUSINESSES, SLOTS, BOOKINGS = 1000, 1_300_000, 1_000_000
_NUMBERS = "WITH RECURSIVE n(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n < {} - 1) "
_FILL = (
    "INSERT INTO utilisateur SELECT n + 1, 2, 'u' || n || '@example.fr', NULL, 'Martin',"
    " 'martin', 'Alice', NULL, '', '', 'fr', 1, 0, 0, 0, NULL, 0, 1, 0 FROM n",
    "INSERT INTO entreprise SELECT n + 1, n + 1, 'Salon ' || n, 'salon ' || n, '', '', '69002',"
    " 'Lyon', 'lyon', '', '', 'Europe/Paris', 0, 90, 0, 0, 24, 1, 0, 1, 1, 0 FROM n",
    "INSERT INTO prestation SELECT n + 1, n + 1, 'Coupe', 'coupe', '', 30, 30, 0, 0, NULL, 2500,"
    " 1, 1 FROM n",
    "INSERT INTO creneau SELECT n + 1, n % {0} + 1, n / {0} * 1800, n / {0} * 1800 + 1800, 0, 1,"
    " 1, n < {1}, 1, NULL FROM n",
    "INSERT INTO reservation SELECT n + 1, n % {0} + 1, n % {0} + 1, n % {0} + 1, n % {0} + 1,"
    " n + 1, n / {0} * 1800, n / {0} * 1800 + 1800, n / {0} * 1800, n / {0} * 1800 + 1800, 1,"
    " 'confirmee', '', NULL, NULL, 1, 0, 0 FROM n",
)


def limits(settings: Settings, folder: Path) -> list[Limit]:
    here = replace(settings, database_url=f"sqlite:///{folder / 'large.db'}")
    _fill(folder / "large.db")
    migrated = run(here, "migrate")
    saved = run(here, "backup", str(folder / "large.backup"))
    rows = (3 * BUSINESSES + SLOTS + BOOKINGS) / saved.seconds
    return [
        *migrated.limits(f"migrating {SLOTS:,} slots, {BOOKINGS:,} bookings", 120),
        *saved.limits(f"backing them up ({rows:,.0f} rows/s)", 120),
    ]


def _fill(path: Path) -> None:
    """Creates a large database with an earlier schema."""
    tables = lzma.decompress(EARLIER.read_bytes()).decode().partition("INSERT INTO utilisateur")[0]
    counts = (BUSINESSES, BUSINESSES, BUSINESSES, SLOTS, BOOKINGS)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(f"PRAGMA journal_mode = wal; PRAGMA synchronous = off; {tables}")
        for statement, count in zip(_FILL, counts, strict=True):
            into, _, select = statement.format(BUSINESSES, BOOKINGS).partition(" SELECT ")
            connection.execute(f"{into} {_NUMBERS.format(count)} SELECT {select}")
        connection.commit()
