"""The time to send messages."""

import smtplib
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice

from benchmarks.rows import World
from benchmarks.servers import CannotMeasure
from benchmarks.town import People
from reservation.domain.booking import booking
from reservation.domain.booking.booking import Request
from reservation.domain.messages.delivery import Delivery
from reservation.domain.messages.mailers import Mailer
from reservation.domain.messages.messages import Templates
from reservation.domain.people.sessions import Account
from reservation.lib.mime import Mail
from reservation.lib.smtp import Relay
from reservation.storage.database import Database, connect
from tests.engines import free_port

SENDER = "salon@example.fr"


def sending(world: World) -> Callable[[], tuple[float]]:
    """Returns a round: the time of the worker divided by the time of smtplib."""
    people = People(world.settings(), 600, world.size.small)
    db = connect(people.settings.database_url)
    asking, free = Account(people.regular[0], "student"), people.free()
    port = world.stack.enter_context(_sink())

    def round() -> tuple[float]:
        db.execute_sql("UPDATE eventemail SET statut = 'envoye', essais = 3")
        for visit in islice(free, world.size.requests // 2):
            booking.book(db, asking, Request(visit.creneau, visit.prestation), int(time.time()))
        return (_sent(db, port),)

    return round


def _sent(db: Database, port: int) -> float:
    """Returns the worker's time divided by the time of smtplib for the same messages.

    Both send over one connection.
    """
    written = Written()
    _deliver(db, written)
    again = "UPDATE eventemail SET statut = 'attente', prochain_essai = 0 WHERE essais = 1"
    db.execute_sql(again)
    count = len(written.messages)
    started = time.perf_counter()
    sent = _deliver(db, Relay(f"smtp://127.0.0.1:{port}"))
    ours = time.perf_counter() - started
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
