"""The hook that lets only the holder of a good bearer token through."""

from typing import Any

import falcon

from reservation.domain.people import accounts
from reservation.domain.people.accounts import Account
from reservation.domain.people.tokens import Tokens
from reservation.errors import NotPermitted, TokenInvalid, TokenMissing
from reservation.http.replies import as_json
from reservation.storage.database import Database


def require_account(req: falcon.Request, _resp: Any, resource: Any, _params: Any) -> None:
    """Puts the caller into `req.context.account`; the resource has a `db` and `tokens`.

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
    return accounts.holder(db, tokens.verify(token.strip()))


def hand_over(resp: falcon.Response, body: dict[str, Any]) -> None:
    """Answers with a body that holds a token, which no cache may store."""
    resp.set_header("Cache-Control", "no-store")
    as_json(resp, body)


def require_role(*roles: str) -> Any:
    """A hook for behind require_account: NotPermitted unless the caller has such a role."""

    def check(req: falcon.Request, _resp: Any, _resource: Any, _params: Any) -> None:
        if req.context.account.role not in roles:
            raise NotPermitted()

    return check
