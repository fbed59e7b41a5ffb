"""Access tokens: JSON Web Tokens of five claims, signed with HS256.

The rules are those of the interface specification, sections 2.3 and 5.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import jwt

from reservation.errors import TokenExpired, TokenInvalid

_TYPES = {"user_id": int, "email": str, "role": str, "exp": int, "iat": int}
_DECODING: Any = {
    "require": ["exp", "iat"],
    "verify_exp": False,  # below, each time: the signature is looked at once only
    "verify_iat": False,  # may lie a second ahead, see accounts.open_session
}


@dataclass(frozen=True, slots=True)
class Claims:
    """What an access token says; `exp` and `iat` are Unix seconds."""

    user_id: int
    email: str
    role: str
    exp: int
    iat: int


class Tokens:
    """Issues and verifies access tokens with one key."""

    def __init__(
        self, secret: str, lifetime: int, clock: Callable[[], float] = time.time
    ) -> None:
        self._secret = secret.encode()
        self._lifetime = lifetime
        self._clock = clock
        self._decoded = lru_cache(maxsize=4096)(self._decode)

    def issue(self, user_id: int, email: str, role: str, not_before: int = 0) -> str:
        """A token issued now, or at `not_before` where that is later."""
        iat = max(int(self._clock()), not_before)
        claims = {
            "user_id": user_id,
            "email": email,
            "role": role,
            "exp": iat + self._lifetime,
            "iat": iat,
        }
        return jwt.encode(claims, self._secret, algorithm="HS256")

    def verify(self, token: str) -> Claims:
        """What the token says. Raises TokenExpired or TokenInvalid."""
        claims = self._decoded(token)
        if claims.exp <= self._clock():
            raise TokenExpired()
        return claims

    def _decode(self, token: str) -> Claims:
        try:
            claims = jwt.decode(token, self._secret, algorithms=["HS256"], options=_DECODING)
        except (jwt.InvalidTokenError, ValueError):
            raise TokenInvalid() from None
        # A token made for something else has other claims, and is no access token.
        if {name: type(value) for name, value in claims.items()} != _TYPES:
            raise TokenInvalid()
        if not 0 < claims["user_id"] < 2**63:
            raise TokenInvalid()
        return Claims(**claims)
