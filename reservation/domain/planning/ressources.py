"""The persons and rooms of a business. Each has a calendar of its own.

A new business has one person without a name, who stands for the business. Lists omit this person.
When another person or a room is added, the first person gets a name.
"""

from collections.abc import Collection
from typing import Annotated, Any, NamedTuple

from reservation.errors import Fault, InvalidInput
from reservation.storage import records
from reservation.storage.database import Database, marks

UNKNOWN_RESSOURCE = Fault("unknown_ressource", "is not an active person or room of this business")


class RessourceRecord(NamedTuple):
    """A person or a room with a name. `compte` is the address of the account that manages the
    calendar. `prestations` are the ids of the active services that list this person or room."""

    id: int
    entreprise_id: int
    genre: str
    nom: str
    description: str
    ordre: int
    actif: int
    semaine_propre: int
    version: int
    utilisateur_id: int | None
    compte: Annotated[str | None, "u.email"]
    prestations: Annotated[Any, "NULL"] = ()

    def is_run_by(self, account_id: int) -> bool:
        return bool(self.actif) and self.utilisateur_id == account_id


_SELECT = (
    f"SELECT {records.columns(RessourceRecord, 'r')} FROM ressource r"
    " LEFT JOIN utilisateur u ON u.id = r.utilisateur_id WHERE r.nom <> ''"
)
_SERVICES = (
    "SELECT l.ressource_id, l.prestation_id FROM prestation_ressource l"
    " JOIN prestation p ON p.id = l.prestation_id WHERE l.ressource_id IN ({}) AND p.actif = 1"
    " ORDER BY l.prestation_id"
)
_ACTIVE = "SELECT id, genre FROM ressource WHERE entreprise_id = ? AND actif = 1"


def get(db: Database, ressource_id: int) -> RessourceRecord:
    """Raises NotFound."""
    return records.first(_rows(db, f"{_SELECT} AND r.id = ?", ressource_id))


def listed(
    db: Database, entreprise_id: int, after: tuple[int, ...] | None, most: int,
    retired: bool = False,
) -> list[RessourceRecord]:
    """Returns at most `most` persons and rooms of a business, ordered by (ordre, id). Starts after
    the pair `after`. With `retired`, includes persons and rooms that take no more bookings."""
    ordre, number = after or (-1, 0)
    active = "" if retired else " AND r.actif = 1"
    sql = (
        f"{_SELECT} AND r.entreprise_id = ?{active}"
        " AND (r.ordre > ? OR (r.ordre = ? AND r.id > ?)) ORDER BY r.ordre, r.id LIMIT ?"
    )
    return _rows(db, sql, entreprise_id, ordre, ordre, number, most)


def of_account(
    db: Database, account_id: int, after: tuple[int, ...] | None, most: int
) -> list[RessourceRecord]:
    """Returns at most `most` active persons whose calendars the account runs, ordered by id.
    Starts after the id in `after`."""
    sql = f"{_SELECT} AND r.utilisateur_id = ? AND r.actif = 1 AND r.id > ? ORDER BY r.id LIMIT ?"
    (number,) = after or (0,)
    return _rows(db, sql, account_id, number, most)


def _rows(db: Database, sql: str, *values: Any) -> list[RessourceRecord]:
    rows = [RessourceRecord(*row) for row in db.rows(sql, *values)]
    services: dict[int, list[int]] = {row.id: [] for row in rows}
    if rows:
        for number, prestation_id in db.rows(_SERVICES.format(marks(rows)), *services):
            services[number].append(prestation_id)
    return [row._replace(prestations=services[row.id]) for row in rows]


def is_named(db: Database, entreprise_id: int, ressource_id: int) -> bool:
    """Returns whether the business has this person or room, and the person or room has a name. The
    person or room may be inactive."""
    sql = "SELECT id FROM ressource WHERE id = ? AND entreprise_id = ? AND nom <> ''"
    return bool(db.rows(sql, ressource_id, entreprise_id))


def check_known(
    db: Database, entreprise_id: int, column: str, ids: Collection[int],
    besides: Collection[int] = (),
) -> None:
    """Raises InvalidInput for the field `column` if an id does not belong to an active person or
    room of this business, or if the person or room has no name. Ignores the ids in `besides`."""
    wanted = {*ids} - {*besides}
    if wanted:
        sql = (
            "SELECT id FROM ressource WHERE entreprise_id = ? AND actif = 1 AND nom <> ''"
            f" AND id IN ({marks(wanted)})"
        )
        if len(db.rows(sql, entreprise_id, *wanted)) < len(wanted):
            raise InvalidInput({column: UNKNOWN_RESSOURCE})


def active_kinds(db: Database, entreprise_id: int, excluded: int | None = None) -> list[str]:
    """Returns the kind of each active person or room of a business, except `excluded`."""
    rows = db.rows(_ACTIVE, entreprise_id)
    return [kind for number, kind in rows if number != excluded]
