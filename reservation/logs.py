"""The log: lines of text for people, or of JSON for programs, on standard error.

Set up by whoever starts a server; an embedding application keeps its own logging.
"""

import json
import logging
import logging.config
import time


class TextLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        request = getattr(record, "request", None)
        if request is None:
            return super().format(record)
        return (
            f"{self.formatTime(record)} {request['status']} {request['method']}"
            f" {request['path']!r} {request['ms']} ms {request['id']}"
        )


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        when = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        line = {"time": f"{when}.{int(record.msecs):03}Z", "level": record.levelname}
        request = getattr(record, "request", None)
        line |= request if request is not None else {"message": record.getMessage()}
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def set_up(form: str) -> None:
    """Send what the package logs to standard error, in the form of Settings.log."""
    handler = logging.StreamHandler()
    handler.setFormatter(
        JsonLines() if form == "json" else TextLines("%(asctime)s %(levelname)s %(message)s")
    )
    logger = logging.getLogger("reservation")
    logger.handlers = [handler]
    logger.setLevel(logging.INFO)
    logger.propagate = False
