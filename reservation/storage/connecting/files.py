"""Opens SQLite files, and tells whether a file was replaced."""

import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from reservation.lib import folders
from reservation.storage import deadline

# Seconds to wait for a lock before `transaction` retries. Only other programs hold a lock for so
# long, because this program queues its writers (see turn.py).
BUSY = 0.5
Identity = tuple[int, int] | None  # device and inode; None if there is no file


class Closer:
    """Closes a connection when its thread or greenlet ends, without waiting for the garbage
    collector."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __del__(self) -> None:
        with suppress(sqlite3.Error):
            self._connection.close()


def identity(path: str) -> Identity:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def keep_log(path: str, log: Identity) -> None:
    """Renames `log`, the write-ahead log of an earlier file at `path`, unless another process has
    done so. Overwrites no log that was renamed before: it may have the only copy of the latest
    changes."""
    if not log or identity(path + "-wal") != log:
        return
    kept, number = f"{path}-wal-replaced", 2
    while os.path.exists(kept):
        kept, number = f"{path}-wal-replaced-{number}", number + 1
    for end, to in (("-wal", kept), ("-shm", f"{path}-shm-replaced")):
        with suppress(OSError):
            os.replace(path + end, to)


def opened(path: str, prepare: Callable[[sqlite3.Connection], None]) -> sqlite3.Connection:
    """Opens an existing file in WAL mode, and runs `prepare`. Raises sqlite3.OperationalError if
    the file is locked, read-only or not a database."""
    # SQLite would open a read-only file and create a read-only log. The log would stay read-only
    # even if the file became writable.
    if not folders.may(Path(path), os.W_OK):
        raise sqlite3.OperationalError(f"this user may not write to {path}")
    address = Path(path).as_uri() + "?mode=rw"
    connection = sqlite3.connect(address, timeout=BUSY, isolation_level=None, uri=True)
    try:
        _turn_on_wal(connection, deadline.until(BUSY))
        prepare(connection)
    except sqlite3.DatabaseError as ex:
        connection.close()
        if type(ex) is sqlite3.DatabaseError:  # the file is truncated, or is not a database
            failure = sqlite3.OperationalError(str(ex))
            failure.sqlite_errorcode = ex.sqlite_errorcode
            raise failure from ex
        raise
    return connection


def _turn_on_wal(connection: sqlite3.Connection, until: float) -> None:
    """Turns on WAL mode. Retries up to `until`, because SQLite raises an error immediately if
    another connection turns on WAL mode at the same time."""
    while True:
        try:
            connection.execute("PRAGMA journal_mode = wal")
            return
        except sqlite3.OperationalError as ex:
            if ex.sqlite_errorcode != sqlite3.SQLITE_BUSY or deadline.passed(until):
                raise
        time.sleep(0.001)
