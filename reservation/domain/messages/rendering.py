"""Renders queued messages as e-mails."""

import time
from typing import NamedTuple

from reservation.domain import states
from reservation.domain.calendar import lateness
from reservation.domain.calendar.terms import terms
from reservation.domain.messages import earlier, formats, messages, visits
from reservation.domain.messages.claims import QueuedMessage
from reservation.domain.messages.messages import MessageText, Templates
from reservation.domain.messages.visits import VisitRecord
from reservation.domain.outbox import outbox
from reservation.domain.outbox.outbox import SentContent
from reservation.domain.outbox.readdressing import LATEST
from reservation.domain.people import accounts, codes, resetting
from reservation.domain.people.codes import Codes
from reservation.domain.people.links import Links
from reservation.lib import icalendar
from reservation.lib.mime import CalendarFile, Mail, compose
from reservation.storage.database import Database
from reservation.storage.models import Utilisateur

VISIT_CHANGED = "visit_changed"
VISIT_BEGUN = "visit_begun"
NO_CLOSURE = "no_closure"


class NotNeeded(Exception):
    """The message is obsolete. The text of the exception is the reason."""


class RenderedMessage(NamedTuple):
    """`erased` is True if the customer or the owner was erased before the rendering."""

    mail: Mail
    content: SentContent
    erased: bool = False


class Renderer:
    def __init__(
        self, db: Database, templates: Templates, sender: str, public_url: str, secret: str
    ) -> None:
        self.db, self.templates, self.links = db, templates, Links(secret, public_url)
        self.sender, self.public_url = sender, public_url
        self.origin = visits.origin(public_url, sender)
        self.site = self.origin.host or "localhost"
        self.codes = Codes(secret)

    def render(self, row: QueuedMessage) -> RenderedMessage:
        """Raises NotNeeded if the message is obsolete."""
        if row.genre in messages.TO_ACCOUNT:
            return self._to_account(row)
        visit = visits.get(self.db, row.reservation_id or 0)
        if reason := self._obsolete(row, visit):
            raise NotNeeded(reason)
        to_business = row.genre in outbox.TO_BUSINESS
        langue = visit.entreprise_langue if to_business else visit.langue
        link = self._link(row, visit, to_business)
        values = messages.values_of(visit, row.debut, row.fin, langue, link, row.message or "")
        about = self.db, row, visit, langue
        values["avant"] = earlier.given_up(*about) or earlier.moved_from(*about)
        values["tarif"] = formats.price(visit.prix_centimes * visit.places, langue)
        values["attente"] = earlier.pending(row, visit, langue)
        values["suite"] = "" if to_business else earlier.next_step(self.db, visit, langue)
        values["site"] = self.site
        text = self.templates.render(row.genre, langue, values)
        reply_to, sender_name = visit.entreprise_email, visit.entreprise
        if to_business:
            reply_to, sender_name = visit.email, ""
        # Owners can read the stored text, so it must not contain the token of the customer's link.
        corps = text.text.replace(link, link.partition("#")[0])
        calendar = self._calendar(row, visit)
        rendered = self._composed(row, text, corps, reply_to, sender_name, calendar)
        return rendered._replace(erased=visit.is_erased)

    def _obsolete(self, row: QueuedMessage, visit: VisitRecord) -> str:
        """Returns the reason why the message is obsolete, or "" if the message is needed.

        Ignores changes that queue no message, such as a new comment.
        """
        now = time.time()
        # A closure is news for a customer only until the visit begins (`outbox.tell_of_closure`).
        end = visit.debut if row.genre == "fermeture" else visit.fin
        # A message with `envoye_le` is being resent, which is allowed even after the visit.
        is_over = end <= now and row.envoye_le is None
        # `readdress` skips such messages: this one may have a former address of the customer.
        if visit.debut <= now - LATEST and row.envoye_le is None:
            return VISIT_BEGUN
        if row.genre == "rappel":
            if (visit.statut, visit.debut) != ("confirmee", row.debut):
                return VISIT_CHANGED
            if row.debut <= now:
                return VISIT_BEGUN
            # The customer knows of a closure.
            return outbox.CLOSED if lateness.is_closed(self.db, visit.id) else ""
        if row.genre in outbox.TO_BUSINESS and earlier.is_overtaken(self.db, row):
            return VISIT_CHANGED
        if row.genre in ("nouvelle", "deplacement") and is_over:
            return VISIT_BEGUN
        if row.genre in (*outbox.ANNOUNCEMENTS, "fermeture", "maintenue", "a_valider"):
            if visit.statut in states.RELEASED or earlier.superseded(self.db, row, visit):
                return VISIT_CHANGED
            if is_over:
                return VISIT_BEGUN
            if row.genre == "fermeture" and (
                not lateness.is_closed(self.db, visit.id) or earlier.is_repeated(self.db, row)
            ):
                return NO_CLOSURE  # the closure was removed, and perhaps added again
            if row.genre == "maintenue" and lateness.is_closed(self.db, visit.id):
                return outbox.CLOSED  # closed again
        return ""

    def is_closed(self, row: QueuedMessage) -> bool:
        """Returns whether a closure covers the visit. Call within a transaction: until it ends,
        nobody can change or remove the closure."""
        terms(self.db, row.entreprise_id or 0, None, shared=True)
        return lateness.is_closed(self.db, row.reservation_id or 0)

    def _link(self, row: QueuedMessage, visit: VisitRecord, to_business: bool) -> str:
        if to_business:
            return f"{self.public_url}/reservations/{visit.id}"
        # Do not use `visit.email`: if the message goes to a former address of the customer, the
        # link must not work, because a stranger may read mail to that address.
        return self.links.url(visit.id, row.destinataire, visit.since)

    def _to_account(self, row: QueuedMessage) -> RenderedMessage:
        """Renders a message in the language of the account.

        If no account has the address, uses the language code in `row.message`, such as `fr`.
        """
        account = accounts.find(self.db, row.destinataire)
        langue = account.langue if account else row.message or messages.LANGUAGES[0]
        values = self._values(row, account) | {"site": self.site}
        text = self.templates.render(row.genre, langue, values)
        return self._composed(row, text, "" if row.genre in messages.SECRETS else text.text)

    def _values(self, row: QueuedMessage, account: Utilisateur | None) -> dict[str, str]:
        now = int(time.time())
        if row.genre == resetting.GENRE:
            token = resetting.issue(self.db, row.destinataire, now)
            if account is None or token is None:
                raise NotNeeded("no active account has this address")
            # Browsers never send a fragment (#…) to a server, so no server logs the token.
            return {"lien": f"{self.public_url}/mot-de-passe#{token}"}
        if row.genre == codes.GENRE:
            if row.cree_le + codes.LIFETIME < now:
                raise NotNeeded("the code was requested too long ago")
            return {"code": self.codes.issue(self.db, row.destinataire, now)}
        return {"lien": f"{self.public_url}/nous-ecrire"}

    def _composed(
        self, row: QueuedMessage, text: MessageText, corps: str, reply_to: str = "",
        sender_name: str = "", calendar: CalendarFile | None = None,
    ) -> RenderedMessage:
        """Builds the mail. `corps` is the text to store."""
        mail = compose(
            sender=self.sender,
            sender_name=sender_name,
            recipient=row.destinataire,
            subject=text.subject,
            text=text.text,
            html=text.html,
            reply_to=reply_to,
            calendar=calendar,
            message_id=f"<{row.id}.{row.cree_le}@{self.site}>",
            automatic=True,
        )
        content = SentContent(text.subject[:250], corps, calendar and calendar.text)
        return RenderedMessage(mail, content)

    def _calendar(self, row: QueuedMessage, visit: VisitRecord) -> CalendarFile | None:
        # A message to a former address of the customer must not name the present one.
        entry = visits.for_customer(visit._replace(email=row.destinataire), self.origin)._replace(
            debut=row.debut,
            fin=row.fin,
            sequence=row.sequence,
            stamp=row.cree_le,
        )
        if row.genre in ("annulee", "annulee_entreprise", "refusee"):
            if not earlier.invited(self.db, row):
                return None
            return CalendarFile("CANCEL", icalendar.cancellation(entry))
        announced = {
            "confirmee": "confirmee",
            "approuvee": "confirmee",
            "deplacee": visit.statut,
            "demandee": "demandee",
        }.get(row.genre)
        # Update an unconfirmed visit only if an earlier message put it in the customer's calendar.
        if announced == "confirmee" or (
            announced == "demandee" and earlier.invited(self.db, row)
        ):
            return CalendarFile("REQUEST", icalendar.invitation(entry._replace(statut=announced)))
        return None
