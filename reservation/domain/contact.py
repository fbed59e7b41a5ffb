"""The contact form: what somebody wrote becomes one e-mail to the operator."""

from collections.abc import Mapping
from typing import Any

from reservation.domain import emails
from reservation.domain.mail import Mailer
from reservation.domain.mime import compose, one_line
from reservation.errors import InvalidInput

_REQUIRED = ("name", "email", "message")
ALL_REQUIRED = "Tous les champs sont requis"
_LONGEST_NAME = 200


def send(mailer: Mailer, fields: Mapping[str, Any], sender: str, recipient: str) -> None:
    """Send the message of the specification's section 2.4.

    Raises InvalidInput, with the specification's text where a field is missing or blank,
    and MailNotSent.
    """
    texts = {name: fields.get(name) for name in (*_REQUIRED, "phone")}
    if any(text is not None and not isinstance(text, str) for text in texts.values()):
        raise InvalidInput("Les champs doivent être du texte")
    name, email, message, phone = ((text or "").strip() for text in texts.values())
    if not (name and email and message):
        raise InvalidInput(ALL_REQUIRED)
    email = emails.normalised(email)
    if not emails.is_address(email):
        raise InvalidInput("L'adresse e-mail n'est pas valide")
    name = one_line(name)[:_LONGEST_NAME]
    mailer.send(
        compose(
            sender=sender,
            recipient=recipient,
            reply_to=email,
            subject=f"Message de {name}",
            text=f"Nom : {name}\nE-mail : {email}\nTéléphone : {one_line(phone)}\n\n{message}\n",
        )
    )
