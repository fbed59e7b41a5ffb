"""Passwords that are forgotten or changed."""

from reservation.contract import shapes
from reservation.contract.accounts import NOT_STORED, TOKEN
from reservation.contract.answers import Answer, refusals
from reservation.contract.operation import Body, Operation
from reservation.http import kinds
from reservation.http.fields import Field
from reservation.http.schemas import of_table, shown

FORGOTTEN = {"email": Field(kinds.ACCOUNT_EMAIL, example="chloe@example.fr")}
RESET = {
    "token": Field(kinds.GIVEN, example="tKVoQ0V8dXlE"),
    "password": Field(kinds.password(), example="un autre mot de passe"),
}
CHANGE = {
    "current_password": Field(kinds.GIVEN, example="le mot de passe présent"),
    "new_password": Field(kinds.password(), example="un autre mot de passe"),
}
_NOTED = shown("Noted", {"message": shapes.text("If the account exists, a message is on its way")})
_CHANGED = {"message": shapes.text("Password changed")}

ASK = Operation(
    "forgotPassword",
    "Have a message sent with a token for a new password",
    description="Answered alike whether or not the address has an account. An address is written"
    " to once in five minutes; a network may ask 20 times in an hour.",
    body=Body(of_table("ForgottenPassword", FORGOTTEN, closed=False)),
    answers={202: Answer("Noted.", _NOTED)},
    refuses=refusals(429),
)
REDEEM = Operation(
    "resetPassword",
    "Set a new password by the token of the message",
    description="In production the most common passwords are refused.",
    body=Body(of_table("PasswordReset", RESET, closed=False)),
    answers={200: Answer("Changed.", shown("Changed", _CHANGED))},
)
REPLACE = Operation(
    "changePassword",
    "Set a new password by the present one",
    description="The older tokens end; the answer holds a new one. In production the most common"
    " passwords are refused.",
    account=True,
    body=Body(of_table("PasswordChange", CHANGE, closed=False)),
    answers={
        200: Answer(
            "Changed.",
            shown("ChangedSession", {**_CHANGED, "token": TOKEN}),
            headers=NOT_STORED,
        )
    },
)
