"""Counters that the processes of one machine share in a folder.

They lie in the files of prometheus_client's multiprocess mode, and its collector adds them up.
But that mode learns its folder from an environment variable, which would reach into the metrics
of an application that embeds this one, and it keeps a file for each process id there ever was:
somebody must wipe them at the right moment, and two containers may have the same. Here a process
takes the first files that no living one holds, and counts on from where their last one ended. So
nothing that a dead process counted is lost, and nothing is left behind.
"""

import fcntl
import logging
import os
import threading
from bisect import bisect_left
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import IO

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.metrics_core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric as PrometheusMetric
from prometheus_client.mmap_dict import MmapedDict, mmap_key
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

from reservation.metrics import Counters, Gauges, Metric

logger = logging.getLogger("reservation")

KINDS = ("counter", "histogram")
SIZE = 1 << 18  # bytes of a new file: what is counted in practice needs less


class Shared(Counters):
    """Counts in files of its process, and shows what all processes counted."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._after_fork()
        os.register_at_fork(after_in_child=self._after_fork)

    def _after_fork(self) -> None:
        """A child has files of its own, and waits for no thread of its parent."""
        self._lock = threading.Lock()
        self._files: Files | None = None
        self._failed = False

    def count(self, metric: Metric, *labels: str) -> None:
        with self._lock:
            if files := self._opened():
                files.add(metric, labels, 0, 1)

    def observe(self, metric: Metric, seconds: float, *labels: str) -> None:
        with self._lock:
            if files := self._opened():
                files.add(metric, labels, bisect_left(metric.buckets, seconds), 1)
                files.add(metric, labels, -1, seconds)

    def _opened(self) -> "Files | None":
        """None where it cannot be: no request may fail because it cannot be counted."""
        if self._files is None and not self._failed:
            try:
                self._files = Files(self._folder)
            except Exception:
                self._failed = True
                logger.exception("this process counts nothing in %s", self._folder)
        return self._files

    def exposition(self, gauges: Gauges) -> tuple[str, bytes]:
        registry = CollectorRegistry()
        registry.register(Everything(self._folder, gauges))
        return CONTENT_TYPE_PLAIN_0_0_4, generate_latest(registry)


class Everything(Collector):
    """What all processes counted, and what is known of this moment."""

    def __init__(self, folder: Path, gauges: Gauges) -> None:
        self._folder, self._gauges = folder, gauges

    def collect(self) -> Iterator[PrometheusMetric]:
        files = [str(path) for kind in KINDS for path in self._folder.glob(f"{kind}_*.db")]
        yield from MultiProcessCollector.merge(files)
        for metric, values in self._gauges:
            family = GaugeMetricFamily(metric.name, metric.help, labels=metric.labels)
            for labels, value in values.items():
                family.add_metric(labels, value)
            yield family


class Files:
    """The values of one process, in the first files of the folder that are free.

    The kernel gives the lock back, however the process ends.
    """

    def __init__(self, folder: Path) -> None:
        self._lock, number = _first_free(folder)
        self._values = {kind: _opened(folder / f"{kind}_{number}.db") for kind in KINDS}
        self._keys: dict[tuple[str, tuple[str, ...]], list[str]] = {}

    def add(self, metric: Metric, labels: tuple[str, ...], at: int, amount: float) -> None:
        """Add to one of the samples that the metric has with these labels."""
        values = self._values["histogram" if metric.buckets else "counter"]
        keys = self._keys.get((metric.name, labels))
        if keys is None:
            keys = self._keys[metric.name, labels] = _keys(metric, labels)
            for one in keys:
                values.read_value(one)  # makes it: a histogram shows its empty buckets too
        key = keys[at]
        values.write_value(key, values.read_value(key)[0] + amount, 0.0)


def _first_free(folder: Path) -> tuple[IO[bytes], int]:
    """The lock that is held as long as this is open, and its number."""
    for number in count():
        lock = (folder / f"{number}.lock").open("ab")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return lock, number
        except BlockingIOError:
            lock.close()
    raise AssertionError("numbers do not end")


def _opened(path: Path) -> MmapedDict:
    if not path.exists():
        # Written out, for a full disk is no error in a mapped file but the end of the process;
        # and whole when it gets its name, for others may be reading.
        made = path.with_suffix(".new")
        made.write_bytes(bytes(SIZE))
        made.rename(path)
    return MmapedDict(str(path))


def _keys(metric: Metric, labels: tuple[str, ...]) -> list[str]:
    """Of a counter, its one sample; of a histogram, each bucket and then the sum."""
    if not metric.buckets:
        family = metric.name.removesuffix("_total")
        return [mmap_key(family, metric.name, [*metric.labels], [*labels], metric.help)]
    bounds = map(floatToGoString, metric.buckets)
    samples = [(f"{metric.name}_bucket", {"le": bound}) for bound in bounds]
    samples.append((f"{metric.name}_sum", {}))
    return [
        mmap_key(
            metric.name, name, [*metric.labels, *more], [*labels, *more.values()], metric.help
        )
        for name, more in samples
    ]
