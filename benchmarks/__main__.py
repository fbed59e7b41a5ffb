"""Measures and prints the figures that `benchmarks.table` promises.

The exit status is 1 if a goal is missed or could not be measured. A goal is missed if even the
better quartile of the rounds misses the goal.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from benchmarks.rows import Figure, measured
from benchmarks.servers import CannotMeasure
from benchmarks.table import GROUPS
from benchmarks.world import TINY, Size, World

HEADINGS = ("row", "median", "quartiles", "promised", "holds")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    names = [group.__name__ for group in GROUPS]
    parser.add_argument("groups", nargs="*", default=names, help=f"some of {', '.join(names)}")
    parser.add_argument("--tiny", action="store_true", help="run one small round of each row")
    options = parser.parse_args()
    if unknown := set(options.groups) - set(names):
        parser.error(f"there is no group {min(unknown)}: name some of {', '.join(names)}")
    started = time.monotonic()
    figures, failures = everything(TINY if options.tiny else Size(), options.groups)
    show([HEADINGS, *map(line, figures)])
    for failure in failures:
        print(f"could not measure: {failure}", file=sys.stderr)
    missed = sum(figure.is_missed for figure in figures)
    print(
        f"\n{missed} of {len(figures)} goals are missed. A ratio compares CPU times per request"
        f" if the row does not say otherwise. Measured in {time.monotonic() - started:.0f} s."
    )
    return 1 if missed or failures else 0


def everything(size: Size, groups: Sequence[str]) -> tuple[list[Figure], list[str]]:
    """Returns the figures of these groups, and a sentence for each group that failed."""
    figures, failures = [], []
    for group in GROUPS:
        if group.__name__ not in groups:
            continue
        try:
            with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
                rows = list(group(World(Path(folder), size, stack)))
                figures += list(measured(rows))
        except (CannotMeasure, OSError) as ex:
            failures.append(f"{group.__name__.replace('_', ' ')}: {ex}")
    return figures, failures


def line(figure: Figure) -> tuple[str, ...]:
    low, median, high = (f"{one:.3g}" for one in figure.quartiles)
    goal = figure.goal
    return figure.name, f"{median} {goal.unit}", f"{low}-{high}", str(goal), figure.verdict


def show(table: Sequence[Sequence[str]]) -> None:
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for name, *cells in table:
        padded = [text.rjust(width) for text, width in zip(cells, widths[1:], strict=True)]
        print(name.ljust(widths[0]), *padded, sep="  ")


if __name__ == "__main__":
    sys.exit(main())
