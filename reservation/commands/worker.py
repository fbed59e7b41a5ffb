"""`reservation worker`: sends what is due, and makes calendars up to their horizon."""

import argparse
import dataclasses
import logging
import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any

from reservation import logs
from reservation.application import counters_in, mailer_of, prepare
from reservation.domain.calendar import calendar
from reservation.domain.messages.delivery import Delivery
from reservation.domain.messages.mending import GRACE, Mending
from reservation.domain.messages.messages import Templates
from reservation.domain.people import attempts
from reservation.errors import DatabaseUnavailable, WrongSchema
from reservation.lib.progress import progress
from reservation.settings import Settings
from reservation.storage import schema
from reservation.storage.database import UNAVAILABLE, Database, connect, forget

logger = logging.getLogger("reservation")

POLL = 1.0  # seconds between two looks into the outbox
CALENDARS = 600.0  # seconds between two looks at the calendars
DOWN = 5.0  # seconds to wait for a database that does not answer
FAREWELL = 3.5  # seconds for what is being sent when it is told to end
ENDING = 4.0  # seconds until it ends in the midst of what it does
LOOK = 0.25  # seconds between two looks at whether that time has begun


def add_to(commands: Any) -> None:
    command = commands.add_parser(
        "worker",
        help="send due messages and make calendars up to their horizon",
        description="Send the messages that are due and make every calendar up to its horizon,"
        " again and again until it is told to stop. Any number of workers share the work;"
        " `reservation serve` runs one of its own.",
    )
    command.add_argument(
        "--once", action="store_true", help="do what is due and end, for cron"
    )
    for name, kind in (("--beside", int), ("--public-url", str)):  # see serve
        command.add_argument(name, type=kind, help=argparse.SUPPRESS)
    command.set_defaults(run=run)


def run(options: argparse.Namespace, settings: Settings) -> None:
    logs.set_up(settings.log)
    if options.public_url:
        settings = dataclasses.replace(settings, public_url=options.public_url)
    db = connect(settings.database_url, counters_in(settings.metrics))
    prepare(db, settings)
    delivery = Delivery(
        db,
        mailer_of(settings),
        Templates(settings.mail_templates),
        settings.mail_from,
        settings.public_url,
    )
    # With --once there is no later look at a claim.
    mending = Mending(db, grace=0 if options.once else GRACE)
    worker = Worker(db, delivery, mending, options.beside)
    if options.once:
        worker.once()
    else:
        worker.run()


def extend_calendars(db: Database, stopping: Callable[[], bool]) -> None:
    now = int(time.time())
    for entreprise in progress("calendars made", calendar.lagging(db, now)):
        if stopping():
            break
        calendar.extend(db, entreprise, calendar.horizon(entreprise, now), now)


class Worker:
    """Works until SIGTERM or SIGINT, and then ends after the message that is being sent.

    A message for which that takes too long stays claimed until its lease ends.

    With `beside`, the id of the process that started it, it ends when that is gone too.
    """

    def __init__(
        self, db: Database, delivery: Delivery, mending: Mending, beside: int | None = None
    ) -> None:
        self.db, self.delivery, self.mending, self.beside = db, delivery, mending, beside
        self._calendars_due = 0.0
        self._fits = False  # whether the database has answered, and has the present schema
        # No Event: its set() in a signal handler locks out the wait() that it interrupts.
        self._told: SimpleQueue[int] = SimpleQueue()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda told, _frame: self._told.put(told))
        threading.Thread(target=self._end_in_time, daemon=True).start()

    def run(self) -> None:
        while not self._stopping():
            try:
                self.work()
                self._wait(POLL)
            except WrongSchema:
                raise
            except (DatabaseUnavailable, *UNAVAILABLE) as ex:
                logger.warning("the database does not answer: %s", ex)
                forget(self.db)
                self._wait(DOWN)
        self.delivery.wait(FAREWELL)

    def once(self) -> None:
        """Do what is due, however long the relay takes to answer."""
        self.work()
        self.delivery.wait(stopping=self._stopping)
        self.delivery.wait(FAREWELL)

    def work(self) -> None:
        """Does what is due. Raises WrongSchema before the first time."""
        if not self._fits:
            schema.require(self.db)
            self._fits = True
        self.mending.look()
        self.delivery.deliver(self._stopping)
        if time.monotonic() >= self._calendars_due:
            extend_calendars(self.db, self._stopping)
            attempts.purge(self.db, int(time.time()), self._stopping)
            self._calendars_due = time.monotonic() + CALENDARS

    def _stopping(self) -> bool:
        orphaned = self.beside is not None and os.getppid() != self.beside
        return orphaned or not self._told.empty()

    def _end_in_time(self) -> None:
        """The end of the process, whatever its main thread waits for: it loses nothing by that."""
        while not self._stopping():
            time.sleep(LOOK)
        time.sleep(ENDING)
        logger.warning("ended before all was done: the rest is done by the next worker")
        os._exit(0)

    def _wait(self, seconds: float) -> None:
        with suppress(Empty):
            self._told.put(self._told.get(timeout=seconds))
