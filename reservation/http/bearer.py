"""Verifies the bearer token of a request."""

import time
from typing import Any

import falcon

from reservation.domain.people import links, sessions
from reservation.domain.people.sessions import Account
from reservation.errors import TokenInvalid, TokenMissing


def caller(req: falcon.Request, resource: Any) -> Account:
    """Returns the account that the token belongs to.

    Raises TokenMissing, TokenExpired or TokenInvalid (specification, section 5, rule 4).
    """
    return sessions.account_of(resource.db, resource.tokens, _token(req))


def caller_or_link(req: falcon.Request, resource: Any) -> Account:
    """Like `caller`, but also accepts the token from a link to a booking."""
    if link := links.TOKEN.fullmatch(_token(req)):
        found: Account = resource.parts.links.caller(resource.db, link[0], int(time.time()))
        return found
    return caller(req, resource)


def _token(req: falcon.Request) -> str:
    header = req.env.get("HTTP_AUTHORIZATION")
    if header is None:
        raise TokenMissing()
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token.isascii():
        raise TokenInvalid()
    return str(token.strip())
