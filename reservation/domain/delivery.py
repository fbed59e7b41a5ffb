"""The other end of the outbox: what is due is claimed, sent and marked.

Any number of workers share the work. A claim is a conditional UPDATE and a lease: what a
worker that died had claimed is due again when the lease ends. A message is marked as sent
right after the relay took it, so only a death between the two sends it twice, and then under
the same Message-ID.
"""

import logging
import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from reservation.domain import icalendar, messages, resetting, visits
from reservation.domain.mail import TIME_LIMIT, Line, Mailer
from reservation.domain.messages import Templates
from reservation.domain.mime import Calendar, Mail, compose
from reservation.domain.visits import Booked
from reservation.errors import DatabaseUnavailable, MailNotSent
from reservation.metrics import ATTEMPTS
from reservation.storage.database import UNAVAILABLE, Database, forget, transaction

logger = logging.getLogger("reservation")

MOST = 50  # messages of one claim, and of one connection
LEASE = 120  # seconds for which a claim holds
DOWN = 0.5  # seconds between two attempts to mark what was sent
MINUTE = 60
# Seconds to wait after each failure; after the last one, a day after the first, it is given up.
PAUSES = tuple(MINUTE * m for m in (1, 2, 4, 8, 15, 30, 60, 120, 180, 180, 180, 180, 240, 240))
assert all(a <= b for a, b in pairwise(PAUSES)) and sum(PAUSES) >= 24 * 60 * MINUTE

_EXPIRED = (
    "UPDATE eventemail SET statut = 'attente' WHERE statut = 'envoi' AND prochain_essai <= ?"
)
_DUE = (
    "SELECT id, genre, destinataire, message, reservation_id, debut, fin, sequence, essais,"
    " prochain_essai, cree_le FROM eventemail"
    " WHERE statut = 'attente' AND prochain_essai <= ? ORDER BY prochain_essai, id LIMIT ?"
)
_CLAIM = (
    "UPDATE eventemail SET statut = 'envoi', prochain_essai = ?, essais = essais + 1"
    " WHERE statut = 'attente' AND id IN ({})"
)
# Only while the claim still holds: nobody marks what another has taken over.
_MINE = " WHERE id = ? AND statut = 'envoi' AND prochain_essai = ?"
_SENT = (
    "UPDATE eventemail SET statut = 'envoye', envoye_le = ?, sujet = ?, corps = ?,"
    f" piece_jointe = ?, derniere_erreur = NULL{_MINE}"
)
_FAILED = (
    "UPDATE eventemail SET statut = ?, prochain_essai = ?, derniere_erreur = ?" + _MINE
)
_UNTRIED = (
    "UPDATE eventemail SET statut = 'attente', prochain_essai = ?, essais = essais - 1" + _MINE
)
_INVITED = (
    "SELECT 1 FROM eventemail WHERE reservation_id = ? AND genre IN ('confirmee', 'approuvee')"
    " LIMIT 1"
)


class NotNeeded(Exception):
    """A message that nobody needs any more; the text says why."""


class Queued(NamedTuple):
    """A row of the outbox that this worker has claimed, as it was before."""

    id: int
    genre: str
    destinataire: str
    message: str | None
    reservation_id: int | None
    debut: int
    fin: int
    sequence: int
    essais: int
    prochain_essai: int
    cree_le: int


class Ready(NamedTuple):
    """A message in words, and what is kept of it once it is sent."""

    mail: Mail
    subject: str
    text: str
    calendar: str | None


class Delivery:
    """Sends what is due from one database through one relay."""

    def __init__(
        self, db: Database, mailer: Mailer, templates: Templates, sender: str, public_url: str
    ) -> None:
        self.db, self.mailer, self.templates = db, mailer, templates
        self.sender, self.public_url = sender, public_url
        self.origin = visits.origin(public_url, sender)

    def deliver(self, stopping: Callable[[], bool] = lambda: False) -> int:
        """Send what is due by now, in the order of its time, or until `stopping`; how many
        messages were tried."""
        due, tried = int(time.time()), 0
        while not stopping():
            lease = int(time.time()) + LEASE
            claimed = transaction(self.db, partial(self._claim, due, lease))
            if not claimed:
                break
            tried += self._send_all(claimed, lease, stopping)
        return tried

    def _claim(self, due: int, lease: int) -> list[Queued]:
        self.db.write(_EXPIRED, due)
        rows = [Queued(*row) for row in self.db.rows(_DUE + self.db.FOR_UPDATE, due, MOST)]
        if rows:
            marks = ", ".join("?" * len(rows))
            self.db.write(_CLAIM.format(marks), lease, *(row.id for row in rows))
        return rows

    def _send_all(
        self, claimed: list[Queued], lease: int, stopping: Callable[[], bool]
    ) -> int:
        """Send them over one connection; what is not come to goes back into the outbox.

        While the relay has one message, the words of the next are found.
        """
        with self.mailer.session() as line, self._ahead() as ahead:
            coming = ahead.submit(self._ready, claimed[0])
            for at, row in enumerate(claimed):
                if stopping() or time.time() > lease - TIME_LIMIT:
                    for left in claimed[at:]:
                        self._write(_UNTRIED, left.prochain_essai, left.id, lease)
                    return at
                ready = coming
                if row is not claimed[-1]:
                    coming = ahead.submit(self._ready, claimed[at + 1])
                self._send(line, row, ready, lease, stopping)
        return len(claimed)

    @contextmanager
    def _ahead(self) -> Iterator[ThreadPoolExecutor]:
        """A thread that finds words, on a connection of its own."""
        with ThreadPoolExecutor(1) as ahead:
            try:
                yield ahead
            finally:
                ahead.submit(forget, self.db)

    def _send(
        self,
        line: Line,
        row: Queued,
        coming: "Future[Ready]",
        lease: int,
        stopping: Callable[[], bool],
    ) -> None:
        try:
            ready = coming.result()
            line.send(ready.mail)
        except NotNeeded as ex:
            self._write(_FAILED, "abandonne", int(time.time()), str(ex), row.id, lease)
            self._count("not_needed")
            return
        except MailNotSent as ex:
            self._fail(row, lease, _reason(ex.__cause__ or ex))
            return
        except (DatabaseUnavailable, *UNAVAILABLE):
            raise
        except Exception as ex:  # one message that cannot be written must not hold up the rest
            logger.exception("message %d, %s", row.id, row.genre)
            self._fail(row, lease, _reason(ex))
            return
        self._mark_sent(row, ready, lease, stopping)
        self._count("sent")
        logger.info("message %d, %s: sent", row.id, row.genre)

    def _mark_sent(
        self, row: Queued, ready: Ready, lease: int, stopping: Callable[[], bool]
    ) -> None:
        """Mark it, as soon as the database answers: until then it may be sent again."""
        kept = (int(time.time()), ready.subject, ready.text, ready.calendar)
        while True:
            try:
                return self._write(_SENT, *kept, row.id, lease)
            except (DatabaseUnavailable, *UNAVAILABLE):
                if stopping() or time.time() > lease:
                    raise
            forget(self.db)
            time.sleep(DOWN)

    def _fail(self, row: Queued, lease: int, reason: str) -> None:
        given_up = row.essais >= len(PAUSES)
        statut = "abandonne" if given_up else "attente"
        again = int(time.time()) + (0 if given_up else PAUSES[row.essais])
        self._write(_FAILED, statut, again, reason, row.id, lease)
        self._count("given_up" if given_up else "postponed")
        outcome = "given up" if given_up else "not sent"
        logger.warning("message %d, %s: %s: %s", row.id, row.genre, outcome, reason)

    def _count(self, outcome: str) -> None:
        self.db.counters.count(ATTEMPTS, outcome)

    def _write(self, sql: str, *values: object) -> None:
        transaction(self.db, lambda: self.db.write(sql, *values))

    # From facts to words.

    def _ready(self, row: Queued) -> Ready:
        """The message. Raises NotNeeded."""
        if row.genre == resetting.GENRE:
            return self._reset(row)
        visit = visits.booked(self.db, row.reservation_id or 0)
        if row.genre == "rappel" and (visit.statut, visit.debut) != ("confirmee", row.debut):
            raise NotNeeded("the visit was cancelled or moved")
        if row.genre == "rappel" and row.debut <= time.time():
            raise NotNeeded("the visit has begun")
        to_business = row.genre in messages.TO_BUSINESS
        langue = visit.entreprise_langue if to_business else visit.langue
        link = f"{self.public_url}/reservations/{visit.id}"
        values = messages.about(visit, row.debut, row.fin, langue, link, row.message or "")
        words = self.templates.render(row.genre, langue, values)
        reply_to = visit.email if to_business else visit.entreprise_email
        return self._composed(row, words, reply_to, self._calendar(row, visit))

    def _reset(self, row: Queued) -> Ready:
        token = resetting.issue(self.db, row.destinataire, int(time.time()))
        if token is None:
            raise NotNeeded("no active account has this address")
        # What stands behind # is sent to no server and stands in no log.
        link = f"{self.public_url}/mot-de-passe#{token}"
        langue = _language_of(self.db, row.destinataire)
        words = self.templates.render(row.genre, langue, {"lien": link})
        ready = self._composed(row, words, "", None)
        return ready._replace(text="")  # the link is not kept

    def _composed(
        self, row: Queued, words: messages.Words, reply_to: str, calendar: Calendar | None
    ) -> Ready:
        host = self.origin.host or "localhost"
        mail = compose(
            sender=self.sender,
            recipient=row.destinataire,
            subject=words.subject,
            text=words.text,
            html=words.html,
            reply_to=reply_to,
            calendar=calendar,
            message_id=f"<{row.id}.{row.cree_le}@{host}>",
        )
        kept = calendar.text if calendar else None
        return Ready(mail, words.subject[:250], words.text, kept)

    def _calendar(self, row: Queued, visit: Booked) -> Calendar | None:
        """What puts the visit into the customer's calendar, moves it there or takes it out."""
        entry = replace(
            visits.for_customer(visit, self.origin),
            debut=row.debut,
            fin=row.fin,
            sequence=row.sequence,
            stamp=row.cree_le,
        )
        if row.genre in ("annulee", "annulee_entreprise"):
            if not self.db.rows(_INVITED, visit.id):  # a mere request is in no calendar
                return None
            return Calendar("CANCEL", icalendar.cancellation(entry))
        moved = row.genre == "deplacee" and visit.statut == "confirmee"
        if moved or row.genre in ("confirmee", "approuvee"):
            return Calendar("REQUEST", icalendar.invitation(replace(entry, statut="confirmee")))
        return None


def _language_of(db: Database, email: str) -> str:
    rows = db.rows("SELECT langue FROM utilisateur WHERE email = ?", email)
    return str(rows[0][0]) if rows else messages.LANGUAGES[0]


def _reason(ex: BaseException) -> str:
    """What the relay or the network said, in one line, and without what a link has behind #."""
    said = " ".join(f"{type(ex).__name__}: {ex}".split())
    return re.sub(r"#\S+", "#…", said)[:500]
