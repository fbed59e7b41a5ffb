"""Access tokens, and the account of each request.

A token is a JSON Web Token with five claims, signed with HS256 (interface specification, sections
2.3 and 5).
"""

import time
from functools import lru_cache
from typing import Any, NamedTuple

import jwt
import peewee

from reservation.errors import NotPermitted, TokenExpired, TokenInvalid
from reservation.lib.instants import DAY
from reservation.storage.database import Database, transaction
from reservation.storage.models import Utilisateur

ROLES = {"student": 1, "company": 2, "admin": 3}  # ids in the table typeutilisateur
ROLE_NAMES = {number: role for role, number in ROLES.items()}
REMEMBERED = 30 * DAY  # seconds; lifetime of a session opened with `remember`
_DECODING: Any = {
    "require": ["exp", "iat"],
    "verify_exp": False,  # `verify` checks `exp`, because the results of `_decode` are cached
    "verify_iat": False,  # `iat` may be in the future, see `open_session`
}
# Plain SQL instead of Peewee, for speed: every request with a token runs this statement.
_HOLDER = "SELECT type_id, actif, jetons_depuis FROM utilisateur WHERE id = ? AND email = ?"


class Account(NamedTuple):
    """The caller of a request. `reservation_id` is set if the caller uses the link of a booking.
    Otherwise, `lifetime` is the lifetime of the access token in seconds. Tokens issued before
    `since`, which is the account's `jetons_depuis`, are revoked."""

    id: int
    role: str
    reservation_id: int | None = None
    lifetime: int = 0
    since: int = 0

    def acts_for(self, proprietaire_id: int) -> bool:
        """Returns whether the caller is this owner or an admin."""
        return self.role == "admin" or self.id == proprietaire_id

    def check_acts_for(self, proprietaire_id: int) -> None:
        """Raises NotPermitted unless the caller is this owner or an admin."""
        if not self.acts_for(proprietaire_id):
            raise NotPermitted()


class Claims(NamedTuple):
    """`exp` and `iat` are Unix seconds."""

    user_id: int
    email: str
    role: str
    exp: int
    iat: int


class Tokens:
    def __init__(self, secret: str, lifetime: int) -> None:
        self._secret = secret.encode()
        self._lifetime = lifetime
        self._decoded = lru_cache(maxsize=4096)(self._decode)

    def issue(self, user_id: int, email: str, role: str, iat: int, lifetime: int = 0) -> str:
        """Returns a token.

        The token expires after `lifetime` seconds or after the lifetime in the settings, whichever
        is longer. Both count from `iat`.
        """
        claims = Claims(user_id, email, role, iat + max(lifetime, self._lifetime), iat)
        return jwt.encode(claims._asdict(), self._secret, algorithm="HS256")

    def verify(self, token: str) -> Claims:
        """Returns the claims of a token. Raises TokenExpired if the token has expired. Raises
        TokenInvalid if the signature or the claims are wrong."""
        claims = self._decoded(token)
        if claims.exp <= time.time():
            raise TokenExpired()
        return claims

    def _decode(self, token: str) -> Claims:
        try:
            claims = jwt.decode(token, self._secret, algorithms=["HS256"], options=_DECODING)
        except (jwt.InvalidTokenError, ValueError):
            raise TokenInvalid() from None
        if {name: type(value) for name, value in claims.items()} != Claims.__annotations__:
            raise TokenInvalid()
        if not 0 < claims["user_id"] < 2**63:
            raise TokenInvalid()
        return Claims(**claims)


def account_of(db: Database, tokens: Tokens, token: str) -> Account:
    """Returns the account of a token. Raises TokenExpired if the token has expired.

    Raises TokenInvalid if the token is forged or revoked, or if the account was deleted, is
    disabled or no longer has the role or the e-mail address in the token. The address is checked
    because, after a restore, a new account may get the id of an account that the backup lacks.
    """
    claims = tokens.verify(token)
    rows = db.rows(_HOLDER, claims.user_id, claims.email)
    if rows:
        type_id, actif, jetons_depuis = rows[0]
        if actif and claims.iat >= jetons_depuis and ROLE_NAMES[type_id] == claims.role:
            lifetime = claims.exp - claims.iat
            return Account(claims.user_id, claims.role, lifetime=lifetime, since=jetons_depuis)
    raise TokenInvalid()


def open_session(
    db: Database, tokens: Tokens, account: Utilisateur, now: int, lifetime: int
) -> str:
    """Returns a new token. If the tokens were revoked after `account` was read, the new token is
    revoked too.

    The `iat` of the token is at least `account.jetons_depuis`, because tokens with an earlier
    `iat` are revoked. Stores the `iat` in `dernier_jeton_le`, which `revocation` reads.
    """
    since = account.jetons_depuis
    iat = max(now, since)
    same = (Utilisateur.id == account.id) & (Utilisateur.jetons_depuis == since)
    issued = Utilisateur.update(dernier_jeton_le=_later(Utilisateur.dernier_jeton_le, iat))
    if not transaction(db, lambda: issued.where(same).execute(db)):
        iat = since  # less than the new `jetons_depuis`, so this token is revoked too
    return tokens.issue(account.id, account.email, ROLE_NAMES[account.type_id], iat, lifetime)


def revocation(now: int) -> peewee.Expression:
    """Returns a value for `jetons_depuis` that revokes all tokens, including tokens issued in this
    second and tokens issued while the clock was ahead."""
    return _later(_later(Utilisateur.jetons_depuis, Utilisateur.dernier_jeton_le), now) + 1


def all_revoked(now: int) -> dict[str, Any]:
    """Returns the changes of Utilisateur that revoke the access tokens and the reset token."""
    return {"jetons_depuis": revocation(now), "reinit_empreinte": None, "reinit_jusqua": 0}


def _later(column: Any, time: Any) -> peewee.Case:
    return peewee.Case(None, [(column > time, column)], time)
