"""All accounts, for an admin."""

from reservation.domain.outbox import outbox
from reservation.domain.people import directory, resetting
from reservation.domain.people.directory import AccountRecord
from reservation.domain.people.sessions import Account
from reservation.operations import kinds, properties, queries
from reservation.operations.answers import accepted, ok, refused
from reservation.operations.bodies import Body
from reservation.operations.fields import Field
from reservation.operations.operation import operation
from reservation.operations.properties import ID, instant
from reservation.operations.queries import Page, PageQuery, by_id
from reservation.operations.resource import Resource
from reservation.operations.shapes import Many, Property, Shape
from reservation.resources.people.accounts import PROFILE

ACCOUNT = Shape(
    "Account",
    {
        "id": ID,
        "email": properties.text("chloe@example.fr"),
        "nom": properties.text("Martin"),
        "prenom": properties.text("Chloé"),
        "role": PROFILE.properties["role"],
        "actif": Property({"type": "boolean", "examples": [True]}, show=bool),
        "email_prouve": PROFILE.properties["email_prouve"],
        "cree_le": instant("2030-05-20T18:03:11+02:00"),
    },
)


class AccountSearch(PageQuery):
    q = Field(queries.WORDS, default="", doc="The beginning of the e-mail address or of the family"
              " name.")


class AccountState(Body):
    actif = Field(kinds.FLAG, example=False, doc="Whether the account can be used.")


class Accounts(Resource):
    """GET /api/comptes"""

    @operation(
        "listComptes",
        "All accounts, for an admin",
        ok("A page of accounts, latest first.", Many(ACCOUNT)),
        roles=("admin",),
    )
    def on_get(self, query: AccountSearch) -> Page[AccountRecord]:
        return query.page(
            lambda after, most: directory.page(self.db, query.q, after, most), by_id
        )


class OneAccount(Resource):
    """PUT /api/comptes/{id}"""

    @operation(
        "setCompteState",
        "Disable or enable an account",
        ok("The account.", ACCOUNT),
        description="A disabled account cannot log in, and its tokens are revoked.",
        subject=directory.get,
        roles=("admin",),
        refuses=refused(409),
    )
    def on_put(
        self, account: Account, known: AccountRecord, body: AccountState, now: int
    ) -> AccountRecord:
        directory.set_active(self.db, account, known, body.actif, now)
        return directory.get(self.db, known.id)


class ProofOfAccount(Resource):
    """POST /api/comptes/{id}/preuve"""

    @operation(
        "proveCompte",
        "Record that the holder of an account reads the mail of its address",
        ok("The account.", ACCOUNT),
        subject=directory.get,
        roles=("admin",),
    )
    def on_post(self, known: AccountRecord, now: int) -> AccountRecord:
        directory.prove(self.db, known.id, now)
        return directory.get(self.db, known.id)


class ResetOfAccount(Resource):
    """POST /api/comptes/{id}/motdepasse"""

    @operation(
        "sendResetToCompte",
        "Send the holder of an account a link to set a new password",
        accepted("The message is queued.", ACCOUNT),
        subject=directory.get,
        roles=("admin",),
    )
    def on_post(self, known: AccountRecord, now: int) -> AccountRecord:
        outbox.tell_account(self.db, resetting.GENRE, known.email, now)
        return known
