"""Finds the persons who can perform a service, and the rooms for the service."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from reservation.errors import NotPermitted
from reservation.storage.database import Database, marks

PERSON, ROOM = "personne", "lieu"
KINDS = (PERSON, ROOM)
# Plain SQL for speed: every booking and every list of free times reads these rows.
_COLUMNS = "r.ordre, r.id, r.entreprise_id, r.genre, r.actif, r.nom, r.utilisateur_id"
_MEMBERS = "FROM ressource r WHERE r.entreprise_id IN ({})"
_LISTED = (
    "SELECT l.prestation_id, l.ressource_id FROM prestation_ressource l"
    " WHERE l.prestation_id IN ({})"
)


class Member(NamedTuple):
    id: int
    genre: str
    actif: int
    nom: str
    utilisateur_id: int | None


class Performers(NamedTuple):
    """The ids of the persons and rooms for a service, ordered by (ordre, id).

    `rooms` is None if no room is needed. `of_team` is True if the business has several active
    persons.
    """

    persons: tuple[int, ...]
    rooms: tuple[int, ...] | None
    of_team: bool
    members: Sequence[Member]  # all persons and rooms of the business

    def name(self, ressource_id: int | None) -> str:
        """Returns the name of a person or room, or "" if the id is unknown."""
        return next((one.nom for one in self.members if one.id == ressource_id), "")

    def of_account(self, account_id: int) -> int:
        """Returns the id of the active person whose calendar the account manages. Raises
        NotPermitted if there is no such person."""
        for one in self.members:
            if one.utilisateur_id == account_id and one.actif:
                return one.id
        raise NotPermitted()


def of_service(db: Database, entreprise_id: int, service: Any) -> Performers:
    """Returns the active persons and rooms for a service. If `service` is None, returns all active
    persons, and no rooms."""
    members = teams(db, [entreprise_id])[entreprise_id]
    if service is None or len(members) == 1:
        return of_members(members, needs_room=service is not None and service.lieu_requis)
    return of_members(members, listed(db, [service.id])[service.id], service.lieu_requis)


def rooms(db: Database, entreprise_id: int) -> tuple[int, ...]:
    """Returns the ids of the active rooms."""
    return of_members(teams(db, [entreprise_id])[entreprise_id], needs_room=True).rooms or ()


def of_members(
    members: Sequence[Member], listed: Collection[int] = (), needs_room: Any = False
) -> Performers:
    """Returns the active persons and rooms for a service. `members` has all persons and rooms of
    the business, active or not.

    `listed` has the ids that the owner listed for the service. If no person is listed, all active
    persons can perform the service. The same rule applies to rooms.
    """

    def able(kind: str, listed: Collection[int]) -> tuple[int, ...]:
        of_kind = [one for one in members if one.genre == kind]
        # Filter by `actif` last: unlisted persons must not replace inactive listed persons.
        chosen = [one for one in of_kind if one.id in listed] or of_kind
        return tuple(one.id for one in chosen if one.actif)

    persons, rooms = able(PERSON, listed), able(ROOM, listed) if needs_room else None
    of_team = len(able(PERSON, ()) if listed else persons) > 1
    return Performers(persons, rooms, of_team, members)


def teams(db: Database, entreprise_ids: Collection[int]) -> dict[int, list[Member]]:
    found: dict[int, list[Member]] = defaultdict(list)
    rows = db.many_rows(_COLUMNS, _MEMBERS.format(marks(entreprise_ids)), *entreprise_ids)
    for _, id, entreprise_id, *rest in sorted(rows):
        found[entreprise_id].append(Member(id, *rest))
    return found


def listed(db: Database, prestation_ids: Collection[int]) -> dict[int, list[int]]:
    """Returns the ids of the persons and rooms that the owner listed for each service."""
    found: dict[int, list[int]] = defaultdict(list)
    if prestation_ids:
        sql = _LISTED.format(marks(prestation_ids))
        for prestation_id, ressource_id in db.rows(sql, *prestation_ids):
            found[prestation_id].append(ressource_id)
    return found
