"""Reads pages of bookings, ordered by start.

Some lists are merged from several index reads, for example one for each business of an owner,
because no single index has all these bookings ordered by start.
"""

from dataclasses import dataclass
from typing import Any

from reservation.domain.booking import reservations
from reservation.domain.booking.reservations import ReservationRecord
from reservation.domain.calendar import performers
from reservation.domain.people.sessions import Account
from reservation.lib import instants
from reservation.storage.database import Database
from reservation.storage.paging import Part, touching

_LONGEST = "SELECT COALESCE(MAX(duree_max_minutes), 0) * 60 FROM prestation"
_RESSOURCE = (
    "SELECT r.genre, r.entreprise_id, e.proprietaire_id FROM ressource r"
    " JOIN entreprise e ON e.id = r.entreprise_id WHERE r.id = ?"
)
_MANAGED = (
    "SELECT 0, id FROM entreprise WHERE proprietaire_id = ?"
    " UNION ALL SELECT 1, id FROM ressource WHERE utilisateur_id = ? AND actif = 1"
)
_ZONES = "SELECT DISTINCT fuseau FROM entreprise WHERE {} LIMIT 2"
_BUSINESS_OF = "id = (SELECT entreprise_id FROM {} WHERE id = ?)"
_OWNER_OF = (
    "SELECT e.proprietaire_id FROM client c JOIN entreprise e ON e.id = c.entreprise_id"
    " WHERE c.id = ?"
)


@dataclass(frozen=True)
class Filter:
    """Selects the bookings that overlap [since, until), in Unix seconds.

    With `own`, selects only the caller's own visits. With `latest`, the latest booking is first.
    """

    entreprise_id: int | None = None
    statut: str = ""
    since: int | None = None
    until: int | None = None
    own: bool = False
    latest: bool = False
    client_id: int | None = None
    ressource_id: int | None = None


def zone(
    db: Database, asking: Account,
    entreprise_id: int | None, client_id: int | None, ressource_id: int | None,
) -> str:
    """Returns the time zone of a business, or of the business of a customer, person or room.

    If all ids are None, returns the zone that all businesses of the caller share. If there is no
    such zone, returns the zone of France.
    """
    if entreprise_id is not None:
        rows = db.rows(_ZONES.format("id = ?"), entreprise_id)
    elif client_id is not None:
        rows = db.rows(_ZONES.format(_BUSINESS_OF.format("client")), client_id)
    elif ressource_id is not None:
        rows = db.rows(_ZONES.format(_BUSINESS_OF.format("ressource")), ressource_id)
    else:
        rows = db.rows(_ZONES.format("proprietaire_id = ?"), asking.id)
    return rows[0][0] if len(rows) == 1 else instants.FRANCE


def listed(
    db: Database, asking: Account, filter: Filter, after: tuple[int, ...] | None, most: int
) -> list[ReservationRecord]:
    """Returns at most `most` bookings, ordered by the key (debut, id). The list begins after the
    key `after`.

    Callers see their own bookings and the bookings in calendars that they manage. Owners also see
    the bookings of their businesses, and admins see all bookings.
    """
    parts = _parts(db, asking, filter)
    if filter.since is not None:
        longest = db.rows(_LONGEST)[0][0]
        parts = [part._replace(longest=longest) for part in parts]
    return touching(
        lambda some, most: reservations.first(db, some, most, filter.latest), parts, most,
        since=filter.since, until=filter.until, after=after, latest=filter.latest,
    )


def _parts(db: Database, asking: Account, filter: Filter) -> list[Part]:
    wanted, statut = filter.entreprise_id, filter.statut
    if filter.client_id is not None:
        return _of_record(db, asking, filter.client_id, filter)
    if filter.own:
        return [_of_customer(asking.id, filter)]
    if filter.ressource_id is not None:
        return _of_ressource(db, asking, filter.ressource_id, filter)
    if asking.role == "admin":
        return [_of_business(wanted, statut)]
    businesses, calendars = _managed(db, asking.id)
    owned = [id for id in businesses if asking.role != "student" and wanted in (None, id)]
    parts = [_of_business(id, statut) for id in owned]
    return parts if wanted in owned else [*parts, *_of_account(asking.id, calendars, filter)]


def _of_record(
    db: Database, asking: Account, client_id: int, filter: Filter
) -> list[Part]:
    limits: list[dict[str, Any]] = [{"titulaire_id = ?": asking.id}]
    if not filter.own:
        owner = db.rows(_OWNER_OF, client_id)
        if owner and asking.acts_for(owner[0][0]):
            limits = [{}]
        else:
            limits += [{"ressource_id = ?": number} for number in _managed(db, asking.id)[1]]
    mine = {"client_id = ?": client_id, **_further(filter)}
    return [Part("reservation_client_debut", mine | limit) for limit in limits]


def _of_ressource(
    db: Database, asking: Account, ressource_id: int, filter: Filter
) -> list[Part]:
    rows = db.rows(_RESSOURCE, ressource_id)
    if not rows:
        return []
    genre, entreprise_id, owner = rows[0]
    if not asking.acts_for(owner):
        return _of_account(asking.id, _managed(db, asking.id)[1], filter)
    if filter.entreprise_id not in (None, entreprise_id):
        return []
    column = "lieu" if genre == performers.ROOM else "ressource"
    mine: dict[str, Any] = {f"{column}_id = ?": ressource_id}
    if not filter.statut:
        return [Part(f"reservation_{column}_debut", mine)]
    # Uses the index on business and state. If the state is rare, this index is faster than the
    # index on the person or room.
    part = _of_business(entreprise_id, filter.statut)
    return [part._replace(conditions=part.conditions | mine)]


def _of_account(account_id: int, calendars: list[int], filter: Filter) -> list[Part]:
    rest = _further(filter)
    return [_of_customer(account_id, filter)] + [
        Part("reservation_ressource_debut", {"ressource_id = ?": number, **rest})
        for number in calendars
    ]


def _managed(db: Database, account_id: int) -> tuple[list[int], list[int]]:
    """Returns the ids of the businesses of an account, and the ids of the persons whose calendars
    the account manages."""
    managed: tuple[list[int], list[int]] = [], []
    for kind, id in db.rows(_MANAGED, account_id, account_id):
        managed[kind].append(id)
    return managed


def _of_customer(account_id: int, filter: Filter) -> Part:
    mine: dict[str, Any] = {"titulaire_id = ?": account_id}
    return Part("reservation_titulaire_debut", mine | _further(filter))


def _further(filter: Filter) -> dict[str, Any]:
    conditions: dict[str, Any] = {}
    if filter.entreprise_id is not None:
        conditions["entreprise_id = ?"] = filter.entreprise_id
    if filter.statut:
        conditions["statut = ?"] = filter.statut
    if filter.ressource_id is not None:
        conditions["? IN (ressource_id, lieu_id)"] = filter.ressource_id
    return conditions


def _of_business(entreprise_id: int | None, statut: str) -> Part:
    index = "reservation"
    conditions: dict[str, Any] = {}
    if entreprise_id is not None:
        index, conditions["entreprise_id = ?"] = f"{index}_entreprise", entreprise_id
    if statut:
        index, conditions["statut = ?"] = f"{index}_statut", statut
    return Part(f"{index}_debut", conditions)
