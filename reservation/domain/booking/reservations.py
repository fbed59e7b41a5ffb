"""Looking at reservations: who sees which, one by one and as lists."""

from bisect import bisect_right
from collections.abc import Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from reservation.domain import states
from reservation.domain.calendar.plans import LONGEST_VISIT
from reservation.domain.people.accounts import Account
from reservation.domain.states import CUSTOMER, OWNER
from reservation.errors import NotFound
from reservation.storage.database import Database

_TOUCHING = (
    "SELECT id, debut, fin FROM reservation WHERE entreprise_id = ? AND debut > ? AND debut < ?"
    f" AND fin > ? AND statut IN {states.OPEN} ORDER BY debut, id"
)
_LISTED = (
    "SELECT r.id, r.entreprise_id, r.prestation_id, r.utilisateur_id, r.creneau_id, r.debut,"
    " r.fin, r.occupe_debut, r.occupe_fin, r.places, r.statut, r.commentaire, r.version,"
    " r.cree_le, e.nom, e.fuseau, e.proprietaire_id, p.nom, u.nom, u.prenom, u.email, u.telephone"
    " FROM reservation r JOIN entreprise e ON e.id = r.entreprise_id"
    " JOIN prestation p ON p.id = r.prestation_id JOIN utilisateur u ON u.id = r.utilisateur_id"
)


class Listed(NamedTuple):
    """A reservation with what is known of its business, its service and its customer."""

    id: int
    entreprise_id: int
    prestation_id: int
    utilisateur_id: int
    creneau_id: int | None
    debut: int
    fin: int
    occupe_debut: int
    occupe_fin: int
    places: int
    statut: str
    commentaire: str
    version: int
    cree_le: int
    entreprise_nom: str
    fuseau: str
    proprietaire_id: int
    prestation_nom: str
    client_nom: str
    client_prenom: str
    client_email: str
    client_telephone: str


def place_of(row: Listed) -> tuple[int, int]:
    """The key by which lists are ordered."""
    return row.debut, row.id


def visible(db: Database, asking: Account, reservation_id: int) -> tuple[Listed, str]:
    """The reservation and the side from which the caller sees it. Raises NotFound."""
    for reservation in by_ids(db, [reservation_id]):
        return reservation, side_of(asking, reservation)
    raise NotFound()


def side_of(asking: Account, reservation: Listed) -> str:
    """Raises NotFound for somebody who is on neither."""
    if asking.acts_for(reservation.proprietaire_id):
        return OWNER
    if reservation.utilisateur_id == asking.id:
        return CUSTOMER
    raise NotFound()


def by_ids(db: Database, ids: list[int]) -> list[Listed]:
    """These reservations by time, whoever asks."""
    if not ids:
        return []
    marks = ", ".join("?" * len(ids))
    return _rows(db, f"{_LISTED} WHERE r.id IN ({marks}) ORDER BY r.debut, r.id", ids)


def touching(
    db: Database, entreprise_id: int, intervals: Sequence[tuple[int, int]], now: int
) -> list[Listed]:
    """Returns the open bookings to come of a business that touch one of the intervals, which
    come by start and do not overlap."""
    if not intervals:
        return []
    start, end = max(intervals[0][0], now), intervals[-1][1]
    rows = db.rows(_TOUCHING, entreprise_id, start - LONGEST_VISIT, end, start)
    touched = []
    for number, debut, fin in rows:
        first = bisect_right(intervals, debut, key=itemgetter(1))
        if first < len(intervals) and intervals[first][0] < fin:
            touched.append(number)
    return by_ids(db, touched)


def listed(
    db: Database,
    asking: Account,
    *,
    entreprise_id: int | None = None,
    statut: str = "",
    since: int | None = None,
    until: int | None = None,
    own: bool = False,
    latest: bool = False,
    after: tuple[int, ...] | None = None,
    most: int = 50,
) -> list[Listed]:
    """The reservations that the caller sees, by time: a student's own; a company's own and
    those of its businesses; all for an admin. Those that touch [since, until); with `own` only
    the caller's visits, with `latest` the other way round."""
    conditions: list[tuple[str, tuple[Any, ...]]] = []
    if own or asking.role == "student":
        conditions.append(("r.utilisateur_id = ?", (asking.id,)))
    elif asking.role == "company":
        conditions.append(("(e.proprietaire_id = ? OR r.utilisateur_id = ?)", (asking.id,) * 2))
    if entreprise_id is not None:
        conditions.append(("r.entreprise_id = ?", (entreprise_id,)))
    if statut:
        conditions.append(("r.statut = ?", (statut,)))
    if since is not None:
        conditions.append(("r.fin > ?", (since,)))
    if until is not None:
        conditions.append(("r.debut < ?", (until,)))
    if after is not None:
        debut, number = after
        beyond = "<" if latest else ">"
        following = f"(r.debut {beyond} ? OR r.debut = ? AND r.id {beyond} ?)"
        conditions.append((following, (debut, debut, number)))
    where = " AND ".join(text for text, _ in conditions)
    values = [value for _, some in conditions for value in some]
    sql = f"{_LISTED} WHERE {where}" if where else _LISTED
    order = "r.debut DESC, r.id DESC" if latest else "r.debut, r.id"
    return _rows(db, f"{sql} ORDER BY {order} LIMIT ?", [*values, most])


def _rows(db: Database, sql: str, values: list[Any]) -> list[Listed]:
    return [Listed(*row) for row in db.rows(sql, *values)]
