"""The token-based account group (specification, 2.1 and 4.1), and the caller's account."""

from typing import Any

import falcon

from reservation.domain.messages import messages
from reservation.domain.people import accounts, credentials, sessions
from reservation.domain.people.sessions import Account
from reservation.domain.privacy import erasing
from reservation.errors import NotPermitted
from reservation.http.bearer import caller
from reservation.lib.languages import preferred
from reservation.operations import kinds, shapes
from reservation.operations.answers import created, no_content, ok, refused
from reservation.operations.bodies import Body, TextBody
from reservation.operations.fields import Field
from reservation.operations.kinds import choice, text
from reservation.operations.operation import operation
from reservation.operations.resource import Resource
from reservation.operations.shapes import ID, Property, Shape, as_sent
from reservation.storage.models import Utilisateur

ROLE = dict(kinds.ROLE.schema)
TOKEN = shapes.text("eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.abc")
NOT_STORED = ("Cache-Control",)  # a header of each answer with a token


class Registration(TextBody):
    email = Field(kinds.ACCOUNT_EMAIL, example="chloe@example.fr")
    password = Field(kinds.password(), example="un bon mot de passe")
    first_name = Field(text(accounts.LONGEST_NAME, shortest=1), example="Chloé")
    last_name = Field(text(accounts.LONGEST_NAME, shortest=1), example="Martin")
    role = Field(kinds.ROLE, example="student")
    school = Field(text(200), default="", nullable=True)
    phone = Field(text(40), default="", nullable=True)


class Credentials(TextBody):
    missing = "credentials_missing"
    not_text = "credentials_not_text"

    email = Field(kinds.GIVEN, example="chloe@example.fr")
    password = Field(kinds.GIVEN, example="un bon mot de passe")


class ProfileChange(Body):
    nom = Field(text(accounts.LONGEST_NAME, shortest=1), example="Martin")
    prenom = Field(text(accounts.LONGEST_NAME), default="")
    telephone = Field(text(40), default="")
    date_naissance = Field(kinds.BIRTHDAY, default=None, nullable=True, example="2001-05-17")
    ecole = Field(text(200), default="")
    langue = Field(
        choice(*messages.LANGUAGES), default="fr", doc="The language of messages to the account."
    )


USER = {
    "id": ID,
    "email": shapes.text("chloe@example.fr"),
    "first_name": shapes.text("Chloé"),
    "last_name": shapes.text("Martin"),
    "role": ROLE,
    "school": shapes.text(),
}
_DONE = shapes.text("User registered successfully")
PROFILE = Shape(
    "Profile",
    {
        "id": ID,
        "email": shapes.text("chloe@example.fr"),
        **as_sent(ProfileChange),
        "role": Property(ROLE, show=sessions.ROLE_NAMES.get, source="type_id"),
    },
)


class AccountErasure(TextBody):
    partial = True

    password = Field(
        kinds.TEXT, default="", nullable=True, example="un bon mot de passe",
        doc="If the account has one.",
    )


class Register(Resource):
    """POST /auth/register"""

    @operation(
        "register",
        "Create an account",
        created(
            "The account was created.",
            shapes.plain("Registered", message=_DONE, user_id=ID),
        ),
        description="In production only an admin can register an admin, and the most common"
        " passwords are refused.",
        headers=("Accept-Language",),
        refuses=refused(401, 403, 419),
    )
    def on_post(self, req: falcon.Request, body: Registration, now: int) -> Any:
        if self.settings.production:
            if body.role == "admin":
                self._require_admin(req)
            accounts.refuse_common(body.password)
        langue = preferred(req.get_header("Accept-Language", default=""), messages.LANGUAGES)
        user_id = accounts.register(
            self.db, self.settings.bcrypt_rounds, body.values, now=now, langue=langue
        )
        return {"message": "User registered successfully", "user_id": user_id}

    def _require_admin(self, req: falcon.Request) -> None:
        if not req.get_header("Authorization"):
            raise NotPermitted()
        if caller(req, self.db, self.tokens).role != "admin":
            raise NotPermitted()


class Login(Resource):
    """POST /auth/login"""

    @operation(
        "login",
        "Sign in",
        ok(
            "The token of the session.",
            shapes.plain("Session", token=TOKEN, user=shapes.plain("User", **USER)),
            headers=NOT_STORED,
        ),
        description="Ten consecutive failures for an e-mail address from one network lock this"
        " address for this network for 30 seconds (429). Each further failure doubles the"
        " time, up to 15 minutes.",
        refuses=refused(401, 403, 429),
    )
    def on_post(self, req: falcon.Request, body: Credentials, now: int) -> Any:
        account = credentials.log_in(
            self.db,
            body.email,
            body.password,
            self.settings.bcrypt_rounds,
            req.remote_addr,
            now=now,
        )
        return {
            "token": sessions.open_session(self.tokens, account),
            "user": {
                "id": account.id,
                "email": account.email,
                "first_name": account.prenom,
                "last_name": account.nom,
                "role": sessions.ROLE_NAMES[account.type_id],
                "school": account.ecole,
            },
        }


class Refresh(Resource):
    """POST /auth/refresh"""

    @operation(
        "refresh",
        "Exchange a valid token for a new one",
        ok("The new token.", shapes.plain("Token", token=TOKEN), headers=NOT_STORED),
    )
    def on_post(self, account: Account) -> Any:
        return {"token": accounts.renew(self.db, self.tokens, account)}


class Compte(Resource):
    """GET, PUT, DELETE /api/compte"""

    @operation("readCompte", "The caller's account", ok("The account.", PROFILE))
    def on_get(self, account: Account) -> Utilisateur:
        return accounts.get(self.db, account.id)

    @operation(
        "updateCompte",
        "Replace the personal data of the caller's account",
        ok("The account.", PROFILE),
        description="The e-mail address and the role do not change.",
    )
    def on_put(self, account: Account, body: ProfileChange) -> Utilisateur:
        accounts.update_profile(self.db, account.id, body.values)
        return accounts.get(self.db, account.id)

    @operation(
        "eraseCompte",
        "Erase the caller's account and personal data",
        no_content("Erased."),
        description="Cancels the upcoming bookings. Businesses keep times and services of past"
        " bookings, without the person. Refused while the caller owns an open business.",
        refuses=refused(403, 409),
    )
    def on_delete(self, account: Account, body: AccountErasure, now: int) -> None:
        rounds = self.settings.bcrypt_rounds
        erasing.erase_account(self.db, account, body.password, rounds, now)
