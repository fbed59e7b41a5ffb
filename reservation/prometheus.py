"""Counters for Prometheus, in a folder that the processes of a machine share.

Each process counts in its own file. A new process continues the file of an ended process, so that
no count is lost.
"""

import fcntl
import logging
import mmap
import os
import struct
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import IO

from reservation.metrics import COUNTED, Counters, Gauges, Metric

logger = logging.getLogger("reservation")

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SIZE = 1 << 18  # size of a new file, in bytes
NUMBER = struct.Struct("d")


class Shared(Counters):
    """Adds counts to the file of this process. `exposition` adds up the files of all processes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._after_fork()
        os.register_at_fork(after_in_child=self._after_fork)

    def _after_fork(self) -> None:
        """Replaces the lock and the file, which belong to the parent process."""
        self._lock = threading.Lock()
        self._own: Own | None = None
        self._failed = False

    def count(self, metric: Metric, *labels: str) -> None:
        self._add(metric, labels, (1,))

    def observe(self, metric: Metric, seconds: float, *labels: str) -> None:
        self._add(metric, labels, (*(seconds <= bound for bound in metric.buckets), seconds, 1))

    def _add(self, metric: Metric, labels: tuple[str, ...], amounts: Iterable[float]) -> None:
        """Adds each amount to the sample at the same position in `_samples(metric, labels)`. After
        an error, logs the error and counts nothing more, so that requests still succeed."""
        with self._lock:
            if self._failed:
                return
            try:
                self._own = self._own or Own(self._folder)
                self._own.add(metric, labels, amounts)
            except Exception:
                self._failed = True
                logger.exception("this process no longer counts in %s", self._folder)

    def exposition(self, gauges: Gauges) -> tuple[str, bytes]:
        found = self._sums()
        lines: list[str] = []
        for metric in COUNTED:
            if metric.name in found:
                kind = "histogram" if metric.buckets else "counter"
                lines += _family(metric, kind, found[metric.name])
        for metric, values in gauges:
            samples = {_samples(metric, labels)[0]: value for labels, value in values.items()}
            lines += _family(metric, "gauge", samples)
        return CONTENT_TYPE, "".join(f"{line}\n" for line in lines).encode()

    def _sums(self) -> dict[str, dict[str, float]]:
        found: dict[str, dict[str, float]] = {}
        for path in self._folder.glob("*.counts"):
            data = path.read_bytes()
            for key, at in _records(data):
                name, _, sample = key.partition(" ")
                samples = found.setdefault(name, {})
                samples[sample] = samples.get(sample, 0) + NUMBER.unpack_from(data, at)[0]
        return found


class Own:
    """The counts of one process, in a file that is a sequence of records.

    A record contains the length of the key, the key (padded to a multiple of 8 bytes) and the
    value. Lengths and values are doubles. A length of 0 ends the sequence.
    """

    def __init__(self, folder: Path) -> None:
        self._file = _first_free(folder)
        self._map(SIZE)
        self._known = dict(_records(self._bytes))
        self._end = max(self._known.values(), default=-NUMBER.size) + NUMBER.size
        self._places: dict[tuple[str, tuple[str, ...]], list[int]] = {}

    def add(self, metric: Metric, labels: tuple[str, ...], amounts: Iterable[float]) -> None:
        places = self._places.get((metric.name, labels))
        if places is None:
            keys = [f"{metric.name} {sample}" for sample in _samples(metric, labels)]
            places = [self._place(key) for key in keys]
            self._places[metric.name, labels] = places
        for place, amount in zip(places, amounts, strict=True):
            self._values[place] += amount

    def _place(self, key: str) -> int:
        if key not in self._known:
            text = key.encode()
            at = _value_at(self._end, len(text))
            if at + NUMBER.size > len(self._bytes):
                self._map(2 * len(self._bytes))
            # Writes the length last, because a length makes the record visible to other processes.
            self._bytes[self._end + NUMBER.size :][: len(text)] = text
            self._values[self._end // NUMBER.size] = len(text)
            self._known[key] = at
            self._end = at + NUMBER.size
        return self._known[key] // NUMBER.size

    def _map(self, size: int) -> None:
        """Extends the file to `size` bytes and maps it into memory.

        Writes zeros first, so that a full disk raises an error here. Otherwise, a later write to
        the mapped memory would kill the process.
        """
        self._file.write(bytes(max(0, size - os.fstat(self._file.fileno()).st_size)))
        self._file.flush()
        self._bytes = memoryview(mmap.mmap(self._file.fileno(), 0))
        self._values = self._bytes.cast("d")


def _first_free(folder: Path) -> IO[bytes]:
    numbers = count()
    while True:
        file = (folder / f"{next(numbers)}.counts").open("ab+")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return file
        except BlockingIOError:
            file.close()


def _records(data: bytes | memoryview) -> Iterator[tuple[str, int]]:
    """Yields each key and the offset of its value. Raises ValueError if the file is damaged."""
    at = 0
    while at + NUMBER.size <= len(data) and (length := int(NUMBER.unpack_from(data, at)[0])):
        value = _value_at(at, length)
        if not at < value <= len(data) - NUMBER.size:
            raise ValueError(f"a record at {at} ends at {value} of {len(data)}")
        yield str(data[at + NUMBER.size :][:length], "utf-8"), value
        at = value + NUMBER.size


def _value_at(start: int, length: int) -> int:
    return start + NUMBER.size + -(-length // NUMBER.size) * NUMBER.size


def _samples(metric: Metric, labels: Sequence[str]) -> list[str]:
    pairs = list(zip(metric.labels, labels, strict=True))
    if not metric.buckets:
        return [_sample(metric.name, pairs)]
    bounds = [_number(bound) for bound in metric.buckets]
    return [
        *(_sample(f"{metric.name}_bucket", [*pairs, ("le", bound)]) for bound in bounds),
        _sample(f"{metric.name}_sum", pairs),
        _sample(f"{metric.name}_count", pairs),
    ]


def _sample(name: str, labels: Sequence[tuple[str, str]]) -> str:
    quoted = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})
    pairs = ",".join(f'{label}="{value.translate(quoted)}"' for label, value in labels)
    return f"{name}{{{pairs}}}" if pairs else name


def _family(metric: Metric, kind: str, samples: Mapping[str, float]) -> Iterator[str]:
    text = metric.help.replace("\\", r"\\").replace("\n", r"\n")
    yield f"# HELP {metric.name} {text}"
    yield f"# TYPE {metric.name} {kind}"
    for sample, value in samples.items():
        yield f"{sample} {_number(value)}"


def _number(value: float) -> str:
    return "+Inf" if value == float("inf") else repr(float(value))
