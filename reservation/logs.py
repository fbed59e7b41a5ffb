"""The log on standard error, as text for people or as JSON lines for programs.

The commands and app.py set up this log. Programs that embed the application set up their own log.
"""

import json
import logging
import os
import re
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from typing import Any

_requests = logging.getLogger("reservation.request")
LogEntry = dict[str, Any]
# Matches no quotes, so that a database account such as 'agenda'@'localhost' stays readable.
_ADDRESS = re.compile(r"""[^\s<>()\[\]"',;:@]+@[\w.-]*\w""")


def _log_by_logger(entry: LogEntry) -> None:
    if _requests.isEnabledFor(logging.INFO):
        _requests.info("%s", _request_as_text(entry), extra={"request": entry})


# Logs a request. The keys of the entry are id, method, path, status and ms (milliseconds).
log_request: Callable[[LogEntry], None] = _log_by_logger


def set_up(form: str) -> None:
    """Sends the log of the package to standard error. `form` is `text` or `json`."""
    global log_request
    lines = Lines(_as_json if form == "json" else _as_text)
    logger = logging.getLogger("reservation")
    logger.handlers = [lines]
    logger.setLevel(logging.INFO)
    logger.propagate = False
    log_request = lines.log


class Lines(logging.Handler):
    """Writes all lines immediately, except the lines of requests. A thread writes the lines of
    requests in batches.

    A LogRecord and a write for each request would cost too much CPU time. A batch is lost only if
    the process is killed.
    """

    PAUSE = 0.1  # seconds between two batches

    def __init__(self, line: Callable[[float, str, LogEntry], str]) -> None:
        super().__init__()
        self._line = line
        self._waiting: deque[tuple[float, str, LogEntry]] = deque()
        self._after_fork()
        os.register_at_fork(after_in_child=self._after_fork)

    def _after_fork(self) -> None:
        """Replaces the thread and the locks, which belong to the parent process."""
        self._writer: threading.Thread | None = None
        self._writing, self._pending = threading.Lock(), threading.Event()

    def log(self, entry: LogEntry) -> None:
        self._waiting.append((time.time(), "INFO", entry))
        if not self._pending.is_set():
            self._pending.set()
        if self._writer is None:
            self._start()

    def emit(self, record: logging.LogRecord) -> None:
        """Writes a record without e-mail addresses, which errors of relays and databases quote."""
        entry = {"message": record.getMessage()}
        if record.exc_info:
            entry["exception"] = logging.Formatter().formatException(record.exc_info)
        entry = {key: _ADDRESS.sub("…", text) for key, text in entry.items()}
        self._waiting.append((record.created, record.levelname, entry))
        self.flush()

    def flush(self) -> None:
        with self._writing:
            waiting = [self._waiting.popleft() for _ in range(len(self._waiting))]
            with suppress(OSError):  # standard error may be closed
                sys.stderr.write("".join(self._line(*one) for one in waiting))
                sys.stderr.flush()

    def _start(self) -> None:
        with self._writing:
            if self._writer is None:
                self._writer = threading.Thread(target=self._write, daemon=True)
                self._writer.start()

    def _write(self) -> None:
        while self._pending.wait():
            time.sleep(self.PAUSE)
            self._pending.clear()
            self.flush()


def _as_json(instant: float, level: str, entry: LogEntry) -> str:
    return json.dumps({"time": _iso(instant), "level": level, **entry}) + "\n"


def _as_text(instant: float, level: str, entry: LogEntry) -> str:
    if "status" in entry:
        return f"{_iso(instant)} {_request_as_text(entry)}\n"
    return "\n".join([f"{_iso(instant)} {level} {entry.pop('message')}", *entry.values(), ""])


def _request_as_text(entry: LogEntry) -> str:
    return f"{entry['status']} {entry['method']} {entry['path']!r} {entry['ms']} ms {entry['id']}"


def _iso(instant: float) -> str:
    return f"{_seconds(int(instant))}.{int(instant % 1 * 1000):03}Z"


@lru_cache(maxsize=2)
def _seconds(instant: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(instant))
