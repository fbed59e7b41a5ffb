"""What an owner plans: the week and its dated exceptions, and what that does to the calendar."""

import time
from bisect import bisect_right
from collections.abc import Sequence
from datetime import date
from operator import itemgetter
from typing import Any, NamedTuple

from reservation.domain import (
    businesses,
    calendar,
    instants,
    outbox,
    reservations,
    states,
    timetable,
)
from reservation.domain.calendar import Change
from reservation.domain.holidays import public_holidays
from reservation.domain.reservations import Listed
from reservation.domain.timetable import Opening
from reservation.errors import InvalidInput, NotFound, StaleVersion
from reservation.storage.database import Database, transaction
from reservation.storage.models import (
    Entreprise,
    Evenement,
    Prestation,
    Reservation,
    SemaineType,
)


class Replaced(NamedTuple):
    """What a new week did, and the bookings that it leaves outside of the opening hours."""

    calendrier: Change
    touchees: list[Listed]


class Planned(NamedTuple):
    """An event as it was written, what it did, and the bookings that it strands."""

    evenement_id: int
    calendrier: Change
    touchees: list[Listed]


def week(db: Database, entreprise_id: int) -> list[SemaineType]:
    rows = SemaineType.select().where(SemaineType.entreprise == entreprise_id)
    return list(rows.order_by(SemaineType.jour, SemaineType.debut).execute(db))


def replace_week(
    db: Database,
    entreprise: Entreprise,
    rows: Sequence[dict[str, Any]],
    now: int | None = None,
    version: int | None = None,
) -> Replaced:
    """Put these openings in place of the week; the calendar follows, as far as it is made.

    Raises StaleVersion unless `version`, if given, is the business's; InvalidInput where two
    overlap, none is a grain long, or one is kept for a service that the business does not offer.
    """
    now = int(time.time()) if now is None else now
    _check_week(db, entreprise, rows)

    def work() -> Replaced:
        mine = calendar.lock(db, entreprise.id)
        if version not in (None, mine.version):
            raise StaleVersion()
        changed = Entreprise.update(version=Entreprise.version + 1)
        changed.where(Entreprise.id == mine.id).execute(db)
        SemaineType.delete().where(SemaineType.entreprise == mine.id).execute(db)
        if rows:
            SemaineType.insert_many([{**row, "entreprise": mine.id} for row in rows]).execute(db)
        change = calendar.rebuild(db, mine, now, mine.calendrier_jusqua)
        return Replaced(change, _stranded(db, mine, change.fermes, now))

    return transaction(db, work)


def _check_week(db: Database, entreprise: Entreprise, rows: Sequence[dict[str, Any]]) -> None:
    openings = [
        Opening(r["jour"], r["debut"], r["fin"], r["pas_minutes"], r["capacite"],
                r["prestation_id"])
        for r in rows
    ]
    wrong = {}
    for one, other in timetable.overlapping(openings):
        wrong[f"{other}.debut"] = f"overlaps opening {one}"
    offered = Prestation.select(Prestation.id).where(
        (Prestation.entreprise == entreprise.id) & (Prestation.actif == True)  # noqa: E712
    )
    known = {row.id for row in offered.execute(db)}
    for number, opening in enumerate(openings):
        if opening.prestation_id not in known | {None}:
            wrong[f"{number}.prestationId"] = "is no service of this business"
        if (opening.fin - opening.debut - 1) % 1440 + 1 < opening.pas:
            wrong[f"{number}.pasMinutes"] = "is longer than the opening"
    if wrong:
        raise InvalidInput("Invalid input", wrong)


def event(db: Database, evenement_id: int) -> Evenement:
    found = Evenement.select().where(Evenement.id == evenement_id).first(db)
    if found is None:
        raise NotFound()
    return found


def events(
    entreprise_id: int | None, ville: str, since: int | None, until: int | None
) -> Any:
    """A query of events with their businesses: of one business or of all active ones, that
    touch [since, until)."""
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


def add_event(
    db: Database, entreprise: Entreprise, values: dict[str, Any], now: int | None = None
) -> Planned:
    check_event(values)

    def write(mine: Entreprise) -> int:
        return int(Evenement.insert({**values, "entreprise": mine.id}).execute(db))

    return _plan(db, entreprise, write, None, values, now)


def update_event(
    db: Database,
    entreprise: Entreprise,
    old: Evenement,
    values: dict[str, Any],
    version: int,
    now: int | None = None,
) -> Planned:
    """Replace an event; raises StaleVersion unless the version is the present one."""
    check_event(values)

    def write(_mine: Entreprise) -> int:
        same = (Evenement.id == old.id) & (Evenement.version == version)
        changes = {**values, "version": Evenement.version + 1}
        if Evenement.update(changes).where(same).execute(db) != 1:
            raise StaleVersion()
        return int(old.id)

    return _plan(db, entreprise, write, old.__data__, values, now)


def remove_event(
    db: Database,
    entreprise: Entreprise,
    old: Evenement,
    now: int | None = None,
    version: int | None = None,
) -> Planned:
    """Raises StaleVersion unless `version`, if given, is the present one; NotFound."""

    def write(_mine: Entreprise) -> int:
        same = (Evenement.id == old.id) & (Evenement.version == old.version)
        if Evenement.delete().where(same).execute(db) != 1:
            raise StaleVersion()
        return int(old.id)

    while version in (None, old.version):
        try:
            return _plan(db, entreprise, write, old.__data__, None, now)
        except StaleVersion:
            old = event(db, old.id)  # somebody moved it; its calendar lies elsewhere now
    raise StaleVersion()


def check_event(values: dict[str, Any]) -> None:
    wrong = {}
    if values["debut"] >= values["fin"]:
        wrong["fin"] = "must be after debut"
    elif values["fin"] - values["debut"] > 366 * instants.DAY:
        wrong["fin"] = "must be within 366 days of debut"
    for name, key in (("pas_minutes", "pasMinutes"), ("capacite", "capacite")):
        if (values[name] is not None) != (values["type"] == "ouverture"):
            wrong[key] = "is for an ouverture, which needs it"
    if wrong:
        raise InvalidInput("Invalid input", wrong)


def close_holidays(
    db: Database, entreprise: Entreprise, year: int, alsace_moselle: bool,
    now: int | None = None,
) -> list[Planned]:
    """Close every public holiday of a year; a day that is closed for it already is left out."""
    zone = instants.zone_of(entreprise.fuseau)
    known = Evenement.select(Evenement.debut, Evenement.titre).where(
        (Evenement.entreprise == entreprise.id) & (Evenement.type == "fermeture")
    )
    there = {(row.debut, row.titre) for row in known.execute(db)}
    planned = []
    for day, name in public_holidays(year, alsace_moselle).items():
        values = _closed(day, name, zone)
        if (values["debut"], name) not in there:
            planned.append(add_event(db, entreprise, values, now))
    return planned


def _closed(day: date, name: str, zone: Any) -> dict[str, Any]:
    return {
        "type": "fermeture",
        "titre": name,
        "description": "",
        "debut": instants.midnight(day, zone),
        "fin": instants.end_of(day, zone),
        "pas_minutes": None,
        "capacite": None,
    }


def _plan(
    db: Database, entreprise: Entreprise, write: Any, old: Any, new: Any, now: int | None
) -> Planned:
    """Write an event and rebuild the weeks that it lies in, before or after the change."""
    now = int(time.time()) if now is None else now
    spans = [span for span in (old, new) if span]
    start = min(span["debut"] for span in spans) - timetable.WEEK
    end = max(span["fin"] for span in spans) + timetable.WEEK

    def work() -> Planned:
        mine = calendar.lock(db, entreprise.id)
        evenement_id = write(mine)
        change = calendar.rebuild(db, mine, max(now, start), end)
        is_closure = new and new["type"] == "fermeture"
        shut = [(new["debut"], new["fin"])] if is_closure else change.fermes
        stranded = _stranded(db, mine, shut, now)
        for one in stranded if is_closure else ():
            visit = outbox.Visit(
                one.id, one.utilisateur_id, mine.id, one.debut, one.fin, one.version - 1
            )
            outbox.tell_once(db, visit, now, "fermeture")
        return Planned(evenement_id, change, stranded)

    return transaction(db, work)


def _stranded(
    db: Database, entreprise: Entreprise, shut: list[tuple[int, int]], now: int
) -> list[Listed]:
    """The bookings to come that touch what was shut: intervals by start that do not overlap."""
    if not shut:
        return []
    rows = Reservation.select(Reservation.id, Reservation.debut, Reservation.fin).where(
        (Reservation.entreprise == entreprise.id)
        & (Reservation.debut < shut[-1][1])
        & (Reservation.fin > max(shut[0][0], now))
        & Reservation.statut.in_(states.OPEN)
    )
    touched = [row.id for row in rows.execute(db) if _touches(row, shut)]
    return reservations.by_ids(db, touched)


def _touches(row: Reservation, shut: list[tuple[int, int]]) -> bool:
    first = bisect_right(shut, row.debut, key=itemgetter(1))
    return first < len(shut) and shut[first][0] < row.fin
