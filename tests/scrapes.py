"""Metrics, parsed with the parser of the Prometheus client."""

import urllib.request
from typing import Any

from prometheus_client.parser import text_string_to_metric_families

REQUESTS = "reservation_http_requests_total"
BOOKINGS = "reservation_bookings_total"
ATTEMPTS = "reservation_mail_attempts_total"
RETRIES = "reservation_transaction_retries_total"


class Scrape:
    def __init__(self, text: str) -> None:
        self.families = list(text_string_to_metric_families(text))
        self.samples = [sample for family in self.families for sample in family.samples]

    def of(self, name: str, **labels: str) -> float:
        """Returns the sum of the samples that have at least these labels."""
        return sum(
            sample.value
            for sample in self.samples
            if sample.name == name and labels.items() <= sample.labels.items()
        )

    def by(self, name: str, *labels: str) -> dict[Any, float]:
        """Returns the samples of a name by the values of one or more labels."""
        found = {}
        for sample in self.samples:
            if sample.name == name:
                values = tuple(sample.labels[label] for label in labels)
                found[values if len(values) > 1 else values[0]] = sample.value
        return found


def of_server(port: int) -> Scrape:
    """Opens a new connection, so that any process may answer."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=20) as answer:
        return Scrape(answer.read().decode())
