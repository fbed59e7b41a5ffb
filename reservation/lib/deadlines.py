"""A deadline for conversations over a socket whose library knows only limits for each step."""

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
    """Cuts off a conversation whose time is over: a server that sends a byte now and then
    would otherwise hold it for ever, because each byte restarts the time limit of a socket."""

    LOOK = 0.1  # seconds between two looks at the clock

    def __init__(self, limit: float) -> None:
        """`limit` is in seconds, for all steps together."""
        self._until = math.inf
        self._end = time.monotonic() + limit
        self._conversation: Conversation | None = None
        self._ended = threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """Raises TimeoutError for what took longer, though it seemed to end well:
        the last answer was cut off and may be half a line."""
        self._until = min(time.monotonic() + seconds, self._end)
        try:
            yield
            self.check()
        finally:
            self._until = math.inf

    def check(self) -> None:
        """Raises TimeoutError if the time is over."""
        if time.monotonic() >= self._until:
            raise TimeoutError("the time for it was over")

    def left(self) -> float:
        """Seconds that are left for all steps together."""
        return max(0.0, self._end - time.monotonic())

    def watch(self, conversation: Conversation) -> None:
        self._conversation = conversation

    def end(self) -> None:
        self._ended.set()

    def _watch(self) -> None:
        # Again and again: it may still be connecting, or just have changed to TLS.
        while not self._ended.wait(self.LOOK):
            sock = self._conversation.sock if self._conversation else None
            if time.monotonic() >= self._until and sock is not None:
                with contextlib.suppress(OSError):  # closed already
                    socket.socket.shutdown(sock, socket.SHUT_RDWR)
