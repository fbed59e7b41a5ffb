"""Lists of businesses, services and events that match a search."""

import re
from functools import reduce
from operator import or_
from typing import Any

from reservation.domain.calendar.plans import RANGES
from reservation.lib.folding import search_key
from reservation.lib.instants import DAY
from reservation.storage.database import Database
from reservation.storage.models import Entreprise, Evenement, Prestation
from reservation.storage.paging import Conditions, Part, first_keys, touching

# The first digits of post codes, where they are not the number of the département.
_CORSICA = {"2A": ("200", "201"), "2B": ("202", "206")}
_WITH_DEPARTMENT = re.compile(r"(.+) \((\d[\dAB]\d?)\)")
_OF_ACTIVE = {"(SELECT e.actif FROM entreprise e WHERE e.id = entreprise_id) = ?": 1}
Key = tuple[int, ...] | None


def businesses(
    db: Database, *, q: str = "", ville: str = "", prestation: str = "", after: Key = None,
    most: int,
) -> list[Entreprise]:
    """Returns the businesses that `matching` finds, by id, after the key (id,)."""
    query = matching(q, ville, prestation).where(Entreprise.id > (after[0] if after else 0))
    return list(query.order_by(Entreprise.id).limit(most).execute(db))


def services(
    db: Database, *, q: str = "", ville: str = "", entreprise_id: int | None = None,
    after: Key = None, most: int,
) -> list[Prestation]:
    """Returns the services that can be booked, by id, after the key (id,)."""
    wanted: Conditions = {"id > ?": after[0] if after else 0, "actif = ?": 1}
    if q:
        wanted["INSTR(nom_cle, ?) > 0"] = search_key(q)
    parts = [Part("", wanted | _OF_ACTIVE)]
    if ville or entreprise_id is not None:
        active = Entreprise.actif == True  # noqa: E712
        chosen = active & (Entreprise.id == entreprise_id) if entreprise_id else active
        parts = _parts(db, "prestation_entreprise", chosen, ville, wanted)
    ids = [id for (id,) in first_keys(db, "prestation", ("id",), parts, most)]
    found = Prestation.select().where(Prestation.id.in_(ids))
    return list(found.order_by(Prestation.id).execute(db)) if ids else []


def events(
    db: Database, *, entreprise_id: int | None = None, ville: str = "",
    since: int | None = None, until: int | None = None, after: Key = None, most: int,
    ressource_id: int | None = None,
) -> list[Evenement]:
    """Returns the events that touch [since, until), by start, after the key (debut, id).

    Without `entreprise_id`, returns the events of all active businesses; with `ressource_id`, only
    those of the whole business and of this ressource. The business of each event is loaded.
    """
    parts = [
        Part("evenement_portee_jours_debut", {"portee_jours = ?": days, **_OF_ACTIVE}, days * DAY)
        for days in RANGES
    ]
    if ville or entreprise_id is not None:
        active = Entreprise.actif == True  # noqa: E712
        chosen = Entreprise.id == entreprise_id if entreprise_id else active
        concerned = "(ressource_id IS NULL OR ressource_id = ?)"
        wanted: Conditions = {} if ressource_id is None else {concerned: ressource_id}
        some = _parts(db, "evenement_entreprise_debut", chosen, ville, wanted)
        parts = [part._replace(longest=RANGES[-1] * DAY) for part in some]
    ids = touching(db, "evenement", parts, most, since=since, until=until, after=after)
    found = Evenement.select(Evenement, Entreprise).join(Entreprise).where(Evenement.id.in_(ids))
    return list(found.order_by(Evenement.debut, Evenement.id).execute(db)) if ids else []


def _parts(db: Database, by: str, chosen: Any, ville: str, wanted: Conditions) -> list[Part]:
    """Returns the wanted rows of each chosen business that is in the city."""
    found = _in_city(Entreprise.select(Entreprise.id).where(chosen), ville)
    return [Part(by, {"entreprise_id = ?": row.id, **wanted}) for row in found.execute(db)]


def matching(q: str = "", ville: str = "", prestation: str = "") -> Any:
    """Returns a query of the active businesses in a city.

    The name of the business or of a service contains `q`; the name of a service contains
    `prestation`. The city may include its département, as in `Saint-Denis (974)`.
    """
    query = Entreprise.select().where(Entreprise.actif == True)  # noqa: E712
    if q:
        named = Entreprise.nom_cle.contains(search_key(q))
        query = query.where(named | Entreprise.id.in_(_offering(q)))
    if prestation:
        query = query.where(Entreprise.id.in_(_offering(prestation)))
    return _in_city(query, ville)


def _offering(text: str) -> Any:
    offered = Prestation.nom_cle.contains(search_key(text)) & (Prestation.actif == True)  # noqa
    return Prestation.select(Prestation.entreprise).where(offered)


def _in_city(query: Any, ville: str) -> Any:
    department = _WITH_DEPARTMENT.fullmatch(ville)
    if department:
        ville, code = department.groups()
        of_department = [
            Entreprise.code_postal.startswith(start) for start in _CORSICA.get(code, (code,))
        ]
        query = query.where(reduce(or_, of_department))
    return query.where(Entreprise.ville_cle == search_key(ville)[:100]) if ville else query
