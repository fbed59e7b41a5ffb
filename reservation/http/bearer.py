"""Hooks that verify the bearer token and the role of the caller."""

import time
from typing import Any

import falcon

from reservation.domain.people import links, sessions
from reservation.domain.people.sessions import Account
from reservation.errors import NotPermitted, TokenInvalid, TokenMissing


def require_account(req: falcon.Request, _resp: Any, resource: Any, _params: Any) -> None:
    """A hook that sets `req.context.account` to the caller.

    Raises TokenMissing, TokenExpired or TokenInvalid (specification, section 5, rule 4).
    """
    req.context.account = caller(req, resource)


def require_account_or_link(
    req: falcon.Request, resp: Any, resource: Any, params: Any
) -> None:
    """Like `require_account`, but also accepts the token from a link to a booking."""
    link = links.TOKEN.fullmatch(_token(req))
    if link is None:
        require_account(req, resp, resource, params)
    else:
        req.context.account = resource.parts.links.caller(resource.db, link[0], int(time.time()))


def caller(req: falcon.Request, resource: Any) -> Account:
    return sessions.account_of(resource.db, resource.tokens, _token(req))


def _token(req: falcon.Request) -> str:
    header = req.env.get("HTTP_AUTHORIZATION")
    if header is None:
        raise TokenMissing()
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token.isascii():
        raise TokenInvalid()
    return str(token.strip())


def require_role(*roles: str) -> Any:
    """Returns a hook that raises NotPermitted if the caller has none of the roles.

    Use after `require_account`.
    """

    def check(req: falcon.Request, _resp: Any, _resource: Any, _params: Any) -> None:
        if req.context.account.role not in roles:
            raise NotPermitted()

    return check
