"""The services of businesses, and the persons and rooms for each service."""

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any

from reservation.domain.calendar import performers
from reservation.domain.calendar.performers import ROOM
from reservation.domain.calendar.terms import touch
from reservation.domain.planning import ressources
from reservation.errors import Fault, InvalidInput
from reservation.lib.folding import search_key
from reservation.storage import records, words
from reservation.storage.database import Database, Result, transaction, update_row
from reservation.storage.models import Entreprise, Prestation, PrestationRessource

NO_ROOM = Fault("no_room", "requires an active room of this business")


def get(db: Database, prestation_id: int) -> Prestation:
    """Raises NotFound."""
    return with_ressources(db, [records.get(db, Prestation, prestation_id)])[0]


def with_ressources(db: Database, found: Sequence[Any]) -> Sequence[Prestation]:
    """Sets `ressources` of each service to the ids of the persons and rooms that the owner chose
    for the service. Sets `genres_retires` to the kinds of which only retired ones were chosen, or
    to None if there is no such kind."""
    listed = performers.listed(db, [one.id for one in found])
    businesses = {one.entreprise_id for one in found if one.id in listed}
    teams = performers.teams(db, businesses) if businesses else {}
    retired = {who.id for team in teams.values() for who in team if not who.actif}
    for one in found:
        one.ressources, one.genres_retires = sorted(listed[one.id]), None
        if not retired.isdisjoint(one.ressources):
            chosen = [who for who in teams[one.entreprise_id] if who.id in one.ressources]
            active = {who.genre for who in chosen if who.actif}
            one.genres_retires = sorted({who.genre for who in chosen} - active) or None
    return found


def add(db: Database, entreprise: Entreprise, values: dict[str, Any]) -> int:
    """Adds a service, and returns its id. Raises InvalidInput if a given person or room is
    unknown or inactive, or if the service needs a room but the business has no active room."""
    columns, listed = _split(values)
    row = {**columns, **_derived(values), "entreprise": entreprise.id}

    def work() -> int:
        _check(db, entreprise.id, columns, listed)
        number = int(Prestation.insert(row).execute(db))
        _list(db, number, listed)
        return number

    return _change(db, entreprise.id, work)


def update(db: Database, prestation: Prestation, values: dict[str, Any], version: int) -> None:
    """Replaces the settings of a service. Raises StaleVersion unless `version` is current.
    Raises InvalidInput as `add` does. Persons and rooms that were already assigned to the
    service may be inactive."""
    columns, listed = _split(values)
    derived = _derived(values, prestation.duree_max_minutes)

    def work() -> None:
        known = performers.listed(db, [prestation.id])[prestation.id]
        _check(db, prestation.entreprise_id, columns, listed, known)
        update_row(db, Prestation, prestation.id, version, {**columns, **derived})
        if set(known) != set(listed):
            mine = PrestationRessource.prestation == prestation.id
            PrestationRessource.delete().where(mine).execute(db)
            _list(db, prestation.id, listed)

    _change(db, prestation.entreprise_id, work)


def retire(db: Database, prestation: Prestation, version: int | None = None) -> None:
    """Makes a service unavailable for new bookings. Raises StaleVersion if `version` is given and
    is not current."""
    if prestation.actif:
        _write(db, prestation, version, {"actif": False})


def _write(
    db: Database, prestation: Prestation, version: int | None, changes: dict[str, Any]
) -> None:
    work = partial(update_row, db, Prestation, prestation.id, version, changes)
    _change(db, prestation.entreprise_id, work)


def _change(db: Database, of: int, work: Callable[[], Result]) -> Result:
    """Runs `work`, and indexes the words of the business, in one transaction.

    Locks the business first, so that concurrent changes run one after the other. Each change then
    also indexes the words of the earlier changes.
    """

    def whole() -> Result:
        db.rows(f"SELECT id FROM entreprise WHERE id = ?{db.FOR_UPDATE}", of)
        if db.clustered:
            touch(db, of)
        result = work()
        words.index(db, of)
        return result

    return transaction(db, whole)


def _split(values: dict[str, Any]) -> tuple[dict[str, Any], list[int]]:
    columns = dict(values)
    return columns, sorted({*columns.pop("ressources", ())})


def _list(db: Database, prestation_id: int, ressource_ids: Collection[int]) -> None:
    rows = [{"prestation": prestation_id, "ressource": id} for id in ressource_ids]
    if rows:
        PrestationRessource.insert_many(rows).execute(db)


def _check(
    db: Database, entreprise_id: int, columns: dict[str, Any], listed: Collection[int],
    known: Collection[int] = (),
) -> None:
    """Raises InvalidInput as `add` does. The persons and rooms in `known` may be inactive."""
    if listed or columns.get("lieu_requis"):
        touch(db, entreprise_id)  # a lock, so that no person or room is retired before the commit
    ressources.check_known(db, entreprise_id, "ressources", listed, known)
    if columns.get("lieu_requis") and columns.get("actif", True):
        if ROOM not in ressources.active_kinds(db, entreprise_id):
            raise InvalidInput({"lieu_requis": NO_ROOM})


def _derived(values: dict[str, Any], longest: int = 0) -> dict[str, Any]:
    """Returns the columns that are computed from `values`. `longest` is the longest duration, in
    minutes, that the service has had."""
    return {
        # The key is cut to the length of its column. It can be longer than the name, because
        # ligatures are spelled out (œ becomes oe).
        "nom_cle": search_key(values["nom"])[:150],
        "duree_max_minutes": max(longest, values["duree_minutes"]),
    }
