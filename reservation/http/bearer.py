"""Hooks that verify the bearer token and the role of the caller."""

from typing import Any

import falcon

from reservation.domain.people import sessions
from reservation.domain.people.sessions import Account, Tokens
from reservation.errors import NotPermitted, TokenInvalid, TokenMissing
from reservation.storage.database import Database


def require_account(req: falcon.Request, _resp: Any, resource: Any, _params: Any) -> None:
    """Sets `req.context.account` to the caller; a hook for a resource with `db` and `tokens`.

    Raises TokenMissing, TokenExpired or TokenInvalid: specification, section 5, rule 4.
    """
    req.context.account = caller(req, resource.db, resource.tokens)


def caller(req: falcon.Request, db: Database, tokens: Tokens) -> Account:
    header = req.env.get("HTTP_AUTHORIZATION")
    if header is None:
        raise TokenMissing()
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token.isascii():
        raise TokenInvalid()
    return sessions.account_of(db, tokens, token.strip())


def require_role(*roles: str) -> Any:
    """Returns a hook that raises NotPermitted unless the caller has one of the roles.

    Use after `require_account`.
    """

    def check(req: falcon.Request, _resp: Any, _resource: Any, _params: Any) -> None:
        if req.context.account.role not in roles:
            raise NotPermitted()

    return check
