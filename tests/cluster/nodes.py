"""Runs work at several nodes at the same time."""

import os
import random
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier, BrokenBarrierError
from typing import Any

import pytest

from reservation.storage.database import Database, connect, forget
from reservation.storage.models import MODELS
from tests import engines
from tests.outboxes import wait_for

PAIRS = int(os.environ.get("CLUSTER_PAIRS", "3"))
TABLES = ", ".join(model._meta.table_name for model in MODELS)
Work = Callable[[Database], Any]

on_cluster = [engines.on_mariadb, pytest.mark.xdist_group("cluster")]


class Node:
    """A thread with a connection to one node."""

    def __init__(self, url: str) -> None:
        self.db = connect(url)
        self._thread = ThreadPoolExecutor(1)

    def start(self, work: Work, commits: Barrier, begin: Barrier) -> "Future[Any]":
        return self._thread.submit(self._work, work, commits, begin)

    def _work(self, work: Work, commits: Barrier, begin: Barrier) -> Any:
        commit = self.db.commit

        def commit_together() -> None:
            with suppress(BrokenBarrierError):
                commits.wait(timeout=2)
            commit()

        try:
            self.db.rows("SELECT 1")  # connects, and waits until the node has caught up
            self.db.commit = commit_together
            begin.wait(timeout=10)
            if commits.broken:
                time.sleep(random.uniform(0, 0.01))
            return work(self.db)
        except Exception as ex:
            return ex
        finally:
            self.db.commit = commit
            commits.abort()

    def close(self) -> None:
        self._thread.submit(forget, self.db).result()
        self._thread.shutdown()


def at_once(nodes: Sequence[Node], works: Sequence[Work], aligned: bool = True) -> list[Any]:
    """Runs each work at its own node; returns what each work returned or raised.

    The works start together. If `aligned`, each work waits before COMMIT until the other works
    have also reached a COMMIT or have ended. Then neither transaction sees the other, which is the
    worst case for certification.
    """
    commits, begin = Barrier(len(works)), Barrier(len(works))
    if not aligned:
        commits.abort()
    jobs = [
        node.start(work, commits, begin) for node, work in zip(nodes, works, strict=False)
    ]
    return [job.result(timeout=60) for job in jobs]


def is_aligned(number: int) -> bool:
    """Returns False for every third race, where the works only start at the same time."""
    return number % 3 != 2


def wait_until_alike(nodes: Sequence[Node]) -> None:
    """Waits until all nodes have the same rows."""
    wait_for(lambda: len({str(_sums(node.db)) for node in nodes}) == 1)


def _sums(db: Database) -> list[Any]:
    return db.rows(f"CHECKSUM TABLE {TABLES}")
