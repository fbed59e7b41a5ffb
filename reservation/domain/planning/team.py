"""Adds and changes the persons and rooms of a business."""

from typing import Any

from reservation.conflicts import LastPerson, LastRoom, TooManyRessources
from reservation.domain.budget import UNLIMITED, Budget
from reservation.domain.calendar.performers import PERSON, ROOM
from reservation.domain.people import attempts
from reservation.domain.people.attempts import Limit
from reservation.domain.planning import replanning
from reservation.domain.planning.ressources import RessourceRecord, active_kinds
from reservation.errors import Fault, InvalidInput
from reservation.lib.instants import DAY
from reservation.storage.database import Database, update_row
from reservation.storage.models import Entreprise, Ressource

MOST = 100  # maximum number of active persons and rooms of a business
REVOKED = Ressource.flux_version + 1  # a new version revokes the calendar feed
UNKNOWN_ACCOUNT = Fault("unknown_account", "must be the proven e-mail address of an account")
ACCOUNT_TAKEN = Fault("account_taken", "is the account of another person of this business")
ONLY_FOR_PERSONS = Fault("only_for_persons", "must be null for a room")
_OWNER = (
    "SELECT COALESCE(NULLIF(u.prenom, ''), e.nom) FROM entreprise e"
    " JOIN utilisateur u ON u.id = e.proprietaire_id WHERE e.id = ?"
)
# Detaches the account, and revokes the calendar feed.
_DETACHED = {"utilisateur": None, "flux_version": REVOKED, "version": Ressource.version + 1}
_ACCOUNT = (
    "SELECT u.id, r.id, r.actif FROM utilisateur u LEFT JOIN ressource r"
    " ON r.utilisateur_id = u.id AND r.entreprise_id = ?"
    " WHERE u.email = ? AND u.email_prouve_le IS NOT NULL AND u.actif = 1"
)
# The answer tells whether an address has an account. So the number of addresses is limited.
_NAMED = Limit.flat("accounts named in a team", most=MOST, period=DAY)
_NEEDS_ROOM = (
    "SELECT id FROM prestation WHERE entreprise_id = ? AND lieu_requis = 1 AND actif = 1 LIMIT 1"
)


def add(
    db: Database, entreprise: Entreprise, values: dict[str, Any], now: int,
    budget: Budget = UNLIMITED,
) -> int:
    """Adds a person or a room, and returns its id.

    If an existing person has no name, gives that person the owner's first name, or the name of the
    business if the owner has no first name.

    Raises InvalidInput if the account `values["compte"]` may not manage the calendar of the new
    person, and TooManyAttempts if too many accounts were named today. Raises TooManyRessources as
    `check_team` does.
    """
    row = dict(values)
    email = row.pop("compte")
    if email is not None:
        attempts.spend(db, _NAMED, str(entreprise.id), now)

    def write(mine: Entreprise) -> int:
        account_id = _account(db, mine.id, values["genre"], email)
        name = db.rows(_OWNER, mine.id)[0][0][:100]
        nameless = (Ressource.entreprise == mine.id) & (Ressource.nom == "")
        Ressource.update(nom=name, version=Ressource.version + 1).where(nameless).execute(db)
        new = {**row, "utilisateur": account_id, "entreprise": mine.id, "cree_le": now}
        number = Ressource.insert(new).execute(db)
        check_team(db, mine.id)
        return int(number)

    outcome = replanning.change(db, entreprise.id, write, now, shut={}, budget=budget)
    return int(outcome.written)


def update(
    db: Database, ressource: RessourceRecord, values: dict[str, Any], version: int, now: int,
    budget: Budget = UNLIMITED,
) -> None:
    """Replaces the settings of a person or a room.

    Raises StaleVersion unless `version` is current. Raises InvalidInput and TooManyAttempts as
    `add` does. Raises LastPerson, LastRoom and TooManyRessources as `check_team` does.
    """
    if values["compte"] not in (None, ressource.compte):
        attempts.spend(db, _NAMED, str(ressource.entreprise_id), now)

    def write(mine: Entreprise) -> None:
        row = dict(values)
        email = row.pop("compte")
        if email != ressource.compte:
            row["utilisateur"] = _account(db, mine.id, ressource.genre, email)
        leaves = ressource.utilisateur_id is not None and not values["actif"]
        if email != ressource.compte or ressource.actif and leaves:
            row["flux_version"] = REVOKED
        update_row(db, Ressource, ressource.id, version, row)
        check_team(db, mine.id)

    stays = values["actif"] == bool(ressource.actif) and version == ressource.version
    end = now if stays else replanning.FOREVER
    replanning.change(db, ressource.entreprise_id, write, now, end, shut={}, budget=budget)


def detach(db: Database, account_id: int) -> None:
    """Detaches an account from its calendars, and revokes the feeds of these calendars. Call
    within a transaction."""
    Ressource.update(_DETACHED).where(Ressource.utilisateur == account_id).execute(db)


def anonymise(db: Database, entreprise_ids: list[int], prenom: str, name: str) -> None:
    """Removes the descriptions of the persons of these businesses. Renames the persons that have
    the owner's first name `prenom`, such as the person that `add` named, to `name`. Call within a
    transaction."""
    persons = Ressource.entreprise.in_(entreprise_ids) & (Ressource.genre == PERSON)
    changes = {"description": "", "version": Ressource.version + 1}
    Ressource.update(changes).where(persons).execute(db)
    # The only person of a business has no name, and gets none.
    named = persons & (Ressource.nom == prenom) & (Ressource.nom != "")
    Ressource.update(nom=name).where(named).execute(db)


def check_team(db: Database, entreprise_id: int, excluded: int | None = None) -> None:
    """Raises LastPerson if no person is active. Raises LastRoom if a service needs a room and no
    room is active. Raises TooManyRessources if more than MOST persons and rooms are active.

    Counts the person or room `excluded` as inactive. A caller that writes must hold the lock of
    the calendar.
    """
    kinds = active_kinds(db, entreprise_id, excluded)
    if PERSON not in kinds:
        raise LastPerson()
    if ROOM not in kinds and db.rows(_NEEDS_ROOM, entreprise_id):
        raise LastRoom()
    if len(kinds) > MOST:
        raise TooManyRessources(max=MOST)


def _account(db: Database, entreprise_id: int, genre: str, email: str | None) -> int | None:
    """Returns the id of the account. Detaches the account from a retired person of the business.
    The caller must hold the lock of the calendar."""
    if email is None:
        return None
    if genre != PERSON:
        raise InvalidInput({"compte": ONLY_FOR_PERSONS})
    # The lock waits until an erasure of the account has ended.
    found = db.rows(_ACCOUNT + db.FOR_SHARE, entreprise_id, email)
    if not found:
        raise InvalidInput({"compte": UNKNOWN_ACCOUNT})
    account_id, holder, is_active = found[0]
    if is_active:
        raise InvalidInput({"compte": ACCOUNT_TAKEN})
    if holder is not None:
        Ressource.update(_DETACHED).where(Ressource.id == holder).execute(db)
    return int(account_id)
