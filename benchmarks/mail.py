"""The time to send messages."""

import smtplib
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path

from benchmarks import town
from benchmarks.calendars import FEW, make_calendars
from benchmarks.servers import CannotMeasure, Limit
from reservation.domain.booking import booking
from reservation.domain.booking.booking import Request
from reservation.domain.messages.delivery import Delivery
from reservation.domain.messages.mailers import Mailer
from reservation.domain.messages.messages import Templates
from reservation.domain.people.sessions import Account
from reservation.lib.mime import Mail
from reservation.lib.smtp import Relay
from reservation.settings import Settings
from reservation.storage.database import Database, connect
from tests.engines import free_port

ROUNDS, EACH = 7, 100
SENDER = "salon@example.fr"


def limits(settings: Settings, folder: Path) -> list[Limit]:
    settings = replace(settings, database_url=f"sqlite:///{folder / 'mail.db'}")
    town.fill(settings, FEW * 2)
    make_calendars(settings)
    db = connect(settings.database_url)
    free = town.free(settings)
    with _sink() as port:
        sent = statistics.median(_sent(db, free, port) for _ in range(ROUNDS))
    db.close()
    return [Limit("time of the worker for a message, to smtplib's", sent, 1 / 0.6, "x")]


def _book(db: Database, free: Iterator[tuple[int, int]]) -> None:
    asking = Account(2, "student")
    for creneau, entreprise in islice(free, EACH):
        booking.book(db, asking, Request(creneau, entreprise), int(time.time()))


def _sent(db: Database, free: Iterator[tuple[int, int]], port: int) -> float:
    """Returns the worker's time divided by the time of smtplib for the same messages.

    Both send over one connection.
    """
    db.execute_sql("UPDATE eventemail SET statut = 'envoye'")
    _book(db, free)
    written = Written()
    _deliver(db, written)
    again = "UPDATE eventemail SET statut = 'attente', prochain_essai = 0 WHERE essais = 1"
    db.execute_sql(again)
    count = len(written.messages)
    started = time.perf_counter()
    sent = _deliver(db, Relay(f"smtp://127.0.0.1:{port}"))
    ours = time.perf_counter() - started
    db.execute_sql("UPDATE eventemail SET essais = 3 WHERE essais = 2")
    if sent != count:
        raise CannotMeasure(f"{sent} messages were sent of {count}")
    return ours / _smtplib_alone(port, written.messages)


class Written:
    """A mailer that stores messages as bytes."""

    def __init__(self) -> None:
        self.messages: list[bytes] = []

    def send(self, mail: Mail) -> None:
        self.hand_over(mail)

    def hand_over(self, mail: Mail) -> None:
        self.messages.append(mail.octets)

    def answers(self, seconds: float) -> bool:
        return True

    def confirm(self) -> None:
        """Accepts the message."""

    @contextmanager
    def session(self) -> Iterator["Written"]:
        yield self


def _deliver(db: Database, mailer: Mailer) -> int:
    return Delivery(db, mailer, Templates(), SENDER, "http://127.0.0.1:8000").deliver()


def _smtplib_alone(port: int, messages: list[bytes]) -> float:
    """Returns the seconds that smtplib takes for rendered messages."""
    with smtplib.SMTP("127.0.0.1", port) as smtp:
        started = time.perf_counter()
        for message in messages:
            smtp.sendmail(SENDER, [SENDER], message)
        return time.perf_counter() - started


@contextmanager
def _sink() -> Iterator[int]:
    """Runs an SMTP server that discards all messages, in its own process; yields its port."""
    port = free_port()
    command = ["-m", "aiosmtpd", "-n", "-l", f"127.0.0.1:{port}", "-c", "aiosmtpd.handlers.Sink"]
    process = subprocess.Popen([sys.executable, *command], stderr=subprocess.DEVNULL)
    try:
        until = time.monotonic() + 10
        while True:
            try:
                smtplib.SMTP("127.0.0.1", port).close()
                break
            except OSError:
                if time.monotonic() > until:
                    raise CannotMeasure("aiosmtpd did not start") from None
                time.sleep(0.05)
        yield port
    finally:
        process.terminate()
        process.wait()
