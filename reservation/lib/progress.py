"""Shows the progress of long work on a terminal."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sized
from typing import TypeVar

Item = TypeVar("Item")


def progress(
    what: str,
    items: Iterable[Item],
    total: int = 0,
    reached: Callable[[Item], int] | None = None,
) -> Iterator[Item]:
    """Yields the items. Shows the progress if standard error is a terminal.

    Pass `total` if `items` has no length. `reached(item)` returns how much of `total` is done. By
    default, this is the number of yielded items.
    """
    total = len(items) if isinstance(items, Sized) else total
    shown, started = 0.0, time.monotonic()
    on_terminal = sys.stderr.isatty()
    for done, item in enumerate(items):
        now = time.monotonic()
        if on_terminal and now - started > 1 and now - shown > 0.2:
            at = reached(item) if reached else done
            print(f"\r{what}: {at} of {total}", end="", file=sys.stderr, flush=True)
            shown = now
        yield item
    if shown:
        print(f"\r{what}: {total} of {total}", file=sys.stderr)
