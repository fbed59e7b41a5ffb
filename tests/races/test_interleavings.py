"""Interleaves bookings, moves and cancellations statement by statement, against a model.

The answers and the stored state must equal those of a serial execution, in some order.

INTERLEAVINGS is the number of interleavings to try; `make fuzz` tries 5,000 on each engine.
"""

import os
import random
from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Any, NamedTuple

import pytest

from reservation.domain.booking import booking, changing
from reservation.domain.booking.requests import Change, Request
from reservation.domain.calendar import calendar
from reservation.storage import database
from tests import engines
from tests.clock import now
from tests.races import guards, turns
from tests.races.soundness import assert_sound

TRIED = int(os.environ.get("INTERLEAVINGS", "100"))
MOST = 400  # the most interleavings that a negative control tries
SLOTS = 6  # half hours from 9 to 12
PEOPLE = 3
OK = "ok"


class Rules(NamedTuple):
    """The rules of a round: the capacity, and in slots the lengths of a visit and its buffers."""

    capacity: int
    length: int
    before: int
    after: int

    def under(self, start: int) -> range:
        """Returns the slots that a visit holds; the opening hours cut its buffers short."""
        return range(max(start - self.before, 0), min(start + self.length + self.after, SLOTS))


class Booked(NamedTuple):
    start: int
    places: int
    statut: str = "confirmee"
    version: int = 1


class Act(NamedTuple):
    """A request by a person who has seen version 1; `of` is the number of a booking."""

    kind: str  # book, move, places, cancel or cancel_seen
    of: int
    start: int = 0
    places: int = 1


Outcomes = tuple[str, ...]
State = tuple[tuple[Booked | None, ...], tuple[int, ...]]


class Model:
    """A calendar and its bookings, changed by one act at a time."""

    def __init__(self, rules: Rules, booked: Sequence[Booked], acts: int) -> None:
        self.rules = rules
        # The existing bookings, then an entry for each act: the new booking, if any.
        self.booked: list[Booked | None] = [*booked, *([None] * acts)]

    def taken(self, but: int | None = None) -> list[int]:
        """Returns the places taken in each slot, without those of booking `but`."""
        places = [0] * SLOTS
        for number, one in enumerate(self.booked):
            if one is not None and one.statut == "confirmee" and number != but:
                for slot in self.rules.under(one.start):
                    places[slot] += one.places
        return places

    def fits(self, start: int, places: int, but: int | None = None) -> bool:
        taken, slots = self.taken(but), self.rules.under(start)
        room = all(taken[slot] + places <= self.rules.capacity for slot in slots)
        return room and start + self.rules.length <= SLOTS

    def do(self, act: Act) -> str:
        if act.kind == "book":
            if not self.fits(act.start, act.places):
                return "SlotTaken"
            self.booked[act.of] = Booked(act.start, act.places)
            return OK
        one = self.booked[act.of]
        assert one is not None
        if act.kind == "cancel" and one.statut == "annulee":
            return OK
        if act.kind != "cancel" and one.version != 1:
            return "StaleVersion"
        if act.kind.startswith("cancel"):
            after = one._replace(statut="annulee")
        else:
            after = one._replace(**{
                "move": {"start": act.start}, "places": {"places": act.places}
            }[act.kind])
            if after != one and not self.fits(after.start, after.places, act.of):
                return "SlotTaken"
        self.booked[act.of] = after._replace(version=one.version + 1)
        return OK

    def state(self) -> State:
        return tuple(self.booked), tuple(self.taken())


def serial(rules: Rules, booked: Sequence[Booked], acts: Sequence[Act]) -> Iterator[Any]:
    """Yields the outcomes (listed as in `acts`) and the final state, for each permutation."""
    for order in permutations(range(len(acts))):
        model = Model(rules, booked, len(acts))
        outcomes = {number: model.do(acts[number]) for number in order}
        yield tuple(outcomes[number] for number in range(len(acts))), model.state()


class Table:
    """The same calendar, in the database."""

    def __init__(self, db, hall, account, slots) -> None:
        self.db, self.hall, self.account, self.slots = db, hall, account, slots
        self.ids: list[int | None] = []

    def lay(self, rules: Rules, booked: Sequence[Booked], acts: int) -> None:
        """Replaces all bookings and rules in the database."""
        for table in ("eventemail", "reservation"):
            self.db.write(f"DELETE FROM {table}")
        self.db.write(
            "UPDATE creneau SET places_prises = 0, capacite = ?, capacite_prevue = ?"
            f" WHERE id IN ({', '.join(map(str, self.slots))})", rules.capacity, rules.capacity,
        )
        # The plan too, because slots that a cancellation releases follow the plan.
        self.db.write("UPDATE semainetype SET capacite = ?", rules.capacity)
        self.db.write(
            "UPDATE prestation SET duree_minutes = ?, duree_max_minutes = ?, tampon_avant = ?,"
            " tampon_apres = ? WHERE id = ?",
            rules.length * 30, rules.length * 30, rules.before * 30, rules.after * 30,
            self.hall.coupe,
        )
        self.ids = [self.book(self.db, one.start, one.places) for one in booked]
        self.ids += [None] * acts

    def book(self, db, start: int, places: int) -> int:
        request = Request(self.slots[start], self.hall.coupe, places)
        return booking.book(db, self.account, request, now())

    def do(self, db, act: Act) -> None:
        number = self.ids[act.of]
        if act.kind == "book":
            self.ids[act.of] = self.book(db, act.start, act.places)
        elif act.kind.startswith("cancel"):
            seen = 1 if act.kind == "cancel_seen" else None
            changing.cancel(db, self.account, number, now(), version=seen)
        else:
            asked = Change(1, places=act.places)
            if act.kind == "move":
                asked = Change(1, creneau_id=self.slots[act.start])
            changing.change(db, self.account, number, asked, now())

    def state(self) -> State:
        at = {number: index for index, number in enumerate(self.slots)}
        sql = "SELECT id, creneau_id, places, statut, version FROM reservation"
        there = {
            number: Booked(at[slot], *others) for number, slot, *others in self.db.rows(sql)
        }
        sql = f"SELECT places_prises FROM creneau WHERE id IN ({', '.join(map(str, at))})"
        taken = tuple(places for (places,) in self.db.rows(sql + " ORDER BY debut"))
        booked = tuple(there.pop(number, None) for number in self.ids)
        assert not there, "a booking was stored but never answered"
        return booked, taken


def drawn(chance: random.Random) -> tuple[Rules, list[Booked], list[Act]]:
    """Returns random rules, bookings, and two or three acts to run at once."""
    rules = Rules(
        chance.randint(1, 3), chance.randint(1, 2), chance.randint(0, 1), chance.randint(0, 1)
    )
    model = Model(rules, [], 0)
    for _ in range(chance.randint(1, 4)):
        one = Booked(chance.randrange(SLOTS), chance.choice((1, 1, 1, 2)))
        if model.fits(one.start, one.places):
            model.booked.append(one)
    booked = [one for one in model.booked if one]
    acts = []
    for _ in range(chance.randint(2, PEOPLE)):
        kind = chance.choice(("book", "move", "move", "places", "cancel", "cancel_seen"))
        if not booked or kind == "book":
            kind, of = "book", len(booked) + len(acts)
        else:
            of = chance.choice((0, 0, chance.randrange(len(booked))))  # often the same booking
        acts.append(Act(kind, of, chance.randrange(SLOTS), chance.randint(1, 2)))
    return rules, booked, acts


@pytest.fixture
def table(db, hall, account, tuesday) -> Table:
    times = [f"{hour:02}:{minutes}" for hour in (9, 10, 11) for minutes in ("00", "30")]
    slots = [hall.at(tuesday, time) for time in times]
    if engines.ENGINE == "sqlite":
        db.execute_sql("PRAGMA synchronous = off")
    return Table(db, hall, account, slots)


def differing(table: Table, url: str, tried: int, monkeypatch) -> str:
    """Returns a description of the first interleaving that no serial order explains, or ""."""
    monkeypatch.setattr(database, "PATIENCE", 60.0)  # a long wait here is not an outage
    with turns.taken(url, PEOPLE, monkeypatch.setattr) as players:
        for seed in range(tried):
            chance = random.Random(seed)
            rules, booked, acts = drawn(chance)
            table.lay(rules, booked, len(acts))
            works = [lambda own, act=act: table.do(own, act) for act in acts]
            results = players.play(works, chance)
            told = tuple(OK if one is None else type(one).__name__ for one in results)
            came_to = told, table.state()
            if came_to not in serial(rules, booked, acts):
                return f"{seed}: {rules} {booked} {acts} came to {came_to}"
    return ""


def test_whatever_is_done_at_once_comes_to_what_some_order_would(
    table, database_url, db, monkeypatch
):
    assert differing(table, database_url, TRIED, monkeypatch) == ""
    assert_sound(db)


def test_the_model_by_itself_knows_what_comes_of_each_order():
    """Two requests for the last place of a slot: the first request gets the place."""
    acts = [Act("book", 0, 2), Act("book", 1, 2)]
    first, second = serial(Rules(1, 1, 1, 0), [], acts)
    assert first == ((OK, "SlotTaken"), ((Booked(2, 1), None), (0, 1, 1, 0, 0, 0)))
    assert second == (("SlotTaken", OK), ((None, Booked(2, 1)), (0, 1, 1, 0, 0, 0)))


@pytest.mark.parametrize("guard", [guards.without_version, guards.without_condition])
def test_negative_control_without_a_condition_some_interleaving_comes_to_something_else(
    table, database_url, monkeypatch, guard
):
    """On SQLite the transaction is also a guard, so transactions are removed too."""
    if engines.ENGINE == "sqlite":
        guards.without_transactions(monkeypatch, calendar)
    guard(monkeypatch)
    assert " came to " in differing(table, database_url, MOST, monkeypatch)


@engines.on_sqlite
def test_negative_control_without_transactions_some_interleaving_leaves_half(
    table, database_url, monkeypatch
):
    guards.without_transactions(monkeypatch, calendar)
    assert " came to " in differing(table, database_url, MOST, monkeypatch)
