"""Starts the servers and commands to be measured."""

import itertools
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import psutil

from reservation.settings import Settings

ROOT = Path(__file__).parent.parent
START, STOP = 20.0, 15.0  # seconds
_numbers = itertools.count()
# A process of its own, because the peak memory of a command is at least that of its parent.
_SPENT = """if True:
    import resource, subprocess, sys, time
    started = time.perf_counter()
    status = subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL)
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = spent.ru_utime + spent.ru_stime
    print(time.perf_counter() - started, cpu, spent.ru_maxrss / 1024)
    sys.exit(status)
"""


class CannotMeasure(Exception):
    """A server is missing, did not start, or gave a wrong response."""


class Spent(NamedTuple):
    """The wall time, the CPU time and the peak memory of a command."""

    seconds: float
    cpu: float
    megabytes: float


def environ_of(settings: Settings) -> dict[str, str]:
    """Returns the environment of a command with these settings."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("RESERVATION_")}
    return {
        **clean,
        "PYTHONPATH": str(ROOT),
        "RESERVATION_DATABASE_URL": settings.database_url,
        "RESERVATION_SECRET": settings.secret,
        "RESERVATION_SMTP_URL": settings.smtp_url,
        "RESERVATION_BCRYPT_ROUNDS": str(settings.bcrypt_rounds),
        # The accounts and the bookings of a town are so old that the worker would erase them.
        "RESERVATION_CUSTOMER_RETENTION_MONTHS": "0",
    }


def run(settings: Settings, *words: str) -> Spent:
    """Runs `reservation …` in its own process."""
    command = [sys.executable, "-c", _SPENT, sys.executable, "-m", "reservation", *words]
    done = subprocess.run(command, env=environ_of(settings), stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise CannotMeasure(f"reservation {' '.join(words)} failed")
    return Spent(*map(float, done.stdout.split()))


class Server:
    """A running gunicorn. `database` is the process id of its database server."""

    def __init__(
        self, address: tuple[str, int], process: int, database: int | None = None
    ) -> None:
        self.address = address
        pids = [process] if database is None else [process, database]
        self._roots = [psutil.Process(pid) for pid in pids]

    def cpu(self) -> float:
        """Returns the CPU time of all processes so far, user and system, in seconds."""
        return sum(
            cpu_of(one) for root in self._roots for one in [root, *root.children(recursive=True)]
        )


@contextmanager
def running(
    command: Sequence[str], folder: Path, environ: Mapping[str, str], database: int | None = None
) -> Iterator[Server]:
    """Runs a server command during the context; its output goes to files in the folder.

    The output begins with `Serving on <address>`.
    """
    output = folder / f"server{next(_numbers)}.out"
    with output.open("w") as out, output.with_suffix(".err").open("w") as err:
        process = subprocess.Popen(
            command, cwd=folder, env=dict(environ), stdout=out, stderr=err, text=True
        )
        try:
            yield Server(_address(process, output), process.pid, database)
        finally:
            _stop(process)


def _address(process: subprocess.Popen[str], output: Path) -> tuple[str, int]:
    until = time.monotonic() + START
    while time.monotonic() < until and process.poll() is None:
        found = re.search(r"^Serving on http://([\d.]+):(\d+)", output.read_text(), re.MULTILINE)
        if found:
            return found[1], int(found[2])
        time.sleep(0.02)
    errors = output.with_suffix(".err").read_text()
    raise CannotMeasure(f"{process.args!r} did not start:\n{errors}")


def _stop(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(STOP)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def cpu_of(process: psutil.Process) -> float:
    """Returns the CPU time of a process so far, user and system, in seconds."""
    try:
        # On Linux the process clock counts nanoseconds; /proc counts hundredths of a second.
        return time.clock_gettime(~process.pid << 3 | 2)
    except OSError:
        times = process.cpu_times()
        return times.user + times.system
