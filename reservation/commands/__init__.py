"""The command `reservation`: what an operator does. Each subcommand is a function."""

import argparse
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

import peewee

import reservation
from reservation.commands import backup, database, serve, users, worker
from reservation.demo import command as demo
from reservation.errors import DatabaseUnavailable, Refusal, WrongSchema
from reservation.settings import BadSetting, Settings
from reservation.storage.backups.archive import BadArchive
from reservation.storage.database import UNAVAILABLE, connect
from reservation.storage.remedies import remedy


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status.

    An expected failure is one sentence on standard error: 2 is for what an operator must set
    right first, 1 for a refusal and for a database that does not answer.
    """
    try:
        return _run(parser().parse_args(argv))
    except BadSetting as ex:
        return _fail(str(ex), 2)
    except Refusal as ex:
        return _fail(str(ex), 1)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # nobody reads the rest
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141  # as the shell has it for a program that SIGPIPE ends
    except OSError as ex:
        if ex.filename is None:
            raise
        named = f"{ex.filename} cannot be used: {ex.strerror}"
        return _fail(f"{named}; check that it is there and that this user may use it", 2)


def _run(options: argparse.Namespace) -> int:
    settings = Settings.from_environ()
    try:
        status: int = options.run(options, settings) or 0
        print(end="", flush=True)  # now, while an error of it can still be told
        return status
    except (BadArchive, WrongSchema) as ex:
        return _fail(str(ex), 2)
    except DatabaseUnavailable as ex:
        return _fail(f"the database does not answer: {ex.__cause__ or ex}; try again", 1)
    except (peewee.DatabaseError, peewee.InterfaceError) as ex:
        said = remedy(connect(settings.database_url), ex)
        if said:
            return _fail(said, 2)
        if not isinstance(ex, UNAVAILABLE) and type(ex) is not peewee.DatabaseError:
            raise
        return _fail(f"the database does not answer: {ex}; see that it runs, and try again", 1)


class Parser(argparse.ArgumentParser):
    """Says in one line what is wrong, without the usage of the command."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}; see `{self.prog} --help`\n")


def parser() -> argparse.ArgumentParser:
    top = Parser(
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
