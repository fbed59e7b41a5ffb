"""`reservation init-db` and `reservation check`: the tables, and the state of a deployment."""

import argparse
from typing import Any

from reservation.settings import Settings
from reservation.storage import schema
from reservation.storage.database import UNAVAILABLE, connect


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
        " Exits 1 when the database is not ready or production has an open door.",
    )
    checking.set_defaults(run=check)


def init_db(_options: argparse.Namespace, settings: Settings) -> None:
    db = connect(settings.database_url)
    missing = schema.missing_tables(db)
    schema.create(db)
    print(f"made {len(missing)} tables: {', '.join(missing)}" if missing else "nothing to do")


def check(_options: argparse.Namespace, settings: Settings) -> int:
    for variable, value in settings.in_force().items():
        print(f"{variable}={value}")
    faults = []
    try:
        missing = schema.missing_tables(connect(settings.database_url))
        if missing:
            faults.append(f"tables are missing: {', '.join(missing)}; run `reservation init-db`")
    except UNAVAILABLE as ex:
        faults.append(f"the database does not answer: {ex}")
    for door in settings.open_doors:
        print(f"open door: {door}")
    for fault in faults:
        print(f"fault: {fault}")
    return 1 if faults or (settings.production and settings.open_doors) else 0
