"""The token-based account group: specification, section 4.1."""

import falcon

from reservation.domain import accounts, credentials
from reservation.domain.accounts import Account
from reservation.domain.tokens import Tokens
from reservation.errors import InvalidInput, NotPermitted
from reservation.http.bearer import caller, require_account
from reservation.http.bodies import read_json
from reservation.http.errors import as_json
from reservation.settings import Settings
from reservation.storage.database import Database


class Register:
    def __init__(self, settings: Settings, db: Database, tokens: Tokens) -> None:
        self.settings, self.db, self.tokens = settings, db, tokens

    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        fields = read_json(req)
        if fields.get("role") == "admin" and self.settings.production:
            self._require_admin(req)
        user_id = accounts.register(self.db, fields, self.settings.bcrypt_rounds)
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

    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        fields = read_json(req)
        email, password = fields.get("email"), fields.get("password")
        if accounts.is_missing(email) or password in (None, ""):
            raise InvalidInput("Missing email or password")
        if not isinstance(email, str) or not isinstance(password, str):
            raise InvalidInput("Email and password must be strings")
        account = credentials.log_in(self.db, email, password, self.settings.bcrypt_rounds)
        user = {
            "id": account.id,
            "email": account.email,
            "first_name": account.prenom,
            "last_name": account.nom,
            "role": accounts.ROLE_NAMES[account.type_id],
            "school": account.ecole,
        }
        as_json(resp, {"token": accounts.open_session(self.tokens, account), "user": user})


class Refresh:
    def __init__(self, db: Database, tokens: Tokens) -> None:
        self.db, self.tokens = db, tokens

    @falcon.before(require_account)
    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        as_json(resp, {"token": accounts.renew(self.db, self.tokens, req.context.account)})
