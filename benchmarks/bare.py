"""The reference of most ratios: a bare WSGI function, served like the service.

`python -m benchmarks.bare serve --port 0` accepts the options of `reservation serve` and prints
its address in the same format. The header X-Answer of a request says what to answer: the
number of bytes of the body, and a file with the headers as JSON.
"""

import argparse
import json
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.load import Answer
from reservation.commands import serve
from reservation.settings import Settings

_BY_GUNICORN = {"server", "date", "connection", "content-length"}


def record(answer: Answer, path: Path) -> None:
    """Writes the headers of an answer of the service to a file."""
    lines = answer.head.decode("latin-1").split("\r\n")[1:]
    headers = [line.split(": ", 1) for line in lines]
    kept = [pair for pair in headers if pair[0].lower() not in _BY_GUNICORN]
    path.write_text(json.dumps(kept))


def naming(sent: bytes, path: Path, size: int) -> bytes:
    """Returns the request with X-Answer, which says what the bare function answers."""
    head, end, body = sent.partition(b"\r\n\r\n")
    return head + f"\r\nX-Answer: {size} {path}".encode() + end + body


@cache
def _headers(path: str) -> list[tuple[str, str]]:
    return [(name, value) for name, value in json.loads(Path(path).read_text())]


def answer(environ: Any, start_response: Callable[..., Any]) -> Iterable[bytes]:
    size, _, path = environ.get("HTTP_X_ANSWER", "0").partition(" ")
    headers = _headers(path) if path else []
    start_response("200 OK", [*headers, ("Content-Length", size)])
    return [b"x" * int(size)]


class Bare(serve.Server):
    """Uses the gunicorn settings of the service."""

    def load(self) -> Any:
        return answer


def main() -> None:
    top = argparse.ArgumentParser()
    serve.add_to(top.add_subparsers(required=True))
    Bare(top.parse_args(), Settings.from_environ({})).run()


if __name__ == "__main__":
    main()
