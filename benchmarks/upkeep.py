"""The rows about work besides requests: the start, midnight, migrations, backups."""

import lzma
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import date, timedelta
from functools import partial
from pathlib import Path

from benchmarks.people import People
from benchmarks.rows import Row, at_most
from benchmarks.servers import CannotMeasure, environ_of, run
from benchmarks.world import World
from reservation.domain.booking import reservations
from reservation.domain.outbox.outbox import QUEUED, tell
from reservation.lib.instants import DAY
from reservation.storage.database import Database, connect, sqlite_path, transaction
from reservation.storage.models import Entreprise, Ressource
from tests.resources.large import BUSINESSES

EARLIER = Path(__file__).parent.parent / "tests/earlier/a30f556.sql.xz"
RESSOURCES = BUSINESSES + 1  # one person in each business, and one room: tests.resources.large
PATIENCE = 120.0  # seconds
PER_BUSINESS = 1000  # bookings of a business before a migration
_NUMBERS = "WITH RECURSIVE n(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n < {} - 1) "
# Statements for the schema of EARLIER.
_EARLIER = (
    "INSERT INTO utilisateur SELECT n + 1, 2, 'u' || n || '@example.fr', NULL, 'Martin',"
    " 'martin', 'Alice', NULL, '', '', 'fr', 1, 0, 0, 0, NULL, 0, 1, 0 FROM n",
    "INSERT INTO entreprise SELECT n + 1, n + 1, 'Salon ' || n, 'salon ' || n, '', '', '69002',"
    " 'Lyon', 'lyon', '', '', 'Europe/Paris', 0, 90, 0, 0, 24, 1, 0, 1, 1, 0 FROM n",
    "INSERT INTO prestation SELECT n + 1, n + 1, 'Coupe', 'coupe', '', 30, 0, 0, NULL, 2500,"
    " 1, 1 FROM n",
    "INSERT INTO creneau SELECT n + 1, n % {0} + 1, n / {0} * 1800, n / {0} * 1800 + 1800, 0, 1,"
    " 1, n < {1}, 1, NULL FROM n",
    "INSERT INTO reservation SELECT n + 1, n % {0} + 1, n % {0} + 1, n % {0} + 1, n % {0} + 1,"
    " n + 1, n / {0} * 1800, n / {0} * 1800 + 1800, n / {0} * 1800, n / {0} * 1800 + 1800, 1,"
    " 'confirmee', '', NULL, NULL, 1, 0, 0 FROM n",
)
# The worker sends no message about a visit that is over.
_FUTURE = (
    "UPDATE reservation SET statut = 'confirmee', debut = ?, fin = ?, occupe_debut = ?,"
    " occupe_fin = ? WHERE id = 1"
)
_START = (
    "import time; clock = time.process_time; start = clock()\n"
    "import reservation.application as made; imported = clock()\n"
    "made.create_app(made.Settings.from_environ())\n"
    "print((imported - start) * 1000, (clock() - imported) * 1000)"
)


def start_up(world: World) -> Iterator[Row]:
    # The first start stores bytecode, which an installed package has too.
    stored = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(world.path("bytecode"))}
    environ = environ_of(world.settings()) | stored

    def start() -> list[float]:
        command = [sys.executable, "-c", _START]
        done = subprocess.run(command, env=environ, check=True, capture_output=True, text=True)
        return list(map(float, done.stdout.split()))

    start()  # creates the tables too
    rounds = world.rounds(0.6)
    goals = [at_most(150, "ms"), at_most(80, "ms")]
    yield Row("importing the application, creating it", goals, start, rounds)
    version = partial(run, world.settings(), "--version")
    yield Row("reservation --version", [at_most(150, "ms")],
              lambda: (version().cpu * 1000,), rounds)


def midnight(world: World) -> Iterator[Row]:
    """Measures a worker at midnight, when it adds a Monday to the calendars of many businesses."""
    count, last = world.size.many, date.today() + timedelta(days=90)
    people = People(world.settings(), 600, 1, days=90 - last.weekday())
    db = connect(people.settings.database_url)
    ((until,),) = db.rows("SELECT calendrier_jusqua FROM entreprise WHERE id = 1")
    transaction(db, partial(_multiply, db, count))
    visit = (int(time.time()) + DAY, int(time.time()) + DAY + 1800) * 2
    db.write(_FUTURE, *visit)
    yield Row(
        f"midnight with {count:,} businesses, a message meanwhile",
        [at_most(10, "s"), at_most(1, "s")],
        partial(_night, people, db, until), world.rounds(0.2),
    )


def _multiply(db: Database, count: int) -> None:
    """Adds `count` copies of business 1, each with a person and the hours of some business."""
    numbers, id = _NUMBERS.format(count), f"{BUSINESSES + 1} + n"
    columns = [field.column_name for field in Entreprise._meta.sorted_fields]
    others = ", ".join(name for name in columns if name not in ("id", "adresse_courte"))
    hours = "jour, debut, fin, pas_minutes, capacite"
    of_person = ", ".join(
        field.column_name for field in Ressource._meta.sorted_fields
        if field.name not in ("id", "entreprise")
    )
    db.write(
        f"INSERT INTO entreprise (id, adresse_courte, {others}) {numbers}"
        f" SELECT {id}, {id}, {others} FROM n JOIN entreprise e ON e.id = 1"
    )
    db.write(
        f"INSERT INTO ressource (id, entreprise_id, {of_person}) {numbers}"
        f" SELECT {RESSOURCES + 1} + n, {id}, {of_person} FROM n JOIN ressource r ON r.id = 1"
    )
    db.write(
        f"INSERT INTO semainetype (entreprise_id, {hours}) {numbers}"
        f" SELECT {id}, {hours} FROM n JOIN semainetype ON entreprise_id = n % {BUSINESSES} + 1"
    )


def _night(people: People, db: Database, until: int) -> tuple[float, float]:
    """Returns how long extending all calendars took, and how long a message waited at most.

    Both are in seconds and include the start of the worker.
    """
    db.write("DELETE FROM creneau WHERE ressource_id > ?", RESSOURCES)
    db.write("UPDATE entreprise SET calendrier_jusqua = ? WHERE id > ?", until - DAY, BUSINESSES)
    command = [sys.executable, "-m", "reservation", "worker"]
    started = time.perf_counter()
    environ = environ_of(people.settings)
    worker = subprocess.Popen(command, env=environ, stderr=subprocess.DEVNULL)
    try:
        waits = [_sent_after(db)]
        lagging = "SELECT id FROM entreprise WHERE calendrier_jusqua < ? AND actif = 1 LIMIT 1"
        while db.rows(lagging, until):
            waits.append(_sent_after(db))
            time.sleep(0.1)
        return time.perf_counter() - started, max(waits)
    finally:
        worker.terminate()
        worker.wait()


def _sent_after(db: Database) -> float:
    """Queues a message; returns the seconds until the message is sent."""
    (booking,) = reservations.by_ids(db, [1])
    started = time.perf_counter()
    transaction(db, lambda: tell(db, booking, int(time.time()), customer="confirmee"))
    while db.rows(f"SELECT id FROM eventemail WHERE statut IN {QUEUED}"):
        if time.perf_counter() > started + PATIENCE:
            raise CannotMeasure("the worker sent no message")
        time.sleep(0.005)
    seconds = time.perf_counter() - started
    if db.rows("SELECT statut FROM eventemail ORDER BY id DESC LIMIT 1") != [("envoye",)]:
        raise CannotMeasure("the worker did not send the message")
    return seconds


def migration(world: World) -> Iterator[Row]:
    settings, bookings = world.settings(), world.size.bookings
    limit = at_most(120 * bookings / 1_000_000, "s")

    def upgraded() -> tuple[float, ...]:
        _fill(Path(sqlite_path(settings.database_url)), bookings)
        migrated = run(settings, "migrate")
        saved = run(settings, "backup", str(world.path("backup")))
        return migrated.seconds, migrated.megabytes, saved.seconds, saved.megabytes

    goals = [limit, at_most(200, "MB")] * 2
    yield Row(f"migrating {bookings:,} bookings, backing them up", goals, upgraded, 1)


def _fill(path: Path, bookings: int) -> None:
    """Creates a database with the schema of EARLIER and this number of bookings."""
    tables = lzma.decompress(EARLIER.read_bytes()).decode().partition("INSERT INTO utilisateur")[0]
    businesses = max(bookings // PER_BUSINESS, 1)
    counts = (businesses, businesses, businesses, bookings * 13 // 10, bookings)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(f"PRAGMA journal_mode = wal; PRAGMA synchronous = off; {tables}")
        for statement, count in zip(_EARLIER, counts, strict=True):
            into, _, select = statement.format(businesses, bookings).partition(" SELECT ")
            connection.execute(f"{into} {_NUMBERS.format(count)} SELECT {select}")
        connection.commit()
