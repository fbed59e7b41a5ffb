"""The contact form: what somebody wrote becomes one e-mail to the operator."""

from collections.abc import Mapping

from reservation.domain import emails
from reservation.domain.mail import Mailer
from reservation.domain.mime import compose, one_line
from reservation.errors import InvalidInput

ALL_REQUIRED = "Tous les champs sont requis"
_LONGEST_NAME = 200


def valid_email(text: str) -> str:
    email = emails.normalised(text)
    if not emails.is_address(email):
        raise InvalidInput("L'adresse e-mail n'est pas valide")
    return email


def send(mailer: Mailer, fields: Mapping[str, str], sender: str, recipient: str) -> None:
    """Send the message of the specification's section 2.4, whose fields are valid.

    Raises MailNotSent.
    """
    name = one_line(fields["name"].strip())[:_LONGEST_NAME]
    email, phone = fields["email"], one_line(fields["phone"].strip())
    text = f"Nom : {name}\nE-mail : {email}\nTéléphone : {phone}\n\n{fields['message'].strip()}\n"
    mailer.send(
        compose(
            sender=sender,
            recipient=recipient,
            reply_to=email,
            subject=f"Message de {name}",
            text=text,
        )
    )
