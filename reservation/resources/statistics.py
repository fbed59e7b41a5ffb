"""The statistics of a business, as JSON and as CSV."""

from collections.abc import Iterator
from datetime import timedelta

import falcon

from reservation.domain import spreadsheets
from reservation.domain.booking import statistics
from reservation.domain.booking.statistics import Figures, Interval, Period, Statistics, Whole
from reservation.domain.budget import Budget
from reservation.domain.planning import businesses
from reservation.lib import instants
from reservation.operations import queries
from reservation.operations.answers import ok
from reservation.operations.fields import Field, Query
from reservation.operations.operation import operation
from reservation.operations.properties import ID, count, day, many, nested, text
from reservation.operations.queries import check_span
from reservation.operations.resource import Resource
from reservation.operations.shapes import Shape
from reservation.storage.models import Entreprise

DAYS, MOST_DAYS = 30, 366


class PeriodQuery(Query):
    du = Field(queries.DATE, default=None, doc=f"The first date. Default: {DAYS} days up to `au`.")
    au = Field(
        queries.DATE,
        default=None,
        doc=f"The last date, at most {MOST_DAYS} days in all. Default: {DAYS} days from `du`;"
        " without `du`, today.",
    )
    ressource = Field(
        queries.ID, default=None, doc="A person or a room. Default: all persons together."
    )


_FIGURES = {
    "reservations": count(
        "bookings",
        "Bookings that hold their places. Requests that were not answered before the visit do not"
        " count.",
    ),
    "honorees": count("attended"),
    "absentes": count("missed"),
    "annulees": count("cancelled"),
    "reserve_centimes": count("booked", "Revenue of `reservations` at the prices when booked."),
    "honore_centimes": count("honoured", "Revenue of `honorees` at the prices when booked."),
}
_INTERVAL = {
    "du": day("The first date."),
    "au": day("The last date."),
    **_FIGURES,
    "capacite_minutes": count(
        "capacity_minutes", "The sum over all open slots of minutes times places."
    ),
    "prises_minutes": count(
        "taken_minutes", "The sum over all slots of minutes times taken places."
    ),
}
_PART = Shape("FiguresOfInterval", _INTERVAL)
_WHOLE = Shape(
    "FiguresOfPeriod",
    {
        **_INTERVAL,
        "clients": count("customers", "The number of customers with `reservations`."),
        "clients_revenus": count(
            "returning", "The number of `clients` with an earlier visit, or with several visits."
        ),
    },
)
_SHARE = Shape("FiguresOfShare", {"id": ID, "nom": text("Coupe femme"), **_FIGURES})
_STATISTICS = Shape(
    "Statistics",
    {
        "periode": nested(_WHOLE, "whole"),
        "precedente": nested(_WHOLE, "before"),
        "intervalles": many(_PART, "intervals"),
        "prestations": many(_SHARE, "services"),
        "ressources": many(_SHARE, "people"),
    },
)
_COLUMNS = (
    "ligne", "du", "au", "nom", "rendez-vous", "honorés", "manqués", "annulés",
    "chiffre réservé", "chiffre honoré", "minutes ouvertes", "minutes prises", "clients",
    "clients revenus",
)  # fmt: skip


def _csv(found: Statistics) -> Iterator[list[str | int]]:
    yield _line("période", found.whole)
    yield _line("précédente", found.before)
    for kind, figures in (
        ("intervalle", found.intervals), ("prestation", found.services),
        ("personne", found.people),
    ):
        for one in figures:
            yield _line(kind, one)


def _line(kind: str, one: Figures) -> list[str | int]:
    dates: list[str | int] = ["", ""]
    minutes: list[str | int] = ["", ""]
    customers: list[str | int] = ["", ""]
    if isinstance(one, Interval):
        dates = [str(one.du), str(one.au)]
        minutes = [one.capacity_minutes, one.taken_minutes]
    if isinstance(one, Whole):
        customers = [one.customers, one.returning]
    counts = [one.bookings, one.attended, one.missed, one.cancelled]
    return [kind, *dates, one.nom, *counts, _euros(one.booked), _euros(one.honoured), *minutes,
            *customers]


def _euros(cents: int) -> str:
    """Returns an amount with a decimal comma, for spreadsheets in France."""
    return f"{cents // 100},{cents % 100:02}"


class StatisticsOfEntreprise(Resource):
    """GET /api/entreprises/{id}/statistiques"""

    @operation(
        "readStatistics",
        "The revenue, occupancy and customers of a business over a period",
        ok("The figures.", _STATISTICS),
        description="Each booking counts on the day of the visit. `precedente` is the period"
        " before, of the same number of months if the period consists of whole months, otherwise"
        " of the same number of days. `intervalles` are days, weeks or months, depending on the"
        " length of the period. `prestations` and `ressources` list the services and persons that"
        " have bookings, the highest `reserveCentimes` first.",
        subject=businesses.owned,
    )
    def on_get(self, entreprise: Entreprise, query: PeriodQuery, now: int) -> Statistics:
        return self.read(entreprise, query, now)

    def read(self, entreprise: Entreprise, query: PeriodQuery, now: int) -> Statistics:
        length = timedelta(days=DAYS - 1)
        today = instants.local_date(now, instants.zone_of(entreprise.fuseau))
        au = query.au or (query.du + length if query.du else today)
        period = Period(query.du or au - length, au)
        check_span(*period, MOST_DAYS)
        return statistics.statistics(
            self.db, entreprise, period, now, Budget(), query.ressource
        )


class StatisticsFile(StatisticsOfEntreprise):
    """GET /api/entreprises/{id}/statistiques.csv"""

    @operation(
        "exportStatistics",
        "The statistics of a business as a CSV file",
        ok(
            "CSV with semicolons; amounts are in euros.",
            text(";".join(_COLUMNS) + "\r\n"),
            media_type="text/csv",
        ),
        description="The first column is the kind of a line. Excel and LibreOffice open the file.",
        subject=businesses.owned,
    )
    def on_get(
        self, resp: falcon.Response, entreprise: Entreprise, query: PeriodQuery, now: int
    ) -> bytes:
        found = self.read(entreprise, query, now)
        resp.downloadable_as = f"statistiques-{found.whole.du}-{found.whole.au}.csv"
        return spreadsheets.written(_COLUMNS, _csv(found)).encode()
