"""Customers whom the owner of a business books for."""

from typing import NamedTuple

from reservation.domain.calendar.terms import NOT_OFFERED
from reservation.domain.people import accounts
from reservation.domain.people.sessions import Account
from reservation.errors import InvalidInput
from reservation.storage.database import Database
from reservation.storage.models import Entreprise, Prestation


class Client(NamedTuple):
    """A customer, as described by an owner."""

    email: str
    nom: str
    prenom: str = ""
    telephone: str = ""


def account_of(db: Database, asking: Account, prestation_id: int, client: Client, now: int) -> int:
    """Returns the id of the customer's account, which is created if necessary.

    Raises InvalidInput for an unknown service, NotPermitted for the service of another owner.
    """
    owner = Prestation.select(Entreprise.proprietaire).join(Entreprise)
    found = owner.where(Prestation.id == prestation_id).tuples().first(db)
    if found is None:
        raise InvalidInput({"prestation_id": NOT_OFFERED})
    asking.check_acts_for(found[0])
    return accounts.customer(db, now, **client._asdict())
