"""`reservation init-db` and `reservation check`: the tables, and the state of a deployment."""

import argparse
from collections.abc import Iterator
from itertools import chain
from typing import Any

import peewee

from reservation.commands import deployment
from reservation.commands.progress import progress
from reservation.domain import invariant
from reservation.settings import Settings
from reservation.storage import schema
from reservation.storage.database import Database, connect
from reservation.storage.remedies import remedy


def add_to(commands: Any) -> None:
    init = commands.add_parser(
        "init-db",
        help="make the tables and columns that are missing",
        description="Make the tables and columns that are missing, in an empty database or in"
        " one of an earlier version. Nothing is ever dropped.",
    )
    init.set_defaults(run=init_db)
    checking = commands.add_parser(
        "check",
        help="print the settings in force and say what is wrong",
        description="Print the settings in force, secrets hidden, and say what is wrong."
        " Looks at every slot, reservation, key and reference as they are at one moment, while"
        " the service runs, and says of each fault what is wrong and where. Connects to the mail"
        " relay, without a message, and looks at folders, clocks and public addresses. Exits 1"
        " when something is wrong or production has an open door.",
    )
    checking.add_argument(
        "--repair",
        action="store_true",
        help="first set wrong counts of places to what is booked; what is left is a fault",
    )
    checking.set_defaults(run=check)


def init_db(_options: argparse.Namespace, settings: Settings) -> None:
    db = connect(settings.database_url)
    missing = schema.missing(db)
    schema.create(db)
    print(f"made: {', '.join(missing)}" if missing else "nothing to do")


def check(options: argparse.Namespace, settings: Settings) -> int:
    for variable, value in settings.in_force().items():
        print(f"{variable}={value}")
    for door in settings.open_doors:
        print(f"open door: {door}")
    db = connect(settings.database_url)
    faults = 0
    for fault in chain(deployment.faults(settings, db), _faults(db, options.repair)):
        faults += 1
        print(f"fault: {fault}")
    return 1 if faults or (settings.production and settings.open_doors) else 0


def _faults(db: Database, repair: bool) -> Iterator[str]:
    try:
        missing = schema.missing(db)
        if missing:
            yield f"missing: {', '.join(missing)}; run `reservation init-db`"
            return
        if repair:
            _repair(db)
        yield from invariant.faults(db, progress)
    except peewee.PeeweeException as ex:
        yield remedy(db, ex) or f"the database does not answer: {ex}"


def _repair(db: Database) -> None:
    for entreprise_id in progress("businesses repaired", invariant.businesses(db)):
        for breach in invariant.repair(db, entreprise_id):
            print(f"mended: business {entreprise_id}: {breach}")
