"""Progress of work that takes longer than a second, on a terminal only."""

import sys
import time
from collections.abc import Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def progress(what: str, items: Sequence[Item]) -> Iterator[Item]:
    """The items one by one; standard error shows how many are done."""
    shown, started = 0.0, time.monotonic()
    on_terminal = sys.stderr.isatty()
    for done, item in enumerate(items):
        now = time.monotonic()
        if on_terminal and now - started > 1 and now - shown > 0.2:
            print(f"\r{what}: {done} of {len(items)}", end="", file=sys.stderr, flush=True)
            shown = now
        yield item
    if shown:
        print(f"\r{what}: {len(items)} of {len(items)}", file=sys.stderr)
