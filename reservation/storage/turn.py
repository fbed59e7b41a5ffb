"""Queues the processes of a machine that write to an SQLite file.

SQLite itself has no queue: a writer sleeps and retries, and may wait very long. Here, a process
locks a file beside the database, writes, and unlocks the file. If a process dies, the kernel
unlocks its files. Without file locks, for example on Windows, only SQLite's own locks prevent
simultaneous writes.
"""

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from reservation.errors import DatabaseUnavailable
from reservation.storage import deadline

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

SHORTEST, LONGEST = 0.0003, 0.001  # seconds between two attempts to lock a file
# A process locks these files in this order. The process that has locked "-turn" writes. The next
# process has locked "-next", and the process after that has locked "-after".
FILES = ("-after", "-next", "-turn")
HELD = "other processes have locked the database for too long; `lslocks` lists their locks"


class Turn:
    """The turns of one process. Its threads must take turns by themselves (see GroupCommit)."""

    def __init__(self, path: str) -> None:
        self._path = path
        # Each process opens its own files, because a forked process would share the locks of its
        # parent.
        self._files: tuple[int, ...] = ()
        self._process = 0

    @contextmanager
    def by(self, until: float) -> Iterator[None]:
        """Waits until this process may write, and excludes other processes during the `with`
        block. Raises DatabaseUnavailable if the wait does not end by the monotonic time `until`.
        """
        if self._process != os.getpid():
            self._open()
        if self._files:
            _lock_in_order(self._files, until)
        try:
            yield
        finally:
            if self._files:
                fcntl.flock(self._files[-1], fcntl.LOCK_UN)

    @contextmanager
    def aside(self, until: float) -> Iterator[None]:
        """Keeps other processes waiting at `Turn.by` and `Turn.aside` until the `with` block ends.

        A process that is already writing continues. This thread may itself be inside `Turn.by`.
        """
        if fcntl is None:
            yield
            return
        try:
            file = _open_beside(self._path, "-next")
        except OSError as ex:
            raise DatabaseUnavailable() from ex
        try:
            _lock(file, until)
            yield
        finally:
            os.close(file)

    def _open(self) -> None:
        for file in self._files:
            os.close(file)  # inherited from the parent process
        self._files, self._process = (), os.getpid()
        if fcntl is None:
            return
        opened: list[int] = []
        try:
            for end in FILES:
                opened.append(_open_beside(self._path, end))
            self._files = tuple(opened)
        except OSError:
            for file in opened:
                os.close(file)


def _open_beside(path: str, end: str) -> int:
    """Opens the file `path + end`. Creates the file with the owner and mode of the database."""
    like = os.stat(path)
    file = os.open(path + end, os.O_RDONLY | os.O_CREAT, like.st_mode & 0o666)
    if os.geteuid() == 0:
        os.fchown(file, like.st_uid, like.st_gid)
    return file


def _lock_in_order(files: tuple[int, ...], until: float) -> None:
    """Locks the files one after another. At the end, only the last file is locked.

    Keeps each file locked until the next file is locked, so that no other process can get ahead.
    """
    with ExitStack() as place:
        for file in files:
            _lock(file, until)
            place.close()
            place.callback(fcntl.flock, file, fcntl.LOCK_UN)
        place.pop_all()


def _lock(file: int, until: float) -> None:
    pause = SHORTEST
    while True:
        try:
            return fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if deadline.passed(until):
                raise DatabaseUnavailable() from TimeoutError(HELD)
        time.sleep(pause)
        pause = min(pause * 1.2, LONGEST)
