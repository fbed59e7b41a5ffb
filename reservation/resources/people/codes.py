"""Codes by mail: for a login without a password, and to prove or change an e-mail address."""

from typing import Any

import falcon

from reservation.domain.people import accounts, code_login, email_change, sessions
from reservation.domain.people.code_login import Newcomer
from reservation.domain.people.email_change import Proof
from reservation.domain.people.sessions import Account
from reservation.operations import account_kinds, kinds, properties
from reservation.operations.answers import accepted, refused
from reservation.operations.bodies import Body, TextBody
from reservation.operations.fields import Field
from reservation.operations.kinds import text
from reservation.operations.operation import operation
from reservation.operations.resource import Resource
from reservation.operations.shapes import plain
from reservation.resources.people.sessions import NEW_TOKEN, REMEMBER, SESSION, session

_SENT = "A code is on its way"


class CodeRequest(TextBody):
    email = Field(account_kinds.ACCOUNT_EMAIL, example="chloe@example.fr")


class CodeLogin(TextBody):
    email = Field(account_kinds.ACCOUNT_EMAIL, example="chloe@example.fr")
    code = Field(kinds.GIVEN, example="271828")
    first_name = Field(text(accounts.LONGEST_NAME), default="", nullable=True, example="Chloé")
    last_name = Field(text(accounts.LONGEST_NAME), default="", nullable=True, example="Martin")
    phone = Field(text(40), default="", nullable=True)
    remember = REMEMBER


class EmailChange(Body):
    email = Field(kinds.EMAIL, example="chloe@example.fr")
    code = Field(text(40, shortest=1), example="271828")
    password = Field(
        kinds.TEXT, default="", example="un bon mot de passe",
        doc="Required for another address, if the account has a password.",
    )


class AskCode(Resource):
    """POST /auth/code"""

    @operation(
        "askCode",
        "Send a code of six digits to an e-mail address",
        accepted("Accepted.", plain("CodeNoted", message=properties.text(_SENT))),
        description="The answer is the same whether or not the address has an account. The code"
        " works once, within 10 minutes of its message, and allows 5 attempts. A new code revokes"
        " the old code. If RESERVATION_LIMITS is `on`, an address gets at most 10 codes in a day,"
        " and a network 50 in an hour. After 5 codes, an address is locked for the network for an"
        " hour; each further code doubles this time.",
        headers=("Accept-Language",),
        refuses=refused(429),
    )
    def on_post(self, req: falcon.Request, body: CodeRequest, now: int) -> Any:
        self.parts.codes.ask(self.db, body.email, self.language(req), req.remote_addr, now)
        return {"message": _SENT}


class LoginByCode(Resource):
    """POST /auth/code/login"""

    @operation(
        "loginByCode",
        "Sign in with a code",
        SESSION,
        description="For an unknown address, creates the account of a student without a password."
        " This requires `last_name`; without it the answer is `name_required`, and the code stays"
        " valid. If the account exists and its address was not proven, its password, tokens and"
        " feeds are revoked; if `last_name` is given, the given names and telephone replace the"
        " old ones.",
        headers=("Accept-Language",),
        refuses=refused(401, 403, 429),
    )
    def on_post(self, req: falcon.Request, body: CodeLogin, now: int) -> Any:
        account = code_login.log_in(
            self.db,
            self.parts.codes,
            body.email,
            body.code,
            Newcomer(body.last_name or "", body.first_name or "", body.phone or ""),
            self.language(req),
            req.remote_addr,
            now,
        )
        return session(self.db, self.tokens, account, body.remember, now)


class EmailOfCompte(Resource):
    """PUT /api/compte/email"""

    @operation(
        "updateEmail",
        "Prove the address of the caller's account, or change the address",
        NEW_TOKEN,
        description="The code comes from `POST /auth/code` for the same address. A change revokes"
        " the older tokens and notifies the old address.",
        refuses=refused(429),
    )
    def on_put(self, req: falcon.Request, account: Account, body: EmailChange, now: int) -> Any:
        proof, rounds = Proof(**body.values), self.settings.bcrypt_rounds
        changed = email_change.prove(
            self.db, self.parts.codes, account, proof, rounds, req.remote_addr, now
        )
        token = sessions.open_session(self.db, self.tokens, changed, now, account.lifetime)
        return {"token": token}
