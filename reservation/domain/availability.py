"""Which starts of a service can be had, and why another cannot: one rule for both.

`obstacle` decides for the list of free times and for the booking alike, so what is listed
can be booked and what is not cannot.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from reservation.domain.calendar import LONGEST_GRAIN, horizon
from reservation.storage.database import Database
from reservation.storage.models import Entreprise, Prestation

# Why a start cannot be had, in the order in which it is told.
PASSE, DELAI, HORIZON = "passe", "delai", "horizon"
FERME, TROP_COURT, COMPLET = "ferme", "trop_court", "complet"
_GRAINS = (
    "SELECT id, debut, fin, ouverture, capacite - places_prises, prestation_id, ouvert"
    " FROM creneau WHERE entreprise_id = ? AND debut > ? AND debut < ? AND fin > ?"
    " ORDER BY debut"
)
# Columns of such a row: by number, for a named tuple for each would cost as much as the query.
ID, DEBUT, FIN, OUVERTURE, LIBRES, PRESTATION, OUVERT = range(7)
Grains = Sequence[tuple[Any, ...]]


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
    def of(cls, prestation: Prestation, places: int = 1) -> "Visit":
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
    """The instants from which a visit can be booked now: [earliest, horizon)."""

    now: int
    earliest: int
    horizon: int

    @classmethod
    def of(cls, entreprise: Entreprise, now: int) -> "Window":
        notice = entreprise.delai_reservation * 60
        return cls(now, now + notice, horizon(entreprise, now))

    def obstacle(self, debut: int) -> str | None:
        if debut < self.now:
            return PASSE
        if debut < self.earliest:
            return DELAI
        return HORIZON if debut >= self.horizon else None


class Start(NamedTuple):
    """A start of a visit; `motif` says why it cannot be had, None that it can."""

    id: int
    debut: int
    fin: int
    libres: int
    motif: str | None


def grains_between(db: Database, entreprise_id: int, start: int, end: int) -> Grains:
    """The stored creneaux that overlap [start, end), by start."""
    return db.rows(_GRAINS, entreprise_id, start - LONGEST_GRAIN, end, start)


def refusal_of(
    grains: Grains, visit: Visit, debut: int, entreprise: Entreprise, now: int
) -> str | None:
    """Why the visit cannot start at `debut`; None that it can."""
    at = next((i for i, grain in enumerate(grains) if grain[DEBUT] == debut), None)
    if at is None or not entreprise.actif or _is_between(grains[at], visit):
        return FERME
    return Window.of(entreprise, now).obstacle(debut) or obstacle(grains, at, visit)[0]


def _is_between(grain: tuple[Any, ...], visit: Visit) -> bool:
    """Whether the service starts at larger intervals, and not here."""
    interval = visit.intervalle
    return bool(interval and (grain[DEBUT] - grain[OUVERTURE]) % interval)


def obstacle(grains: Grains, at: int, visit: Visit) -> tuple[str | None, int, int]:
    """Why a visit cannot start at grains[at]; None that it can. Also its end and free places.

    The grains of [debut, fin) must be contiguous, open and kept for no other service; they
    and those under the buffers need the places.
    """
    debut = grains[at][DEBUT]
    fin = debut + visit.duree if visit.duree else grains[at][FIN]
    closed, places, reached, after = False, grains[at][LIBRES], debut, at
    while reached < fin and after < len(grains) and grains[after][DEBUT] == reached:
        grain = grains[after]
        if not grain[OUVERT] or grain[PRESTATION] not in (None, visit.prestation_id):
            closed = True
        if grain[LIBRES] < places:
            places = grain[LIBRES]
        reached = grain[FIN]
        after += 1
    if closed:
        return FERME, fin, places
    if reached < fin:
        return TROP_COURT, fin, places
    if places < visit.places or not _has_buffers(grains, at, after, debut, fin, visit):
        return COMPLET, fin, places
    return None, fin, places


def _has_buffers(
    grains: Grains, at: int, after: int, debut: int, fin: int, visit: Visit
) -> bool:
    before = at - 1
    while before >= 0 and grains[before][FIN] > debut - visit.avant:
        if grains[before][LIBRES] < visit.places:
            return False
        before -= 1
    while after < len(grains) and grains[after][DEBUT] < fin + visit.apres:
        if grains[after][LIBRES] < visit.places:
            return False
        after += 1
    return True


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
