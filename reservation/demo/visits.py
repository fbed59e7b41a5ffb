"""The visits of the demo: a month around today, each booked by the one path that books."""

import random
from collections import defaultdict
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import cycle
from typing import NamedTuple

from reservation.demo.town import COMMENTS, Shop
from reservation.domain.booking import booking, changing
from reservation.domain.calendar import calendar, finding
from reservation.domain.calendar.availability import Start
from reservation.domain.calendar.terms import Visit
from reservation.domain.people.accounts import Account
from reservation.lib import instants
from reservation.lib.progress import progress
from reservation.storage.database import Database, transaction
from reservation.storage.models import Entreprise, EventEmail, Prestation

BACK, AHEAD = 16, 15  # days
SEED = 1664
HOUR = 3600  # seconds
CAME_OR_NOT = ("honoree", "absente")  # told when a visit is over
# What becomes of the visits in turns, so that each end is met however few they are: of past and
# of coming ones, without the owner's approval and with it.
_PAST = ["honoree"] * 4 + ["annulee"] + ["honoree"] * 4 + ["absente"] + ["honoree"] * 3
_COMING = ["confirmee"] * 4 + ["annulee"] + ["confirmee"] * 5
_ASKED = ["honoree", "refusee", "honoree", "annulee", "honoree", "honoree", "absente"]
_ASKED_COMING = ["demandee", "confirmee", "demandee", "refusee", "confirmee", "annulee"]


class Open(NamedTuple):
    """A business of the demo as it stands in the database."""

    shop: Shop
    owner: Account
    entreprise: Entreprise
    prestations: Sequence[Prestation]  # the most asked for first


class Day(NamedTuple):
    """A local day of one business; `until` is when a visit of it has been asked for at last,
    early enough to be cancelled, and before today, so that the hour changes no visit."""

    day: date
    start: int
    end: int
    until: int
    is_coming: bool


def fill(db: Database, opened: Sequence[Open], customers: Sequence[Account], now: int) -> int:
    """Book the visits; how many."""
    diary = Diary(db, customers, now)
    days = [(one, offset) for one in opened for offset in range(-BACK, AHEAD + 1)]
    try:
        return sum(diary.fill(*day) for day in progress("days of the demo", days))
    finally:
        _keep_mails(db, [one.entreprise.id for one in opened])


def _keep_mails(db: Database, entreprises: list[int]) -> None:
    """Count the messages as sent: nobody is to write to people who do not exist."""
    theirs = EventEmail.entreprise.in_(entreprises)
    sent = EventEmail.update(statut="envoye", essais=1, envoye_le=EventEmail.cree_le)
    transaction(db, lambda: sent.where(theirs).execute(db))


class Diary:
    """Who goes where on which day; the same ones for the same date, whatever the hour."""

    def __init__(self, db: Database, customers: Sequence[Account], now: int) -> None:
        self.db, self.customers, self.now = db, customers, now
        self.random = random.Random(SEED)
        self.out: dict[date, set[Account]] = defaultdict(set)  # one visit a day is enough
        self.ends = {
            (False, False): cycle(_PAST),
            (False, True): cycle(_COMING),
            (True, False): cycle(_ASKED),
            (True, True): cycle(_ASKED_COMING),
        }

    def fill(self, one: Open, offset: int) -> int:
        """Book the visits of the day that is `offset` days from today; how many."""
        day = self._day(one.entreprise, offset)
        if offset == -BACK:  # the whole calendar at once; a day more, for visits over midnight
            last = day.end + (BACK + AHEAD + 1) * instants.DAY
            calendar.extend(self.db, one.entreprise, last, day.start)
        share = 1 - 0.6 * max(0, offset) / AHEAD  # days to come fill up as they come near
        wanted = int(one.shop.visites * share + self.random.random())
        return sum(self._visit(one, day) for _ in range(wanted))

    def _day(self, entreprise: Entreprise, offset: int) -> Day:
        zone = instants.zone_of(entreprise.fuseau)
        today = instants.local_date(self.now, zone)
        day = today + timedelta(days=offset)
        notice = max(entreprise.delai_reservation, entreprise.delai_annulation) * 60
        start = instants.midnight(day, zone)
        until = min(start, instants.midnight(today, zone)) - notice
        return Day(day, start, instants.end_of(day, zone), until, offset > 0)

    def _visit(self, one: Open, day: Day) -> bool:
        """Book a visit of somebody at some time; False where there is none."""
        at_home = [each for each in self.customers if each not in self.out[day.day]]
        if not at_home:
            return False
        customer = self.random.choice(at_home)
        asked_at = day.until - self.random.randrange(2 * HOUR, 12 * instants.DAY)
        places = max(1, self.random.randint(-1, one.shop.groupe))
        for prestation in self._by_liking(one.prestations):
            visit = Visit.of(prestation, places)
            free = finding.free_starts(
                self.db, one.entreprise, visit, day.start, day.end, asked_at
            )
            if free:
                self._book(one, day, customer, visit, self.random.choice(free), asked_at)
                return True
        return False

    def _by_liking(self, prestations: Sequence[Prestation]) -> list[Prestation]:
        liking = {row.id: self.random.random() * (2 + at) for at, row in enumerate(prestations)}
        return sorted(prestations, key=lambda row: liking[row.id])

    def _book(
        self, one: Open, day: Day, customer: Account, visit: Visit, start: Start, asked_at: int
    ) -> None:
        assert visit.prestation_id is not None
        says = self.random.choice(COMMENTS) if self.random.random() < 0.2 else ""
        cancelled_at = self.random.randrange(asked_at + HOUR, day.until)
        request = booking.Request(start.id, visit.prestation_id, visit.places, says)
        number = booking.book(self.db, customer, request, asked_at)
        self.out[day.day].add(customer)
        for version, statut in enumerate(self._steps(one.entreprise, day, start), start=1):
            if statut == "annulee":
                changing.cancel(self.db, customer, number, cancelled_at)
                continue
            at = start.fin if statut in CAME_OR_NOT else asked_at + HOUR
            change = changing.Change(version, statut=statut)
            changing.change(self.db, one.owner, number, change, at)

    def _steps(self, entreprise: Entreprise, day: Day, start: Start) -> tuple[str, ...]:
        """The states that a visit goes through after the one it was booked in."""
        manual = bool(entreprise.validation_manuelle)
        end = next(self.ends[manual, day.is_coming])
        if end in ("annulee", "refusee"):
            return (end,)
        confirmed = ("confirmee",) if manual and end != "demandee" else ()
        is_over = end in CAME_OR_NOT and start.fin <= self.now
        return (*confirmed, end) if is_over else confirmed
