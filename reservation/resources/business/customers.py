"""The customers of a business, for its owner."""

import time

from reservation.domain.booking import lists
from reservation.domain.booking.lists import Filter
from reservation.domain.booking.reservations import ReservationRecord
from reservation.domain.customers import file, linking, search
from reservation.domain.customers.file import CustomerFile
from reservation.domain.people.sessions import Account
from reservation.domain.planning import businesses
from reservation.domain.privacy import erasing
from reservation.domain.states import OWNER
from reservation.errors import NotFound
from reservation.operations import kinds, properties, queries
from reservation.operations.answers import created, no_content, ok, refused
from reservation.operations.bodies import Body
from reservation.operations.fields import Field
from reservation.operations.kinds import text
from reservation.operations.operation import operation
from reservation.operations.properties import ID, as_sent, instant
from reservation.operations.queries import Page, PageQuery
from reservation.operations.resource import Resource
from reservation.operations.schemas import Json
from reservation.operations.shapes import Many, Properties, Property, Shape
from reservation.operations.versions import VERSION
from reservation.resources.reservation_shapes import RESERVATION, show
from reservation.resources.reservations import ClientInput
from reservation.storage.database import Database
from reservation.storage.models import Entreprise

SHOWN = 50  # maximum length of each list of bookings


class CustomerLine(ClientInput):
    note = Field(text(linking.LONGEST_NOTE), default="", doc="The owner's private note.")


class CustomerInput(CustomerLine):
    bloque = Field(kinds.FLAG, default=False, doc="Whether the customer cannot book online.")


class CustomerChange(CustomerInput):
    version = VERSION


class CustomerMerge(Body):
    client = Field(kinds.REFERENCE, example=2, doc="The record that is merged into this record.")


class CustomerSearch(PageQuery):
    q = Field(queries.WORDS, default="", doc="The beginnings of words of the name or of the e-mail"
              " address, or the beginning of the telephone number. A word may"
              " have one typing error if it is not short.")
    bloque = Field(queries.FLAG, default=None, doc="1: only customers who cannot book online.")


_PROPERTIES: Properties = {
    "id": ID,
    "entreprise_id": ID,
    **as_sent(CustomerInput),
    "version": properties.VERSION,
    "a_venir": {**properties.COUNT, "description": "Upcoming bookings."},
    "absences": {**properties.COUNT, "description": "Visits that the customer missed."},
    "dernier_passage": instant("2030-05-20T18:00:00+02:00", nullable=True),
}
CUSTOMER = Shape("CustomerRecord", _PROPERTIES)
_BOOKINGS = Property(Many(RESERVATION))
ONE_CUSTOMER = Shape(
    "OneCustomer", {**_PROPERTIES, "prochaines": _BOOKINGS, "passees": _BOOKINGS}
)


def owned_customer(db: Database, account: Account, id: int) -> CustomerFile:
    """Returns the record of a customer.

    Raises NotFound if the record does not exist, or if the caller is neither the owner of the
    business nor an admin.
    """
    customer = file.get(db, id, int(time.time()))
    if not account.acts_for(customer.proprietaire_id):
        raise NotFound()
    return customer


class CustomersOfEntreprise(Resource):
    """GET, POST /api/entreprises/{id}/clients"""

    @operation(
        "listCustomers",
        "The customers of a business",
        ok("A page of customers, by name.", Many(CUSTOMER)),
        subject=businesses.owned,
    )
    def on_get(
        self, entreprise: Entreprise, query: CustomerSearch, now: int
    ) -> Page[CustomerFile]:
        blocked = bool(query.bloque)
        page = query.page(
            lambda after, most: search.page(
                self.db, entreprise.id, query.q, blocked, after, most
            ),
            lambda id: (id,),
        )
        return page.load(lambda ids: file.by_ids(self.db, ids, now))

    @operation(
        "createCustomer",
        "Create the record of a customer without a booking",
        created("The customer.", CUSTOMER, location="/api/clients/{id}"),
        subject=businesses.owned,
        refuses=refused(409),
    )
    def on_post(self, entreprise: Entreprise, body: CustomerInput, now: int) -> CustomerFile:
        return file.get(self.db, file.add(self.db, entreprise.id, body.values, now), now)


class OneCustomer(Resource):
    """GET, PUT, DELETE /api/clients/{id}"""

    @operation(
        "readCustomer",
        "One customer, with bookings",
        ok("The customer.", ONE_CUSTOMER),
        description=f"`prochaines` and `passees` have at most {SHOWN} bookings each."
        " `listReservations` with the parameter `client` lists all bookings.",
        subject=owned_customer,
        hidden=True,
    )
    def on_get(self, account: Account, customer: CustomerFile, now: int) -> Json:
        def bookings(filter: Filter) -> list[ReservationRecord]:
            return lists.listed(self.db, account, filter, None, SHOWN)

        coming = bookings(Filter(client_id=customer.id, since=now))
        begun = bookings(Filter(client_id=customer.id, until=now, latest=True))
        past = [row for row in begun if row.fin <= now]  # a visit in progress is in `coming`
        return {**CUSTOMER.show(customer), "prochaines": [show(row, OWNER) for row in coming],
                "passees": [show(row, OWNER) for row in past]}

    @operation(
        "updateCustomer",
        "Replace what the business records about a customer",
        ok("The customer.", CUSTOMER),
        description="After a change of the name, the e-mail address or the telephone, the record"
        " no longer follows changes of the customer's account.",
        subject=owned_customer,
        hidden=True,
        refuses=refused(409),
    )
    def on_put(
        self, customer: CustomerFile, body: CustomerChange, version: int, now: int
    ) -> CustomerFile:
        file.update(self.db, customer, body.values, version, now)
        return file.get(self.db, customer.id, now)

    @operation(
        "eraseCustomer",
        "Erase a customer from the file of the business",
        no_content("Erased."),
        description="The bookings stay for statistics, without personal data. The account of the"
        " customer stays. Refused while the customer has upcoming bookings, or has not been told"
        " yet that the business has cancelled one.",
        subject=owned_customer,
        hidden=True,
        refuses=refused(409),
    )
    def on_delete(self, customer: CustomerFile, version: int | None, now: int) -> None:
        erasing.erase_customer(self.db, customer, version, now)


class Merger(Resource):
    """POST /api/clients/{id}/fusion"""

    @operation(
        "mergeCustomers",
        "Merge another record of the same person into this record",
        ok("The customer.", CUSTOMER),
        description="The name, the e-mail address and the telephone of this record stay; those of"
        " the other record fill empty fields, `prenom` only if `nom` is the same. The notes are"
        " joined. The record is blocked if one of the two is. An erased record takes the name of"
        " the other record.",
        subject=owned_customer,
        hidden=True,
        refuses=refused(409),
    )
    def on_post(
        self, customer: CustomerFile, body: CustomerMerge, version: int | None, now: int
    ) -> CustomerFile:
        file.merge(self.db, customer, body.client, version, now)
        return file.get(self.db, customer.id, now)
