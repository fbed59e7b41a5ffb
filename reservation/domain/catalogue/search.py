"""Lists businesses, services and events that match a search."""

from collections import namedtuple
from collections.abc import Sequence
from typing import Any

from peewee import chunked

from reservation.domain.calendar.plans import RANGES
from reservation.domain.catalogue import matching, places
from reservation.lib.folding import search_key
from reservation.lib.instants import DAY
from reservation.storage.database import Database
from reservation.storage.models import Entreprise, Evenement, Prestation
from reservation.storage.paging import Conditions, Key, Part, first_keys, together, touching

# A SELECT for each business reads only the rows of the page, but takes 0.1 to 0.2 ms. For many
# businesses, it is faster to read and sort all their rows.
_MANY, _MOST_TOGETHER = 100, 5000
_OF_ACTIVE = {"(SELECT e.actif FROM entreprise e WHERE e.id = entreprise_id) = ?": 1}
_UNUSED = {
    "nom_cle", "ville_cle", "mails_par_jour", "calendrier_jusqua", "calendrier_version",
    "flux_version", "cree_le",
}  # fmt: skip
_NAMES = [
    field.column_name for field in Entreprise._meta.sorted_fields
    if field.column_name not in _UNUSED
]
_COLUMNS = ", ".join(f"e.{name}" for name in _NAMES)
_Found: Any = namedtuple("_Found", f"cle {' '.join(_NAMES)}")  # type: ignore[misc]


def businesses(
    db: Database, *, q: str = "", ville: str = "", prestation: str = "", after: Key | None = None,
    until: int = matching.ENDLESS, most: int,
) -> list[Any]:
    """Returns the active businesses that match, the best match first.

    The field `cle` of a result is its key (see `matching`). `after` is (key,) of the last result
    of the previous page. `until` is the highest key to return.
    """
    search = matching.Search.of(db, q, ville, prestation)
    (start,) = after or (0,)
    rows = matching.read(db, search, _COLUMNS, start, until, most)
    return [_Found(*row) for row in rows]


def services(
    db: Database, *, q: str = "", ville: str = "", entreprise_id: int | None = None,
    after: Key | None = None, most: int,
) -> list[Prestation]:
    """Returns active services, ordered by id. Without `entreprise_id`, omits the services of
    inactive businesses.

    `after` is (id,) of the last service of the previous page.
    """
    (start,) = after or (0,)
    wanted: Conditions = {"id > ?": start, "actif = ?": 1}
    if q:
        wanted["INSTR(nom_cle, ?) > 0"] = search_key(q)
    parts = [Part("", wanted | _OF_ACTIVE)]
    if ville or entreprise_id is not None:
        parts = _parts(db, "prestation_entreprise", entreprise_id, ville, wanted)
    ids = [id for (id,) in first_keys(db, "prestation", ("id",), parts, most)]
    found = Prestation.select().where(Prestation.id.in_(ids))
    return list(found.order_by(Prestation.id).execute(db)) if ids else []


def events(db: Database, keys: Sequence[Key]) -> list[Evenement]:
    """Returns the events with these keys, ordered by start, each with its business."""
    with_business = Evenement.select(Evenement, Entreprise).join(Entreprise)
    found = with_business.where(Evenement.id.in_([id for _, id in keys]))
    return list(found.order_by(Evenement.debut, Evenement.id).execute(db)) if keys else []


def event_keys(
    db: Database, *, entreprise_id: int | None, ville: str, since: int | None, until: int | None,
    after: Key | None, most: int, ressource_id: int | None,
) -> list[Key]:
    """Returns the keys (debut, id) of the events that overlap [since, until), in order. Without
    `entreprise_id`, omits the events of inactive businesses.

    With `entreprise_id` and `ressource_id`, omits the events of other persons and rooms. `after`
    is the key of the last event of the previous page.
    """
    parts = [
        Part("evenement_portee_jours_debut", {"portee_jours = ?": days, **_OF_ACTIVE}, days * DAY)
        for days in RANGES
    ]
    if ville or entreprise_id is not None:
        concerned = "(ressource_id IS NULL OR ressource_id = ?)"
        wanted: Conditions = {} if ressource_id is None else {concerned: ressource_id}
        some = _parts(db, "evenement_entreprise_debut", entreprise_id, ville, wanted)
        parts = [part._replace(longest=RANGES[-1] * DAY) for part in some]
    return touching(
        lambda some, most: first_keys(db, "evenement", ("debut", "id"), some, most), parts, most,
        since=since, until=until, after=after,
    )


def _parts(
    db: Database, by: str, entreprise_id: int | None, ville: str, wanted: Conditions
) -> list[Part]:
    """Returns Parts (see `storage.paging`) for the businesses that match `entreprise_id` and
    `ville`: one for each business, or for each _MOST_TOGETHER businesses if there are many.
    Without `entreprise_id`, omits inactive businesses.

    `by` is the SQL index to use. `wanted` has further conditions on the rows of each business.
    """
    where: Conditions = {"e.actif = 1": []}
    if entreprise_id is not None:
        where = {"e.id = ?": entreprise_id}
    if ville:
        place = places.find(ville)
        where[place.own] = place.own_values
    sql, values = together(where)
    ids = [id for (id,) in db.rows(f"SELECT e.id FROM entreprise e WHERE {sql}", *values)]
    size = 1 if len(ids) < _MANY else _MOST_TOGETHER
    return [
        Part(by, {f"entreprise_id IN ({', '.join(map(str, some))})": [], **wanted})
        for some in chunked(ids, size)
    ]
