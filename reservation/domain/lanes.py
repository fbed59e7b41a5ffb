"""Limits how many threads do slow work at the same time, so that other requests get threads."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from reservation.errors import Overloaded


class Lane:
    """Lets up to `places` callers work at the same time. Up to `waiting` more callers wait, for at
    most `patience` seconds.
    """

    def __init__(self, places: int, waiting: int = 2, patience: float = 2.0) -> None:
        self._admitted = threading.Semaphore(places + waiting)
        self._places = threading.Semaphore(places)
        self._patience = patience

    @contextmanager
    def place(self) -> Iterator[None]:
        """Waits until the caller may work. Raises Overloaded if the queue is full, or if the wait
        takes too long."""
        if not self._admitted.acquire(blocking=False):
            raise Overloaded()
        try:
            if not self._places.acquire(timeout=self._patience):
                raise Overloaded()
            try:
                yield
            finally:
                self._places.release()
        finally:
            self._admitted.release()
