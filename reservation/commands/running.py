"""Runs a command, and prints an expected failure as one sentence."""

import argparse
import sys

import peewee

from reservation.errors import DatabaseUnavailable, Refusal, WrongSchema
from reservation.lib.environment import BadSetting
from reservation.settings import Settings
from reservation.storage.backups.archive import BadArchive
from reservation.storage.database import UNAVAILABLE, connect
from reservation.storage.remedies import failure, remedy


def run(options: argparse.Namespace) -> int:
    """Runs a command and returns its exit status.

    The status is 2 if an operator must act before a retry. The status is 1 for any other expected
    failure.
    """
    try:
        settings = Settings.from_environ()
        status: int = options.run(options, settings) or 0
        print(end="", flush=True)  # flush now: at exit, nothing would handle a BrokenPipeError
        return status
    except (BadSetting, BadArchive, WrongSchema) as ex:
        return _fail(str(ex), 2)
    except DatabaseUnavailable as ex:
        return _fail(f"the database does not answer: {ex.__cause__ or ex}; try again", 1)
    except Refusal as ex:
        return _fail(str(ex), 1)
    except (peewee.DatabaseError, peewee.InterfaceError) as ex:
        db = connect(settings.database_url)
        if problem := remedy(db, ex, options.changes_schema):
            return _fail(problem, 2)
        expected = options.changes_schema or isinstance(ex, UNAVAILABLE)
        if not expected and type(ex) is not peewee.DatabaseError:
            raise
        return _fail(failure(db, ex), 1)
    except RuntimeError as ex:
        if str(ex) != "can't start new thread":
            raise
        limit = "raise the limit of processes (ulimit -u, TasksMax), and try again"
        return _fail(f"no further thread can be started: {limit}", 1)
    except OSError as ex:
        if ex.filename is None:
            raise
        named = f"{ex.filename} cannot be used: {ex.strerror}"
        return _fail(f"{named}; check that it exists and that this user may use it", 2)


def _fail(message: str, status: int) -> int:
    print(f"reservation: {message}", file=sys.stderr)
    return status
