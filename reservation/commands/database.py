"""`reservation init-db` and `reservation check`: the tables, and the state of a deployment."""

import argparse
from collections.abc import Iterator
from typing import Any

from reservation.commands.progress import progress
from reservation.domain import invariant
from reservation.settings import Settings
from reservation.storage import schema
from reservation.storage.database import UNAVAILABLE, Database, connect


def add_to(commands: Any) -> None:
    init = commands.add_parser(
        "init-db",
        help="make the tables that are missing",
        description="Make the tables that are missing. Nothing is ever dropped.",
    )
    init.set_defaults(run=init_db)
    checking = commands.add_parser(
        "check",
        help="print the settings in force and say what is wrong",
        description="Print the settings in force, secrets hidden, and say what is wrong."
        " Looks at every creneau, whether its places taken are those of its bookings, and"
        " names each that is not. Exits 1 when something is wrong or production has an open"
        " door.",
    )
    checking.add_argument(
        "--repair", action="store_true", help="set wrong counts of places to what is booked"
    )
    checking.set_defaults(run=check)


def init_db(_options: argparse.Namespace, settings: Settings) -> None:
    db = connect(settings.database_url)
    missing = schema.missing(db)
    schema.create(db)
    print(f"made {len(missing)} tables: {', '.join(missing)}" if missing else "nothing to do")


def check(options: argparse.Namespace, settings: Settings) -> int:
    for variable, value in settings.in_force().items():
        print(f"{variable}={value}")
    for door in settings.open_doors:
        print(f"open door: {door}")
    faults = 0
    for fault in _faults(connect(settings.database_url), options.repair):
        faults += 1
        print(fault)
    return 1 if faults or (settings.production and settings.open_doors) else 0


def _faults(db: Database, mend: bool) -> Iterator[str]:
    try:
        missing = schema.missing(db)
    except UNAVAILABLE as ex:
        yield f"fault: the database does not answer: {ex}"
        return
    if missing:
        yield f"fault: tables are missing: {', '.join(missing)}; run `reservation init-db`"
        return
    for entreprise_id in progress("businesses checked", invariant.businesses(db)):
        look = invariant.repair if mend else invariant.breaches
        for breach in look(db, entreprise_id):
            yield (
                f"{'mended' if mend else 'fault'}: creneau {breach.creneau_id} of business"
                f" {entreprise_id} counts {breach.prises} places, booked are {breach.tenues}"
            )
