"""Starts the servers and commands to be measured."""

import itertools
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import psutil

from reservation.settings import Settings

ROOT = Path(__file__).parent.parent
START, STOP = 20.0, 15.0  # seconds
_numbers = itertools.count()


class CannotMeasure(Exception):
    """A server did not start or gave a wrong response."""


class Limit(NamedTuple):
    """A measured value and its upper limit."""

    name: str
    measured: float
    limit: float
    unit: str


class Spent(NamedTuple):
    """The wall time and the peak memory of a command."""

    seconds: float
    megabytes: float

    def limits(self, name: str, seconds: float, megabytes: float = 200) -> list[Limit]:
        return [
            Limit(name, self.seconds, seconds, "s"),
            Limit("its memory", self.megabytes, megabytes, "MB"),
        ]


def run(settings: Settings, *words: str) -> Spent:
    """Runs `reservation …` in its own process."""
    environ = {**os.environ, "RESERVATION_DATABASE_URL": settings.database_url}
    command = [sys.executable, "-m", "reservation", *words]
    started = time.perf_counter()
    process = subprocess.Popen(command, env=environ, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise CannotMeasure(f"{' '.join(command)} failed")
    return Spent(time.perf_counter() - started, usage.ru_maxrss / 1024)


class Server:
    """A running gunicorn, whose output begins with `Serving on <address>`."""

    def __init__(self, process: subprocess.Popen[str], output: Path) -> None:
        self._process = process
        self.address = _address(process, output)
        self._all = psutil.Process(process.pid)

    def cpu(self) -> float:
        """Returns the user and system time of all processes of the server so far, in seconds."""
        return sum(map(_cpu, [self._all, *self._all.children(recursive=True)]))


@contextmanager
def running(
    module: str, folder: Path, threads: int, environ: Mapping[str, str] | None = None
) -> Iterator[Server]:
    """Runs `python -m <module> serve` with one worker; logs to files in the folder."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("RESERVATION_")}
    command = [sys.executable, "-m", module, "serve", "--port", "0", "--workers", "1"]
    command.append("--no-worker")
    output = folder / f"{module}.{next(_numbers)}.out"
    with output.open("w") as out, output.with_suffix(".err").open("w") as err:
        process = subprocess.Popen(
            [*command, "--threads", str(threads)],
            cwd=ROOT,
            env={**clean, **(environ or {})},
            stdout=out,
            stderr=err,
            text=True,
        )
        try:
            yield Server(process, output)
        finally:
            _stop(process)


def _address(process: subprocess.Popen[str], output: Path) -> tuple[str, int]:
    until = time.monotonic() + START
    while time.monotonic() < until and process.poll() is None:
        found = re.match(r"Serving on http://([\d.]+):(\d+)", output.read_text())
        if found:
            return found[1], int(found[2])
        time.sleep(0.02)
    errors = output.with_suffix(".err").read_text()
    raise CannotMeasure(f"{output.stem} did not start:\n{errors}")


def _stop(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(STOP)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _cpu(process: psutil.Process) -> float:
    try:
        # On Linux the process clock counts nanoseconds; /proc counts hundredths of a second.
        return time.clock_gettime(~process.pid << 3 | 2)
    except OSError:
        times = process.cpu_times()
        return times.user + times.system
