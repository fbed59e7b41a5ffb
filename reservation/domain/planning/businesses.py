"""Reads, creates and updates businesses."""

from contextlib import AbstractContextManager
from typing import Any

from reservation.domain.budget import UNLIMITED, Budget
from reservation.domain.outbox import reminders
from reservation.domain.people import attempts
from reservation.domain.people.attempts import Limit
from reservation.domain.people.sessions import Account
from reservation.domain.planning import addresses, replanning
from reservation.errors import InvalidInput
from reservation.lib import french
from reservation.lib.folding import search_key
from reservation.lib.instants import DAY
from reservation.storage import records, words
from reservation.storage.database import (
    Database,
    check_version,
    refusing_duplicates,
    transaction,
    update_row,
)
from reservation.storage.models import Entreprise, Ressource

NEW = Limit.flat("businesses of an account", most=20, period=DAY)


def get(db: Database, entreprise_id: int) -> Entreprise:
    """Raises NotFound."""
    return records.get(db, Entreprise, entreprise_id)


def owned(db: Database, asking: Account, entreprise_id: int) -> Entreprise:
    """Returns a business. Raises NotFound if the business does not exist. Raises NotPermitted
    unless the caller is the owner or an admin."""
    entreprise = get(db, entreprise_id)
    asking.check_acts_for(entreprise.proprietaire_id)
    return entreprise


def managed(
    db: Database, asking: Account, after: tuple[int, ...] | None = None, *, most: int
) -> list[Entreprise]:
    """Returns at most `most` businesses of the caller, ordered by id. An admin gets the businesses
    of all owners. Starts after the id in `after`, and includes inactive businesses."""
    (start,) = after or (0,)
    query = Entreprise.select().where(Entreprise.id > start)
    if asking.role != "admin":
        query = query.where(Entreprise.proprietaire == asking.id)
    return list(query.order_by(Entreprise.id).limit(most).execute(db))


def create(
    db: Database, asking: Account, values: dict[str, Any], now: int, limited: bool = False
) -> int:
    """Creates a business with one person, and returns the id of the business. The person has no
    name yet (see `ressources`).

    If `values` has no short address, makes one from the name and the city. Raises InvalidInput if
    the given short address is reserved or taken. With `limited`, raises TooManyAttempts if the
    account has reached the limit NEW. Admins have no limit.
    """
    row = {**values, **_derived(values), "proprietaire": asking.id, "cree_le": now}
    wanted = values.get("adresse_courte")

    def work() -> int:
        if limited and asking.role != "admin":
            attempts.spend(db, NEW, str(asking.id), now)
        if wanted:
            addresses.check(db, wanted)
        else:
            row["adresse_courte"] = addresses.free(db, values["nom"], values["ville"])
        with _refusing_taken(db):
            entreprise_id = int(Entreprise.insert(row).execute(db))
        Ressource.insert(entreprise=entreprise_id, cree_le=now).execute(db)
        words.index(db, entreprise_id)
        return entreprise_id

    try:
        return transaction(db, work)
    except InvalidInput:
        if wanted:
            raise
        return transaction(db, work)  # retries, because a concurrent request took the address


def _refusing_taken(db: Database) -> AbstractContextManager[None]:
    taken = InvalidInput({"adresse_courte": addresses.TAKEN})
    return refusing_duplicates(db, "entreprise", "adresse_courte", taken)


def update(
    db: Database, entreprise: Entreprise, values: dict[str, Any], version: int, now: int,
    budget: Budget = UNLIMITED,
) -> None:
    """Replaces the settings of a business. If `values` has no short address, the business keeps
    its short address. If the time zone changes, slots keep their local times.

    Raises StaleVersion unless `version` is current. Raises InvalidInput if the new short address
    is reserved or taken.
    """
    changes = {**values, **_derived(values)}
    wanted = changes.pop("adresse_courte", None)

    def write(before: Entreprise) -> None:
        check_version(before, version)
        if wanted:
            addresses.change(db, before, wanted)
            changes["adresse_courte"] = wanted
        with _refusing_taken(db):
            update_row(db, Entreprise, entreprise.id, version, changes)
        hours = values.get("rappel_heures", before.rappel_heures)
        if hours != before.rappel_heures:
            reminders.replan(db, entreprise.id, hours, now)
        before.fuseau = values["fuseau"]
        words.index(db, entreprise.id)

    same_zone = values["fuseau"] == entreprise.fuseau and version == entreprise.version
    end = now if same_zone else replanning.FOREVER
    replanning.change(db, entreprise.id, write, now, end, shut={}, budget=budget)


def _derived(values: dict[str, Any]) -> dict[str, str]:
    # The keys are cut to the lengths of their columns. They can be longer than the names, because
    # ligatures are spelled out (œ becomes oe).
    return {
        "metiers": "\n".join(values.get("metiers", ())),
        "nom_cle": search_key(values["nom"])[:150],
        "ville_cle": french.without_district(search_key(values["ville"]))[:100],
    }
