"""The form-based group: specification, section 4.2, but for /contact."""

from typing import Any

import falcon
import peewee

from reservation.contract import forms as contract
from reservation.contract.operation import operation
from reservation.domain.people import accounts
from reservation.errors import NotPermitted
from reservation.http import fields
from reservation.http.bodies import read_form
from reservation.http.codes import RequestRefused
from reservation.http.errors import as_text, errors_as
from reservation.http.replies import TEXT, as_json
from reservation.settings import Settings
from reservation.storage.database import Database


def require_open_forms(_req: Any, _resp: Any, resource: Any, _params: Any) -> None:
    """The specification itself calls /login_form and /teste unsafe: production shuts them."""
    if not resource.settings.forms_are_open:
        raise NotPermitted()


class RegisterForm:
    def __init__(self, settings: Settings, db: Database) -> None:
        self.settings, self.db = settings, db

    @operation(contract.REGISTER)
    @falcon.before(errors_as(as_text))
    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        # The specification limits the password of /auth/register only.
        shortest = accounts.SHORTEST_PASSWORD if self.settings.production else 1
        account = fields.read_in_turn(contract.registration(shortest), read_form(req))
        if self.settings.production:
            accounts.refuse_common(account["password"])
        accounts.add(self.db, self.settings.bcrypt_rounds, role="student", **account)
        resp.content_type = TEXT
        resp.data = b"OK"


class LoginForm:
    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    @operation(contract.LOGIN)
    @falcon.before(require_open_forms)
    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        as_json(resp, fields.read_in_turn(contract.CREDENTIALS, read_form(req)))


class Teste:
    def __init__(self, settings: Settings, db: Database) -> None:
        self.settings, self.db = settings, db

    @operation(contract.TESTE)
    @falcon.before(require_open_forms)
    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        asked = fields.read_in_turn(contract.SEARCH, read_form(req))
        try:
            account = accounts.find_by_name(self.db, asked["username"])
        except peewee.PeeweeException:
            raise RequestRefused("server_error") from None
        naissance = account.date_naissance
        record = {
            "id": account.id,
            "nom": account.nom,
            "prenom": account.prenom,
            "dateNaissance": naissance.isoformat() if naissance else None,
            "email": account.email,
            "motDePasseHash": account.mot_de_passe_hash,
            "telephone": account.telephone,
        }
        as_json(resp, record)
