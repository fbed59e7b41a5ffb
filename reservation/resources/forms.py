"""The form-based group: specification, section 4.2, but for /contact."""

from typing import Any

import falcon

from reservation.domain import accounts
from reservation.errors import InvalidInput, NotPermitted
from reservation.http.bodies import read_form
from reservation.http.errors import TEXT, as_json, as_text, errors_as
from reservation.settings import Settings
from reservation.storage.database import UNAVAILABLE, Database


def require_open_forms(_req: Any, _resp: Any, resource: Any, _params: Any) -> None:
    """The specification itself calls /login_form and /teste unsafe: production shuts them."""
    if not resource.settings.forms_are_open:
        raise NotPermitted()


def required(fields: dict[str, str], name: str) -> str:
    if accounts.is_missing(fields.get(name)):
        raise InvalidInput(f"Missing required field: {name}")
    return fields[name]


class RegisterForm:
    def __init__(self, settings: Settings, db: Database) -> None:
        self.settings, self.db = settings, db

    @falcon.before(errors_as(as_text))
    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        # The specification limits the password of /auth/register only.
        shortest = accounts.SHORTEST_PASSWORD if self.settings.production else 1
        fields = read_form(req)
        accounts.register_by_form(self.db, fields, self.settings.bcrypt_rounds, shortest)
        resp.content_type = TEXT
        resp.data = b"OK"


class LoginForm:
    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    @falcon.before(require_open_forms)
    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        fields = read_form(req)
        as_json(resp, {name: required(fields, name) for name in ("email", "password")})


class Teste:
    def __init__(self, settings: Settings, db: Database) -> None:
        self.settings, self.db = settings, db

    @falcon.before(require_open_forms)
    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        nom = required(read_form(req), "username")
        try:
            account = accounts.find_by_name(self.db, nom)
        except UNAVAILABLE:
            raise falcon.HTTPInternalServerError(title="Server error") from None
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
