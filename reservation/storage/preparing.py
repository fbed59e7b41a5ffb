"""Makes a database ready when a process starts."""

import logging

from reservation.lib.environment import BadSetting
from reservation.storage import deadline, schema
from reservation.storage.database import PATIENCE, UNAVAILABLE, Database, SQLite, forget
from reservation.storage.migration import migrating
from reservation.storage.remedies import remedy

logger = logging.getLogger("reservation")


def prepare(db: Database, production: bool) -> None:
    """Checks the tables, for at most 2 * PATIENCE seconds. In development, creates the tables, or
    migrates an SQLite file.

    Raises WrongSchema or BadSetting if an operator must act first. Raises the driver's error if
    the database does not answer.
    """
    try:
        if not production and schema.is_empty(db):
            schema.create(db)
        elif not production and isinstance(db, SQLite) and schema.needs_migration(db):
            migrating.migrate(db, lambda step: logger.warning("migrate: %s", step.title))
        else:
            deadline.begin(2 * PATIENCE)
            schema.require_settled(db)
    except UNAVAILABLE as ex:
        problem = remedy(db, ex, changes_schema=True)
        if not problem:
            raise
        raise BadSetting(problem) from None
    finally:
        deadline.end()
        forget(db)  # the server forks next, and processes must not share a connection
