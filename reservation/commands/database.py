"""`reservation init-db`, `migrate` and `check`: the tables, and the state of a deployment."""

import argparse
from collections.abc import Iterator
from itertools import chain
from typing import Any

import peewee

from reservation.commands import deployment
from reservation.domain.booking import invariant
from reservation.errors import WrongSchema
from reservation.lib.progress import progress
from reservation.settings import Settings
from reservation.storage import definitions, schema
from reservation.storage.database import Database, connect
from reservation.storage.migration import migrating
from reservation.storage.remedies import remedy


def add_to(commands: Any) -> None:
    init = commands.add_parser(
        "init-db",
        help="make the tables of an empty database",
        description="Make the tables of an empty database.",
    )
    init.set_defaults(run=init_db)
    migration = commands.add_parser(
        "migrate",
        help="bring the database of an earlier version to the present one",
        description="Bring the database of an earlier version to the present one. An SQLite file"
        " is copied first, and all steps are one transaction. On MySQL and MariaDB each step is"
        " recorded by itself: stop the service first, make a backup, and run the command again"
        " if it was interrupted.",
    )
    migration.add_argument(
        "--dry-run", action="store_true", help="list the steps and change nothing"
    )
    migration.set_defaults(run=migrate)
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
    if schema.is_empty(db):
        schema.create(db)
        print(f"made {', '.join(definitions.wanted())}")
    else:
        schema.require(db)
        print("nothing to do")


def migrate(options: argparse.Namespace, settings: Settings) -> None:
    db = connect(settings.database_url)
    if options.dry_run:
        done = migrating.steps(db)
        for step in done:
            print(step.title)
    else:
        done = migrating.migrate(db, lambda step: print(step.title, flush=True))
    if not done:
        print(f"nothing to do: the database has schema version {schema.VERSION}")


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
        schema.require(db)
        if repair:
            _repair(db)
        yield from invariant.faults(db, progress)
    except WrongSchema as ex:
        yield str(ex)
    except peewee.PeeweeException as ex:
        yield remedy(db, ex) or f"the database does not answer: {ex}"


def _repair(db: Database) -> None:
    for entreprise_id in progress("businesses repaired", invariant.businesses(db)):
        for breach in invariant.repair(db, entreprise_id):
            print(f"mended: business {entreprise_id}: {breach}")
