"""The command `reservation`: what an operator does. Each subcommand is a function."""

import argparse
import sys
from collections.abc import Sequence

import reservation
from reservation.commands import backup, database, demo, serve, users, worker
from reservation.errors import Refusal, WrongSchema
from reservation.settings import BadSetting, Settings
from reservation.storage.archive import BadArchive
from reservation.storage.database import UNAVAILABLE


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status: 0, 1 for a refusal, 2 for what it was given."""
    options = parser().parse_args(argv)
    try:
        return options.run(options, Settings.from_environ()) or 0
    except (BadSetting, BadArchive, WrongSchema) as ex:
        return _fail(str(ex), 2)
    except Refusal as ex:
        return _fail(str(ex), 1)
    except UNAVAILABLE as ex:
        return _fail(f"the database does not answer: {ex}", 1)
    except KeyboardInterrupt:
        return 130


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="reservation",
        description=reservation.__doc__.splitlines()[0],
        epilog="All else is set by RESERVATION_… variables: `reservation check` lists them.",
    )
    top.add_argument("--version", action="version", version=reservation.__version__)
    commands = top.add_subparsers(metavar="COMMAND", required=True)
    serve.add_to(commands)
    worker.add_to(commands)
    database.add_to(commands)
    backup.add_to(commands)
    users.add_to(commands)
    demo.add_to(commands)
    return top


def _fail(message: str, status: int) -> int:
    print(f"reservation: {message}", file=sys.stderr)
    return status
