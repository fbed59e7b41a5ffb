"""`reservation worker`: makes calendars up to their horizon."""

import argparse
import time
from typing import Any

from reservation.commands.progress import progress
from reservation.domain import calendar
from reservation.settings import Settings
from reservation.storage.database import Database, connect


def add_to(commands: Any) -> None:
    command = commands.add_parser(
        "worker",
        help="make calendars up to their horizon",
        description="Make the calendar of every business up to its horizon.",
    )
    command.add_argument("--once", action="store_true", help="do what is due and end")
    command.set_defaults(run=run)


def run(_options: argparse.Namespace, settings: Settings) -> None:
    extend_calendars(connect(settings.database_url))


def extend_calendars(db: Database) -> None:
    now = int(time.time())
    for entreprise in progress("calendars made", calendar.lagging(db, now)):
        calendar.extend(db, entreprise, calendar.horizon(entreprise, now), now)
