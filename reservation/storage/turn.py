"""One writer of a SQLite file at a time, over all threads and processes of a machine.

SQLite's own way to wait for another writer is to sleep and to try again; the unlucky sleep
long. Here, threads of a process queue, and the first of each process competes with those of
the others for a lock on a file beside the database. The kernel releases it when its holder
dies. Where there is no such lock (Windows, a folder that cannot be written to), SQLite's own
locks still keep writers apart.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import peewee

from reservation.errors import DatabaseUnavailable
from reservation.storage import deadline
from reservation.storage.gate import Gate

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

_STUCK = (peewee.OperationalError, DatabaseUnavailable)
SHORTEST, LONGEST = 0.0003, 0.002  # seconds between two attempts
LONG = 0.02  # seconds for which the threads of a process hand the lock to each other


class Turn:
    """`with turn.by(until): …` is one writer's turn.

    Raises DatabaseUnavailable if it does not come by `until`, or if it has not come to
    anybody in this process for a while (see Gate).
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._gate = Gate(1)
        # A lock belongs to the open file, which a fork shares: each process opens its own.
        self._files: tuple[int, ...] = ()
        self._process = 0
        self._until = 0.0  # how long this process may keep the lock, 0 if it does not have it

    def by(self, until: float) -> "_Taken":
        return _Taken(self, until)

    def take(self, until: float) -> None:
        self._gate.enter(until)
        try:
            if self._process != os.getpid():
                self._open()
            if self._files and not self._until:
                _lock_in_order(self._files, until)
                self._until = time.monotonic() + LONG
        except BaseException:
            self._gate.leave(well=False, unwanted=self._unlock)
            raise

    def give_back(self, well: bool) -> None:
        if time.monotonic() > self._until:
            self._unlock()
        self._gate.leave(well, unwanted=self._unlock)

    def _unlock(self) -> None:
        if self._until:
            self._until = 0.0
            fcntl.flock(self._files[1], fcntl.LOCK_UN)

    @contextmanager
    def aside(self, until: float) -> Iterator[None]:
        """One at a time of all processes, for what may be done within a turn too."""
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
        """The files whose locks say who is next, and whose turn it is."""
        for file in self._files:
            os.close(file)  # of the process that this one was forked from
        self._files, self._process, self._until = (), os.getpid(), 0.0
        if fcntl is not None:
            with suppress(OSError):
                following = _open_beside(self._path, "-next")
                self._files = (following, _open_beside(self._path, "-turn"))


class _Taken:
    def __init__(self, turn: Turn, until: float) -> None:
        self._turn, self._until = turn, until

    def __enter__(self) -> None:
        self._turn.take(self._until)

    def __exit__(self, kind: type[BaseException] | None, *_: Any) -> None:
        stuck = kind is not None and issubclass(kind, _STUCK)
        self._turn.give_back(well=not stuck)


def _open_beside(path: str, end: str) -> int:
    """As SQLite does with its files: with the owner and the mode of the database's own."""
    like = os.stat(path)
    file = os.open(path + end, os.O_RDONLY | os.O_CREAT, like.st_mode & 0o666)
    if os.geteuid() == 0:
        os.fchown(file, like.st_uid, like.st_gid)
    return file


def _lock_in_order(files: tuple[int, ...], until: float) -> None:
    """Whoever has `next` waits for the turn alone, so the last holder cannot take it again
    before him."""
    following, turn = files
    _lock(following, until)
    try:
        _lock(turn, until)
    finally:
        fcntl.flock(following, fcntl.LOCK_UN)


def _lock(file: int, until: float) -> None:
    pause = SHORTEST
    while True:
        try:
            return fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if deadline.passed(until):
                raise DatabaseUnavailable() from None
        time.sleep(pause)
        pause = min(pause * 1.2, LONGEST)
