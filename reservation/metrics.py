"""What is counted for Prometheus: nothing, unless RESERVATION_METRICS names a folder.

A label is never made of what somebody sent: its values are routes, the usual methods, statuses,
the numbers of a database's errors and words of this package.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Metric(NamedTuple):
    name: str
    help: str
    labels: tuple[str, ...] = ()
    buckets: tuple[float, ...] = ()  # the upper bounds of a histogram


REQUESTS = Metric(
    "reservation_http_requests_total",
    "Requests answered, by method, route and status.",
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
    "What became of each wish to book, move, change or cancel a reservation.",
    ("outcome",),
)
RETRIES = Metric(
    "reservation_transaction_retries_total",
    "Transactions that were run again, by the error number of the database.",
    ("error",),
)
ATTEMPTS = Metric(
    "reservation_mail_attempts_total",
    "What became of each attempt to send a message.",
    ("outcome",),
)
COUNTED = (REQUESTS, SECONDS, BOOKINGS, RETRIES, ATTEMPTS)
# These are not counted but looked up when they are asked for.
MAILS = Metric("reservation_mails", "Messages that are not sent, by state.", ("state",))
OVERDUE = Metric(
    "reservation_mail_overdue_seconds", "For how long the message due longest has been due."
)
DATABASE = Metric("reservation_database_up", "Whether the database answers and has its tables.")

# Of each combination of labels, its value.
Gauges = Sequence[tuple[Metric, Mapping[tuple[str, ...], float]]]


class Counters:
    """Where things are counted. This one, of whoever did not ask for it, forgets them."""

    def count(self, metric: Metric, *labels: str) -> None:
        """One more."""

    def observe(self, metric: Metric, seconds: float, *labels: str) -> None:
        """One more, which took so long."""

    def exposition(self, _gauges: Gauges) -> tuple[str, bytes]:
        """All of it and these, as Prometheus reads it, after its content type."""
        return "text/plain", b""


OFF = Counters()
