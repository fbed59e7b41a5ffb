"""The row about the time to send messages."""

import math
import smtplib
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice

from benchmarks.rows import Row, at_most
from benchmarks.servers import CannotMeasure
from benchmarks.world import World
from reservation.domain.booking import booking
from reservation.domain.booking.requests import Request
from reservation.domain.messages.delivery import Delivery
from reservation.domain.messages.mailers import Mailer
from reservation.domain.messages.messages import Templates
from reservation.domain.people.sessions import Account
from reservation.lib.mime import Mail
from reservation.lib.smtp import Relay
from reservation.storage.database import Database, connect
from tests.engines import free_port
from tests.servers import Server

SENDER = "salon@example.fr"


def sending(world: World) -> Iterator[Row]:
    people = world.small_town()
    db = connect(people.settings.database_url)
    asking, free, port = Account(people.accounts.regular.id, "student"), people.free(), free_port()
    # A server that discards all messages, in its own process.
    words = ["-m", "aiosmtpd", "-n", "-l", f"127.0.0.1:{port}", "-c", "aiosmtpd.handlers.Sink"]
    world.stack.callback(Server([sys.executable, *words], world.folder, {}, port).stop)

    def once() -> tuple[float]:
        db.execute_sql("UPDATE eventemail SET statut = 'envoye', essais = 3")
        for visit in islice(free, world.size.requests // 2):
            booking.book(db, asking, Request(visit.creneau, visit.prestation), int(time.time()))
        return (_sent(db, port),)

    name = "time to send a message ÷ smtplib alone"
    yield Row(name, [at_most(1.67)], once, world.rounds(0.6))


def _sent(db: Database, port: int) -> float:
    """Returns the worker's time divided by the time of smtplib for the same messages.

    The worker and smtplib each send over one connection.
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
    delivery = Delivery(db, mailer, Templates(), SENDER, "http://127.0.0.1:8000", "x" * 32)
    return delivery.deliver(seconds=math.inf)


def _smtplib_alone(port: int, messages: list[bytes]) -> float:
    """Returns the seconds that smtplib takes for rendered messages."""
    with smtplib.SMTP("127.0.0.1", port) as smtp:
        started = time.perf_counter()
        for message in messages:
            smtp.sendmail(SENDER, [SENDER], message)
        return time.perf_counter() - started
