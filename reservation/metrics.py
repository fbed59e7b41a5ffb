"""The metrics for Prometheus.

The values of labels never contain text from clients, so clients cannot create new counters.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Metric(NamedTuple):
    name: str
    help: str
    labels: tuple[str, ...] = ()
    buckets: tuple[float, ...] = ()  # upper bounds; only for histograms


REQUESTS = Metric(
    "reservation_http_requests_total",
    "Answered requests by method, route and status.",
    ("method", "route", "status"),
)
SECONDS = Metric(
    "reservation_http_request_duration_seconds",
    "Time from a request to its answer.",
    ("method", "route"),
    (0.005, 0.025, 0.1, 0.5, 2.5, float("inf")),
)
BOOKINGS = Metric(
    "reservation_bookings_total",
    "Attempts to book, move, change or cancel, by outcome.",
    ("outcome",),
)
RETRIES = Metric(
    "reservation_transaction_retries_total",
    "Retries of transactions by error number of the database.",
    ("error",),
)
ATTEMPTS = Metric(
    "reservation_mail_attempts_total",
    "Attempts to send a message, by outcome.",
    ("outcome",),
)
COUNTED = (REQUESTS, SECONDS, BOOKINGS, RETRIES, ATTEMPTS)
# Gauges, whose values are read when Prometheus requests the metrics.
MAILS = Metric("reservation_mails", "Unsent messages, by state.", ("state",))
OVERDUE = Metric("reservation_mail_overdue_seconds", "Delay of the oldest message that is due.")
DATABASE = Metric("reservation_database_up", "Whether the database answers and has its tables.")

# Pairs of a gauge and {label values: value of the gauge}.
Gauges = Sequence[tuple[Metric, Mapping[tuple[str, ...], float]]]


class Counters:
    """The methods for counting, which do nothing here. `prometheus.Shared` overrides them."""

    def count(self, metric: Metric, *labels: str) -> None:
        """Adds 1 to a counter."""

    def observe(self, metric: Metric, seconds: float, *labels: str) -> None:
        """Adds a duration to a histogram."""

    def exposition(self, _gauges: Gauges) -> tuple[str, bytes]:
        """Returns the content type and the text of all metrics for Prometheus."""
        return "text/plain", b""


OFF = Counters()
