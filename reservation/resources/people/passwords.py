"""Forgotten and changed passwords."""

from typing import Any

import falcon

from reservation.domain.people import credentials, passwords, resetting, sessions
from reservation.domain.people.sessions import Account
from reservation.operations import account_kinds, kinds, properties
from reservation.operations.answers import accepted, ok, refused
from reservation.operations.bodies import TextBody
from reservation.operations.fields import Field
from reservation.operations.operation import operation
from reservation.operations.resource import Resource
from reservation.operations.shapes import plain
from reservation.resources.people.sessions import NOT_STORED, TOKEN

_SENT = "If the account exists, a message is on its way"
_CHANGED = "Password changed"


class ForgottenPassword(TextBody):
    email = Field(account_kinds.ACCOUNT_EMAIL, example="chloe@example.fr")


class PasswordReset(TextBody):
    token = Field(kinds.GIVEN, example="tKVoQ0V8dXlE")
    password = Field(account_kinds.password(), example="un autre mot de passe")


class PasswordChange(TextBody):
    current_password = Field(kinds.GIVEN, example="le mot de passe présent")
    new_password = Field(account_kinds.password(), example="un autre mot de passe")


class Forgotten(Resource):
    """POST /auth/password/forgot"""

    @operation(
        "forgotPassword",
        "Send a message with a token for a new password",
        accepted("Accepted.", plain("Noted", message=properties.text(_SENT))),
        description="The answer is the same whether or not the address has an account. The limits"
        " are one message per address in 5 minutes, and 20 requests per network in an hour.",
        refuses=refused(429),
    )
    def on_post(self, req: falcon.Request, body: ForgottenPassword, now: int) -> Any:
        resetting.ask(self.db, body.email, req.remote_addr, now)
        return {"message": _SENT}


class Reset(Resource):
    """POST /auth/password/reset"""

    @operation(
        "resetPassword",
        "Set a new password with the token of the message",
        ok("The password was changed.", plain("Changed", message=properties.text(_CHANGED))),
        description="In production the most common passwords are refused.",
    )
    def on_post(self, req: falcon.Request, body: PasswordReset, now: int) -> Any:
        passwords.refuse_common(body.password, self.settings.production)
        resetting.redeem(
            self.db,
            body.token,
            body.password,
            self.settings.bcrypt_rounds,
            req.remote_addr,
            now,
        )
        return {"message": _CHANGED}


class Password(Resource):
    """POST /auth/password"""

    @operation(
        "changePassword",
        "Set a new password with the current password",
        ok(
            "The password was changed.",
            plain("ChangedSession", message=properties.text(_CHANGED), token=TOKEN),
            headers=NOT_STORED,
        ),
        description="Older tokens are revoked; the answer has a new token. In production the most"
        " common passwords are refused. Ten wrong passwords in a row lock the operation, as at the"
        " login.",
        refuses=refused(429),
    )
    def on_post(
        self, req: falcon.Request, account: Account, body: PasswordChange, now: int
    ) -> Any:
        passwords.refuse_common(body.new_password, self.settings.production)
        changed = credentials.change_own_password(
            self.db,
            account.id,
            body.current_password,
            body.new_password,
            self.settings.bcrypt_rounds,
            req.remote_addr,
            now=now,
        )
        token = sessions.open_session(self.db, self.tokens, changed, now, account.lifetime)
        return {"message": _CHANGED, "token": token}
