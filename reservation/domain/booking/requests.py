"""What callers ask for: a booking, or a change of a booking."""

import hashlib
import json
from typing import NamedTuple

from reservation.domain.customers.records import Details


class Request(NamedTuple):
    """A request for a booking. `cle` is its Idempotency-Key.

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
        # Old versions of this program had no `ressource_id`, and stored digests without it. A
        # request without `ressource_id` still gets the old digest, because a client may send the
        # request before an upgrade and repeat it after the upgrade.
        values = self[:-1] if self.ressource_id is None else self
        return hashlib.sha256(json.dumps(values).encode()).hexdigest()


class Change(NamedTuple):
    """A request for a change of a booking; None leaves a value as it is."""

    version: int
    creneau_id: int | None = None
    places: int | None = None
    commentaire: str | None = None
    statut: str | None = None
    ressource_id: int | None = None  # the person to perform the service
    lieu_id: int | None = None  # the room, if the service needs a room
    message: str = ""  # from the owner to the customer
    erases: bool = False  # the customer is being erased, so no deadline applies
