"""Sessions: logging in with a password, renewing the token, and logging out everywhere."""

from typing import Any

import falcon

from reservation.domain.people import accounts, credentials, sessions
from reservation.domain.people.sessions import Account, Tokens
from reservation.operations import account_kinds, kinds, properties
from reservation.operations.answers import no_content, ok, refused
from reservation.operations.bodies import TextBody
from reservation.operations.fields import Field
from reservation.operations.operation import operation
from reservation.operations.properties import ID
from reservation.operations.resource import Resource
from reservation.operations.shapes import plain
from reservation.storage.database import Database
from reservation.storage.models import Utilisateur

TOKEN = properties.text("eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.abc")
NOT_STORED = ("Cache-Control",)  # a header of answers with a token; its value is `no-store`
REMEMBER = Field(
    kinds.FLAG, default=False, nullable=True, doc="Whether the session lasts 30 days."
)
NEW_TOKEN = ok("The new token.", plain("Token", token=TOKEN), headers=NOT_STORED)
SESSION = ok(
    "The token of the session.",
    plain(
        "Session",
        token=TOKEN,
        user=plain(
            "User",
            id=ID,
            email=properties.text("chloe@example.fr"),
            first_name=properties.text("Chloé"),
            last_name=properties.text("Martin"),
            role=account_kinds.ROLE.schema,
            school=properties.text(),
        ),
    ),
    headers=NOT_STORED,
)


def session(
    db: Database, tokens: Tokens, account: Utilisateur, remember: bool | None, now: int
) -> Any:
    """Returns the JSON of the answer to a login: a new token and the account."""
    lifetime = sessions.REMEMBERED if remember else 0
    return {
        "token": sessions.open_session(db, tokens, account, now, lifetime),
        "user": {
            "id": account.id,
            "email": account.email,
            "first_name": account.prenom,
            "last_name": account.nom,
            "role": sessions.ROLE_NAMES[account.type_id],
            "school": account.ecole,
        },
    }


class Credentials(TextBody):
    missing = "credentials_missing"
    not_text = "credentials_not_text"

    email = Field(kinds.GIVEN, example="chloe@example.fr")
    password = Field(kinds.GIVEN, example="un bon mot de passe")
    remember = REMEMBER


class Login(Resource):
    """POST /auth/login"""

    @operation(
        "login",
        "Sign in",
        SESSION,
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
        return session(self.db, self.tokens, account, body.remember, now)


class Refresh(Resource):
    """POST /auth/refresh"""

    @operation(
        "refresh",
        "Exchange a valid token for a new one",
        NEW_TOKEN,
        description="The new token lasts as long as the presented token did when it was issued, or"
        " longer if RESERVATION_TOKEN_LIFETIME is longer.",
    )
    def on_post(self, account: Account, now: int) -> Any:
        return {"token": accounts.renew(self.db, self.tokens, account, now)}


class Logout(Resource):
    """POST /auth/logout"""

    @operation(
        "logout",
        "Sign out everywhere",
        no_content("All tokens of the account are revoked."),
    )
    def on_post(self, account: Account, now: int) -> None:
        accounts.log_out(self.db, account.id, now)
