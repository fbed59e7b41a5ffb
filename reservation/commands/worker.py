"""`reservation worker`: sends due messages, extends calendars and removes old data."""

import argparse
import dataclasses
import logging
import math
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any

from reservation import logs
from reservation.commands.arguments import command
from reservation.commands.chores import Chore, Chores
from reservation.domain.calendar import upkeep
from reservation.domain.messages import releasing
from reservation.domain.messages.delivery import TURN, Delivery
from reservation.domain.messages.mending import GRACE, Mending
from reservation.domain.messages.messages import Templates
from reservation.domain.messages.quotas import Quotas
from reservation.domain.outbox import outbox
from reservation.domain.people import attempts, codes
from reservation.domain.privacy import retention
from reservation.errors import WrongSchema
from reservation.installation import counters_in, mailer_of, secret_of
from reservation.lib.instants import DAY
from reservation.lib.progress import progress
from reservation.settings import Settings
from reservation.storage import schema, words
from reservation.storage.database import NO_ANSWER, Database, connect, forget, highest_id
from reservation.storage.preparing import prepare
from reservation.storage.remedies import outage

logger = logging.getLogger("reservation")

POLL = 1.0  # seconds between two checks of the outbox
CHORES = 600.0  # seconds between two runs of a frequent chore
MONTH = DAY * 365.25 / 12
DOWN = 5.0  # seconds before a retry if the database does not answer
FAREWELL = 3.5  # at the end, the worker waits at most this many seconds for the mail relay
ENDING = 4.0  # seconds from a signal to the exit, if the worker is still busy
LOOK = 0.25  # seconds between two checks for a signal


def add_to(commands: Any) -> None:
    worker = command(commands, run, "worker")
    worker.add_argument("--once", action="store_true", help="do what is due and exit, for cron")
    for name, kind in (("--beside", int), ("--public-url", str)):  # set by `reservation serve`
        worker.add_argument(name, type=kind, help=argparse.SUPPRESS)


def run(options: argparse.Namespace, settings: Settings) -> None:
    """Send due messages, extend calendars to their horizon and remove old data, until stopped. Any
    number of workers share the work. `reservation serve` also runs a worker."""
    logs.set_up(settings.log)
    if options.public_url:
        settings = dataclasses.replace(settings, public_url=options.public_url)
    db = connect(settings.database_url, counters_in(settings.metrics))
    templates = Templates(settings.mail_templates)
    delivery = Delivery(
        db, mailer_of(settings), templates, settings.mail_from, settings.public_url,
        secret_of(settings), Quotas(proof=settings.verify_email, limits=settings.limits),
    )
    # If the clock was ahead when a worker took a lease, the lease ends too late. `Mending` ends
    # such a lease, unless a worker renews the lease within GRACE seconds. With --once, `Mending`
    # does not wait, because the process may exit before GRACE seconds have passed.
    mending = Mending(db, grace=0 if options.once else GRACE)
    chores = Chores(
        Chore(CHORES, partial(_extend_calendars, db)),
        Chore(CHORES, partial(attempts.purge, db)),
        Chore(CHORES, partial(codes.purge, db)),
        Chore(CHORES, partial(releasing.release, db)),
        Chore(DAY, Retention(db, settings.retention_days).remove_old),
        Chore(DAY, partial(_erase_unused, db, settings.customer_retention_months)),
        Chore(DAY, lambda _now: words.remove_unused(db)),
        Chore(CHORES, lambda _now: iter([db.empty_log()])),  # after the chores that erase
        # In a half-restored database, customers seem unused, and new slots would be lost.
        before=partial(schema.require, db),
    )
    worker = WorkerLoop(db, settings.production, delivery, mending, chores, options.beside)
    if options.once:
        worker.once()
    else:
        worker.run()


def _extend_calendars(db: Database, now: int) -> Iterator[object]:
    steps = upkeep.extend_all(db, now)
    return progress("calendars extended", steps, highest_id(db, "entreprise"), reached=int)


def _erase_unused(db: Database, months: int, now: int) -> Iterator[object]:
    return retention.erase_unused(db, now - int(months * MONTH), now) if months else iter(())


class Retention:
    """After `days` days, removes messages to accounts, the texts of other sent messages, and past
    slots without bookings. If `days` is 0, removes nothing."""

    def __init__(self, db: Database, days: int) -> None:
        self.db, self.days = db, days
        self._slots_removed = 0  # Unix seconds; empty slots before this time are already removed

    def remove_old(self, now: int) -> Iterator[object]:
        before = int(now - self.days * DAY)
        if self.days:
            yield from retention.delete_messages(self.db, before)
            yield from outbox.clear_texts(self.db, before)
            yield from upkeep.remove_empty(self.db, self._slots_removed, before)
            self._slots_removed = before


class WorkerLoop:
    """Sends messages and does chores until SIGTERM or SIGINT. With `beside`, also stops when the
    parent process with this id has ended.

    Before `run` returns, it waits up to FAREWELL seconds for the messages that are being sent.
    """

    def __init__(
        self, db: Database, production: bool, delivery: Delivery, mending: Mending,
        chores: Chores, beside: int | None,
    ) -> None:
        self.db, self.production, self.beside = db, production, beside
        self.delivery, self.mending, self.chores = delivery, mending, chores
        self._prepared = False
        # Not a threading.Event: `Event.set` would block if the signal interrupts `Event.wait`.
        self._signals: SimpleQueue[int] = SimpleQueue()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda number, _frame: self._signals.put(number))
        threading.Thread(target=self._end_in_time, daemon=True).start()

    def run(self) -> None:
        while not self._stopping():
            try:
                if not self.work():
                    self._wait(POLL)
            except WrongSchema:
                raise
            except NO_ANSWER as ex:
                logger.warning("%s", outage(self.db, ex))
                forget(self.db)
                self._wait(DOWN)
        self.delivery.wait(FAREWELL)

    def once(self) -> None:
        """Sends the due messages and completes the due chores. Then waits up to
        ANSWER_LIMIT + FAREWELL seconds for the relay's answers. After a signal, waits only
        FAREWELL seconds."""
        while self.work(math.inf) and not self._stopping():
            pass
        self.delivery.wait(stopping=self._stopping)
        self.delivery.wait(FAREWELL)

    def work(self, seconds: float = TURN) -> bool:
        """Sends the due messages for about `seconds` seconds, and then works on the due chores.
        Prepares the database first if necessary.

        Returns whether a chore is unfinished or more messages may be due. Raises WrongSchema or
        BadSetting if an operator must act first.
        """
        if not self._prepared:
            prepare(self.db, self.production)
            self._prepared = True
        self.mending.look()
        self.delivery.deliver(self._stopping, seconds)
        return self.chores.work(self._stopping) or self.delivery.has_more

    def _stopping(self) -> bool:
        orphaned = self.beside is not None and os.getppid() != self.beside
        return orphaned or not self._signals.empty()

    def _end_in_time(self) -> None:
        """Waits for a signal or for the end of the parent process. Gives the main thread ENDING
        seconds to finish, and then exits."""
        while not self._stopping():
            time.sleep(LOOK)
        time.sleep(ENDING)
        logger.warning("exited before all work was done: the next worker does the rest")
        os._exit(0)

    def _wait(self, seconds: float) -> None:
        with suppress(Empty):
            self._signals.put(self._signals.get(timeout=seconds))
