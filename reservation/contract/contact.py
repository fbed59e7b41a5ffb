"""POST /contact: specification, sections 2.4 and 4.2."""

from reservation.contract import shapes
from reservation.contract.answers import CODE, Answer
from reservation.contract.operation import Body, Operation
from reservation.http import kinds
from reservation.http.fields import Field
from reservation.http.schemas import of_table, shown

MESSAGE = {
    "name": Field(kinds.GIVEN, example="Chloé Martin"),
    "email": Field(kinds.CONTACT_EMAIL, example="chloe@example.fr"),
    "phone": Field(kinds.TEXT, default="", nullable=True),
    "message": Field(kinds.GIVEN, example="Bonjour"),
}
_REFUSED = shown(
    "ContactError",
    {
        "success": {"type": "boolean", "enum": [False]},
        "error": shapes.text("Tous les champs sont requis"),
        "code": CODE,
    },
    # A duplicate query parameter is refused before the shape of the endpoint is known.
    optional=("success", "code"),
)
_SENT = shown(
    "ContactSent",
    {
        "success": {"type": "boolean", "enum": [True]},
        "message": shapes.text("Message envoyé avec succès"),
    },
)

SEND = Operation(
    "contact",
    "Write to the operator",
    body=Body(of_table("ContactMessage", MESSAGE, closed=False)),
    answers={200: Answer("The message is sent.", _SENT)},
    refuses={
        400: Answer("A field is missing or wrong.", _REFUSED),
        413: Answer("The body is too large.", _REFUSED),
        415: Answer("The body is no JSON.", _REFUSED),
        500: Answer("The relay did not take it.", _REFUSED),
    },
    database=False,
)
