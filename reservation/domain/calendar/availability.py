"""Which starts of a service can be had, and why another cannot: one rule for both.

`judged` decides for the list of free times and for the booking alike, so what is listed can
be booked and what is not cannot.
"""

from bisect import bisect_left
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import itemgetter
from typing import Any, NamedTuple

from reservation.domain.calendar.calendar import horizon
from reservation.domain.calendar.plans import LONGEST_GRAIN
from reservation.domain.calendar.terms import Terms, Visit
from reservation.storage.database import Database
from reservation.storage.models import Entreprise

# Why a start cannot be had, in the order in which it is told.
PASSE, DELAI, HORIZON = "passe", "delai", "horizon"
FERME, TROP_COURT, COMPLET = "ferme", "trop_court", "complet"
MOTIFS = (PASSE, DELAI, HORIZON, FERME, TROP_COURT, COMPLET)
_GRAIN = "id, debut, fin, ouverture, capacite - places_prises, prestation_id, ouvert"
_GRAINS = (
    "FROM creneau WHERE entreprise_id = ? AND debut > ? AND debut < ? AND fin > ?"
    " ORDER BY debut"
)
# Columns of _GRAIN, by number: a named tuple for each costs as much as the query.
ID, DEBUT, FIN, OUVERTURE, LIBRES, PRESTATION, OUVERT = range(7)
Grains = Sequence[Sequence[Any]]


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
    obstacle = Window.of(entreprise, now).obstacle(debut)
    return obstacle or next(judged(grains, visit, at, at + 1)).motif


def _is_between(grain: Sequence[Any], visit: Visit) -> bool:
    """Whether the service starts at larger intervals, and not here."""
    interval = visit.intervalle
    return bool(interval and (grain[DEBUT] - grain[OUVERTURE]) % interval)


def judged(grains: Grains, visit: Visit, first: int, last: int) -> Iterator[Start]:
    """Judges the visit that starts with each of grains[first:last], except those between the
    starts of its interval.

    The grains of [debut, fin) must be contiguous, open and reserved for no other service; they
    and those under the buffers need the places. One pass over the grains, however long the
    visit is: all bounds only move forward.
    """
    mine, wanted, duree = visit.prestation_id, visit.places, visit.duree
    buffered = visit.avant or visit.apres
    lowest: deque[int] = deque()  # of the visit's grains, those with fewer places than any later
    # Indexes: of the first grain after the visit and after its buffer, of the first under the
    # buffer before it, of the first closed grain, and of the first without the places.
    after, high, low, shut, full = first, first, 0, first, 0
    for at in range(first, last):
        number, debut, reached, ouverture, libres, kept_for, ouvert = grains[at]
        if visit.intervalle and (debut - ouverture) % visit.intervalle:
            continue
        fin = debut + duree if duree else reached
        motif = None
        if fin <= reached and not buffered:  # the visit is within one grain
            if not ouvert or kept_for is not None and kept_for != mine:
                motif = FERME
            elif libres < wanted:
                motif = COMPLET
            yield Start(number, debut, fin, libres, motif)
            continue
        if after <= at:
            lowest.clear()
            after = at
            reached = debut
        else:
            reached = grains[after - 1][FIN]
        while reached < fin and after < len(grains) and grains[after][DEBUT] == reached:
            libres, reached = grains[after][LIBRES], grains[after][FIN]
            while lowest and grains[lowest[-1]][LIBRES] >= libres:
                lowest.pop()
            lowest.append(after)
            after += 1
        while lowest[0] < at:
            lowest.popleft()
        libres = grains[lowest[0]][LIBRES]
        if shut < at:
            shut = at
        while shut < after and not _is_closed(grains[shut], mine):
            shut += 1
        if shut < after:
            motif = FERME
        elif reached < fin:
            motif = TROP_COURT
        elif libres < wanted:
            motif = COMPLET
        elif buffered:
            while grains[low][FIN] <= debut - visit.avant:
                low += 1
            high = max(high, after)
            while high < len(grains) and grains[high][DEBUT] < fin + visit.apres:
                high += 1
            full = max(full, low)
            while full < high and grains[full][LIBRES] >= wanted:
                full += 1
            if full < high:
                motif = COMPLET
        yield Start(number, debut, fin, libres, motif)


def _is_closed(grain: Sequence[Any], prestation_id: int | None) -> bool:
    return not grain[OUVERT] or grain[PRESTATION] not in (None, prestation_id)


def starts(
    grains: Grains, visit: Visit, window: Window, start: int, end: int
) -> Iterator[Start]:
    """Yields every start of the visit in [start, end), each with what stands against it."""
    for one in judged(grains, visit, *_between(grains, start, end)):
        yield one._replace(motif=window.obstacle(one.debut) or one.motif)


def free_starts(
    grains: Grains,
    visit: Visit,
    window: Window,
    start: int,
    end: int,
    most: int | None = None,
) -> list[Start]:
    """Returns the starts of the visit in [start, end) that can be booked, `most` at most."""
    if not window.actif:
        return []
    between = _between(grains, max(start, window.earliest), min(end, window.horizon))
    free = (one for one in judged(grains, visit, *between) if not one.motif)
    return list(islice(free, most))


def _between(grains: Grains, start: int, end: int) -> tuple[int, int]:
    """Returns the indexes of the grains that start in [start, end): the first, and the next
    after the last."""
    first, last = (bisect_left(grains, limit, key=itemgetter(DEBUT)) for limit in (start, end))
    return first, last
