"""The form-based group: specification, sections 2.2 and 4.2, but for /contact."""

from reservation.contract import shapes
from reservation.contract.answers import TEXT, Answer, refusals
from reservation.contract.operation import Body, Operation
from reservation.domain.people import accounts
from reservation.http import kinds
from reservation.http.fields import Field, Table
from reservation.http.kinds import text
from reservation.http.schemas import of_table, shown

FORM = "application/x-www-form-urlencoded"


def registration(shortest: int) -> Table:
    """The specification limits the password of /auth/register only: `shortest` is 1."""
    return {
        "email": Field(kinds.ACCOUNT_EMAIL, example="rose@example.fr"),
        "password": Field(kinds.password(shortest), example="un bon mot de passe"),
        "nom": Field(text(accounts.LONGEST_NAME, shortest=1), example="Petit"),
    }


CREDENTIALS = {
    "email": Field(kinds.GIVEN, example="rose@example.fr"),
    "password": Field(kinds.GIVEN, example="un bon mot de passe"),
}
SEARCH = {"username": Field(kinds.GIVEN, example="Petit", doc="A family name.")}

RECORD = shown(
    "UserRecord",
    {
        "id": shapes.ID,
        "nom": shapes.text("Petit"),
        "prenom": shapes.text("Rose"),
        "dateNaissance": {
            "type": ["string", "null"], "format": "date", "examples": ["2001-05-17"]
        },
        "email": shapes.text("rose@example.fr"),
        "motDePasseHash": {"type": ["string", "null"], "examples": ["$2b$12$…"]},
        "telephone": shapes.text(),
    },
)
_UNSAFE = "The specification calls it unsafe: in production 403, unless it is switched on."

REGISTER = Operation(
    "registerForm",
    "Make a student's account by a form",
    description="A production server wants 8 characters in the password, and refuses the most"
    " common ones.",
    body=Body(of_table("RegistrationForm", registration(1), closed=False), FORM),
    answers={200: Answer("The account is made.", shapes.text("OK"), TEXT)},
    refuses={
        400: Answer(
            "A field is missing or wrong, or the e-mail is taken.",
            shapes.text("Email already exists"),
            TEXT,
        )
    },
)
LOGIN = Operation(
    "loginForm",
    "Echo what was sent",
    description=_UNSAFE,
    body=Body(of_table("LoginForm", CREDENTIALS, closed=False), FORM),
    answers={
        200: Answer(
            "What was sent.",
            shown(
                "Echo",
                {
                    "email": shapes.text("rose@example.fr"),
                    "password": shapes.text("un bon mot de passe"),
                },
            ),
        )
    },
    refuses=refusals(403),
    database=False,
)
TESTE = Operation(
    "findUser",
    "The user of a family name",
    description=_UNSAFE,
    body=Body(of_table("UserSearch", SEARCH, closed=False), FORM),
    answers={200: Answer("The first user of this name.", RECORD)},
    refuses=refusals(403, 404, 500),
    database=False,  # answers 500 without it
)
