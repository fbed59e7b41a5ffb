"""The dated exceptions of a business, and what they do to its calendar."""

import time
from collections.abc import Callable
from datetime import date
from typing import Any, NamedTuple

from reservation.domain.booking.reservations import Listed
from reservation.domain.budget import UNLIMITED, Budget
from reservation.domain.calendar import plans, timetable
from reservation.domain.messages import outbox
from reservation.domain.planning import businesses, replanning
from reservation.domain.planning.replanning import Change
from reservation.errors import Fault, InvalidInput, NotFound, StaleVersion
from reservation.lib import instants
from reservation.lib.holidays import public_holidays
from reservation.storage.database import Database
from reservation.storage.models import Entreprise, Evenement

OPENINGS_ONLY = Fault(
    "only_for_openings", "is required for an ouverture and must be null otherwise"
)
Values = dict[str, Any]
_ATTEMPTS = 5  # to remove an event that others keep changing


class Planned(NamedTuple):
    """An event as it was written, what it did, and the bookings that it strands."""

    evenement: Evenement
    calendrier: Change
    touchees: list[Listed]


def get(db: Database, evenement_id: int) -> Evenement:
    """Raises NotFound."""
    found = Evenement.select().where(Evenement.id == evenement_id).first(db)
    if found is None:
        raise NotFound()
    return found


def search(
    entreprise_id: int | None, ville: str, since: int | None, until: int | None
) -> Any:
    """Returns a query of events with their businesses: of one business or of all active ones,
    that touch [since, until)."""
    query = Evenement.select(Evenement, Entreprise).join(Entreprise)
    if entreprise_id is None:
        query = query.where(Entreprise.actif == True)  # noqa: E712
    else:
        query = query.where(Evenement.entreprise == entreprise_id)
    if ville:
        query = businesses.in_city(query, ville)
    if since is not None:
        query = query.where(Evenement.fin > since)
    return query if until is None else query.where(Evenement.debut < until)


def add(
    db: Database,
    entreprise: Entreprise,
    values: Values,
    now: int | None = None,
    budget: Budget = UNLIMITED,
) -> Planned:
    """Raises InvalidInput."""
    check(values)

    def write() -> int:
        return int(Evenement.insert({**values, "entreprise": entreprise.id}).execute(db))

    return _change(db, entreprise, write, [values], now, budget)


def update(
    db: Database,
    entreprise: Entreprise,
    old: Evenement,
    values: Values,
    version: int,
    now: int | None = None,
    budget: Budget = UNLIMITED,
) -> Planned:
    """Replaces an event. Raises InvalidInput, or StaleVersion unless `version` is the present
    one."""
    check(values)

    def write() -> int:
        same = (Evenement.id == old.id) & (Evenement.version == version)
        changes = {**values, "version": Evenement.version + 1}
        if Evenement.update(changes).where(same).execute(db) != 1:
            raise StaleVersion()
        return int(old.id)

    return _change(db, entreprise, write, [values, old.__data__], now, budget)


def remove(
    db: Database,
    entreprise: Entreprise,
    old: Evenement,
    now: int | None = None,
    version: int | None = None,
    budget: Budget = UNLIMITED,
) -> Change:
    """Raises StaleVersion unless `version`, if given, is the present one; NotFound."""
    now = int(time.time()) if now is None else now

    def write(_mine: Entreprise) -> None:
        same = (Evenement.id == old.id) & (Evenement.version == old.version)
        if Evenement.delete().where(same).execute(db) != 1:
            raise StaleVersion()

    for _ in range(_ATTEMPTS):
        if version not in (None, old.version):
            break
        try:
            start, end = _span(now, old.__data__)
            done = replanning.change(db, entreprise.id, write, start, end, budget=budget)
            return done.calendrier
        except StaleVersion:
            old = get(db, old.id)  # somebody moved the event: another time is concerned
    raise StaleVersion()


def rehearse(
    db: Database,
    entreprise: Entreprise,
    values: Values,
    old: Evenement | None = None,
    version: int | None = None,
    now: int | None = None,
) -> Planned:
    """Returns what `add`, or `update` of the old event, would do, and writes nothing. Raises
    the same."""
    now = int(time.time()) if now is None else now
    check(values)
    if old and version != old.version:
        raise StaleVersion()
    spans = [values, old.__data__] if old else [values]
    start, end = _span(now, *spans)
    plan = plans.read(db, entreprise, start, end)
    exceptions = plans.exceptions(db, entreprise.id, start, end, old.id if old else 0)
    plan = plan._replace(exceptions=[*exceptions, *plans.exceptional(values)])
    done = replanning.rehearse(db, entreprise, plan, start, end, _shut(values))
    shown = {"id": old.id, "version": old.version} if old else {}
    event = Evenement(**values, entreprise=entreprise.id, **shown)
    return Planned(event, done.calendrier, done.touchees)


def check(values: Values) -> None:
    """Raises InvalidInput."""
    faults = {}
    if values["debut"] >= values["fin"]:
        faults["fin"] = Fault("not_after_start", "must be after debut")
    elif values["fin"] - values["debut"] > 366 * instants.DAY:
        faults["fin"] = Fault("too_far_from_start", "must be within 366 days of debut", max=366)
    for name in ("pas_minutes", "capacite"):
        if (values[name] is not None) != (values["type"] == "ouverture"):
            faults[name] = OPENINGS_ONLY
    if faults:
        raise InvalidInput(faults)


def missing_holidays(
    db: Database, entreprise: Entreprise, year: int, region: str
) -> list[Values]:
    """Returns a closure for each public holiday of a year that the business has not closed."""
    zone = instants.zone_of(entreprise.fuseau)
    known = Evenement.select(Evenement.debut, Evenement.titre).where(
        (Evenement.entreprise == entreprise.id) & (Evenement.type == "fermeture")
    )
    there = {(row.debut, row.titre) for row in known.execute(db)}
    closures = [_closure(day, name, zone) for day, name in public_holidays(year, region).items()]
    return [one for one in closures if (one["debut"], one["titre"]) not in there]


def _closure(day: date, name: str, zone: Any) -> Values:
    return {
        "type": "fermeture",
        "titre": name,
        "description": "",
        "debut": instants.midnight(day, zone),
        "fin": instants.end_of(day, zone),
        "pas_minutes": None,
        "capacite": None,
    }


def _span(now: int, *events: Any) -> tuple[int, int]:
    """Returns the time whose calendar some events may change: the weeks that they lie in."""
    start = min(one["debut"] for one in events) - timetable.WEEK
    return max(now, start), max(one["fin"] for one in events) + timetable.WEEK


def _change(
    db: Database,
    entreprise: Entreprise,
    write: Callable[[], int],
    spans: list[Values],
    now: int | None,
    budget: Budget,
) -> Planned:
    """Writes the event of the first span, which may replace that of the second."""
    now = int(time.time()) if now is None else now

    def write_and_tell(mine: Entreprise) -> Evenement:
        event = get(db, write())
        if event.type == "fermeture":
            outbox.tell_of_closure(db, mine.id, event.debut, event.fin, now)
        return event

    start, end = _span(now, *spans)
    shut = _shut(spans[0])
    done = replanning.change(db, entreprise.id, write_and_tell, start, end, shut, budget)
    return Planned(done.written, done.calendrier, done.touchees)


def _shut(event: Values) -> list[tuple[int, int]] | None:
    """Returns the time that a closure closes; None for another event, which may close some."""
    return [(event["debut"], event["fin"])] if event["type"] == "fermeture" else None
