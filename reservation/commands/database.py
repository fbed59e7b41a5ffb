"""`reservation init-db`, `migrate` and `check`: the tables, and the state of a deployment."""

import argparse
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

import peewee

from reservation.commands import deployment
from reservation.commands.arguments import command
from reservation.domain.booking import invariant
from reservation.errors import WrongSchema
from reservation.lib.progress import progress
from reservation.settings import Settings
from reservation.storage import definitions, schema
from reservation.storage.database import Database, connect
from reservation.storage.migration import migrating
from reservation.storage.remedies import failure, remedy


def add_to(commands: Any) -> None:
    command(commands, init_db, "init-db", changes_schema=True)
    command(commands, migrate, changes_schema=True).add_argument(
        "--dry-run", action="store_true", help="list the steps without running them"
    )
    command(commands, check).add_argument(
        "--repair",
        action="store_true",
        help="first correct the taken places and the capacity of each slot from its bookings, then"
        " report other faults",
    )


def init_db(_options: argparse.Namespace, settings: Settings) -> None:
    """Create the tables in an empty database."""
    db = connect(settings.database_url)
    if schema.is_empty(db):
        schema.create(db)
        print(f"made {', '.join(definitions.wanted())}")
    else:
        schema.require_settled(db)
        print("nothing to do")


def migrate(options: argparse.Namespace, settings: Settings) -> None:
    """Migrate the database of an earlier version. An SQLite file is copied first, and all steps
    are one transaction. On MySQL and MariaDB, each step is committed separately, so stop the
    service and make a backup first. If the command was interrupted, run it again."""
    db = connect(settings.database_url)
    if options.dry_run:
        steps = migrating.steps(db)
        for step in steps:
            print(step.title)
    else:
        steps = migrating.migrate(db, lambda step: print(step.title, flush=True))
    if not steps:
        print(f"nothing to do: the database has schema version {schema.VERSION}")


def check(options: argparse.Namespace, settings: Settings) -> int:
    """Print the settings in force, and the faults of the deployment. Secrets are hidden. Checks
    all slots, bookings, keys and references in one snapshot. The service may run meanwhile.
    Writes a row and deletes it in the same transaction, to find a database that refuses writes.
    Does not check that slots match the weekly hours and events: saving the weekly hours corrects
    the slots. Also logs in to the mail relay, without sending a message, and checks folders,
    clocks and public addresses. Exits with 1 if there is a fault or, in production, an open door.
    An open door is an unsafe feature that is enabled."""
    for variable, value in settings.in_force().items():
        print(f"{variable}={value}")
    for door in settings.open_doors.values():
        print(f"open door: {door}")
    db = connect(settings.database_url)
    faults = report(chain(deployment.faults(settings, db), _faults(db, options.repair)))
    return 1 if faults or (settings.production and settings.open_doors) else 0


def report(faults: Iterable[str]) -> int:
    number = 0
    for fault in faults:
        print(f"fault: {fault}")
        number += 1
    return number


def _faults(db: Database, repair: bool) -> Iterator[str]:
    try:
        schema.require(db)
        with db.unhurried():  # some statements read a whole table
            if repair:
                for id in progress("businesses repaired", invariant.businesses(db)):
                    for breach in invariant.repair(db, id):
                        print(f"mended: business {id}: {breach}")
            yield from invariant.faults(db, progress)
        schema.try_to_write(db)
    except WrongSchema as ex:
        yield str(ex)
    except peewee.PeeweeException as ex:
        yield remedy(db, ex) or failure(db, ex)
