"""Which starts of a service can be had, and why another cannot: one rule for both.

`obstacle` decides for the list of free times and for the booking alike, so what is listed
can be booked and what is not cannot.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, NamedTuple

from reservation.domain.calendar import LONGEST_GRAIN, horizon
from reservation.errors import NotFound
from reservation.storage.database import Database
from reservation.storage.models import Entreprise, Prestation

# Why a start cannot be had, in the order in which it is told.
PASSE, DELAI, HORIZON = "passe", "delai", "horizon"
FERME, TROP_COURT, COMPLET = "ferme", "trop_court", "complet"
MOTIFS = (PASSE, DELAI, HORIZON, FERME, TROP_COURT, COMPLET)
_GRAIN = "id, debut, fin, ouverture, capacite - places_prises, prestation_id, ouvert"
_GRAINS = (
    "FROM creneau WHERE entreprise_id = ? AND debut > ? AND debut < ? AND fin > ?"
    " ORDER BY debut"
)
_TERMS = (
    "SELECT e.id, e.proprietaire_id, e.nom, e.fuseau, e.actif, e.delai_reservation,"
    " e.horizon_jours, e.delai_annulation, e.validation_manuelle, e.rappel_heures,"
    " e.calendrier_jusqua,"
    " p.id, p.nom, p.actif, p.duree_minutes, p.tampon_avant, p.tampon_apres,"
    " p.intervalle_minutes FROM entreprise e LEFT JOIN prestation p"
    " ON p.id = ? AND p.entreprise_id = e.id WHERE e.id = ?"
)
# Columns of _GRAIN, by number: a named tuple for each costs as much as the query.
ID, DEBUT, FIN, OUVERTURE, LIBRES, PRESTATION, OUVERT = range(7)
Grains = Sequence[Sequence[Any]]


@dataclass(slots=True)
class Terms:
    """What a business asks of a booking; fields as in Entreprise."""

    id: int
    proprietaire_id: int
    nom: str
    fuseau: str
    actif: int
    delai_reservation: int
    horizon_jours: int
    delai_annulation: int
    validation_manuelle: int
    rappel_heures: int
    calendrier_jusqua: int


class Offered(NamedTuple):
    """What a service asks of a calendar; fields as in Prestation."""

    id: int
    nom: str
    actif: int
    duree_minutes: int
    tampon_avant: int
    tampon_apres: int
    intervalle_minutes: int | None


def terms(
    db: Database, entreprise_id: int, prestation_id: int | None, shared: bool = False
) -> tuple[Terms, Offered | None]:
    """The terms of a business and of its service, None for one that is none of its own.

    With `shared` they stay as they are until the transaction ends. Raises NotFound.
    """
    sql = _TERMS + db.FOR_SHARE if shared else _TERMS
    rows = db.rows(sql, prestation_id or 0, entreprise_id)
    if not rows:
        raise NotFound()
    row = rows[0]
    return Terms(*row[:11]), Offered(*row[11:]) if row[11] is not None else None


@dataclass(frozen=True, slots=True)
class Visit:
    """What a booking asks of a calendar, in seconds. duree 0 is one creneau, however long."""

    duree: int = 0
    avant: int = 0
    apres: int = 0
    intervalle: int | None = None
    prestation_id: int | None = None
    places: int = 1

    @classmethod
    def of(cls, prestation: Prestation | Offered, places: int = 1) -> "Visit":
        interval = prestation.intervalle_minutes
        return cls(
            prestation.duree_minutes * 60,
            prestation.tampon_avant * 60,
            prestation.tampon_apres * 60,
            interval * 60 if interval else None,
            prestation.id,
            places,
        )


@dataclass(frozen=True, slots=True)
class Window:
    """The starts that a business takes bookings for now: [earliest, horizon), or none."""

    now: int
    earliest: int
    horizon: int
    actif: bool

    @classmethod
    def of(cls, entreprise: Terms | Entreprise, now: int) -> "Window":
        notice = entreprise.delai_reservation * 60
        return cls(now, now + notice, horizon(entreprise, now), bool(entreprise.actif))

    def obstacle(self, debut: int) -> str | None:
        if debut < self.now:
            return PASSE
        if debut < self.earliest:
            return DELAI
        if debut >= self.horizon:
            return HORIZON
        return None if self.actif else FERME


class Start(NamedTuple):
    """A start of a visit; `motif` says why it cannot be had, None that it can."""

    id: int
    debut: int
    fin: int
    libres: int
    motif: str | None


def grains_between(db: Database, entreprise_id: int, start: int, end: int) -> Grains:
    """The stored creneaux that overlap [start, end), by start."""
    return db.many_rows(_GRAIN, _GRAINS, entreprise_id, start - LONGEST_GRAIN, end, start)


def refusal_of(
    grains: Grains, visit: Visit, debut: int, entreprise: Terms, now: int
) -> str | None:
    """Why the visit cannot start at `debut`; None that it can."""
    at = next((i for i, grain in enumerate(grains) if grain[DEBUT] == debut), None)
    if at is None or _is_between(grains[at], visit):
        return FERME
    return Window.of(entreprise, now).obstacle(debut) or obstacle(grains, at, visit)[0]


def _is_between(grain: Sequence[Any], visit: Visit) -> bool:
    """Whether the service starts at larger intervals, and not here."""
    interval = visit.intervalle
    return bool(interval and (grain[DEBUT] - grain[OUVERTURE]) % interval)


def obstacle(grains: Grains, at: int, visit: Visit) -> tuple[str | None, int, int]:
    """Why a visit cannot start at grains[at]; None that it can. Also its end and free places.

    The grains of [debut, fin) must be contiguous, open and kept for no other service; they
    and those under the buffers need the places.
    """
    _, debut, reached, _, places, kept_for, ouvert = grains[at]
    fin = debut + visit.duree if visit.duree else reached
    mine = visit.prestation_id
    closed = not ouvert or kept_for is not None and kept_for != mine
    after = at + 1
    while reached < fin and after < len(grains) and grains[after][DEBUT] == reached:
        _, _, reached, _, free, kept_for, ouvert = grains[after]
        if not ouvert or kept_for is not None and kept_for != mine:
            closed = True
        if free < places:
            places = free
        after += 1
    if closed:
        return FERME, fin, places
    if reached < fin:
        return TROP_COURT, fin, places
    buffered = visit.avant or visit.apres
    if places < visit.places or buffered and _is_tight(grains, at, after, fin, visit):
        return COMPLET, fin, places
    return None, fin, places


def _is_tight(grains: Grains, at: int, after: int, fin: int, visit: Visit) -> bool:
    """Whether a grain under a buffer of the visit at grains[at:after] lacks the places."""
    low, high = grains[at][DEBUT] - visit.avant, fin + visit.apres
    before = at - 1
    while before >= 0 and grains[before][FIN] > low:
        if grains[before][LIBRES] < visit.places:
            return True
        before -= 1
    while after < len(grains) and grains[after][DEBUT] < high:
        if grains[after][LIBRES] < visit.places:
            return True
        after += 1
    return False


def starts(
    grains: Grains, visit: Visit, window: Window, start: int, end: int
) -> Iterator[Start]:
    """Every start of the visit in [start, end), each with what stands against it."""
    for at, grain in enumerate(grains):
        debut = grain[DEBUT]
        if debut >= end:
            break
        if debut < start or _is_between(grain, visit):
            continue
        motif, fin, places = obstacle(grains, at, visit)
        yield Start(grain[ID], debut, fin, places, window.obstacle(debut) or motif)


def free_starts(
    grains: Grains, visit: Visit, window: Window, start: int, end: int
) -> list[Start]:
    """The starts of the visit in [start, end) that can be had."""
    start, end = max(start, window.earliest), min(end, window.horizon)
    first, last = (bisect_left(grains, limit, key=itemgetter(DEBUT)) for limit in (start, end))
    free = []
    for at in range(first, last):
        if visit.intervalle and _is_between(grains[at], visit):
            continue
        motif, fin, places = obstacle(grains, at, visit)
        if not motif:
            free.append(Start(grains[at][ID], grains[at][DEBUT], fin, places, None))
    return free
