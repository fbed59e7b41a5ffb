"""The contact form: each form becomes an e-mail to the operator."""

from collections.abc import Mapping

from reservation.domain.messages.mailers import Mailer
from reservation.lib.mime import compose, one_line

_LONGEST_NAME = 200


def send(mailer: Mailer, fields: Mapping[str, str], sender: str, recipient: str) -> None:
    """Sends the valid fields of the specification, section 2.4. Raises MailNotSent."""
    name = one_line(fields["name"].strip())[:_LONGEST_NAME]
    email, phone = fields["email"], one_line(fields["phone"].strip())
    text = f"Nom : {name}\nE-mail : {email}\nTéléphone : {phone}\n\n{fields['message'].strip()}\n"
    subject = f"Message de {name}"
    mail = compose(sender=sender, recipient=recipient, reply_to=email, subject=subject, text=text)
    mailer.send(mail)
