"""Random histories of a business with several persons and rooms, compared with `naive_teams`.

After any sequence of actions, the starts, choices, holds and refusals are those of the model, and
the slots follow the plan. Each run tries the same histories. The environment variable HISTORIES
sets their number.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from reservation.conflicts import SlotTaken
from reservation.domain.booking import booking, changing
from reservation.domain.booking import invariant as checking
from reservation.domain.booking.requests import Change, Request
from reservation.domain.calendar import calendar, finding, performers
from reservation.domain.calendar.availability import Start
from reservation.domain.calendar.terms import Visit
from reservation.domain.calendar.timetable import Event, Opening
from reservation.domain.people.sessions import Account
from reservation.domain.planning import (
    businesses,
    events,
    hours,
    own_hours,
    replanning,
    ressources,
    services,
)
from reservation.errors import InvalidInput, Refusal
from reservation.storage.database import transaction
from reservation.storage.models import Entreprise, Evenement, Prestation, Utilisateur
from tests import engines
from tests.domain import naive, naive_teams, naive_timetable
from tests.domain.naive import MINUTE, Asked, Creneau, Held, Rules
from tests.domain.naive_teams import Booking, Member, Service, World

HOUR, DAY = 3600, 86400
# Each is a day or two before a clock change.
BEGINNINGS = (
    ("Europe/Paris", "2026-03-27T07:30+00:00"),
    ("Europe/Paris", "2026-10-23T08:00+00:00"),
    ("America/New_York", "2026-03-06T15:10+00:00"),
)
_SLOTS = (
    "ressource_id, debut, id, fin, ouverture, capacite, places_prises, ouvert, prestation_id",
    "FROM creneau",
)
_BOOKINGS = (
    "SELECT id, debut, fin, occupe_debut, occupe_fin, places, ressource_id, lieu_id"
    " FROM reservation WHERE statut NOT IN ('refusee', 'annulee')"
)
_MEMBERS = "SELECT ordre, id, genre, actif FROM ressource"
_WEEK = (
    "SELECT ressource_id, jour, debut, fin, pas_minutes, capacite, prestation_id FROM semainetype"
)
_EVENTS = "SELECT ressource_id, type, debut, fin, pas_minutes, capacite FROM evenement"
STEP = 10 * MINUTE  # all slots and events begin and end at multiples of this
TRIED = int(os.environ.get("HISTORIES", "25"))  # number of histories
ZONES = "Europe/Paris", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"

few, many = st.integers(0, 25), st.integers(0, 400)
which_service = st.integers(0, 2)
places = st.sampled_from((1, 1, 1, 2))
preferences = st.one_of(st.none(), st.none(), few)
openings = st.fixed_dictionaries({
    "jour": st.integers(1, 7),
    "debut": st.sampled_from((0, 480, 540, 570, 1320)),
    "length": st.sampled_from((180, 240, 480)),
    "pas_minutes": st.sampled_from((20, 30, 60)),
    "capacite": st.sampled_from((1, 1, 2)),
})
every_day = st.builds(
    lambda opening: [{**opening, "jour": jour} for jour in range(1, 8)], openings
)
weeks = st.one_of(every_day, every_day, st.lists(openings, max_size=3))
grids = st.tuples(st.sampled_from((30, 60, 90)), openings)  # minutes from an opening to a visit
visits_under_change = st.fixed_dictionaries({
    "which": st.sampled_from((1, 2, 2)), "pick": many, "grids": st.tuples(grids, grids),
    "shut": st.sampled_from((None, None, None, 0, 1)),
})
lists = st.sets(st.integers(0, 6), max_size=3)
teams = st.lists(
    st.tuples(st.sampled_from(("personne", "personne", "lieu")), st.integers(0, 2)),
    min_size=1, max_size=6,
)


@lru_cache(maxsize=500)
def walked(*plan: Any) -> tuple[dict[int, tuple | None], list[int]]:
    """Returns the terms of each minute, and the minutes at which they change."""
    terms = dict(naive_timetable.walk(*plan, step=STEP))
    return terms, [at for before, at in pairwise(terms) if terms[at] != terms[before]]


class Teams(RuleBasedStateMachine):
    """A business with up to seven ressources. Each run empties the shared `db`."""

    def __init__(self, db) -> None:
        super().__init__()
        engines.empty(db)
        if engines.ENGINE == "sqlite":
            db.execute_sql("PRAGMA synchronous = off")
        self.db = db
        self.services: list[int] = []
        self.bookings: dict[int, Booking] = {}  # the model: the active bookings

    @initialize(
        beginning=st.sampled_from(BEGINNINGS), week=every_day, team=teams,
        listed=st.tuples(lists, lists, lists), rooms=st.booleans(),
    )
    def a_business_opens(self, beginning, week, team, listed, rooms) -> None:
        zone, moment = beginning
        self.zone, self.now = zone, int(datetime.fromisoformat(moment).timestamp())
        owner = Utilisateur.insert(
            type=2, email="alice@example.fr", nom="Martin", nom_cle="martin", cree_le=self.now,
        ).execute(self.db)
        self.alice = Account(owner, "company")
        self.salon = businesses.create(self.db, self.alice, {
            "nom": "Salon", "ville": "Lyon", "fuseau": zone, "horizon_jours": 4,
        }, self.now)
        self.db.write("UPDATE ressource SET nom = 'Alice'")
        for number, (genre, ordre) in enumerate(team):
            self.db.write(
                "INSERT INTO ressource (entreprise_id, genre, nom, description, ordre,"
                " semaine_propre, actif, flux_version, version, cree_le)"
                " VALUES (?, ?, ?, '', ?, 0, 1, 1, 1, 0)",
                self.salon, genre, f"R{number}", ordre,
            )
        for duree, avant, apres, every, with_room in (
            (30, 0, 0, None, False), (60, 15, 20, 60, rooms), (45, 0, 0, None, True)
        ):
            self.services.append(services.add(self.db, self.entreprise, {
                "nom": "Soin", "duree_minutes": duree, "tampon_avant": avant,
                "tampon_apres": apres, "intervalle_minutes": every,
            }))
            self.db.write(
                "UPDATE prestation SET lieu_requis = ? WHERE id = ?",
                int(with_room), self.services[-1],
            )
        for which, some in enumerate(listed):
            self.write_list(which, some)
        hours.replace(self.db, self.entreprise, self.rows_of(week), self.now)

    # Reads.

    @property
    def entreprise(self) -> Entreprise:
        return businesses.get(self.db, self.salon)

    @property
    def members(self) -> list[Member]:
        return [Member(*row[:3], bool(row[3])) for row in self.db.rows(_MEMBERS)]

    def ressource(self, pick: int, genre: str = "") -> int:
        some = [one.id for one in sorted(self.members) if genre in ("", one.genre)]
        return some[pick % len(some)]

    def prestation(self, which: int) -> Prestation:
        return services.get(self.db, self.services[which])

    def service(self, prestation_id: int, places: int) -> Service:
        row = services.get(self.db, prestation_id)
        listed = self.db.rows(
            "SELECT ressource_id FROM prestation_ressource WHERE prestation_id = ?", row.id
        )
        return Service(
            Asked(
                row.id, row.duree_minutes, row.tampon_avant, row.tampon_apres,
                row.intervalle_minutes, places,
            ),
            [id for (id,) in listed], bool(row.lieu_requis),
        )

    def visit(self, which: int, places: int) -> Visit:
        row = self.prestation(which)
        return Visit.of(row, places, performers.of_service(self.db, self.salon, row))

    def world(self, without: int | None = None) -> World:
        slots: dict[int, list[Creneau]] = {one.id: [] for one in self.members}
        for owner, debut, id, *row in sorted(self.db.many_rows(*_SLOTS)):
            slots[owner].append(Creneau(id, debut, *row))
        row = self.entreprise
        rules = Rules(self.zone, row.delai_reservation, row.horizon_jours, bool(row.actif))
        world = World(self.members, slots, self.stored(), rules, self.now)
        return world.without(without)

    def stored(self) -> dict[int, Booking]:
        return {
            number: Booking(Held(*held), person, lieu)
            for number, *held, person, lieu in self.db.rows(_BOOKINGS)
        }

    def a_slot(self, pick: int) -> tuple[int, int]:
        """Returns the id and the start of any slot of now or later, or of the past."""
        every = "SELECT id, debut FROM creneau WHERE fin > ? ORDER BY ressource_id, debut"
        coming = self.db.rows(every, self.now) or self.db.rows(every, 0)
        return coming[pick % len(coming)]

    def has_slots(self) -> bool:
        return bool(self.db.rows("SELECT id FROM creneau LIMIT 1"))

    def rows_of(self, week: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        return [
            {
                "jour": one["jour"], "debut": one["debut"],
                "fin": (one["debut"] + one["length"]) % 1440 or 1440,
                "pas_minutes": one["pas_minutes"], "capacite": one["capacite"],
                "prestation_id": None,
            }
            for one in week
        ]

    def attempt(self, work: Callable[[], Any]) -> tuple[Any, Refusal | None]:
        """Returns the result of `work` or its refusal, which must change no booking."""
        try:
            return work(), None
        except Refusal as ex:
            assert self.stored() == self.bookings
            return None, ex

    # Bookings.

    def check_placed(
        self, number: int | None, refused: Refusal | None, world: World, service: Service,
        debut: int, persons: Sequence[int], room: int | None = None,
    ) -> None:
        """Checks the person and the room, or the refusal. `persons` are in the order of the
        choice; `world` is without the booking."""
        first = next(
            (one for one in persons if naive_teams.motif(world, service, one, debut) is None), None
        )
        if refused is not None:
            assert first is None and isinstance(refused, SlotTaken), (refused, persons)
            assert refused.motif == naive_teams.why_nobody(world, service, debut, persons)
            return
        lieu = naive_teams.room(world, service, debut, room) if service.needs_room else None
        done = self.stored()[number]
        assert (done.ressource_id, done.lieu_id) == (first, lieu)
        assert done.held == Held.of(service.asked, debut)
        self.bookings[number] = done

    def by_minutes(self, world: World, service: Service, debut: int) -> list[int]:
        """Returns the suitable persons in the order of the choice."""
        persons = naive_teams.able(world.members, service.listed, "personne")
        return sorted(persons, key=lambda one: naive_teams.booked_minutes(world, one, debut))

    def book(
        self, which: int, places: int, slot: tuple[int, int], wanted: int | None
    ) -> int | None:
        """Books and compares the outcome. Returns the booking."""
        creneau_id, debut = slot
        request = Request(
            creneau_id, self.services[which], places, ressource_id=wanted
        )
        number, refused = self.attempt(
            lambda: booking.book(self.db, self.alice, request, self.now)
        )
        world, service = self.world(number), self.service(self.services[which], places)
        persons = self.by_minutes(world, service, debut)
        if wanted is None:
            assert naive_teams.chosen(world, service, debut) == next(
                (p for p in persons if naive_teams.motif(world, service, p, debut) is None), None
            )
        elif wanted not in persons:
            assert isinstance(refused, InvalidInput)
            return None
        else:
            persons = [wanted]
        self.check_placed(number, refused, world, service, debut, persons)
        return number

    @rule(which=which_service, places=places, pick=few, wanted=preferences)
    @precondition(lambda self: self.has_slots())
    def somebody_books(self, which, places, pick, wanted) -> None:
        person = None if wanted is None else self.ressource(wanted)
        self.book(which, places, self.a_slot(pick), person)

    def everything(self, which: int, places: int, since: int, days: int) -> list[Start]:
        """Returns all starts, compared with the model."""
        visit, start = self.visit(which, places), self.now + since * HOUR
        end = start + days * DAY
        found = finding.all_starts(self.db, self.entreprise, visit, start, end, self.now)
        world, service = self.world(), self.service(self.services[which], places)
        persons = naive_teams.able(world.members, service.listed, "personne")
        of_team = len(naive_teams.able(world.members, (), "personne")) > 1
        due = {}
        for person in persons:
            for one in world.slots[person]:
                if start <= one.debut < end and naive.is_start(one, service.asked):
                    due.setdefault(one.debut, []).append(one.id)
        assert [one.debut for one in found] == sorted(due)
        for one in found:
            free = naive_teams.free_persons(world, service, one.debut)
            assert one.id in due[one.debut]
            assert one.fin == one.debut + service.asked.duree * MINUTE
            if of_team:
                assert list(one.persons) == free
            if free:
                assert one.motif is None
                assert one.places_left == naive_teams.places_left(world, service, one.debut)
            else:
                assert one.motif == naive_teams.why_nobody(world, service, one.debut, persons)
        return found

    @rule(which=which_service, places=places, since=st.sampled_from((-24, 0, 0, 30)),
          days=st.integers(1, 3), pick=many, wanted=preferences)
    def a_listed_free_start_is_booked(self, which, places, since, days, pick, wanted) -> None:
        free = [one for one in self.everything(which, places, since, days) if not one.motif]
        if free:
            one = free[pick % len(free)]
            person = one.persons[wanted % len(one.persons)] if wanted and one.persons else None
            number = self.book(which, places, (one.id, one.debut), person)
            assert number is not None, "a start listed as free was refused"

    @rule(which=st.lists(which_service, min_size=3, max_size=6), since=st.integers(0, 48),
          pick=many, cancelled=st.integers(0, 3))
    def a_day_fills_up(self, which, since, pick, cancelled) -> None:
        """Several persons are free at most of these starts, with different booked minutes."""
        for number, service in enumerate(which):
            free = [one for one in self.everything(service, 1, since, 1) if not one.motif]
            if free:
                one = free[(pick + 7 * number) % len(free)]
                made = self.book(service, 1, (one.id, one.debut), None)
                if number == cancelled and made is not None:
                    self.cancel(made)

    @rule(which=which_service, places=places, since=st.sampled_from((-24, 0, 30)),
          days=st.integers(1, 4), pick=many)
    def a_listed_start_with_a_motif_is_refused(self, which, places, since, days, pick) -> None:
        taken = [one for one in self.everything(which, places, since, days) if one.motif]
        if taken:
            motif = sorted({one.motif for one in taken})[pick % len({one.motif for one in taken})]
            alike = [one for one in taken if one.motif == motif]
            one = alike[pick % len(alike)]
            assert self.book(which, places, (one.id, one.debut), None) is None

    @rule(which=which_service, places=places, since=st.integers(0, 30), hours=st.integers(1, 80))
    def free_starts_are_the_starts_without_a_motif(self, which, places, since, hours) -> None:
        visit, start = self.visit(which, places), self.now + since * HOUR
        end = start + hours * HOUR
        free = finding.free_starts(self.db, self.entreprise, visit, start, end, self.now)
        every = finding.all_starts(self.db, self.entreprise, visit, start, end, self.now)
        assert free == [one for one in every if one.motif is None]

    @rule(which=which_service, places=places)
    def the_next_free_starts_are_looked_up(self, which, places) -> None:
        visit = self.visit(which, places)
        found = list(finding.following(self.db, self.entreprise, visit, self.now, self.now))
        assert found == [one for one in self.everything(which, places, 0, 6) if not one.motif]

    @rule(pick=few, to=few, wanted=preferences)
    @precondition(lambda self: self.bookings and self.has_slots())
    def a_visit_is_moved(self, pick, to, wanted) -> None:
        number = sorted(self.bookings)[pick % len(self.bookings)]
        self.move(number, self.a_slot(to), None if wanted is None else self.ressource(wanted))

    @rule(pick=few, to=few)
    @precondition(lambda self: self.bookings)
    def a_visit_is_moved_to_somebody_else(self, pick, to) -> None:
        number = sorted(self.bookings)[pick % len(self.bookings)]
        self.move(number, None, self.ressource(to, "personne"))

    def move(self, number: int, slot: tuple[int, int] | None, wanted: int | None) -> None:
        (version, prestation_id, present_slot, places) = self.db.rows(
            "SELECT version, prestation_id, creneau_id, places FROM reservation WHERE id = ?",
            number,
        )[0]
        old = self.bookings[number]
        stays = slot is None or slot[0] == present_slot
        debut = old.held.debut if stays else slot[1]
        change = Change(
            version, creneau_id=None if slot is None else slot[0], ressource_id=wanted
        )
        calendar.extend(self.db, self.entreprise, self.now + 9 * DAY, self.now)
        world = self.world(number)  # before the slots of the old time are rebuilt
        _, refused = self.attempt(
            lambda: changing.change(self.db, self.alice, number, change, self.now)
        )
        if stays and wanted in (None, old.ressource_id):
            assert refused is None and self.stored() == self.bookings
            return
        service = self.service(prestation_id, places)
        if debut == old.held.debut:  # then the horizon and the interval do not apply
            world = world._replace(rules=world.rules._replace(horizon=90))
            service = service._replace(asked=service.asked._replace(intervalle=None))
        persons = self.by_minutes(world, service, debut)
        if wanted is not None and wanted not in persons:
            assert isinstance(refused, InvalidInput)
            return
        if wanted is not None:
            persons = [wanted]
        elif old.ressource_id in persons:
            persons.sort(key=lambda one: one != old.ressource_id)
        self.check_placed(number, refused, world, service, debut, persons, old.lieu_id)

    @rule(pick=few)
    @precondition(lambda self: self.bookings)
    def a_visit_is_cancelled(self, pick) -> None:
        self.cancel(sorted(self.bookings)[pick % len(self.bookings)])

    def cancel(self, number: int) -> None:
        changing.cancel(self.db, self.alice, number, self.now)
        del self.bookings[number]

    # The team and its hours.

    def plan(self, work: Callable[[], Any]) -> None:
        """Changes the plan, which keeps the bookings and the slots that these hold."""
        bookings, slots = self.stored(), self.held_slots()
        self.attempt(work)
        assert self.stored() == bookings
        assert slots <= self.held_slots()

    def held_slots(self) -> set[tuple[int, ...]]:
        held = "SELECT ressource_id, debut, fin FROM creneau WHERE places_prises > 0"
        return set(self.db.rows(held))

    @rule(week=weeks)
    def the_week_of_the_business_is_replaced(self, week) -> None:
        rows = self.rows_of(week)
        self.plan(lambda: hours.replace(self.db, self.entreprise, rows, self.now))

    @rule(pick=few, week=st.one_of(st.none(), weeks))
    def a_ressource_gets_hours_of_its_own(self, pick, week) -> None:
        self.hours_of(self.ressource(pick), week)

    def hours_of(self, id: int, week: Sequence[dict[str, Any]] | None) -> None:
        rows, whose = None if week is None else self.rows_of(week), ressources.get(self.db, id)
        self.plan(lambda: own_hours.replace(self.db, whose, rows, self.now, whose.version))

    @rule(pick=st.one_of(st.none(), few),
          kind=st.sampled_from(("fermeture", "ouverture", "horaires")),
          since=st.integers(-12, 80), length=st.sampled_from((60, 100, 480, 2880)))
    def an_event_is_planned(self, pick, kind, since, length) -> None:
        id = None if pick is None else self.ressource(pick)
        self.an_event(kind, self.now // HOUR * HOUR + since * HOUR, length, id)

    def an_event(self, kind: str, debut: int, length: int, owner: int | None) -> None:
        extra = kind != "fermeture"
        values = {
            "type": kind, "titre": "Foire", "description": "", "debut": debut,
            "fin": debut + length * MINUTE, "pas_minutes": 30 if extra else None,
            "capacite": 2 if extra else None,
            "ressource_id": owner,
        }
        self.plan(lambda: events.add(self.db, self.entreprise, values, self.now))

    @rule(pick=few)
    def an_event_is_taken_away(self, pick) -> None:
        some = list(Evenement.select().order_by(Evenement.id).execute(self.db))
        if some:
            event = some[pick % len(some)]
            self.plan(lambda: events.remove(self.db, self.entreprise, event, self.now))

    @rule(zone=st.sampled_from(ZONES))
    def the_business_moves_to_another_time_zone(self, zone) -> None:
        mine = self.entreprise
        values = {"nom": mine.nom, "ville": mine.ville, "fuseau": zone}
        self.plan(lambda: businesses.update(self.db, mine, values, mine.version, self.now))
        self.zone = zone

    # The plan changes while a visit is booked. Then the visit is cancelled or moved.

    @rule(of=visits_under_change)
    def a_visit_is_cancelled_after_a_change(self, of) -> None:
        for number in self.under_change(**of):
            self.cancel(number)

    @rule(of=visits_under_change, to=few)
    def a_visit_is_moved_after_a_change(self, of, to) -> None:
        for number in self.under_change(**of):
            if self.has_slots():
                self.move(number, self.a_slot(to), None)

    def under_change(
        self, which: int, pick: int, grids: Sequence[Any], shut: int | None
    ) -> list[int]:
        """Books a visit, then changes the hours of its person and its room. Returns the id of the
        booking in a list, or [] if no time is free.

        With `shut`, also closes the business for an hour, `shut` hours after the visit begins.
        """
        free = [one for one in self.everything(which, 1, 0, 2) if not one.motif]
        if not free:
            return []
        one = free[pick % len(free)]
        number = self.book(which, 1, (one.id, one.debut), None)
        minute = naive_timetable.wall_minute(ZoneInfo(self.zone), one.debut)
        whose = self.bookings[number].ressource_id, self.bookings[number].lieu_id
        for id, (early, opening) in zip(whose, grids):
            if id is not None:
                opening = {**opening, "debut": (minute - early) % 1440}
                self.hours_of(id, [{**opening, "jour": jour} for jour in range(1, 8)])
        if shut is not None:
            self.an_event("fermeture", one.debut + shut * HOUR, 60, None)
        self.the_rules_hold()
        return [number]

    @rule(pick=few)
    def somebody_retires_or_returns(self, pick) -> None:
        id = self.ressource(pick)

        def write(_mine: Entreprise) -> None:
            self.db.write("UPDATE ressource SET actif = 1 - actif WHERE id = ?", id)

        self.plan(lambda: replanning.change(self.db, self.salon, write, self.now))

    @rule(which=which_service, some=lists)
    def the_performers_of_a_service_are_listed(self, which, some) -> None:
        self.write_list(which, some)

    def write_list(self, which: int, some: set[int]) -> None:
        prestation_id = self.services[which]

        def work() -> None:
            calendar.lock(self.db, self.salon)
            self.db.write(
                "DELETE FROM prestation_ressource WHERE prestation_id = ?", prestation_id
            )
            for id in {self.ressource(pick) for pick in some}:
                self.db.write(
                    "INSERT INTO prestation_ressource (prestation_id, ressource_id)"
                    " VALUES (?, ?)", prestation_id, id,
                )

        transaction(self.db, work)

    @rule(minutes=st.sampled_from((5, 60, 240, 1440)))
    def time_goes_by(self, minutes) -> None:
        self.now += minutes * MINUTE

    # Invariants.

    @invariant()
    def the_rules_hold(self) -> None:
        world = self.world()
        self.the_slots_follow_the_plan(world.slots)
        self.every_place_is_held_by_a_booking(world)

    def the_slots_follow_the_plan(self, slots: Mapping[int, Sequence[Creneau]]) -> None:
        """Omits each opening that begins before the slots of the past end, because slots that had
        begun when the plan changed stay."""
        mark, today = self.entreprise.calendrier_jusqua, self.now // DAY * DAY
        planned = dict(self.db.many_rows("id, capacite_prevue", "FROM creneau"))
        zone = ZoneInfo(self.zone)
        for id, (week, dated) in self.plans().items():
            terms, changes = walked(week, dated, zone, today, max(today, mark))
            past = max((one.fin for one in slots[id] if one.debut <= self.now), default=0)
            start = next((at for at in changes if at > self.now and at >= past), mark)
            kept = [one for one in slots[id] if one.places_prises or one.debut < start]
            due = naive_timetable.cut(terms.items(), dated, [one[1:3] for one in kept], STEP)
            coming = [one for one in slots[id] if start <= one.debut < mark]
            assert [
                (*one[1:5], None, bool(one.ouvert)) for one in coming if not one.places_prises
            ] == [one for one in due if start <= one.debut < mark]
            self.check_terms(coming, planned, terms, dated)

    def check_terms(
        self, slots: Sequence[Creneau], planned: dict[int, int], terms: dict[int, Any],
        dated: Sequence[Event],
    ) -> None:
        """Checks the capacity of each slot, and that a closed slot keeps its capacity."""
        closed = naive_timetable.closed_minutes(dated, STEP)
        for one in slots:
            span = range(one.debut, one.fin, STEP)
            under = [terms[at] for at in span]
            least = 0 if None in under else min(capacite for _, capacite, *_ in under)
            assert planned[one.id] == least
            assert one.capacite == max(least, one.places_prises)
            assert bool(one.ouvert) == (least > 0 and closed.isdisjoint(span))

    def plans(self) -> dict[int, tuple[Sequence[Opening], Sequence[Event]]]:
        """Returns the hours and the events of each person and room."""
        rows = [(owner, Event(*row)) for owner, *row in self.db.rows(_EVENTS)]
        weeks = [(owner, Opening(*row)) for owner, *row in self.db.rows(_WEEK)]
        found: dict[int, Any] = {}
        for id, active, own in self.db.rows("SELECT id, actif, semaine_propre FROM ressource"):
            week = tuple(row for owner, row in weeks if owner == (id if own else None))
            own_week, zone = week if own else None, ZoneInfo(self.zone)
            dated = naive_timetable.events_of(id, own_week, rows, zone, STEP)
            found[id] = (week, tuple(dated)) if active else ((), ())
        return found

    def every_place_is_held_by_a_booking(self, world: World) -> None:
        assert world.bookings == self.bookings
        for id, slots in world.slots.items():
            mine = {n: one.held for n, one in self.bookings.items() if one.holds(id)}
            taken = {one.id: one.places_prises for one in slots}
            assert taken == naive.places_held(slots, mine)
            assert all(one.places_prises <= one.capacite for one in slots)
            assert not list(naive.overlaps(slots))
        assert list(checking._of_business(self.db, self.salon)) == [] if world.slots else True


def test_the_free_persons_and_the_choice_are_those_of_the_model_after_any_actions(db):
    run_state_machine_as_test(
        lambda: Teams(db),
        settings=settings(
            max_examples=TRIED, stateful_step_count=25, deadline=None, derandomize=True,
            suppress_health_check=list(HealthCheck), report_multiple_bugs=False,
        ),
    )
