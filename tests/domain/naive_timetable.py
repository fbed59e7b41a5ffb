"""The slots of a plan, computed minute by minute from the weekly hours and the events."""

from collections.abc import Iterator
from datetime import datetime
from functools import cache
from zoneinfo import ZoneInfo

from reservation.domain.calendar.plans import PlannedSlot
from reservation.domain.calendar.timetable import Event

MINUTE, DAY = 60, 86400


@cache
def wall_minutes(zone: ZoneInfo, day: int) -> list[int]:
    """Returns the wall time in each minute of a UTC day, in minutes since Monday 1 January 1."""
    instants = range(day * DAY, (day + 1) * DAY, MINUTE)
    shown = (datetime.fromtimestamp(instant, zone) for instant in instants)
    return [(wall.toordinal() - 1) * 1440 + wall.hour * 60 + wall.minute for wall in shown]


def wall_minute(zone: ZoneInfo, now: int) -> int:
    return wall_minutes(zone, now // DAY)[now % DAY // MINUTE]


def wall_times(zone: ZoneInfo, start: int, end: int, step: int) -> Iterator[tuple[int, int]]:
    """Yields an instant, and its minute of the day in local time, every `step` seconds."""
    for day in range(start // DAY, end // DAY + 1):
        minutes = wall_minutes(zone, day)
        for now in range(max(start, day * DAY), min(end, (day + 1) * DAY), step):
            yield now, minutes[now % DAY // MINUTE]


def walk(week, dated, zone, start, end, step=MINUTE) -> Iterator[tuple[int, tuple | None]]:
    """Yields (minute, terms) for each minute. The terms are None if the minute is outside the
    hours. No slot contains minutes with different terms.

    With `step`, yields one minute for each `step` seconds. All times must then be multiples of
    `step`.
    """
    opened = {}
    for opening in week:
        length = (opening.fin - opening.debut) % 1440 or 1440
        for minute in range(opening.debut, opening.debut + length, step // MINUTE):
            opened[((opening.jour - 1) * 1440 + minute) % 10080] = opening, minute // 1440
    ordered = sorted(dated, key=lambda one: one[1:3])
    extras, special = (
        [one[1:] for one in ordered if one.type == kind] for kind in ("ouverture", "horaires")
    )
    # At an instant within several events of a type, the first of them applies.
    extra_at, special_at = (
        {now: one for one in reversed(events) for now in range(*one[:2], step)}
        for events in (extras, special)
    )
    replaced = {_day(zone, now) for now in special_at}
    extra, of_week = None, 0
    # A run begins at most a week before the range or before an event.
    first = min([start, *(debut for debut, *_ in extras + special)]) - 9 * DAY
    shut = None, 0
    for now, wall in wall_times(zone, first, end + DAY, step):
        opening, days_ago = opened.get(wall % 10080, shut)
        if opening and wall // 1440 - days_ago not in replaced:
            extra = None
            yield now, (*opening[3:], (wall - days_ago * 1440) // 10080)
            continue
        own = special_at.get(now)
        if own:
            extra = None
            yield now, (*own[2:], None, own)  # special hours join nothing, not even each other
            continue
        before, extra = extra, extra_at.get(now)
        of_week = of_week if extra is before else wall // 10080
        yield now, (*extra[2:], None, of_week) if extra else None


def computed(week, dated, zone, start, end, frozen) -> list[PlannedSlot]:
    """Returns what `slots` should return, computed minute by minute."""
    made = cut(walk(week, dated, zone, start, end), dated, frozen)
    return [one for one in made if start <= one.debut < end]


def cut(walked, dated, frozen, step=MINUTE) -> list[PlannedSlot]:
    """Cuts the minutes of `walk` into slots outside the intervals `frozen`."""
    closed, taken = closed_minutes(dated, step), minutes_of(frozen, step)
    made, since, before, ouverture = [], None, None, None
    for now, terms in walked:
        if terms != before:
            ouverture = now
        if terms is None or now in taken:
            since = None
        elif since is None or terms != before:
            since = now
        if since is not None and now + step - since == terms[0] * MINUTE:
            span = range(since, now + step, step)
            ouvert = closed.isdisjoint(span)
            made.append(PlannedSlot(since, now + step, ouverture, *terms[1:3], ouvert))
            since = now + step
        before = terms
    return made


def minutes_of(intervals, step=MINUTE) -> set[int]:
    return {now for debut, fin in intervals for now in range(debut, fin, step)}


def closed_minutes(dated, step=MINUTE) -> set[int]:
    return minutes_of((one[1:3] for one in dated if one.type == "fermeture"), step)


def events_of(id: int, own_week, rows, zone, step=MINUTE) -> list[Event]:
    """Returns the events of a person or room, in the order of `rows`. `own_week` is None if the
    person or room has the hours of the business. `rows` are all pairs (owner, event). The owner of
    an event of the business is None.

    On a day with special hours of its own, a person or room has no special hours of the business.
    With an own week, it has those only on days with an opening, and with the least capacity of the
    openings of the day that are for all services, if there are any.
    """
    special = [event for owner, event in rows if owner == id and event.type == "horaires"]
    own_days = {_day(zone, now) for event in special for now in range(*event[1:3], step)}
    mine = []
    for owner, event in rows:
        if owner is None and event.type == "horaires":
            places = {}
            for now in range(*event[1:3], step):
                day = _day(zone, now)
                if day not in own_days:
                    places[now] = _places(own_week, day % 7 + 1, event.capacite)
            for capacity in sorted({*places.values()} - {None}):
                left = dict.fromkeys(now for now in places if places[now] == capacity)
                starts = [now for now in left if now - step not in left]
                ends = [now + step for now in left if now + step not in left]
                mine += [Event("horaires", *span, event.pas_minutes, capacity)
                         for span in zip(starts, ends)]
        elif owner in (None, id):
            mine.append(event)
    return mine


def _places(own_week, jour: int, otherwise: int) -> int | None:
    """Returns None if the own week has no opening on the weekday."""
    if own_week is None:
        return otherwise
    openings = [one for one in own_week if one.jour == jour]
    shared = [one.capacite for one in openings if one.prestation_id is None]
    return min(shared or [otherwise]) if openings else None


def _day(zone: ZoneInfo, now: int) -> int:
    return wall_minute(zone, now) // 1440
