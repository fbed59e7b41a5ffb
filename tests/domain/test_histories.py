"""Random histories of one business: the rules hold after any actions in any order.

After each step the rows are held against a model that knows only which reservations were
made and ended, and the computation of `naive`. Every function gets `now`.
"""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

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

from reservation.conflicts import (
    CorrectionTooLate,
    ImpossibleTransition,
    NotMovable,
    SlotTaken,
    VisitNotBegun,
)
from reservation.domain.booking import alternatives, booking, changing
from reservation.domain.booking import invariant as checking
from reservation.domain.booking.requests import Change, Request
from reservation.domain.calendar import (
    calendar,
    finding,
    performers,
    reconciling,
    stored_plans,
)
from reservation.domain.calendar.availability import Start
from reservation.domain.calendar.plans import Plan
from reservation.domain.calendar.terms import LONGEST_HORIZON, Visit
from reservation.domain.people.sessions import Account
from reservation.domain.planning import businesses, events, hours, services
from reservation.domain.planning.replanning import PlanOutcome
from reservation.errors import DeadlinePassed, NotFound, NotPermitted, Refusal, StaleVersion
from reservation.storage.models import Entreprise, Evenement, Prestation, Utilisateur
from tests import engines
from tests.domain import naive
from tests.domain.naive import MINUTE, Asked, Creneau, Held, Rules

HOUR, DAY = 3600, 86400
# Each is two or three days before a clock change.
BEGINNINGS = (
    ("Europe/Paris", "2026-03-27T07:30+00:00"),
    ("Europe/Paris", "2026-10-23T08:00+00:00"),
    ("America/New_York", "2026-03-06T15:10+00:00"),
)
ALICE, CHLOE, DAN = 1, 2, 3  # the owner of the salon, and two customers
ROLES = {ALICE: "company", CHLOE: "student", DAN: "student"}
COUPE, COLORATION = 0, 1
MOVES = {  # with the side that may make the move
    ("demandee", "confirmee"): "owner",
    ("demandee", "refusee"): "owner",
    ("demandee", "annulee"): "both",
    ("confirmee", "annulee"): "both",
    ("confirmee", "honoree"): "owner",
    ("confirmee", "absente"): "owner",
    ("honoree", "absente"): "owner",
    ("absente", "honoree"): "owner",
}
TABLES = ("reservation", "entreprise", "prestation", "semainetype", "evenement", "eventemail")
_CRENEAUX = (
    "SELECT id, debut, fin, ouverture, capacite, places_prises, ouvert, prestation_id"
    " FROM creneau ORDER BY debut"
)
Rows = dict[str, dict[int, dict[str, Any]]]

few = st.integers(0, 25)
people = st.sampled_from((ALICE, CHLOE, DAN))
which_service = st.sampled_from((COUPE, COLORATION))
places = st.sampled_from((1, 1, 1, 2, 3))
openings = st.fixed_dictionaries({
    "jour": st.integers(1, 7),
    "debut": st.sampled_from((0, 480, 540, 570, 780, 1320)),
    "length": st.sampled_from((60, 180, 240, 480, 1440)),
    "pas_minutes": st.sampled_from((20, 30, 45, 60, 90)),
    "capacite": st.integers(1, 3),
    "kept_for": st.sampled_from((None, None, None, None, COUPE, COLORATION)),
})
every_day = st.builds(
    lambda opening, days: [{**opening, "jour": jour} for jour in range(1, days + 1)],
    openings, st.integers(5, 7),
)
long_enough = every_day.filter(lambda week: week[0]["length"] >= week[0]["pas_minutes"])
weeks = st.one_of(every_day, every_day, st.lists(openings, max_size=4), st.just([]))


def read(db, table: str) -> dict[int, dict[str, Any]]:
    cursor = db.execute_sql(f"SELECT * FROM {table}")
    names = [column[0] for column in cursor.description]
    return {row["id"]: row for row in (dict(zip(names, one)) for one in cursor.fetchall())}


class Histories(RuleBasedStateMachine):
    """One salon that begins with an empty calendar. Each run empties the shared `db`."""

    def __init__(self, db) -> None:
        super().__init__()
        engines.empty(db)
        if engines.ENGINE == "sqlite":
            db.execute_sql("PRAGMA synchronous = off")  # for thousands of commits
        self.db = db
        self.held: dict[int, Held] = {}  # the model: what each active booking holds
        self.statuts: dict[int, str] = {}
        self.listed: dict[int, int] = {}  # the start of each slot that was ever listed
        self.people: dict[int, int] = {}
        self.services: list[int] = []
        self.creneaux: list[Creneau] = []  # after the last step
        self.planned_from = 0  # the time from which all free slots follow the plan
        self.rows: Rows = {}

    @initialize(
        beginning=st.sampled_from(BEGINNINGS),
        week=long_enough,
        manual=st.booleans(),
        horizon=st.sampled_from((2, 9, 13)),
    )
    def a_salon_opens(self, beginning, week, manual, horizon) -> None:
        zone, moment = beginning
        self.zone, self.now = zone, int(datetime.fromisoformat(moment).timestamp())
        self._add_people()
        self.salon = businesses.create(self.db, self.asking(ALICE), {
            "nom": "Salon", "ville": "Lyon", "fuseau": zone,
            "horizon_jours": horizon, "validation_manuelle": manual,
        }, self.now)
        for duree, avant, apres, every in ((45, 0, 0, None), (60, 15, 50, 60)):
            self.services.append(services.add(self.db, self.entreprise, {
                "nom": "Soin", "duree_minutes": duree, "tampon_avant": avant,
                "tampon_apres": apres, "intervalle_minutes": every,
            }))
        hours.replace(self.db, self.entreprise, self.week(week), self.now)
        self.look()

    def _add_people(self) -> None:
        for number, role in ROLES.items():
            self.people[number] = Utilisateur.insert(
                type=2 if role == "company" else 1, email=f"{number}@example.fr", nom="Martin",
                nom_cle="martin", cree_le=self.now,
            ).execute(self.db)

    # Reads.

    @property
    def entreprise(self) -> Entreprise:
        return businesses.get(self.db, self.salon)

    def asking(self, who: int) -> Account:
        return Account(self.people[who], ROLES[who])

    def service(self, which: int) -> Prestation:
        return services.get(self.db, self.services[which])

    def asked(self, prestation_id: int, places: int) -> Asked:
        row = self.rows["prestation"][prestation_id]
        return Asked(
            prestation_id, row["duree_minutes"], row["tampon_avant"], row["tampon_apres"],
            row["intervalle_minutes"], places,
        )

    @property
    def terms(self) -> Rules:
        row = self.rows["entreprise"][self.salon]
        return Rules(
            self.zone, row["delai_reservation"], row["horizon_jours"], bool(row["actif"])
        )

    @property
    def mark(self) -> int:
        return self.rows["entreprise"][self.salon]["calendrier_jusqua"]

    def reservation(self, pick: int) -> dict[str, Any]:
        """Returns any reservation, the latest first."""
        numbers = sorted(self.statuts, reverse=True)
        return self.rows["reservation"][numbers[pick % len(numbers)]]

    def creneau(self, pick: int) -> Creneau:
        """Returns any slot of now or later, or of the past if there is none."""
        coming = [one for one in self.creneaux if one.fin > self.now] or self.creneaux
        return coming[pick % len(coming)]

    def week(self, drawn: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        return [
            {
                "jour": one["jour"],
                "debut": one["debut"],
                "fin": (one["debut"] + one["length"]) % 1440 or 1440,
                "pas_minutes": one["pas_minutes"],
                "capacite": one["capacite"],
                "prestation_id": (
                    None if one["kept_for"] is None else self.services[one["kept_for"]]
                ),
            }
            for one in drawn
        ]

    def look(self) -> None:
        self.creneaux = [Creneau(*row) for row in self.db.rows(_CRENEAUX)]
        self.rows = {table: read(self.db, table) for table in TABLES}

    # Actions. A refused action must change nothing.

    def attempt(self, work: Callable[[], Any]) -> tuple[Any, Refusal | None]:
        """Returns the result of `work` or its refusal, and reads the rows again."""
        try:
            done, refused = work(), None
        except Refusal as ex:
            done, refused = None, ex
        creneaux, rows = self.creneaux, self.rows
        self.look()
        if refused is not None:
            self.check_unchanged(creneaux, rows)
        return done, refused

    def check_unchanged(self, creneaux: list[Creneau], rows: Rows) -> None:
        """A refused booking may extend the calendar."""
        until = rows["entreprise"][self.salon]["calendrier_jusqua"]
        made = self.mark != until
        known = {one.id for one in creneaux}
        assert creneaux == [one for one in self.creneaux if one.id in known]
        assert all(one.debut >= until for one in self.creneaux if one.id not in known)
        assert made or len(creneaux) == len(self.creneaux)
        if made:
            self._forget_making(rows)
        for table in TABLES:
            assert rows[table] == self.rows[table], table

    def _forget_making(self, rows: Rows) -> None:
        for name in ("calendrier_jusqua", "calendrier_version"):
            rows["entreprise"][self.salon][name] = self.rows["entreprise"][self.salon][name]

    def obstacle(
        self, asked: Asked, debut: int, rules: Rules, mine: int | None = None
    ) -> str | None:
        """Returns why a visit cannot start there if the reservation `mine` is not counted."""
        row = self.rows["reservation"].get(mine) if mine is not None else None
        creneaux = naive.given_back(self.creneaux, row and Held(
            row["debut"], row["fin"], row["occupe_debut"], row["occupe_fin"], row["places"]
        ))
        near = [one for one in creneaux if abs(one.debut - debut) < 2 * DAY]
        first = next((one for one in near if one.debut == debut), None)
        if first is None or not naive.is_start(first, asked):
            return naive.NO_START
        return naive.motif(naive.by_minute(near), asked, rules, self.now, first)

    def book(self, who: int, which: int, places: int, creneau_id: int, debut: int) -> Any:
        """Returns the new reservation or the refusal, which must be the expected one."""
        request = Request(creneau_id, self.services[which], places)
        number, refused = self.attempt(
            lambda: booking.book(self.db, self.asking(who), request, self.now)
        )
        asked = self.asked(request.prestation_id, places)
        if refused is None:
            manual = self.rows["entreprise"][self.salon]["validation_manuelle"] and who != ALICE
            self.held[number] = Held.of(asked, debut)
            self.statuts[number] = "demandee" if manual else "confirmee"
            assert self.rows["reservation"][number]["debut"] == debut
        self.check_answer(refused, self.obstacle(asked, debut, self.terms, number))
        return number if refused is None else refused

    def check_answer(self, refused: Refusal | None, due: str | None) -> None:
        if refused is None:
            assert due is None, f"booked despite {due}"
        else:
            assert isinstance(refused, SlotTaken), refused
            assert refused.motif == due

    @rule(who=people, which=which_service, places=places, pick=few)
    @precondition(lambda self: self.creneaux)
    def somebody_books(self, who, which, places, pick) -> None:
        creneau = self.creneau(pick)
        self.book(who, which, places, creneau.id, creneau.debut)

    @rule(who=people, which=which_service, places=places, pick=st.integers(0, 400))
    @precondition(lambda self: self.listed)
    def somebody_books_what_was_listed_long_ago(self, who, which, places, pick) -> None:
        """New weekly hours may have deleted the slot: no other slot gets its id."""
        creneau_id, debut = list(self.listed.items())[pick % len(self.listed)]
        there = {one.id: one.debut for one in self.creneaux}
        if creneau_id in there:
            assert there[creneau_id] == debut
            self.book(who, which, places, creneau_id, debut)
            return
        request = Request(creneau_id, self.services[which], places)
        _, refused = self.attempt(
            lambda: booking.book(self.db, self.asking(who), request, self.now)
        )
        assert isinstance(refused, SlotTaken)

    @rule(who=people, pick=few)
    @precondition(lambda self: self.creneaux)
    def a_request_is_sent_again(self, who, pick) -> None:
        request = Request(
            self.creneau(pick).id, self.services[COUPE], cle=f"{who}:{pick}"
        )
        once = [self.attempt(lambda: booking.book(self.db, self.asking(who), request, self.now))]
        number, refused = once[0]
        if refused is not None:
            return
        if number not in self.statuts:
            asked = self.asked(request.prestation_id, 1)
            self.held[number] = Held.of(asked, self.rows["reservation"][number]["debut"])
            self.statuts[number] = self.rows["reservation"][number]["statut"]
        creneaux = self.creneaux
        again = self.attempt(lambda: booking.book(self.db, self.asking(who), request, self.now))
        assert again == (number, None) and self.creneaux == creneaux

    # A listed free start can be booked, and no other.

    def wanted(self, which: int, places: int) -> Visit:
        service = self.service(which)
        who = performers.of_service(self.db, self.entreprise.id, service)
        return Visit.of(service, places, who)

    def everything(self, which: int, places: int, since: int, days: int) -> list[Start]:
        visit = self.wanted(which, places)
        start = self.now + since * HOUR
        found = finding.all_starts(
            self.db, self.entreprise, visit, start, start + days * DAY, self.now
        )
        self.look()
        self.check_listed(found, self.asked(self.services[which], places), start, days)
        self.listed |= {one.id: one.debut for one in found}
        return found

    def check_listed(self, found: list[Start], asked: Asked, start: int, days: int) -> None:
        there = naive.by_minute(self.creneaux)
        due = [
            (one.id, one.debut, naive.motif(there, asked, self.terms, self.now, one))
            for one in self.creneaux
            if start <= one.debut < start + days * DAY and naive.is_start(one, asked)
        ]
        assert [(one.id, one.debut, one.motif) for one in found] == due

    def keep_or_cancel(self, number: int, keep: bool) -> None:
        if not keep:
            before = {one.id: one.places_prises for one in self.creneaux}
            held = self.held[number]
            self.end(number, "annulee", ALICE)
            after = {one.id: one.places_prises for one in self.creneaux}
            fewer = sum(before.values()) - sum(after.values())
            assert fewer >= held.places

    @rule(who=people, which=which_service, places=places, since=st.sampled_from((-24, 0, 0, 30)),
          days=st.integers(1, 4), pick=st.integers(0, 400), keep=st.booleans())
    def a_listed_free_start_is_booked(self, who, which, places, since, days, pick, keep) -> None:
        found = self.everything(which, places, since, days)
        free = [one for one in found if one.motif is None]
        if free:
            one = free[pick % len(free)]
            number = self.book(who, which, places, one.id, one.debut)
            assert number in self.held, "a start listed as free was refused"
            self.keep_or_cancel(number, keep)

    @rule(who=people, which=which_service, places=places, since=st.sampled_from((-24, 0, 0, 30)),
          days=st.integers(1, 9), pick=st.integers(0, 400))
    def a_listed_start_with_a_motif_is_refused(
        self, who, which, places, since, days, pick
    ) -> None:
        found = self.everything(which, places, since, days)
        taken = [one for one in found if one.motif is not None]
        if taken:
            # All motifs are equally likely.
            motif = sorted({one.motif for one in taken})[pick % len({one.motif for one in taken})]
            alike = [one for one in taken if one.motif == motif]
            one = alike[pick % len(alike)]
            refused = self.book(who, which, places, one.id, one.debut)
            assert isinstance(refused, SlotTaken) and refused.motif == motif

    @rule(who=people, places=places, pick=st.integers(0, 400))
    def what_is_not_listed_is_refused(self, who, places, pick) -> None:
        """A slot between the starts that the interval of the service allows."""
        listed = {one.id for one in self.everything(COLORATION, places, 0, 3)}
        others = [
            one for one in self.creneaux
            if one.id not in listed and self.now <= one.debut < self.now + 3 * DAY
        ]
        if others:
            one = others[pick % len(others)]
            assert isinstance(self.book(who, COLORATION, places, one.id, one.debut), SlotTaken)

    @rule(which=which_service, places=places)
    def the_next_free_starts_are_looked_up(self, which, places) -> None:
        visit, entreprise = self.wanted(which, places), self.entreprise
        found = list(finding.following(self.db, entreprise, visit, self.now, self.now))
        everything = self.everything(which, places, 0, 14)
        assert found == [one for one in everything if one.motif is None]

    @rule(which=which_service, places=places, hours=st.integers(0, 100))
    def the_nearest_free_starts_are_looked_up(self, which, places, hours) -> None:
        visit, wanted = self.wanted(which, places), self.now + hours * HOUR
        found = alternatives.nearest(self.db, self.entreprise, visit, wanted, self.now)
        free = [one for one in self.everything(which, places, 0, 14) if one.motif is None]
        distances = sorted(abs(one.debut - wanted) for one in free)
        assert sorted(abs(one.debut - wanted) for one in found) == distances[:3]
        assert [one.debut for one in found] == sorted(one.debut for one in found)

    # Changing a booking

    def due_refusal(self, row: dict[str, Any], who: int, statut: str, moves: bool) -> Any:
        """Returns the refusal that is due before the places are checked."""
        owner = who == ALICE
        if not owner and row["titulaire_id"] != self.people[who]:
            return NotFound
        before = self.statuts[row["id"]]
        if statut != before:
            if (before, statut) not in MOVES:
                return ImpossibleTransition
            if not owner and MOVES[before, statut] == "owner":
                return NotPermitted
            if statut in ("honoree", "absente") and self.now < row["debut"]:
                return VisitNotBegun
            if before in ("honoree", "absente") and self.now > row["fin"] + 30 * DAY:
                return CorrectionTooLate
        if moves and statut not in ("demandee", "confirmee"):
            return NotMovable
        minutes = self.rows["entreprise"][self.salon]["delai_annulation"]
        if before == "demandee" or self.is_in_a_closure(row):
            minutes = 0
        deadline = row["debut"] - minutes * 60
        late = not owner and (moves or statut != before) and self.now > deadline
        return DeadlinePassed if late else None

    def is_in_a_closure(self, row: dict[str, Any]) -> bool:
        return any(
            one["type"] == "fermeture" and one["debut"] < row["fin"] and one["fin"] > row["debut"]
            for one in self.rows.get("evenement", {}).values()
        )

    @rule(who=people, pick=few, to=few, places=st.sampled_from((None, None, 1, 2, 3)))
    @precondition(lambda self: self.statuts and self.creneaux)
    def a_visit_is_moved(self, who, pick, to, places) -> None:
        self.move(self.reservation(pick), self.creneau(to), places, who)

    @rule(pick=few, step=st.integers(-4, 4), places=st.sampled_from((None, 1, 2)))
    @precondition(lambda self: self.statuts)
    def a_visit_slides_over_itself(self, pick, step, places) -> None:
        row = self.reservation(pick)
        at = [n for n, one in enumerate(self.creneaux) if one.debut == row["debut"]]
        if at:
            to = self.creneaux[(at[0] + step) % len(self.creneaux)]
            self.move(row, to, places, ALICE)

    def move(self, row: dict[str, Any], to: Creneau, places: int | None, who: int) -> None:
        number, moves = row["id"], to.id != row["creneau_id"] or places not in (
            None, row["places"]
        )
        due = self.due_refusal(row, who, row["statut"], moves)
        change = Change(row["version"], creneau_id=to.id, places=places)
        _, refused = self.attempt(
            lambda: changing.change(self.db, self.asking(who), number, change, self.now)
        )
        fewer = places is not None and places < row["places"]
        gives_back = fewer and to.debut == row["debut"] >= self.now
        if due is not None:
            assert type(refused) is due, refused
        elif gives_back:  # whatever has become of the slots
            assert refused is None
            self.held[number] = self.held[number]._replace(places=places)
        elif moves:
            asked = self.asked(row["prestation_id"], places or row["places"])
            rules = self.terms
            if who == ALICE:
                rules = rules._replace(delai=0, actif=True)
            if to.debut == row["debut"]:  # then the length and the buffers stay too
                asked = asked._replace(
                    duree=(row["fin"] - row["debut"]) // MINUTE, intervalle=None,
                    avant=(row["debut"] - row["occupe_debut"]) // MINUTE,
                    apres=(row["occupe_fin"] - row["fin"]) // MINUTE,
                )
                delai = 0 if asked.places <= row["places"] else rules.delai
                rules = rules._replace(horizon=LONGEST_HORIZON, delai=delai)
            if refused is None:
                self.held[number] = Held.of(asked, to.debut)
                more = to.debut != row["debut"] or (places or 0) > row["places"]
                manual = self.rows["entreprise"][self.salon]["validation_manuelle"]
                if who != ALICE and more and manual:
                    self.statuts[number] = "demandee"
            self.check_answer(refused, self.obstacle(asked, to.debut, rules, number))
        else:
            assert refused is None

    @rule(who=people, pick=few, statut=st.sampled_from(
        ("confirmee", "confirmee", "refusee", "annulee", "honoree", "absente", "demandee")
    ))
    @precondition(lambda self: self.statuts)
    def a_reservation_is_decided_on(self, who, pick, statut) -> None:
        row = self.reservation(pick)
        due = self.due_refusal(row, who, statut, False)
        if who != ALICE and due is not NotFound:
            due = NotPermitted  # a customer can only cancel
        change = Change(row["version"], statut=statut)
        _, refused = self.attempt(
            lambda: changing.change(self.db, self.asking(who), row["id"], change, self.now)
        )
        self.check_end(row["id"], statut, due, refused)

    @rule(who=people, pick=few)
    @precondition(lambda self: self.statuts)
    def a_reservation_is_cancelled(self, who, pick) -> None:
        self.end(self.reservation(pick)["id"], "annulee", who)

    def end(self, number: int, statut: str, who: int) -> None:
        due = self.due_refusal(self.rows["reservation"][number], who, statut, False)
        _, refused = self.attempt(
            lambda: changing.cancel(self.db, self.asking(who), number, self.now)
        )
        self.check_end(number, statut, due, refused)

    def check_end(self, number: int, statut: str, due: Any, refused: Refusal | None) -> None:
        assert type(refused) is (due or type(None)), refused
        if refused is None:
            self.statuts[number] = statut
            if statut in ("refusee", "annulee"):
                self.held.pop(number, None)

    @rule(pick=few, to=few, statut=st.sampled_from((None, "annulee", "confirmee")))
    @precondition(lambda self: self.statuts and self.creneaux)
    def somebody_changes_what_has_changed_since(self, pick, to, statut) -> None:
        row = self.reservation(pick)
        change = Change(
            row["version"] - 1, creneau_id=self.creneau(to).id, statut=statut
        )
        _, refused = self.attempt(
            lambda: changing.change(self.db, self.asking(ALICE), row["id"], change, self.now)
        )
        assert isinstance(refused, StaleVersion)

    # Changes of the plan.

    def plan(self, work: Callable[[], Any]) -> Any:
        """Changes the week or an event, which leaves booked slots where they are."""
        before = self.creneaux
        done, refused = self.attempt(work)
        if refused is not None:
            return None
        after = {(one.debut, one.fin): one for one in self.creneaux}
        for one in before:
            if one.places_prises or one.debut < self.now:
                assert (one.debut, one.fin) in after
        change = getattr(done, "change", done)
        assert change.added - change.removed == len(after) - len(before)
        begun = [run.fin for run in self.plan_until(self.now).runs(self.now, self.now + 1)
                 if run.debut < self.now]
        past = [one.fin for one in self.creneaux if one.debut < self.now]
        self.planned_from = max([self.planned_from, self.now, *begun, *past])
        return done

    def plan_until(self, end: int) -> Plan:
        (plan,) = stored_plans.read(self.db, self.entreprise, self.now, end).values()
        return plan

    @rule(week=weeks)
    def the_week_is_replaced(self, week) -> None:
        rows = self.week(week)
        self.plan(lambda: hours.replace(self.db, self.entreprise, rows, self.now))

    @rule(
        kind=st.sampled_from(("fermeture", "ouverture", "ouverture", "horaires", "information")),
        since=st.one_of(st.integers(-12, 96), st.integers(-168, 240)),
        quarters=st.sampled_from((0, 1, 2, 3)),
        length=st.sampled_from((15, 60, 100, 240, 720, 1440, 3 * 1440, 12 * 1440)),
        pas=st.sampled_from((20, 45, 60)), capacite=st.integers(1, 3),
        version=st.sampled_from((1, 1, 2)), old=st.one_of(st.none(), st.none(), few),
    )
    def an_event_is_planned(
        self, kind, since, quarters, length, pas, capacite, version, old
    ) -> None:
        """Adds an event or updates an existing event."""
        debut = self.now // HOUR * HOUR + since * HOUR + quarters * 15 * MINUTE
        extra = kind in ("ouverture", "horaires")
        values = {
            "type": kind, "titre": "Foire", "description": "", "debut": debut,
            "fin": debut + length * MINUTE, "pas_minutes": pas if extra else None,
            "capacite": capacite if extra else None,
        }
        event = None if old is None else self.event(old)
        if event is None:
            done = self.plan(
                lambda: events.add(self.db, self.entreprise, values, self.now)
            )
        else:
            done = self.plan(lambda: events.update(
                self.db, self.entreprise, event, values, version, self.now
            ))
        if done is not None and kind == "fermeture":
            self.check_stranded(done, values)

    def event(self, pick: int) -> Evenement | None:
        events = list(Evenement.select().order_by(Evenement.id).execute(self.db))
        return events[pick % len(events)] if events else None

    def check_stranded(self, done: PlanOutcome, closure: dict[str, Any]) -> None:
        assert {one.id for one in done.stranded} == {
            number for number, held in self.held.items()
            if self.statuts[number] in ("demandee", "confirmee")
            and held.debut < closure["fin"] and held.fin > max(closure["debut"], self.now)
        }

    @rule(pick=few)
    def an_event_is_taken_away(self, pick) -> None:
        event = self.event(pick)
        if event is not None:
            self.plan(
                lambda: events.remove(self.db, self.entreprise, event, self.now)
            )

    @rule(
        delai=st.sampled_from((0, 0, 30, 90, 1440)), horizon=st.sampled_from((1, 4, 9, 13)),
        annulation=st.sampled_from((0, 60, 1440)), manual=st.booleans(),
        actif=st.sampled_from((True, True, True, False)),
    )
    def the_rules_are_changed(self, delai, horizon, annulation, manual, actif) -> None:
        values = {
            "nom": "Salon", "ville": "Lyon", "delai_reservation": delai, "actif": actif,
            "horizon_jours": horizon, "delai_annulation": annulation,
            "validation_manuelle": manual, "fuseau": self.zone, "rappel_heures": 24,
        }
        entreprise = self.entreprise
        businesses.update(self.db, entreprise, values, entreprise.version, self.now)
        self.look()
        stale = self.attempt(
            lambda: businesses.update(
                self.db, entreprise, values, entreprise.version, self.now
            )
        )
        assert isinstance(stale[1], StaleVersion)

    @rule(
        which=which_service, duree=st.sampled_from((20, 45, 60, 150)),
        avant=st.sampled_from((0, 0, 15, 70)), apres=st.sampled_from((0, 0, 10, 50)),
    )
    def a_service_is_changed(self, which, duree, avant, apres) -> None:
        """Existing bookings keep their length until they are moved."""
        prestation = self.service(which)
        values = {
            "nom": "Soin", "duree_minutes": duree, "tampon_avant": avant, "tampon_apres": apres,
        }
        services.update(self.db, prestation, values, prestation.version)
        self.look()

    # Time

    @rule(minutes=st.sampled_from((5, 30, 60, 240, 1440, 3 * 1440)))
    def time_goes_by(self, minutes) -> None:
        self.now += minutes * MINUTE

    @rule(days=st.integers(0, 12))
    def the_calendar_is_made_further(self, days) -> None:
        kept = {one for one in self.creneaux}
        made_until = self.mark
        calendar.extend(self.db, self.entreprise, self.now + days * DAY, self.now)
        self.look()
        new = [one for one in self.creneaux if one not in kept]
        assert all(one.debut >= made_until for one in new if one.places_prises == 0)

    # Invariants.

    @invariant()
    def the_rules_hold(self) -> None:
        self.the_places_taken_are_those_of_the_active_reservations()
        self.creneaux_never_overlap()
        self.no_creneau_holds_more_than_its_capacity()
        self.creneaux_without_a_gap_lie_under_every_active_reservation()
        self.the_reservations_are_those_that_were_made()
        self.free_creneaux_follow_the_plan()

    def the_places_taken_are_those_of_the_active_reservations(self) -> None:
        taken = {one.id: one.places_prises for one in self.creneaux}
        assert taken == naive.places_held(self.creneaux, self.held)
        if self.creneaux:
            assert checking.breaches(self.db, self.salon) == []

    def free_creneaux_follow_the_plan(self) -> None:
        """Omits runs that had begun when the plan changed: their first slots stay."""
        start = max(self.now, self.planned_from)
        if self.creneaux and start < self.mark:
            plan = self.plan_until(self.mark)
            ((person,),) = self.db.rows("SELECT id FROM ressource")
            found = reconciling.difference(self.db, person, plan, start, self.mark)
            assert found.is_followed, found

    def creneaux_never_overlap(self) -> None:
        assert not list(naive.overlaps(self.creneaux))

    def no_creneau_holds_more_than_its_capacity(self) -> None:
        """The capacity exceeds the planned one only while more places are taken."""
        planned = dict(self.db.rows("SELECT id, capacite_prevue FROM creneau"))
        for one in self.creneaux:
            assert 0 <= one.places_prises <= one.capacite
            assert one.capacite == max(planned[one.id], one.places_prises)

    def creneaux_without_a_gap_lie_under_every_active_reservation(self) -> None:
        assert all(naive.is_covered(self.creneaux, one) for one in self.held.values())

    def the_reservations_are_those_that_were_made(self) -> None:
        there = self.rows.get("reservation", {})
        assert {number: row["statut"] for number, row in there.items()} == self.statuts
        first = {one.id: one.debut for one in self.creneaux}
        for number, held in self.held.items():
            row = there[number]
            assert Held(
                row["debut"], row["fin"], row["occupe_debut"], row["occupe_fin"], row["places"]
            ) == held
            assert first[row["creneau_id"]] == held.debut


def test_whatever_is_done_in_any_order_no_time_is_sold_twice(db):
    run_state_machine_as_test(
        lambda: Histories(db),
        settings=settings(
            max_examples=40, stateful_step_count=30, deadline=None,
            suppress_health_check=list(HealthCheck), report_multiple_bugs=False,
        ),
    )
