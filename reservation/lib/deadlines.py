"""A deadline for a whole conversation over a socket, such as an SMTP session."""

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
    """Ends a conversation over a socket after `limit` seconds.

    The timeout of the socket is not enough, because each received byte restarts the timeout.
    """

    LOOK = 0.1  # seconds between two checks of the deadline

    def __init__(self, limit: float) -> None:
        self._until = math.inf
        self._end = time.monotonic() + limit
        self._conversation: Conversation | None = None
        self._ended = threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """Limits the `with` block to `seconds` or to the time left for the conversation,
        whichever is shorter.

        At the limit, shuts the socket down. Raises TimeoutError if the block finishes after the
        limit.
        """
        self._until = min(time.monotonic() + seconds, self._end)
        try:
            yield
            self.check()
        finally:
            self._until = math.inf

    def check(self) -> None:
        """Raises TimeoutError if the current `within` block has exceeded its limit."""
        if time.monotonic() >= self._until:
            raise TimeoutError("the deadline has passed")

    def left(self) -> float:
        """Returns the seconds left for the conversation."""
        return max(0.0, self._end - time.monotonic())

    def watch(self, conversation: Conversation) -> None:
        self._conversation = conversation

    def end(self) -> None:
        self._ended.set()

    def _watch(self) -> None:
        # A socket cannot be shut down while it connects or starts TLS. So the loop tries again
        # until the conversation ends.
        while not self._ended.wait(self.LOOK):
            sock = self._conversation.sock if self._conversation else None
            if time.monotonic() >= self._until and sock is not None:
                with contextlib.suppress(OSError):
                    socket.socket.shutdown(sock, socket.SHUT_RDWR)
