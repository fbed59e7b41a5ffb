"""Requests to make or change a booking."""

import hashlib
import json
from typing import NamedTuple

from reservation.domain.customers.records import Details


class Request(NamedTuple):
    """A request for a booking. `cle` is the Idempotency-Key.

    Without `client`, the caller is the customer. Without `ressource_id`, any person may perform
    the service. Only the business names a room.
    """

    creneau_id: int
    prestation_id: int
    places: int = 1
    commentaire: str = ""
    client: Details | None = None
    cle: str | None = None
    ressource_id: int | None = None
    lieu_id: int | None = None
    prestation_version: int | None = None  # of the service that the customer has seen

    def digest(self) -> str:
        # Older versions did not have the fields after `cle`. A client may repeat a request after
        # an upgrade, so a request without these fields must have the same digest as then.
        values: tuple[object, ...] = self[:-1]
        if self.lieu_id is None:
            values = self[:-3] if self.ressource_id is None else self[:-2]
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
