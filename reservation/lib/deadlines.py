"""A deadline for a whole conversation over a socket. Libraries such as smtplib only limit each
step."""

import contextlib
import math
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Conversation(Protocol):
    sock: socket.socket | None


class Deadline:
    """Ends a conversation after a time limit.

    The time limit of a socket is not enough: each received byte restarts it, so a slow server
    could continue for ever.
    """

    LOOK = 0.1  # seconds between two checks of the deadline

    def __init__(self, limit: float) -> None:
        """Limits the whole conversation to `limit` seconds from now."""
        self._until = math.inf
        self._end = time.monotonic() + limit
        self._conversation: Conversation | None = None
        self._ended = threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """Shuts the socket down if the `with` block takes longer than `seconds`, or if the whole
        conversation exceeds its limit. If the block succeeds nevertheless, raises TimeoutError,
        because the server's last answer may be incomplete."""
        self._until = min(time.monotonic() + seconds, self._end)
        try:
            yield
            self.check()
        finally:
            self._until = math.inf

    def check(self) -> None:
        """Raises TimeoutError if the deadline of the `within` block has passed."""
        if time.monotonic() >= self._until:
            raise TimeoutError("the deadline has passed")

    def left(self) -> float:
        """Returns the seconds left for the whole conversation."""
        return max(0.0, self._end - time.monotonic())

    def watch(self, conversation: Conversation) -> None:
        self._conversation = conversation

    def end(self) -> None:
        self._ended.set()

    def _watch(self) -> None:
        # The loop continues after the deadline, because `sock` cannot be shut down while the
        # conversation connects or starts TLS.
        while not self._ended.wait(self.LOOK):
            sock = self._conversation.sock if self._conversation else None
            if time.monotonic() >= self._until and sock is not None:
                with contextlib.suppress(OSError):  # if the socket is closed already
                    socket.socket.shutdown(sock, socket.SHUT_RDWR)
