"""Registration (specification, sections 2.1 and 4.1), and the caller's account."""

from functools import partial
from typing import Any

import falcon

from reservation.domain.messages import messages
from reservation.domain.people import accounts, passwords, sessions
from reservation.domain.people.sessions import Account
from reservation.domain.privacy import erasing
from reservation.errors import NotPermitted
from reservation.http.bearer import caller
from reservation.http.conditional import check_match
from reservation.http.replies import to_json
from reservation.operations import account_kinds, kinds, properties, shapes
from reservation.operations.answers import created, no_content, ok, refused
from reservation.operations.bodies import Body, TextBody
from reservation.operations.fields import Field
from reservation.operations.kinds import choice, text
from reservation.operations.operation import operation
from reservation.operations.properties import ID, as_sent
from reservation.operations.resource import Resource
from reservation.operations.shapes import Property, Shape
from reservation.resources.people.sessions import NEW_TOKEN
from reservation.storage.models import Utilisateur


class Registration(TextBody):
    email = Field(account_kinds.ACCOUNT_EMAIL, example="chloe@example.fr")
    password = Field(account_kinds.password(), example="un bon mot de passe")
    first_name = Field(text(accounts.LONGEST_NAME, shortest=1), example="Chloé")
    last_name = Field(text(accounts.LONGEST_NAME, shortest=1), example="Martin")
    role = Field(account_kinds.ROLE, example="student")
    school = Field(text(200), default="", nullable=True)
    phone = Field(text(40), default="", nullable=True)


class ProfileChange(Body):
    nom = Field(text(accounts.LONGEST_NAME, shortest=1), example="Martin")
    prenom = Field(text(accounts.LONGEST_NAME), default="")
    telephone = Field(text(40), default="")
    date_naissance = Field(
        account_kinds.BIRTHDAY, default=None, nullable=True, example="2001-05-17"
    )
    ecole = Field(text(200), default="")
    langue = Field(
        choice(*messages.LANGUAGES), default="fr", doc="The language of messages to the account."
    )


_DONE = properties.text("User registered successfully")
PROFILE = Shape(
    "Profile",
    {
        "id": ID,
        "email": properties.text("chloe@example.fr"),
        **as_sent(ProfileChange),
        "role": Property(
            account_kinds.ROLE.schema, show=sessions.ROLE_NAMES.get, source="type_id"
        ),
        "email_prouve": Property(
            {"type": "boolean", "examples": [True]},
            show=lambda row: row.email_prouve_le is not None,
            source="",
        ),
    },
)


class AccountErasure(TextBody):
    partial = True

    password = Field(
        kinds.TEXT, default="", nullable=True, example="un bon mot de passe",
        doc="Required if the account has a password.",
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
        " passwords are refused. If RESERVATION_LIMITS is `on`, the limit is 20 registrations per"
        " network in an hour.",
        headers=("Accept-Language",),
        refuses=refused(401, 403, 419, 429),
    )
    def on_post(self, req: falcon.Request, body: Registration, now: int) -> Any:
        if self.settings.production and body.role == "admin":
            self._require_admin(req)
        passwords.refuse_common(body.password, self.settings.production)
        if self.settings.limits:
            accounts.count_registration(self.db, req.remote_addr, now)
        user_id = accounts.register(
            self.db, self.settings.bcrypt_rounds, body.values, now=now, langue=self.language(req)
        )
        return {"message": "User registered successfully", "user_id": user_id}

    def _require_admin(self, req: falcon.Request) -> None:
        if not req.get_header("Authorization") or caller(req, self).role != "admin":
            raise NotPermitted()


def _check_match(req: falcon.Request, present: Utilisateur) -> None:
    check_match(req, to_json(PROFILE.show(present)))


class Compte(Resource):
    """GET, PUT, DELETE /api/compte"""

    @operation("readCompte", "The caller's account", ok("The account.", PROFILE))
    def on_get(self, account: Account) -> Utilisateur:
        return accounts.get(self.db, account.id)

    @operation(
        "updateCompte",
        "Replace the personal data of the caller's account",
        ok("The account.", PROFILE),
        description="The e-mail address and the role do not change here.",
        headers=("If-Match",),
        refuses=refused(412),
    )
    def on_put(self, req: falcon.Request, account: Account, body: ProfileChange) -> Utilisateur:
        check = partial(_check_match, req)
        accounts.update_profile(self.db, account.id, body.values, check)
        return accounts.get(self.db, account.id)

    @operation(
        "eraseCompte",
        "Erase the caller's account and personal data",
        no_content("Erased."),
        description="Cancels the upcoming bookings. Businesses keep times and services of past"
        " bookings, without personal data. Refused while the caller owns an open business.",
        headers=("If-Match",),
        refuses=refused(409, 412, 429),
    )
    def on_delete(
        self, req: falcon.Request, account: Account, body: AccountErasure, now: int
    ) -> None:
        _check_match(req, accounts.get(self.db, account.id))
        rounds = self.settings.bcrypt_rounds
        erasing.erase_account(self.db, account, body.password, rounds, now)


class Company(Resource):
    """POST /api/compte/entreprise"""

    @operation(
        "becomeCompany",
        "Change the caller's role from student to company, which may open a business",
        NEW_TOKEN,
        description="Older tokens are revoked; the answer has a new token.",
        roles=("student",),
    )
    def on_post(self, account: Account, now: int) -> Any:
        changed = accounts.become_company(self.db, account.id, now)
        token = sessions.open_session(self.db, self.tokens, changed, now, account.lifetime)
        return {"token": token}
