"""Requests to make or change a booking."""

import hashlib
import json
from typing import NamedTuple

from reservation.domain.customers.records import Details


class Request(NamedTuple):
    """A request for a booking. `cle` is the Idempotency-Key.

    Without `client`, the caller is the customer. Without `ressource_id`, any person may perform
    the service.
    """

    creneau_id: int
    prestation_id: int
    places: int = 1
    commentaire: str = ""
    client: Details | None = None
    cle: str | None = None
    ressource_id: int | None = None

    def digest(self) -> str:
        # Older versions had no `ressource_id`. A client may repeat a request after an upgrade, so
        # a request without `ressource_id` must have the same digest as in older versions.
        values = self[:-1] if self.ressource_id is None else self
        return hashlib.sha256(json.dumps(values).encode()).hexdigest()


class Change(NamedTuple):
    """A requested change of a booking. None leaves a value unchanged."""

    version: int
    creneau_id: int | None = None
    places: int | None = None
    commentaire: str | None = None
    statut: str | None = None
    ressource_id: int | None = None  # the person who performs the service
    lieu_id: int | None = None
    message: str = ""  # from the owner to the customer
    erases: bool = False  # the customer's account is being erased, so no deadline applies
