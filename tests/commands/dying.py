"""Kills a backup or a restore at increasing steps.

    python -m tests.commands.dying COMMAND FILE URL STRIDE

Runs the command in a child process that kills itself (SIGKILL) at a step. Repeats this STRIDE
steps later each time, until the command completes. Prints the result after each kill: for a
backup, whether FILE exists; for a restore, why the database cannot be used, or the number of
bookings.

This is a separate program because a process must not fork with an open SQLite connection.
"""

import os
import signal
import sys
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path
from typing import Any

from reservation.commands import main
from reservation.errors import WrongSchema
from reservation.storage import schema
from reservation.storage.backups import archive
from reservation.storage.database import connect
from tests.forks import die, in_child
from tests.races.statements import Statements


def die_writing(step: int) -> None:
    """Makes the process die before the line, fsync or rename with this number."""
    left = [step]

    def counted(inner: Any) -> Any:
        def call(*args: Any) -> Any:
            if not left[0]:
                die()
            left[0] -= 1
            return inner(*args)

        return call

    archive.Writer._line = counted(archive.Writer._line)  # type: ignore[method-assign]
    os.fsync = counted(os.fsync)
    Path.replace = counted(Path.replace)  # type: ignore[method-assign]


def die_asking(step: int) -> None:
    """Makes the process die before the statement with this number."""
    statements = Statements()
    statements.install(setattr)
    statements.arm(step, die)


def attempt(command: str, file: str, step: int) -> int:
    (die_writing if command == "backup" else die_asking)(step)
    with open(os.devnull, "w") as null, redirect_stdout(null):
        return main([command, file])


def look(command: str, file: str, url: str) -> int:
    """Prints what the command has left. Returns 1 after a complete restore, which no further
    attempt can replace."""
    if command == "backup":
        print(os.path.exists(file))
        Path(file).unlink(missing_ok=True)
        return 0
    db = connect(url)
    try:
        schema.require(db)
        print(*db.rows("SELECT COUNT(*) FROM reservation")[0])
    except WrongSchema as ex:
        print(ex)
        return 0
    return 1


def run(command: str, file: str, url: str, stride: int) -> None:
    step = 0
    while status := in_child(partial(attempt, command, file, step)):
        assert status == -signal.SIGKILL, f"{command} failed by itself"
        is_complete = in_child(partial(look, command, file, url))
        assert is_complete in (0, 1)
        if is_complete:
            return
        step += stride


if __name__ == "__main__":
    run(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
