"""The form-based operations of the specification: sections 2.2, 2.4 and 4.2."""

from typing import Any

import falcon
import peewee

from reservation.domain.messages import contact
from reservation.domain.people import accounts, passwords
from reservation.errors import DatabaseUnavailable, NotPermitted
from reservation.http.codes import RequestRefused
from reservation.http.errors import as_text, with_success
from reservation.operations import account_kinds, kinds, properties
from reservation.operations.answers import CODE, Answer, ok, refused
from reservation.operations.bodies import FORM, TextBody
from reservation.operations.fields import Field
from reservation.operations.kinds import text
from reservation.operations.operation import operation
from reservation.operations.properties import ID
from reservation.operations.resource import Resource
from reservation.operations.shapes import Property, Shape, plain
from reservation.storage.models import Utilisateur

PLAIN = "text/plain"
_UNSAFE = "Unsafe. Refused in production, unless RESERVATION_UNSAFE_FORMS is `on`."


class RegistrationForm(TextBody):
    """Accepts short passwords: the specification has a minimum length only for /auth/register."""

    media_type = FORM

    email = Field(account_kinds.ACCOUNT_EMAIL, example="rose@example.fr")
    password = Field(account_kinds.password(1), example="un bon mot de passe")
    nom = Field(text(accounts.LONGEST_NAME, shortest=1), example="Petit")


class EchoForm(TextBody):
    media_type = FORM

    email = Field(kinds.GIVEN, example="rose@example.fr")
    password = Field(kinds.GIVEN, example="un bon mot de passe")


class UserSearch(TextBody):
    media_type = FORM

    username = Field(kinds.GIVEN, example="Petit", doc="A family name.")


class ContactMessage(TextBody):
    missing = "contact_fields_missing"
    not_text = "contact_fields_not_text"

    name = Field(kinds.GIVEN, example="Chloé Martin")
    email = Field(account_kinds.CONTACT_EMAIL, example="chloe@example.fr")
    phone = Field(kinds.TEXT, default="", nullable=True)
    message = Field(kinds.GIVEN, example="Bonjour")


RECORD = Shape(
    "UserRecord",
    {
        "id": ID,
        "nom": properties.text("Petit"),
        "prenom": properties.text("Rose"),
        "date_naissance": Property(
            {"type": ["string", "null"], "format": "date", "examples": ["2001-05-17"]},
            show=account_kinds.BIRTHDAY.show,
        ),
        "email": properties.text("rose@example.fr"),
        "mot_de_passe_hash": {"type": ["string", "null"], "examples": ["$2b$12$…"]},
        "telephone": properties.text(),
    },
)
_CONTACT_REFUSED = plain(
    "ContactError",
    # An answer of `Contact` has `success`. If the request was refused before `Contact` ran, for
    # example for a duplicate query parameter, the answer has `code` instead of `success`.
    ("success", "code"),
    code=CODE,
    success={"type": "boolean", "enum": [False]},
    error=properties.text("Tous les champs sont requis"),
)
_CONTACT_SENT = plain(
    "ContactSent",
    success={"type": "boolean", "enum": [True]},
    message=properties.text("Message envoyé avec succès"),
)


def require_open_forms(_req: Any, _resp: Any, resource: Any, _params: Any) -> None:
    """Raises NotPermitted if the forms are disabled. Use with `falcon.before`.

    Production disables /login_form, which returns the password, and /teste, which returns the
    password hash.
    """
    if not resource.settings.forms_are_open:
        raise NotPermitted()


class RegisterForm(Resource):
    """POST /register_form"""

    @operation(
        "registerForm",
        "Create the account of a student from a form",
        ok("The account was created.", properties.text("OK"), media_type=PLAIN),
        description="In production the password needs 8 characters, and the most common passwords"
        " are refused.",
        refuses=(
            Answer(
                400,
                "A field is missing or wrong, or the e-mail is taken.",
                properties.text("Email already exists"),
                PLAIN,
            ),
            *refused(429),
        ),
        errors=as_text,
    )
    def on_post(self, req: falcon.Request, body: RegistrationForm, now: int) -> bytes:
        if self.settings.production:
            accounts.check_password(body.password)
        passwords.refuse_common(body.password, self.settings.production)
        if self.settings.limits:
            accounts.count_registration(self.db, req.remote_addr, now)
        accounts.add(self.db, self.settings.bcrypt_rounds, role="student", now=now, **body.values)
        return b"OK"


class LoginForm(Resource):
    """POST /login_form"""

    @falcon.before(require_open_forms)
    @operation(
        "loginForm",
        "Echo the form",
        ok(
            "The fields of the form.",
            plain(
                "Echo",
                email=properties.text("rose@example.fr"),
                password=properties.text("un bon mot de passe"),
            ),
        ),
        description=_UNSAFE,
        refuses=refused(403),
        database=False,
    )
    def on_post(self, body: EchoForm) -> Any:
        return body.values


class Teste(Resource):
    """POST /teste"""

    @falcon.before(require_open_forms)
    @operation(
        "findUser",
        "Find a user by family name",
        ok("The first user with this name.", RECORD),
        description=_UNSAFE,
        refuses=refused(403, 404, 500),
        database=False,  # answers 500, not 503, if the database fails: section 4.2
    )
    def on_post(self, body: UserSearch) -> Utilisateur:
        try:
            return accounts.find_by_name(self.db, body.username)
        except (DatabaseUnavailable, peewee.PeeweeException):
            raise RequestRefused("server_error") from None


class Contact(Resource):
    """POST /contact"""

    @operation(
        "contact",
        "Send a message to the operator",
        ok("The message was sent.", _CONTACT_SENT),
        refuses=(
            Answer(400, "A field is missing or wrong.", _CONTACT_REFUSED),
            Answer(413, "The body is too large.", _CONTACT_REFUSED),
            Answer(415, "The body is not JSON.", _CONTACT_REFUSED),
            Answer(429, "Too many messages.", _CONTACT_REFUSED, headers=("Retry-After",)),
            Answer(500, "The relay did not accept the message.", _CONTACT_REFUSED),
            Answer(503, "Database unavailable.", _CONTACT_REFUSED, headers=("Retry-After",)),
        ),
        description="If RESERVATION_LIMITS is `on`, the limits are 5 messages per address and 10"
        " per network in an hour.",
        database=False,  # works without the database, unless RESERVATION_LIMITS is `on`
        errors=with_success,
    )
    def on_post(self, req: falcon.Request, body: ContactMessage, now: int) -> Any:
        settings = self.settings
        if settings.limits:
            contact.count(self.db, body.email, req.remote_addr, now)
        contact.send(self.parts.mailer, body.values, settings.mail_from, settings.contact_to)
        return {"success": True, "message": "Message envoyé avec succès"}
