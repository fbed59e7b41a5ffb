"""Kills a worker with SIGKILL before each statement of a delivery in turn.

    python -m tests.races.dying_worker URL PORT RESERVATION [without-lease]

For each statement, queues a message (to 0@example.fr, 1@example.fr and so on), kills the worker
that delivers the message through the relay at PORT, and lets another worker deliver what is
due. Prints for each death whether the message was sent before the death. Leases expire at once.
"""

import os
import sys
from functools import partial
from itertools import count

from reservation.domain.messages import claims
from reservation.storage.database import connect
from tests import outboxes
from tests.forks import die, survives
from tests.races.statements import Statements


def work(at: int, url: str, port: int) -> None:
    """Delivers messages in a child process and dies before statement number `at`."""
    statements, sent = Statements(), []
    statements.install(setattr)
    db = connect(url)
    db.rows("SELECT 1")
    worker = outboxes.delivery(db, port)
    mark = claims.mark_sent

    def mark_sent(*args: object) -> None:
        sent.append(True)
        mark(*args)  # type: ignore[arg-type]

    def tell_and_die(*_: object) -> None:
        os.write(1, f"{len(sent)}\n".encode())
        die()

    claims.mark_sent = mark_sent  # type: ignore[assignment]
    statements.arm(at, tell_and_die)
    worker.deliver()


def queue(number: int, url: str, reservation: int) -> None:
    outboxes.queue(connect(url), reservation, [f"{number}@example.fr"])


def main(url: str, port: str, reservation: str, *options: str) -> None:
    claims.LEASE, claims.MARGIN = 0, -60
    if "without-lease" in options:
        claims._EXPIRED += " AND 1 = 0"
    for at in count():
        survives(partial(queue, at, url, int(reservation)))
        lived = survives(partial(work, at, url, int(port)))
        survives(partial(work, -1, url, int(port)))
        if lived:
            return


if __name__ == "__main__":
    main(*sys.argv[1:])
