"""Passwords that are forgotten or changed."""

import time
from typing import Any

import falcon

from reservation.domain import accounts, credentials, resetting
from reservation.domain.tokens import Tokens
from reservation.errors import InvalidInput
from reservation.http.bearer import require_account
from reservation.http.bodies import read_json
from reservation.http.errors import as_json
from reservation.settings import Settings
from reservation.storage.database import Database

CHANGED = "Password changed"


class Forgotten:
    def __init__(self, db: Database) -> None:
        self.db = db

    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        (email,) = required(read_json(req), "email")
        resetting.ask(self.db, accounts.valid_email(email), int(time.time()))
        resp.status = falcon.HTTP_202
        as_json(resp, {"message": "If the account exists, a message is on its way"})


class Reset:
    def __init__(self, settings: Settings, db: Database) -> None:
        self.settings, self.db = settings, db

    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        token, password = required(read_json(req), "token", "password")
        resetting.redeem(self.db, token, password, self.settings.bcrypt_rounds)
        as_json(resp, {"message": CHANGED})


class Password:
    def __init__(self, settings: Settings, db: Database, tokens: Tokens) -> None:
        self.settings, self.db, self.tokens = settings, db, tokens

    @falcon.before(require_account)
    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        current, new = required(read_json(req), "current_password", "new_password")
        account = credentials.change_own_password(
            self.db, req.context.account.id, current, new, self.settings.bcrypt_rounds
        )
        token = accounts.open_session(self.tokens, account)
        as_json(resp, {"message": CHANGED, "token": token})


def required(fields: dict[str, Any], *names: str) -> list[str]:
    """The strings of these names. Raises InvalidInput, in the words of the login."""
    if any(accounts.is_missing(fields.get(name)) for name in names):
        raise InvalidInput("Missing " + " or ".join(names))
    for name in names:
        if not isinstance(fields[name], str):
            raise InvalidInput(f"Field must be a string: {name}")
    return [fields[name] for name in names]
