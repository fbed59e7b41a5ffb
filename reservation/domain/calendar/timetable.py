"""The weekly template, its dated exceptions and the time zone, turned into grains of calendar.

Instants are whole seconds since 1970 UTC. Wall times are minutes since local midnight, or,
inside this module, the seconds since 1970 that the local clock shows.
"""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import combinations
from operator import itemgetter
from typing import NamedTuple
from zoneinfo import ZoneInfo

from reservation.lib.instants import DAY

WEEK = 7 * DAY
# How far before its range `grains` looks. A run over `start` begins in the three weeks before,
# unless a longer ouverture is in it: the week cuts those at each opening, weekly or, where a
# clock change skips one, every other week.
REACH = 5 * WEEK


class Opening(NamedTuple):
    """A row of semainetype: open from `debut` to `fin`, in wall time, on each such weekday."""

    jour: int  # 1 Monday to 7 Sunday
    debut: int  # minutes, 0 to 1439
    fin: int  # minutes, 0 to 1440; not after debut: on the next day
    pas: int  # minutes, the length of a grain, at most a week
    capacite: int
    prestation_id: int | None


class Exceptional(NamedTuple):
    """A row of evenement, between two instants; `pas` and `capacite` are an ouverture's."""

    type: str  # fermeture, ouverture or information
    debut: int
    fin: int
    pas: int | None
    capacite: int | None


class Grain(NamedTuple):
    """A creneau to be, between two instants."""

    debut: int
    fin: int
    capacite: int
    prestation_id: int | None
    ouvert: bool


class _Run(NamedTuple):
    """Some time that is open on the same terms throughout."""

    debut: int
    fin: int
    monday: int  # wall seconds, of the week in which the opening begins
    pas: int
    capacite: int
    prestation_id: int | None


_Week = Sequence[Opening]
_Dated = Sequence[Exceptional]
_Intervals = Sequence[tuple[int, int]]


def grains(
    week: _Week, exceptions: _Dated, zone: ZoneInfo, start: int, end: int, frozen: _Intervals = ()
) -> list[Grain]:
    """The grains that start in [start, end), by start, around the `frozen` creneaux.

    Asked for range by range they are those of the whole, if each range is given the exceptions
    and frozen creneaux that end after REACH before it. Frozen creneaux never overlap.
    """
    taken, closures = sorted(frozen), _closures(exceptions)
    return [
        grain
        for run in _joined(_laid(week, exceptions, zone, start - REACH, end + WEEK))
        for rest in _minus(run, taken)
        for grain in _cut(rest, start, end, closures)
    ]


def openings(
    week: _Week, exceptions: _Dated, zone: ZoneInfo, start: int, end: int
) -> list[tuple[int, int]]:
    """The runs that `grains` cuts up, by start; right for those that touch [start, end)."""
    laid = _laid(week, exceptions, zone, start - REACH, end + WEEK)
    return [(run.debut, run.fin) for run in _joined(laid)]


def capacities(
    week: _Week, exceptions: _Dated, zone: ZoneInfo, intervals: _Intervals
) -> list[int]:
    """Returns, for each interval, the least capacity with which the whole of it is open.

    That is 0 if part of it is not open. The intervals come by start and do not overlap.
    """
    if not intervals:
        return []
    laid = _laid(week, exceptions, zone, intervals[0][0], intervals[-1][1])
    closures = sorted(_closures(exceptions))
    return [_capacity(laid, closures, one) for one in intervals]


def _capacity(laid: list[_Run], closures: _Intervals, interval: tuple[int, int]) -> int:
    debut, fin = interval
    if any(_meet(closure, interval) for closure in closures):
        return 0
    under = []
    for at in range(bisect_right(laid, debut, key=itemgetter(1)), len(laid)):
        if laid[at].debut >= fin:
            break
        under.append(laid[at])
    covered = sum(min(run.fin, fin) - max(run.debut, debut) for run in under)
    return 0 if covered < fin - debut else min(run.capacite for run in under)


def daily_grains(week: _Week, exceptions: _Dated) -> float:
    """Returns an upper estimate of the grains that start on one day."""
    weekly = sum(_span(opening)[1] / opening.pas for opening in week)
    extra = (1440 / one.pas for one in exceptions if one.pas)
    return weekly / 7 + max(extra, default=0)


def overlapping(week: _Week) -> list[tuple[int, int]]:
    """The pairs of indexes of openings that share wall time, Sunday night to Monday included."""
    spans = [_span(opening) for opening in week]
    return [
        (one, other)
        for (one, (a, a_length)), (other, (b, b_length)) in combinations(enumerate(spans), 2)
        if (b - a) % (7 * 1440) < a_length or (a - b) % (7 * 1440) < b_length
    ]


def _span(opening: Opening) -> tuple[int, int]:
    """In minutes of wall time: when in the week it opens, and for how long (1 to 1440)."""
    return (opening.jour - 1) * 1440 + opening.debut, (opening.fin - opening.debut - 1) % 1440 + 1


def _laid(week: _Week, exceptions: _Dated, zone: ZoneInfo, start: int, end: int) -> list[_Run]:
    """What is open in [start, end), by start, never twice: the week, then the ouvertures."""
    laid: list[_Run] = []
    for run in sorted(_template(week, zone, start, end), key=itemgetter(0, 1)):
        laid += list(_minus(run, laid))  # whole, but where the week overlaps itself
    for one in sorted(exceptions, key=itemgetter(1, 2)):
        if one.type == "ouverture":
            assert one.pas and one.capacite, "an ouverture has both"
            run = _Run(one.debut, one.fin, 0, one.pas, one.capacite, None)
            for rest in list(_minus(run, laid)):
                insort(laid, rest._replace(monday=_monday(zone, rest.debut)))
    return laid


def _template(week: _Week, zone: ZoneInfo, start: int, end: int) -> Iterator[_Run]:
    """The openings of every week that can have one in [start, end)."""
    # Sunday's openings end on Monday, and a local clock is less than a day away from UTC.
    for monday in range(_monday(zone, start) - WEEK, end + DAY, WEEK):
        for opening in week:
            minute, length = _span(opening)
            debut = monday + minute * 60
            for since, until in _instants(zone, debut, debut + length * 60):
                yield _Run(since, until, monday, *opening[3:])


def _instants(zone: ZoneInfo, debut: int, fin: int) -> list[tuple[int, int]]:
    """When the local clock shows the wall seconds [debut, fin): in two parts where a change
    of the clock cuts them, so that skipped ones fall out and doubled ones come twice."""
    before, after = debut - DAY, fin + DAY  # as instants: the clock changes once here at most
    old, new = _offset(zone, before), _offset(zone, after)
    if old == new:
        return [(debut - old, fin - old)]
    between = range(before, after)
    change = before + bisect_left(between, True, key=lambda at: _offset(zone, at) != old)
    parts = (debut - old, min(fin - old, change)), (max(debut - new, change), fin - new)
    return [(first, last) for first, last in parts if first < last]


def _offset(zone: ZoneInfo, instant: int) -> int:
    offset = datetime.fromtimestamp(instant, zone).utcoffset()
    return (offset or timedelta()) // timedelta(seconds=1)


def _monday(zone: ZoneInfo, instant: int) -> int:
    """The start, in wall seconds, of the local week."""
    wall = instant + _offset(zone, instant)
    return wall - (wall - 4 * DAY) % WEEK  # 5 January 1970 was a Monday


def _joined(laid: Iterable[_Run]) -> list[_Run]:
    """Runs that touch and are alike become one, within a week, so that none is endless."""
    joined: list[_Run] = []
    for run in laid:
        if joined and joined[-1].fin == run.debut and joined[-1][2:] == run[2:]:
            joined[-1] = joined[-1]._replace(fin=run.fin)
        else:
            joined.append(run)
    return joined


def _cut(run: _Run, start: int, end: int, closures: _Intervals) -> Iterator[Grain]:
    """The grains of a run that start in [start, end); a rest at its end is left out."""
    near = [closure for closure in closures if _meet(closure, run)]
    step = run.pas * 60
    first = run.debut + max(0, -((run.debut - start) // step)) * step
    for debut in range(first, min(run.fin - step + 1, end), step):
        ouvert = not (near and any(_meet(closure, (debut, debut + step)) for closure in near))
        yield Grain(debut, debut + step, run.capacite, run.prestation_id, ouvert)


def _minus(run: _Run, taken: Sequence[tuple[int, int] | _Run]) -> Iterator[_Run]:
    """What of a run is left beside the intervals, which come by start and do not overlap."""
    debut = run.debut
    for at in range(bisect_right(taken, debut, key=itemgetter(1)), len(taken)):
        if taken[at][0] >= run.fin:
            break
        if debut < taken[at][0]:
            yield run._replace(debut=debut, fin=taken[at][0])
        debut = taken[at][1]
    if debut < run.fin:
        yield run._replace(debut=debut)


def _meet(one: tuple[int, int] | _Run, other: tuple[int, int] | _Run) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _closures(exceptions: _Dated) -> list[tuple[int, int]]:
    return [(one.debut, one.fin) for one in exceptions if one.type == "fermeture"]
