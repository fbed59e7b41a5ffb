"""The dated events of a business, and their effects on its calendar."""

from collections.abc import Callable
from typing import Any

from reservation.domain.budget import UNLIMITED, Budget
from reservation.domain.calendar import plans, stored_plans, timetable
from reservation.domain.calendar.timetable import Event, Interval
from reservation.domain.outbox import outbox, reminders, reopening
from reservation.domain.planning import replanning, ressources
from reservation.domain.planning.replanning import CalendarChange, PlanOutcome
from reservation.domain.planning.ressources import UNKNOWN_RESSOURCE
from reservation.errors import Fault, InvalidInput, StaleVersion
from reservation.lib import instants
from reservation.storage import records
from reservation.storage.database import Database, check_version, update_row
from reservation.storage.models import Entreprise, Evenement

Values = dict[str, Any]
OPENINGS_ONLY = Fault(
    "only_for_openings", "is required for ouverture and horaires and must be null otherwise"
)
_ATTEMPTS = 5  # maximum number of attempts of `remove` if other requests change the event


def get(db: Database, evenement_id: int) -> Evenement:
    """Raises NotFound."""
    event: Evenement = records.get(db, Evenement, evenement_id)
    event.entreprise = records.get(db, Entreprise, event.entreprise_id)
    return event


def add(
    db: Database, entreprise: Entreprise, values: Values, now: int, budget: Budget = UNLIMITED,
    check: Callable[[], None] = lambda: None,
) -> PlanOutcome:
    """Adds an event. The outcome has the event as `written`. Raises InvalidInput if a value is
    invalid, and TooManySlots if a day would have too many slots. Calls `check` first, while the
    calendar is locked."""
    _check(db, entreprise, values)

    def write(mine: Entreprise) -> Evenement:
        check()
        event = Evenement(**values, **_range(values), entreprise=mine)
        event.id = Evenement.insert(event.__data__).execute(db)
        return event

    return _change(db, entreprise, write, values, None, now, budget)


def update(
    db: Database, entreprise: Entreprise, old: Evenement, values: Values, version: int,
    now: int, budget: Budget = UNLIMITED,
) -> PlanOutcome:
    """Replaces an event. Raises StaleVersion unless `version` is current. Raises InvalidInput and
    TooManySlots as `add` does."""
    _check(db, entreprise, values)

    def write(mine: Entreprise) -> Evenement:
        changes = {**values, **_range(values)}
        update_row(db, Evenement, old.id, version, changes)
        return Evenement(**changes, entreprise=mine, id=old.id, version=version + 1)

    return _change(db, entreprise, write, values, old, now, budget)


def remove(
    db: Database, entreprise: Entreprise, old: Evenement, now: int,
    version: int | None = None, budget: Budget = UNLIMITED,
) -> CalendarChange:
    """Removes an event. Raises NotFound if another request has removed the event. Raises
    StaleVersion if `version` is given and is not current, or if other requests keep changing the
    event."""

    def write(mine: Entreprise) -> None:
        same = (Evenement.id == old.id) & (Evenement.version == old.version)
        if Evenement.delete().where(same).execute(db) != 1:
            raise StaleVersion()
        reopening.tell(db, old, now)
        reminders.queue_again(db, entreprise.id, mine.rappel_heures, now)

    for _ in range(_ATTEMPTS):
        check_version(old, version)
        try:
            start, end = _affected(db, entreprise.id, now, old.__data__)
            done = replanning.change(
                db, entreprise.id, write, start, end, budget=budget, weekly=False
            )
            return done.change
        except StaleVersion:
            old = get(db, old.id)  # another request changed the event: retry with the new times
    raise StaleVersion()


def rehearse(
    db: Database, entreprise: Entreprise, values: Values, now: int,
    old: Evenement | None = None, version: int | None = None,
) -> PlanOutcome:
    """Returns what `add` would do, without writing. With `old`, returns what `update` would do.
    Raises the same exceptions."""
    _check(db, entreprise, values)
    if old:
        check_version(old, version)
    start, end = _affected(db, entreprise.id, now, values, old and old.__data__)
    events = stored_plans.read_events(db, entreprise.id, start, end, old.id if old else 0)
    dated = Event(*(values[column] for column in Event._fields))
    events = [*events, (values.get("ressource_id"), dated)]
    week = stored_plans.read_week(db, entreprise.id)
    planned = stored_plans.of_ressources(db, entreprise, week, events)
    shut = _shut(db, entreprise.id, values)
    change, stranded = replanning.rehearse(db, entreprise, planned, start, end, shut)
    shown = {"id": old.id, "version": old.version} if old else {}
    event = Evenement(**values, entreprise=entreprise, **shown)
    return _coming(PlanOutcome(event, change, stranded), now)


def _range(values: Values) -> Values:
    return {"portee_jours": plans.range_of(values["debut"], values["fin"])}


def _check(db: Database, entreprise: Entreprise, values: Values) -> None:
    faults = {}
    asked = values.get("ressource_id")
    if asked is not None and not ressources.is_named(db, entreprise.id, asked):
        faults["ressource_id"] = UNKNOWN_RESSOURCE
    longest = plans.LONGEST_HOURS if values["type"] == timetable.HOURS else plans.LONGEST_EVENT
    if values["debut"] >= values["fin"]:
        faults["fin"] = Fault("not_after_start", "must be after debut")
    elif values["fin"] - values["debut"] > longest:
        days = longest // instants.DAY
        message = f"must be within {days} days of debut"
        faults["fin"] = Fault("too_far_from_start", message, max=days)
    for name in ("pas_minutes", "capacite"):
        if (values[name] is not None) != (values["type"] in timetable.OPENINGS):
            faults[name] = OPENINGS_ONLY
    if faults:
        raise InvalidInput(faults)


def _affected(db: Database, entreprise_id: int, now: int, *events: Any) -> tuple[int, int]:
    start, end = _span(now, *filter(None, events))
    return start, stored_plans.end_of_openings(db, entreprise_id, end)


def _span(now: int, *events: Any) -> tuple[int, int]:
    """Returns the start and the end of the range in which the events may change slots. The start
    is never before `now`.

    The end is a week and two days after the end of the last event. The week is for the later
    slots of the same run (see `timetable`), because an event may change the start of the run.
    `_affected` adds the rest of a longer run. One day is for an opening that lasts a
    day. The other day is for special hours, which replace all openings of a day.
    """
    start = min(event["debut"] for event in events) - timetable.WEEK
    end = max(event["fin"] for event in events) + timetable.WEEK + 2 * instants.DAY
    return max(now, start), end


def _change(
    db: Database, entreprise: Entreprise, write: Callable[[Entreprise], Evenement],
    values: Values, old: Evenement | None, now: int, budget: Budget,
) -> PlanOutcome:
    """Calls `write` to store an event, and updates the calendar. Notifies the customers whom a
    closure affects, or no longer affects.

    `write` returns the event. `values` has the new values of the event. `old` is the event before
    the change, or None if the event is new.
    """

    def write_and_tell(mine: Entreprise) -> Evenement:
        event = write(mine)
        if event.type == "fermeture":
            outbox.tell_of_closure(db, event, old, now)
        if old:
            reopening.tell(db, old, now)
            reminders.queue_again(db, mine.id, mine.rappel_heures, now)
        return event

    start, end = _affected(db, entreprise.id, now, values, old and old.__data__)
    shut = _shut(db, entreprise.id, values)
    outcome = replanning.change(
        db, entreprise.id, write_and_tell, start, end, shut, budget, weekly=False
    )
    return _coming(outcome, now)


def _coming(outcome: PlanOutcome, now: int) -> PlanOutcome:
    """Leaves out the stranded bookings that have begun: their customers are not told."""
    return outcome._replace(stranded=[one for one in outcome.stranded if one.debut > now])


def _shut(db: Database, entreprise_id: int, event: Values) -> dict[int, list[Interval]] | None:
    if event["type"] != "fermeture":
        return None
    closed = event.get("ressource_id")
    ids = stored_plans.ressources(db, entreprise_id) if closed is None else [closed]
    return {id: [(event["debut"], event["fin"])] for id in ids}
