"""Who can perform a service, and in which rooms."""

from collections import defaultdict
from collections.abc import Collection
from typing import Any, NamedTuple

from reservation.storage.database import Database, marks

PERSON, ROOM = "personne", "lieu"
KINDS = (PERSON, ROOM)
# Plain SQL: every booking and every list of free times reads these rows.
_ACTIVE = (
    "SELECT r.entreprise_id, r.id, r.genre FROM ressource r WHERE r.entreprise_id IN ({})"
    " AND r.actif = 1 ORDER BY r.ordre, r.id"
)
_LISTED = (
    "SELECT l.prestation_id, l.ressource_id FROM prestation_ressource l"
    " WHERE l.prestation_id IN ({})"
)


class Performers(NamedTuple):
    """Ids of ressources, in the order in which equals are chosen. `rooms` is None if no room is
    needed."""

    persons: tuple[int, ...] = ()
    rooms: tuple[int, ...] | None = None


NOBODY = Performers()


class Team(NamedTuple):
    """The active ressources of a business as (id, kind)."""

    members: list[tuple[int, str]]

    def performers(self, listed: Collection[int] = (), needs_room: Any = False) -> Performers:
        """Returns those who can perform a service for which these ressources are listed."""

        def able(kind: str) -> tuple[int, ...]:
            all_ = tuple(id for id, genre in self.members if genre == kind)
            chosen = tuple(id for id in all_ if id in listed)
            return chosen or all_

        return Performers(able(PERSON), able(ROOM) if needs_room else None)


def of_service(db: Database, entreprise_id: int, service: Any) -> Performers:
    """Returns those who can perform a service; without a service, all persons."""
    team = teams(db, [entreprise_id])[entreprise_id]
    if service is None or len(team.members) == 1:
        return team.performers(needs_room=service is not None and service.lieu_requis)
    return team.performers(listed(db, [service.id])[service.id], service.lieu_requis)


def teams(db: Database, entreprise_ids: Collection[int]) -> dict[int, Team]:
    """Returns the team of each business."""
    found: dict[int, Team] = defaultdict(lambda: Team([]))
    for entreprise_id, *member in db.rows(_ACTIVE.format(marks(entreprise_ids)), *entreprise_ids):
        found[entreprise_id].members.append((member[0], member[1]))
    return found


def listed(db: Database, prestation_ids: Collection[int]) -> dict[int, list[int]]:
    """Returns the ids of the ressources that are listed for each service."""
    found: dict[int, list[int]] = defaultdict(list)
    if prestation_ids:
        sql = _LISTED.format(marks(prestation_ids))
        for prestation_id, ressource_id in db.rows(sql, *prestation_ids):
            found[prestation_id].append(ressource_id)
    return found
