"""Passwords that are forgotten or changed."""

import time

import falcon

from reservation.contract import passwords as contract
from reservation.contract.operation import operation
from reservation.domain.people import accounts, credentials, resetting
from reservation.domain.people.tokens import Tokens
from reservation.http import fields
from reservation.http.bearer import hand_over, require_account
from reservation.http.bodies import read_json
from reservation.http.replies import as_json
from reservation.settings import Settings
from reservation.storage.database import Database

CHANGED = "Password changed"


class Forgotten:
    def __init__(self, db: Database) -> None:
        self.db = db

    @operation(contract.ASK)
    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        asked = fields.read_in_turn(contract.FORGOTTEN, read_json(req))
        resetting.ask(self.db, asked["email"], req.remote_addr, int(time.time()))
        resp.status = falcon.HTTP_202
        as_json(resp, {"message": "If the account exists, a message is on its way"})


class Reset:
    def __init__(self, settings: Settings, db: Database) -> None:
        self.settings, self.db = settings, db

    @operation(contract.REDEEM)
    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        given = fields.read_in_turn(contract.RESET, read_json(req))
        if self.settings.production:
            accounts.refuse_common(given["password"])
        resetting.redeem(
            self.db,
            given["token"],
            given["password"],
            self.settings.bcrypt_rounds,
            req.remote_addr,
        )
        as_json(resp, {"message": CHANGED})


class Password:
    def __init__(self, settings: Settings, db: Database, tokens: Tokens) -> None:
        self.settings, self.db, self.tokens = settings, db, tokens

    @operation(contract.REPLACE)
    @falcon.before(require_account)
    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        given = fields.read_in_turn(contract.CHANGE, read_json(req))
        if self.settings.production:
            accounts.refuse_common(given["new_password"])
        account = credentials.change_own_password(
            self.db,
            req.context.account.id,
            given["current_password"],
            given["new_password"],
            self.settings.bcrypt_rounds,
            req.remote_addr,
        )
        token = accounts.open_session(self.tokens, account)
        hand_over(resp, {"message": CHANGED, "token": token})
