"""The log: lines of text for people, or of JSON for programs, on standard error.

Set up by whoever starts a server; an embedding application keeps its own logging.
"""

import json
import logging
import time
from functools import lru_cache


@lru_cache(maxsize=2)
def _second(moment: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(moment))


def _moment(record: logging.LogRecord) -> str:
    """When it happened, in UTC, as ISO 8601 with milliseconds."""
    return f"{_second(int(record.created))}.{int(record.msecs):03}Z"


class TextLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        request = getattr(record, "request", None)
        if request is None:
            return f"{_moment(record)} {record.levelname} {super().format(record)}"
        status, method, path, ms = (request[k] for k in ("status", "method", "path", "ms"))
        return f"{_moment(record)} {status} {method} {path!r} {ms} ms {request['id']}"


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {"time": _moment(record), "level": record.levelname}
        request = getattr(record, "request", None)
        line |= request if request is not None else {"message": record.getMessage()}
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def set_up(form: str) -> None:
    """Send what the package logs to standard error, in the form of Settings.log."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if form == "json" else TextLines())
    logger = logging.getLogger("reservation")
    logger.handlers = [handler]
    logger.setLevel(logging.INFO)
    logger.propagate = False
