"""The reference of most ratios: a bare WSGI function, served like the service.

`python -m benchmarks.bare serve --port 0` accepts the options of `reservation serve` and prints
its address in the same format.
"""

import argparse
from collections.abc import Callable, Iterable
from typing import Any

from reservation.commands import serve
from reservation.settings import Settings

_BODY = b'{"status": "ok"}'
_HEADERS = [
    ("Content-Type", "application/json; charset=utf-8"),
    ("Content-Length", str(len(_BODY))),
]


def answer(_environ: Any, start_response: Callable[..., Any]) -> Iterable[bytes]:
    start_response("200 OK", _HEADERS)
    return [_BODY]


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
