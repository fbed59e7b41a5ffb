"""The contact form, which sends an e-mail to the operator."""

import logging
from collections.abc import Mapping

from reservation.domain.messages.mailers import Mailer
from reservation.domain.messages.senders import reason
from reservation.domain.people import attempts
from reservation.domain.people.attempts import Limit
from reservation.errors import MailNotSent
from reservation.lib.mime import compose, one_line
from reservation.storage.database import Database, transaction

logger = logging.getLogger("reservation")

_LONGEST_NAME = 200
PER_ADDRESS = Limit.flat("contact of an address", most=5, period=3600)
PER_NETWORK = Limit.flat("contact of a network", most=10, period=3600)


def count(db: Database, email: str, client: str, now: int) -> None:
    """Counts a use of the contact form. Raises TooManyAttempts if the address or the client's
    network has reached its limit."""

    def work() -> None:
        attempts.spend(db, PER_NETWORK, attempts.network(client), now)
        attempts.spend(db, PER_ADDRESS, email, now)

    transaction(db, work)


def send(mailer: Mailer, fields: Mapping[str, str], sender: str, recipient: str) -> None:
    """Sends a valid form (specification, section 2.4) to the operator. Raises MailNotSent if the
    relay does not accept the message."""
    name = one_line(fields["name"].strip())[:_LONGEST_NAME]
    email, phone = fields["email"], one_line(fields["phone"].strip())
    text = f"Nom : {name}\nE-mail : {email}\nTéléphone : {phone}\n\n{fields['message'].strip()}\n"
    subject = f"Message de {name}"
    mail = compose(sender=sender, recipient=recipient, reply_to=email, subject=subject, text=text)
    try:
        mailer.send(mail)
    except MailNotSent as ex:
        logger.warning("contact message: not sent: %s", reason(ex.__cause__ or ex))
        raise
