"""One's own account: what it says of oneself."""

from reservation.contract import shapes
from reservation.contract.answers import Answer
from reservation.contract.operation import Body, Operation
from reservation.domain.messages import messages
from reservation.domain.people import accounts
from reservation.http import kinds
from reservation.http.fields import Field
from reservation.http.kinds import choice, text
from reservation.http.schemas import as_shown, of_table, shown

PROFILE = {
    "nom": Field(text(accounts.LONGEST_NAME, shortest=1), example="Martin"),
    "prenom": Field(text(accounts.LONGEST_NAME), default=""),
    "telephone": Field(text(40), default=""),
    "dateNaissance": Field(kinds.BIRTHDAY, default=None, nullable=True, example="2001-05-17"),
    "ecole": Field(text(200), default=""),
    "langue": Field(choice(*messages.LANGUAGES), default="fr", doc="Of the messages one gets."),
}
SHOWN = shown(
    "Profile",
    {
        "id": shapes.ID,
        "email": shapes.text("chloe@example.fr"),
        **as_shown(PROFILE),
        "role": dict(kinds.ROLE.schema),
    },
)

READ = Operation(
    "readCompte",
    "One's own account",
    account=True,
    headers=("If-None-Match",),
    answers={200: Answer("The account.", SHOWN, headers=("ETag",))},
)
UPDATE = Operation(
    "updateCompte",
    "Change what one's own account says, as a whole",
    description="The e-mail address and the role stay.",
    account=True,
    body=Body(of_table("ProfileChange", PROFILE)),
    answers={200: Answer("The account.", SHOWN)},
)
