"""Queues messages in the outbox and reads their state."""

import re
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from reservation.domain.messages.delivery import Delivery
from reservation.domain.messages.messages import Templates
from reservation.lib.smtp import Relay
from reservation.storage.database import Database, transaction

SENDER, PUBLIC = "robot@example.fr", "https://reservation.example"
SECRET = "the secret of the tests, over 32 bytes long"
_QUEUE = (
    "INSERT INTO eventemail (reservation_id, entreprise_id, genre, destinataire, debut, fin,"
    " sequence, sujet, corps, statut, essais, prochain_essai, cree_le)"
    " SELECT id, entreprise_id, 'confirmee', ?, debut, fin, 0, '', '', 'attente', 0, ?, ?"
    " FROM reservation WHERE id = ?"
)


class Post(NamedTuple):
    genre: str
    destinataire: str
    statut: str
    essais: int
    prochain_essai: int
    derniere_erreur: str | None
    envoye_le: int | None
    sujet: str
    corps: str


def delivery(db: Database, port: int, time_limit: float = 5.0) -> Delivery:
    """Returns a delivery through the test relay at this port."""
    relay = Relay(f"smtp://127.0.0.1:{port}", time_limit=time_limit)
    return Delivery(db, relay, Templates(), SENDER, PUBLIC, SECRET)


def queue(
    db: Database, reservation_id: int, recipients: Sequence[str], due: int | None = None
) -> None:
    """Queues a confirmation for each recipient, due now by default."""
    now = int(time.time())
    rows = [(who, now if due is None else due, now, reservation_id) for who in recipients]
    transaction(db, lambda: db.write_many(_QUEUE, rows))


def people(number: int) -> list[str]:
    return [f"{n}@example.fr" for n in range(number)]


def without_tokens(text: str) -> str:
    """Returns the text of a message as the outbox stores it."""
    return re.sub(r"#\S+", "", text.replace("\r\n", "\n"))


def posts(db: Database) -> list[Post]:
    rows = db.rows(f"SELECT {', '.join(Post._fields)} FROM eventemail ORDER BY id")
    return [Post(*row) for row in rows]


def of(db: Database, recipient: str) -> Post:
    (post,) = [one for one in posts(db) if one.destinataire == recipient]
    return post


def is_over(db: Database) -> bool:
    """Returns True if every queued message is sent."""
    return all(post.statut == "envoye" for post in posts(db))


def let_pauses_pass(db: Database) -> None:
    """Makes all tried messages due again, and ends all claims."""
    passed = (
        "UPDATE eventemail SET prochain_essai = 1"
        " WHERE statut IN ('attente', 'envoi') AND essais > 0"
    )
    transaction(db, lambda: db.write(passed))


def empty(db: Database) -> None:
    transaction(db, lambda: db.write("DELETE FROM eventemail"))


def wait_for(what: Callable[[], object], seconds: float = 20) -> None:
    until = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < until, "the condition stayed false"
        time.sleep(0.02)
