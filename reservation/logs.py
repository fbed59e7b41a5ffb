"""The log: lines of text for people, or of JSON for programs, on standard error.

Set up by whoever starts a server; an embedding application keeps its own logging.
"""

import atexit
import contextlib
import json
import logging
import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from functools import lru_cache
from typing import Any

_requests = logging.getLogger("reservation.request")


def log_request(seen: dict[str, Any]) -> None:
    """One line for a request, of its id, method, path, status and ms (milliseconds)."""
    if _lines is not None:
        _lines.put(time.time(), seen)
    elif _requests.isEnabledFor(logging.INFO):
        _requests.info("%s", _as_text(seen), extra={"request": seen})


class RequestLines:
    """Requests on their way to standard error, written by a thread of their own.

    A LogRecord and a write for each of them would cost more than all else that is done for
    it beside the answer; so those of a tenth of a second are written together. Only a process
    that is killed loses them.
    """

    PAUSE = 0.1  # seconds

    def __init__(self, line: Callable[[float, dict[str, Any]], str]) -> None:
        self._line = line
        self._waiting: deque[tuple[float, dict[str, Any]]] = deque()
        self._after_fork()
        os.register_at_fork(after_in_child=self._after_fork)
        atexit.register(self.flush)

    def _after_fork(self) -> None:
        """Neither threads nor what they hold crosses a fork."""
        self._writer: threading.Thread | None = None
        self._lock, self._some = threading.Lock(), threading.Event()

    def put(self, instant: float, seen: dict[str, Any]) -> None:
        self._waiting.append((instant, seen))
        if not self._some.is_set():
            self._some.set()
        if self._writer is None:
            self._start()

    def flush(self) -> None:
        with self._lock:
            waiting = [self._waiting.popleft() for _ in range(len(self._waiting))]
            with contextlib.suppress(OSError):  # nobody reads it any more
                sys.stderr.write("".join(self._line(*one) for one in waiting))
                sys.stderr.flush()

    def _start(self) -> None:
        with self._lock:
            if self._writer is None:
                self._writer = threading.Thread(target=self._write, daemon=True)
                self._writer.start()

    def _write(self) -> None:
        while self._some.wait():
            time.sleep(self.PAUSE)
            self._some.clear()
            self.flush()


_lines: RequestLines | None = None


def set_up(form: str) -> None:
    """Send what the package logs to standard error, in the form of Settings.log."""
    global _lines
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if form == "json" else TextLines())
    logger = logging.getLogger("reservation")
    logger.handlers = [handler]
    logger.setLevel(logging.INFO)
    logger.propagate = False
    _lines = RequestLines(_json_line if form == "json" else _text_line)


class TextLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return f"{_moment(record.created)} {record.levelname} {super().format(record)}"


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": _moment(record.created),
            "level": record.levelname,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def _text_line(instant: float, seen: dict[str, Any]) -> str:
    return f"{_moment(instant)} {_as_text(seen)}\n"


def _json_line(instant: float, seen: dict[str, Any]) -> str:
    return json.dumps({"time": _moment(instant), "level": "INFO", **seen}) + "\n"


def _as_text(seen: dict[str, Any]) -> str:
    return f"{seen['status']} {seen['method']} {seen['path']!r} {seen['ms']} ms {seen['id']}"


def _moment(instant: float) -> str:
    """In UTC, as ISO 8601 with milliseconds."""
    return f"{_second(int(instant))}.{int(instant % 1 * 1000):03}Z"


@lru_cache(maxsize=2)
def _second(instant: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(instant))
