"""The visits of the demo: a month of bookings around today."""

import random
from collections import defaultdict
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import cycle
from typing import NamedTuple

from reservation.demo.town import Shop, town
from reservation.domain.booking import booking, changing
from reservation.domain.booking.requests import Change, Request
from reservation.domain.calendar import calendar, finding, performers
from reservation.domain.calendar.availability import Start
from reservation.domain.calendar.terms import Visit
from reservation.domain.people.sessions import Account
from reservation.lib import instants
from reservation.lib.progress import progress
from reservation.storage.database import Database, transaction
from reservation.storage.models import Entreprise, EventEmail, Prestation

BACK, AHEAD = 16, 15  # visits from BACK days ago to AHEAD days from now
SEED = 1664
HOUR = 3600
AFTER_VISIT = ("honoree", "absente")  # states that the owner sets after a visit
# The states of past and of coming visits. The visits take the states of a list in turn, so that
# each state occurs.
_PAST = ["honoree"] * 4 + ["annulee"] + ["honoree"] * 4 + ["absente"] + ["honoree"] * 3
_COMING = ["confirmee"] * 4 + ["annulee"] + ["confirmee"] * 5
# These lists are for shops where the owner must confirm or refuse each booking.
_ASKED = ["honoree", "refusee", "honoree", "annulee", "honoree", "honoree", "absente"]
_ASKED_COMING = ["demandee", "confirmee", "demandee", "refusee", "confirmee", "annulee"]


class OpenShop(NamedTuple):
    """A shop of the town, with its rows in the database."""

    shop: Shop
    owner: Account
    entreprise: Entreprise
    prestations: Sequence[Prestation]  # the most popular service first


class ShopDay(NamedTuple):
    """A local day of a shop. Times are Unix seconds.

    Visits on this day are booked and cancelled only before `until`, while no deadline of the shop
    has passed.
    """

    day: date
    start: int
    end: int
    until: int
    is_coming: bool


def fill(db: Database, opened: Sequence[OpenShop], customers: Sequence[Account], now: int) -> int:
    """Books the visits, and returns their number."""
    diary = Diary(db, customers, now)
    days = [(shop, offset) for shop in opened for offset in range(-BACK, AHEAD + 1)]
    number = sum(diary.fill(*day) for day in progress("days of the demo", days))
    _mark_sent(db, [shop.entreprise.id for shop in opened])
    return number


def _mark_sent(db: Database, entreprises: list[int]) -> None:
    """Marks the queued messages as sent, so that nothing is sent to invented people."""
    queued = EventEmail.entreprise.in_(entreprises)
    sent = EventEmail.update(statut="envoye", essais=1, envoye_le=EventEmail.cree_le)
    transaction(db, lambda: sent.where(queued).execute(db))


class Diary:
    """Books random visits. Two demos that are made on the same date have the same visits."""

    def __init__(self, db: Database, customers: Sequence[Account], now: int) -> None:
        self.db, self.customers, self.now = db, customers, now
        self.random = random.Random(SEED)
        self.out: dict[date, set[Account]] = defaultdict(set)  # customers with a visit that day
        self.ends = {
            (False, False): cycle(_PAST),
            (False, True): cycle(_COMING),
            (True, False): cycle(_ASKED),
            (True, True): cycle(_ASKED_COMING),
        }

    def fill(self, opened: OpenShop, offset: int) -> int:
        """Books the visits of the day `offset` days from today, and returns their number."""
        day = self._day(opened.entreprise, offset)
        if offset == -BACK:
            # Extends the calendar for all days, plus a day for visits that end after midnight.
            last = day.end + (BACK + AHEAD + 1) * instants.DAY
            calendar.extend(self.db, opened.entreprise, last, now=day.start)
        share = 1 - 0.6 * max(0, offset) / AHEAD  # later days have fewer bookings
        wanted = int(opened.shop.visites * share + self.random.random())
        return sum(self._visit(opened, day) for _ in range(wanted))

    def _day(self, entreprise: Entreprise, offset: int) -> ShopDay:
        zone = instants.zone_of(entreprise.fuseau)
        today = instants.local_date(self.now, zone)
        day = today + timedelta(days=offset)
        notice = max(entreprise.delai_reservation, entreprise.delai_annulation) * 60
        start = instants.midnight(day, zone)
        until = min(start, instants.midnight(today, zone)) - notice
        return ShopDay(day, start, instants.end_of(day, zone), until, offset > 0)

    def _visit(self, opened: OpenShop, day: ShopDay) -> bool:
        at_home = [customer for customer in self.customers if customer not in self.out[day.day]]
        if not at_home:
            return False
        customer = self.random.choice(at_home)
        asked_at = day.until - self.random.randrange(2 * HOUR, 12 * instants.DAY)
        places = max(1, self.random.randint(-1, opened.shop.groupe))
        for prestation in self._by_preference(opened.prestations):
            who = performers.of_service(self.db, opened.entreprise.id, prestation)
            visit = Visit.of(prestation, places, who)
            free = finding.free_starts(
                self.db, opened.entreprise, visit, day.start, day.end, now=asked_at
            )
            if free:
                self._book(opened, day, customer, visit, self.random.choice(free), asked_at)
                return True
        return False

    def _by_preference(self, prestations: Sequence[Prestation]) -> list[Prestation]:
        rank = {row.id: self.random.random() * (2 + at) for at, row in enumerate(prestations)}
        return sorted(prestations, key=lambda row: rank[row.id])

    def _book(
        self, opened: OpenShop, day: ShopDay, customer: Account, visit: Visit, start: Start,
        asked_at: int,
    ) -> None:
        assert visit.prestation_id is not None
        comment = self.random.choice(town().comments) if self.random.random() < 0.2 else ""
        cancelled_at = self.random.randrange(asked_at + HOUR, day.until)
        asked = Request(start.id, visit.prestation_id, visit.places, comment)
        number = booking.book(self.db, customer, asked, now=asked_at)
        self.out[day.day].add(customer)
        for version, statut in enumerate(self._steps(opened.entreprise, day, start), start=1):
            if statut == "annulee":
                changing.cancel(self.db, customer, number, now=cancelled_at)
                continue
            at = start.fin if statut in AFTER_VISIT else asked_at + HOUR
            change = Change(version, statut=statut)
            changing.change(self.db, opened.owner, number, change, now=at)

    def _steps(self, entreprise: Entreprise, day: ShopDay, start: Start) -> tuple[str, ...]:
        manual = bool(entreprise.validation_manuelle)
        end = next(self.ends[manual, day.is_coming])
        if end in ("annulee", "refusee"):
            return (end,)
        confirmed = ("confirmee",) if manual and end != "demandee" else ()
        is_over = end in AFTER_VISIT and start.fin <= self.now
        return (*confirmed, end) if is_over else confirmed
