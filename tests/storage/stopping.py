"""Stops itself (SIGSTOP) within a transaction, like a frozen worker.

    python -m tests.storage.stopping URL BUSINESS

Prints "stopping" before it stops.
"""

import os
import signal
import sys

from reservation.storage.database import connect, transaction


def main(url: str, business: str) -> None:
    db = connect(url)

    def work() -> None:
        db.write("UPDATE entreprise SET version = version + 1 WHERE id = ?", int(business))
        print("stopping", flush=True)
        os.kill(os.getpid(), signal.SIGSTOP)

    transaction(db, work)


if __name__ == "__main__":
    main(*sys.argv[1:])
