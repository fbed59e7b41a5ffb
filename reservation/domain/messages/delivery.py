"""The other end of the outbox: what is due is claimed, rendered and given to a sender.

One sender at a time, so that messages go out in the order of their time over one connection;
while it has one message, the next is rendered. A sender whose relay is slow to answer is left
to wait by itself, and a new one goes on.
"""

import logging
import time
from collections.abc import Callable
from dataclasses import replace

from reservation.domain.messages import claims, messages, visits
from reservation.domain.messages.claims import Kept, Queued
from reservation.domain.messages.mailers import Mailer
from reservation.domain.messages.messages import Templates
from reservation.domain.messages.senders import ANSWER_LIMIT, DOWN, Ready, Sender, reason
from reservation.domain.messages.visits import Booked
from reservation.domain.people import resetting
from reservation.errors import DatabaseUnavailable
from reservation.lib import icalendar
from reservation.lib.mime import Calendar, compose
from reservation.storage.database import UNAVAILABLE, Database, forget

logger = logging.getLogger("reservation")

ROUNDS = 200  # claims of one delivery: the worker has calendars to see to as well
MOST_SENDERS = 20
_ENDING = 2.0  # seconds for a sender that has nothing left to send

_INVITED = (
    "SELECT 1 FROM eventemail WHERE reservation_id = ? AND genre IN ('confirmee', 'approuvee')"
    " LIMIT 1"
)


class NotNeeded(Exception):
    """A message that nobody needs any more; the text says why."""


class Delivery:
    """Sends what is due from one database through one relay."""

    def __init__(
        self, db: Database, mailer: Mailer, templates: Templates, sender: str, public_url: str
    ) -> None:
        self.db, self.mailer, self.templates = db, mailer, templates
        self.sender, self.public_url = sender, public_url
        self.origin = visits.origin(public_url, sender)
        self._senders: list[Sender] = []

    def deliver(self, stopping: Callable[[], bool] = lambda: False) -> int:
        """Send what is due by now, in the order of its time, or until `stopping`; how many
        messages were tried.

        Ends with nothing claimed while MOST_SENDERS wait for an answer of the relay.
        """
        due, tried = int(time.time()), 0
        for _ in range(ROUNDS):
            fell_back = time.time() < due - 1
            if stopping() or fell_back or self._waiting() >= MOST_SENDERS:
                break
            lease = int(time.time()) + claims.LEASE
            claimed = claims.take(self.db, due, lease)
            if not claimed:
                break
            tried += self._send_all(claimed, lease, stopping)
        return tried

    def wait(
        self, seconds: float = ANSWER_LIMIT, stopping: Callable[[], bool] = lambda: False
    ) -> None:
        """Until the relay has answered for each message that is being sent."""
        until = time.monotonic() + seconds
        while self._waiting() and time.monotonic() < until and not stopping():
            self._senders[0].join(0.2)

    def _waiting(self) -> int:
        """How many senders have not ended."""
        self._senders = [one for one in self._senders if not one.join(0)]
        return len(self._senders)

    def _send_all(
        self, claimed: list[Queued], lease: int, stopping: Callable[[], bool]
    ) -> int:
        """Send them, one after the other; what cannot be begun goes back into the outbox."""
        sender: Sender | None = None
        try:
            for at, row in enumerate(claimed):
                ready = self._rendered(row, lease, stopping)
                is_free = sender is not None and sender.is_free()
                if not is_free and not stopping():
                    sender = self._new_sender(sender, stopping)
                if sender is None or stopping() or not claims.begins(lease):
                    claims.give_back(self.db, claimed[at:], lease)
                    return at
                if ready is not None:
                    sender.send(row, ready, lease)
        finally:
            if sender is not None:
                sender.end()
                if sender.is_free():
                    sender.join(_ENDING)
        return len(claimed)

    def _new_sender(
        self, left: Sender | None, stopping: Callable[[], bool]
    ) -> Sender | None:
        """One in place of another that is left waiting; None if there are too many."""
        if left is not None:
            left.end()
        if self._waiting() >= MOST_SENDERS:
            return None
        self._senders.append(Sender(self.db, self.mailer, stopping))
        return self._senders[-1]

    def _rendered(
        self, row: Queued, lease: int, stopping: Callable[[], bool]
    ) -> Ready | None:
        """The message, as soon as the database answers; None, and marked accordingly, if there
        is nothing to send."""
        while True:
            try:
                return self._ready(row)
            except NotNeeded as ex:
                claims.mark_not_needed(self.db, row, lease, str(ex))
                return None
            except (DatabaseUnavailable, *UNAVAILABLE) as ex:
                if stopping() or not claims.begins(lease):
                    raise
                logger.warning("message %d: the database does not answer: %s", row.id, ex)
            except Exception as ex:  # one message that cannot be written holds up no other
                logger.exception("message %d, %s", row.id, row.genre)
                claims.mark_failed(self.db, row, lease, reason(ex))
                return None
            forget(self.db)
            time.sleep(DOWN)

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
        return ready._replace(kept=ready.kept._replace(text=""))  # the link is not kept

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
        calendar_text = calendar.text if calendar else None
        return Ready(mail, Kept(words.subject[:250], words.text, calendar_text))

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
