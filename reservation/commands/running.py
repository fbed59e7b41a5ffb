"""Runs a command, and prints an expected failure as one sentence."""

import argparse
import sys

import peewee

from reservation.errors import DatabaseUnavailable, Refusal, WrongSchema
from reservation.lib.environment import BadSetting
from reservation.settings import Settings
from reservation.storage.backups.archive import BadArchive
from reservation.storage.database import UNAVAILABLE, connect
from reservation.storage.remedies import remedy


def run(options: argparse.Namespace) -> int:
    """Runs a command and returns its exit status.

    The status is 2 if an operator must act before a retry. It is 1 for a refusal, or if the
    database does not answer.
    """
    try:
        settings = Settings.from_environ()
        status: int = options.run(options, settings) or 0
        print(end="", flush=True)  # flushes here, because the caller handles BrokenPipeError
        return status
    except (BadSetting, BadArchive, WrongSchema) as ex:
        return _fail(str(ex), 2)
    except DatabaseUnavailable as ex:
        return _fail(f"the database does not answer: {ex.__cause__ or ex}; try again", 1)
    except Refusal as ex:
        return _fail(str(ex), 1)
    except (peewee.DatabaseError, peewee.InterfaceError) as ex:
        problem = remedy(connect(settings.database_url), ex)
        if problem:
            return _fail(problem, 2)
        if not isinstance(ex, UNAVAILABLE) and type(ex) is not peewee.DatabaseError:
            raise
        return _fail(f"the database does not answer: {ex}; check that it runs, and try again", 1)
    except OSError as ex:
        if ex.filename is None:
            raise
        named = f"{ex.filename} cannot be used: {ex.strerror}"
        return _fail(f"{named}; check that it exists and that this user may use it", 2)


def _fail(message: str, status: int) -> int:
    print(f"reservation: {message}", file=sys.stderr)
    return status
