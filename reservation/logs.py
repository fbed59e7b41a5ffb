"""The log: lines of text for people, or of JSON for programs, on standard error.

Set up by whoever starts a server; an embedding application keeps its own logging.
"""

import json
import logging
import os
import time
from collections.abc import Callable
from functools import lru_cache
from typing import Any

_requests = logging.getLogger("reservation.request")
_STANDARD_ERROR = 2


def log_request(seen: dict[str, Any]) -> None:
    """One line for a request, of its id, method, path, status and ms (milliseconds)."""
    if _write_request is not None:
        _write_request(seen)
    elif _requests.isEnabledFor(logging.INFO):
        _requests.info("%s", _as_text(seen), extra={"request": seen})


# After `set_up` the line is written straight: a LogRecord for each request would cost more
# than all else that is done for it beside the answer.
_write_request: Callable[[dict[str, Any]], None] | None = None


def set_up(form: str) -> None:
    """Send what the package logs to standard error, in the form of Settings.log."""
    global _write_request
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if form == "json" else TextLines())
    logger = logging.getLogger("reservation")
    logger.handlers = [handler]
    logger.setLevel(logging.INFO)
    logger.propagate = False
    _write_request = _write_json if form == "json" else _write_text


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


def _write_text(seen: dict[str, Any]) -> None:
    line = f"{_moment(time.time())} {_as_text(seen)}\n"
    os.write(_STANDARD_ERROR, line.encode(errors="backslashreplace"))


def _write_json(seen: dict[str, Any]) -> None:
    line = {"time": _moment(time.time()), "level": "INFO", **seen}
    os.write(_STANDARD_ERROR, json.dumps(line).encode() + b"\n")


def _as_text(seen: dict[str, Any]) -> str:
    return f"{seen['status']} {seen['method']} {seen['path']!r} {seen['ms']} ms {seen['id']}"


def _moment(instant: float) -> str:
    """In UTC, as ISO 8601 with milliseconds."""
    return f"{_second(int(instant))}.{int(instant % 1 * 1000):03}Z"


@lru_cache(maxsize=2)
def _second(instant: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(instant))
