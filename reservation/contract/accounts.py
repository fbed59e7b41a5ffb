"""The token-based account group: specification, sections 2.1 and 4.1."""

from reservation.contract import shapes
from reservation.contract.answers import Answer, refusals
from reservation.contract.operation import Body, Operation
from reservation.domain.people import accounts
from reservation.http import kinds
from reservation.http.fields import Field
from reservation.http.kinds import text
from reservation.http.schemas import of_table, shown

REGISTRATION = {
    "email": Field(kinds.ACCOUNT_EMAIL, example="chloe@example.fr"),
    "password": Field(kinds.password(), example="un bon mot de passe"),
    "first_name": Field(text(accounts.LONGEST_NAME, shortest=1), example="Chloé"),
    "last_name": Field(text(accounts.LONGEST_NAME, shortest=1), example="Martin"),
    "role": Field(kinds.ROLE, example="student"),
    "school": Field(text(200), default="", nullable=True),
    "phone": Field(text(40), default="", nullable=True),
}
CREDENTIALS = {
    "email": Field(kinds.GIVEN, example="chloe@example.fr"),
    "password": Field(kinds.GIVEN, example="un bon mot de passe"),
}
NOT_STORED = ("Cache-Control",)  # the header of each answer that holds a token
TOKEN = shapes.text("eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.abc")

USER = shown(
    "User",
    {
        "id": shapes.ID,
        "email": shapes.text("chloe@example.fr"),
        "first_name": shapes.text("Chloé"),
        "last_name": shapes.text("Martin"),
        "role": dict(kinds.ROLE.schema),
        "school": shapes.text(),
    },
)
_REGISTERED = shown(
    "Registered", {"message": shapes.text("User registered successfully"), "user_id": shapes.ID}
)

REGISTER = Operation(
    "register",
    "Make an account",
    description="In production only an admin's token lets an admin register, and the most common"
    " passwords are refused.",
    headers=("Accept-Language",),
    body=Body(of_table("Registration", REGISTRATION, closed=False)),
    answers={201: Answer("The account is made.", _REGISTERED)},
    refuses=refusals(401, 403, 419),
)
LOGIN = Operation(
    "login",
    "Open a session",
    description="After ten failures in a row with an address from the network of the client, 429:"
    " for 30 seconds, then longer after each further failure, up to 15 minutes.",
    body=Body(of_table("Credentials", CREDENTIALS, closed=False)),
    answers={
        200: Answer(
            "The token of the session.",
            shown("Session", {"token": TOKEN, "user": USER}),
            headers=NOT_STORED,
        )
    },
    refuses=refusals(401, 403, 429),
)
REFRESH = Operation(
    "refresh",
    "Another token for who holds a good one",
    account=True,
    answers={
        200: Answer("The new token.", shown("Token", {"token": TOKEN}), headers=NOT_STORED)
    },
)
