"""The services of businesses."""

from typing import Any

from reservation.errors import NotFound, StaleVersion
from reservation.lib.folding import search_key
from reservation.storage import records
from reservation.storage.database import Database, transaction
from reservation.storage.models import Entreprise, Prestation


def get(db: Database, prestation_id: int) -> Prestation:
    """Raises NotFound."""
    found: Prestation | None = records.find(db, Prestation, prestation_id)
    if found is None:
        raise NotFound()
    return found


def add(db: Database, entreprise: Entreprise, values: dict[str, Any]) -> int:
    row = {**values, **_derived(values), "entreprise": entreprise.id}
    return transaction(db, lambda: Prestation.insert(row).execute(db))


def update(db: Database, prestation: Prestation, values: dict[str, Any], version: int) -> None:
    """Replaces the settings of a service. Raises StaleVersion unless `version` is current."""
    derived = _derived(values, prestation.duree_max_minutes)
    _write(db, prestation, version, {**values, **derived})


def retire(db: Database, prestation: Prestation, version: int | None = None) -> None:
    """Ends new bookings of the service; existing bookings stay.

    Raises StaleVersion unless `version`, if given, is current.
    """
    if prestation.actif:
        _write(db, prestation, version, {"actif": False})


def _write(
    db: Database, prestation: Prestation, version: int | None, changes: dict[str, Any]
) -> None:
    same = Prestation.id == prestation.id
    if version is not None:
        same &= Prestation.version == version
    query = Prestation.update({**changes, "version": Prestation.version + 1}).where(same)
    if transaction(db, lambda: query.execute(db)) != 1:
        raise StaleVersion()


def _derived(values: dict[str, Any], longest: int = 0) -> dict[str, Any]:
    """Returns the columns that follow from others; `longest` is the longest length so far."""
    return {
        # Cut to the column: a ligature makes a key longer than its name.
        "nom_cle": search_key(values["nom"])[:150],
        "duree_max_minutes": max(longest, values["duree_minutes"]),
    }
