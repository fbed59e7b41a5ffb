"""Businesses and the services that they offer: who owns them, finding them, changing them."""

import re
import time
from functools import reduce
from operator import or_
from typing import Any

from reservation.domain.budget import UNLIMITED, Budget
from reservation.domain.people.accounts import Account
from reservation.domain.planning import replanning
from reservation.errors import NotFound, NotPermitted, StaleVersion
from reservation.lib.folding import search_key
from reservation.storage.database import Database, transaction
from reservation.storage.models import Entreprise, Prestation

# How post codes start in the départements whose number they do not start with.
_CORSICA = {"2A": ("200", "201"), "2B": ("202", "206")}
_WITH_DEPARTMENT = re.compile(r"(.+) \((\d[\dAB]\d?)\)")


def get(db: Database, entreprise_id: int) -> Entreprise:
    found = Entreprise.select().where(Entreprise.id == entreprise_id).first(db)
    if found is None:
        raise NotFound()
    return found


def owned(db: Database, asking: Account, entreprise_id: int) -> Entreprise:
    """The business, for its owner or an admin. Raises NotFound or NotPermitted."""
    entreprise = get(db, entreprise_id)
    if not asking.acts_for(entreprise.proprietaire_id):
        raise NotPermitted()
    return entreprise


def managed(asking: Account) -> Any:
    """A query of the businesses that `owned` gives to the caller, inactive ones too."""
    query = Entreprise.select()
    return query if asking.role == "admin" else query.where(Entreprise.proprietaire == asking.id)


def create(db: Database, asking: Account, values: dict[str, Any]) -> int:
    row = {**values, **_keys(values), "proprietaire": asking.id, "cree_le": int(time.time())}
    return transaction(db, lambda: Entreprise.insert(row).execute(db))


def update(
    db: Database,
    entreprise: Entreprise,
    values: dict[str, Any],
    version: int,
    budget: Budget = UNLIMITED,
) -> None:
    """Replace what the owner can set; StaleVersion unless the version is the present one.

    A new zone moves the calendar with its wall times.
    """
    changes = {**values, **_keys(values), "version": Entreprise.version + 1}

    def write(before: Entreprise) -> None:
        if before.version != version:
            raise StaleVersion()
        Entreprise.update(changes).where(Entreprise.id == entreprise.id).execute(db)

    now = int(time.time())
    moved = values["fuseau"] != entreprise.fuseau or version != entreprise.version
    replanning.change(db, entreprise.id, write, now, None if moved else now, [], budget)


def _keys(values: dict[str, Any]) -> dict[str, str]:
    return {"nom_cle": _name_key(values["nom"]), "ville_cle": search_key(values["ville"])[:100]}


def _name_key(nom: str) -> str:
    """As long as the column: a ligature makes a key longer than its name."""
    return search_key(nom)[:150]


def search(q: str = "", ville: str = "", prestation: str = "") -> Any:
    """A query of the active businesses: whose name or service holds q, in this city, with a
    service that holds `prestation`. A city may carry its département, as `Saint-Denis (974)`."""
    query = Entreprise.select().where(Entreprise.actif == True)  # noqa: E712
    if q:
        named = Entreprise.nom_cle.contains(search_key(q))
        query = query.where(named | Entreprise.id.in_(_offering(q)))
    if prestation:
        query = query.where(Entreprise.id.in_(_offering(prestation)))
    return in_city(query, ville) if ville else query


def in_city(query: Any, ville: str) -> Any:
    department = _WITH_DEPARTMENT.fullmatch(ville)
    if department:
        ville, code = department.groups()
        of_department = [
            Entreprise.code_postal.startswith(start) for start in _CORSICA.get(code, (code,))
        ]
        query = query.where(reduce(or_, of_department))
    return query.where(Entreprise.ville_cle == search_key(ville)[:100])


def _offering(text: str) -> Any:
    offered = Prestation.nom_cle.contains(search_key(text)) & (Prestation.actif == True)  # noqa
    return Prestation.select(Prestation.entreprise).where(offered)


def services(q: str = "", ville: str = "", entreprise_id: int | None = None) -> Any:
    """A query of the services that can be booked."""
    query = Prestation.select(Prestation).join(Entreprise)
    query = query.where((Prestation.actif == True) & (Entreprise.actif == True))  # noqa: E712
    if entreprise_id is not None:
        query = query.where(Prestation.entreprise == entreprise_id)
    if q:
        query = query.where(Prestation.nom_cle.contains(search_key(q)))
    return in_city(query, ville) if ville else query


def service(db: Database, prestation_id: int) -> Prestation:
    found = Prestation.select().where(Prestation.id == prestation_id).first(db)
    if found is None:
        raise NotFound()
    return found


def add_service(db: Database, entreprise: Entreprise, values: dict[str, Any]) -> int:
    row = {**values, "nom_cle": _name_key(values["nom"]), "entreprise": entreprise.id}
    return transaction(db, lambda: Prestation.insert(row).execute(db))


def update_service(
    db: Database, prestation: Prestation, values: dict[str, Any], version: int
) -> None:
    changes = {**values, "nom_cle": _name_key(values["nom"]), "version": Prestation.version + 1}
    same = (Prestation.id == prestation.id) & (Prestation.version == version)
    _replace(db, Prestation.update(changes).where(same))


def retire(db: Database, prestation: Prestation, version: int | None = None) -> None:
    """Take no more bookings of this service; those that are made stay. Raises StaleVersion
    unless `version`, if given, is the present one."""
    if not prestation.actif:
        return
    same = Prestation.id == prestation.id
    if version is not None:
        same &= Prestation.version == version
    changes = {"actif": False, "version": Prestation.version + 1}
    _replace(db, Prestation.update(changes).where(same))


def _replace(db: Database, query: Any) -> None:
    if transaction(db, lambda: query.execute(db)) != 1:
        raise StaleVersion()
