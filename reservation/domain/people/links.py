"""Links in messages. A link lets a customer see, move and cancel one booking without signing in.

The token of a link is not stored. The token has the id of the booking, and a signature of the id,
the customer's address and `jetons_depuis` of the account. So a change of the address or of
`jetons_depuis` revokes the token. For example, a new password changes `jetons_depuis`. The token
expires at the end of the visit.
"""

import re

from reservation.domain.people.sessions import Account
from reservation.errors import TokenExpired, TokenInvalid
from reservation.lib.signatures import Signer
from reservation.storage.database import Database

TOKEN = re.compile(r"([1-9][0-9]{0,17})-([A-Za-z0-9_-]{43})")
_VISIT = (
    "SELECT r.fin, c.email, COALESCE(u.jetons_depuis, 0) FROM reservation r"
    " JOIN client c ON c.id = r.client_id LEFT JOIN utilisateur u ON u.id = r.titulaire_id"
    " WHERE r.id = ?"
)


class Links:
    def __init__(self, secret: str, public_url: str) -> None:
        self._signer = Signer(secret, "reservation: link of a booking")
        self._address = f"{public_url}/rendez-vous#"

    def url(self, reservation_id: int, email: str, since: int) -> str:
        """Returns a link with the token in the fragment, which browsers never send to a server."""
        return f"{self._address}{self.token(reservation_id, email, since)}"

    def token(self, reservation_id: int, email: str, since: int) -> str:
        """Returns the token for the customer's address. `since` is the `jetons_depuis` of the
        customer's account, or 0 if the customer has no account."""
        return f"{reservation_id}-{self._signer.sign(reservation_id, email, since)}"

    def caller(self, db: Database, token: str, now: int) -> Account:
        """Returns the caller who presents a token. Raises TokenExpired if the visit has ended.
        Raises TokenInvalid if the token is malformed, forged or revoked."""
        found = TOKEN.fullmatch(token)
        rows = db.rows(_VISIT, int(found[1])) if found else []
        if not found or not rows:
            raise TokenInvalid()
        fin, email, since = rows[0]
        if not self._signer.is_of(found[2], int(found[1]), email, since):
            raise TokenInvalid()
        if fin <= now:
            raise TokenExpired()
        return Account(0, "student", reservation_id=int(found[1]))
