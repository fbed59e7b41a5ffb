"""A storm of requests, and what must hold after it."""

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from reservation.domain.messages.rendering import NO_CLOSURE, VISIT_CHANGED
from reservation.domain.outbox.outbox import CLOSED
from reservation.storage.database import Database
from tests.domain.relays import Moody
from tests.races.soundness import faults, meeting, unannounced

PROCESSES = 2  # of clients
_ID = re.compile(rb"^Message-ID: *<(\d+)\.", re.MULTILINE | re.IGNORECASE)


@dataclass
class Told:
    """What the clients were told."""

    answers: list[tuple[str, float, float, int]] = field(default_factory=list)
    booked: dict[int, tuple[str, int]] = field(default_factory=dict)
    cancelled: list[int] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def add(self, one: dict[str, Any]) -> None:
        self.answers += [tuple(answer) for answer in one["answers"]]
        self.booked |= {int(number): tuple(seen) for number, seen in one["booked"].items()}
        self.cancelled += one["cancelled"]
        self.faults += one["faults"]

    def between(self, start: float, end: float) -> "Numbers":
        return Numbers([one for one in self.answers if start <= one[1] < end], end - start)


@dataclass
class Numbers:
    """The figures of a part of a storm."""

    answers: Sequence[tuple[str, float, float, int]]
    seconds: float

    @property
    def rate(self) -> float:
        """Answers per second, without refusals."""
        return (len(self.answers) - self.refused) / self.seconds

    @property
    def refused(self) -> int:
        return sum(status in (0, 503) for *_, status in self.answers)

    @property
    def share_refused(self) -> float:
        return self.refused / len(self.answers)

    def worst(self, name: str = "") -> float:
        return max((took for one, _, took, _ in self.answers if name in one), default=0.0)

    def percentile(self, part: float) -> float:
        took = sorted(took for _, _, took, _ in self.answers)
        return took[int(len(took) * part)]

    def __str__(self) -> str:
        kinds = Counter(f"{name} {status}" for name, _, _, status in self.answers)
        return (
            f"{len(self.answers)} requests, {self.rate:.0f}/s, p50 {self.percentile(0.5):.3f} s,"
            f" p99 {self.percentile(0.99):.2f} s, worst {self.worst():.2f} s, refused"
            f" {self.refused} ({self.share_refused:.2%}), closure of a full day"
            f" {self.worst('strand'):.2f} s\n    "
            + ", ".join(f"{kind}: {count}" for kind, count in sorted(kinds.items()))
        )


def missed(server: Numbers, calm: Numbers, kills: Numbers) -> list[str]:
    """Returns the goals that were missed, after printing all."""
    goals = [
        ("worst answer while nodes are killed, in seconds", kills.worst(), "<=", 10),
        ("the same for the closure of a full day", kills.worst("strand"), "<=", 10),
        ("share of requests refused", kills.share_refused, "<=", 0.005),
        ("throughput without kills / that of one server", calm.rate / server.rate, ">=", 0.8),
    ]
    found = []
    for name, value, sign, limit in goals:
        held = value <= limit if sign == "<=" else value >= limit
        line = f"{name}: {value:.4g} (goal: {sign} {limit}){'' if held else ' MISSED'}"
        print(line)
        if not held:
            found.append(line)
    return found


@contextmanager
def storm(job: dict[str, Any], told: Told) -> Iterator[None]:
    """Runs the clients of the job during the `with` block; then adds to `told`."""
    running = []
    for number in range(PROCESSES):
        people = job["people"][number::PROCESSES]
        part = {**job, "seed": f"{job['seed']}.{number}", "people": people}
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.cluster.storm.client"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        assert process.stdin is not None
        process.stdin.write(json.dumps(part) + "\n")
        process.stdin.flush()
        running.append(process)
    try:
        yield
        for process in running:
            told.add(json.loads(process.communicate(timeout=90)[0]))
    finally:
        for process in running:
            process.kill()
            process.wait()


def broken(db: Database, told: Told, post: Moody) -> list[str]:
    """Returns the promises that do not hold in the database, one sentence each."""
    rows = {
        number: (statut, creneau)
        for number, statut, creneau in db.rows("SELECT id, statut, creneau_id FROM reservation")
    }
    found = [f"drifted: {fault}" for fault in faults(db)]
    found += [f"oversold: slot {number}" for (number,) in db.rows(
        "SELECT id FROM creneau WHERE places_prises > capacite"
    )]
    found += [f"at the same person or room at once: {pair}" for pair in meeting(db)]
    found += [f"messages of booking: {row}" for row in unannounced(db)]
    found += [
        f"lost: booking {number} is {rows.get(number)}, not {seen}"
        for number, seen in told.booked.items() if rows.get(number) != tuple(seen)
    ]
    found += [
        f"lost: cancellation of {number}, which is {rows.get(number)}"
        for number in told.cancelled if rows.get(number, ("",))[0] != "annulee"
    ]
    received = Counter(int(_ID.search(one.raw)[1]) for one in post.received)  # type: ignore
    found += [f"mailed twice: message {number}" for number, times in received.items() if times > 1]
    sent = {number for (number,) in db.rows("SELECT id FROM eventemail WHERE statut = 'envoye'")}
    found += [f"marked as sent and not received: {number}" for number in sent - set(received)]
    return found + [f"answer: {fault}" for fault in told.faults]


def is_mailed(db: Database, now: int) -> Callable[[], bool]:
    """Returns a function that tells whether all messages due at `now` are sent or obsolete."""
    reasons = f"'{VISIT_CHANGED}', '{NO_CLOSURE}', '{CLOSED}'"
    obsolete = f"statut = 'abandonne' AND COALESCE(derniere_erreur, '') IN ({reasons})"
    due = f"statut <> 'envoye' AND NOT ({obsolete}) AND cree_le <= ? AND genre <> 'rappel'"
    return lambda: db.rows(f"SELECT COUNT(*) FROM eventemail WHERE {due}", now) == [(0,)]
