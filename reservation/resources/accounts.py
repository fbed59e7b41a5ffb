"""The token-based account group: specification, section 4.1."""

import falcon

from reservation.contract import accounts as contract
from reservation.contract.operation import operation
from reservation.domain.messages import messages
from reservation.domain.people import accounts, credentials
from reservation.domain.people.accounts import Account
from reservation.domain.people.tokens import Tokens
from reservation.errors import NotPermitted
from reservation.http import fields
from reservation.http.bearer import caller, hand_over, require_account
from reservation.http.bodies import read_json
from reservation.http.languages import preferred
from reservation.http.replies import as_json
from reservation.settings import Settings
from reservation.storage.database import Database


class Register:
    def __init__(self, settings: Settings, db: Database, tokens: Tokens) -> None:
        self.settings, self.db, self.tokens = settings, db, tokens

    @operation(contract.REGISTER)
    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        body = read_json(req)
        if body.get("role") == "admin" and self.settings.production:
            self._require_admin(req)
        account = fields.read_in_turn(contract.REGISTRATION, body)
        if self.settings.production:
            accounts.refuse_common(account["password"])
        langue = preferred(req.get_header("Accept-Language", default=""), messages.LANGUAGES)
        user_id = accounts.register(self.db, self.settings.bcrypt_rounds, account, langue)
        resp.status = falcon.HTTP_201
        as_json(resp, {"message": "User registered successfully", "user_id": user_id})

    def _require_admin(self, req: falcon.Request) -> None:
        if not req.get_header("Authorization"):
            raise NotPermitted()
        asking: Account = caller(req, self.db, self.tokens)
        if asking.role != "admin":
            raise NotPermitted()


class Login:
    def __init__(self, settings: Settings, db: Database, tokens: Tokens) -> None:
        self.settings, self.db, self.tokens = settings, db, tokens

    @operation(contract.LOGIN)
    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        given = fields.read_in_turn(
            contract.CREDENTIALS,
            read_json(req),
            missing="credentials_missing",
            not_text="credentials_not_text",
        )
        account = credentials.log_in(
            self.db,
            given["email"],
            given["password"],
            self.settings.bcrypt_rounds,
            req.remote_addr,
        )
        user = {
            "id": account.id,
            "email": account.email,
            "first_name": account.prenom,
            "last_name": account.nom,
            "role": accounts.ROLE_NAMES[account.type_id],
            "school": account.ecole,
        }
        hand_over(resp, {"token": accounts.open_session(self.tokens, account), "user": user})


class Refresh:
    def __init__(self, db: Database, tokens: Tokens) -> None:
        self.db, self.tokens = db, tokens

    @operation(contract.REFRESH)
    @falcon.before(require_account)
    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        hand_over(resp, {"token": accounts.renew(self.db, self.tokens, req.context.account)})
