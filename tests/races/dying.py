"""Kills a process with SIGKILL at each statement of a step in turn, then completes the step.

    python -m tests.races.dying URL STEP RESERVATION ACCOUNT CRENEAU PRESTATION

Prints the number of deaths. With `without-transactions` as the last argument, the process dies
once, in the middle of the step.

This is a separate program because a process must not fork with an open SQLite connection.
"""

import re
import sys
from functools import partial
from typing import Any

from reservation.domain.booking import booking, changing
from reservation.domain.booking.requests import Change, Request
from reservation.domain.calendar import calendar
from reservation.domain.people.sessions import Account
from reservation.storage.database import connect
from tests.clock import now
from tests.forks import die, survives
from tests.races.statements import Statements

STEPS = ("book", "move", "cancel")
HALFWAY = -1
_WRITING = re.compile("(INSERT INTO|UPDATE) .?reservation")


def do(db: Any, step: str, reservation: int, user: int, creneau: int, prestation: int) -> None:
    asking = Account(user, "student")
    if step == "book":
        booking.book(db, asking, Request(creneau, prestation, cle="dying"), now())
    elif step == "move":
        changing.change(db, asking, reservation, Change(1, creneau_id=creneau), now())
    else:
        changing.cancel(db, asking, reservation, now())


def live(at: int, url: str, step: str, numbers: list[int]) -> None:
    """Does the step in a child process and dies before statement number `at`.

    HALFWAY is the statement that writes the booking, after places were taken or released.
    """
    statements = Statements()
    statements.install(setattr)

    def die_halfway(_db: Any, run: Any) -> Any:
        return die() if _WRITING.match(statements.seen[-1][0]) else run()

    db = connect(url)
    db.rows("SELECT 1")
    if at == HALFWAY:
        statements.arm(0, die_halfway, again=True)
    else:
        statements.arm(at, die)
    do(db, step, *numbers)


def main(url: str, step: str, *rest: str) -> None:
    numbers = [int(text) for text in rest[:4]]
    if "without-transactions" in rest:
        calendar.transaction = lambda _db, work: work()  # type: ignore[assignment]
        assert not survives(partial(live, HALFWAY, url, step, numbers))
        return
    deaths = 0
    while not survives(partial(live, deaths, url, step, numbers)):
        deaths += 1
    print(deaths)


if __name__ == "__main__":
    main(*sys.argv[1:])
