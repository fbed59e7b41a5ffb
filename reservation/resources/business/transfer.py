"""The customers of a business as CSV: export and import."""

from dataclasses import asdict
from typing import Any

import falcon

from reservation.domain.customers import importing, limits, transfer
from reservation.domain.customers.candidates import Described
from reservation.domain.customers.records import UNREACHABLE, Details
from reservation.domain.lanes import Lane
from reservation.domain.planning import businesses
from reservation.errors import Fault, InvalidInput
from reservation.http.codes import InvalidFields
from reservation.lib import telephones
from reservation.operations import properties, queries
from reservation.operations.answers import ok, refused
from reservation.operations.bodies import Body, collecting
from reservation.operations.fields import Field, Query
from reservation.operations.kinds import unstripped
from reservation.operations.operation import operation
from reservation.operations.resource import Resource
from reservation.operations.shapes import plain
from reservation.resources.business.customers import CustomerLine
from reservation.storage.models import Entreprise

# One import at a time in each process: an import of 5,000 lines takes a core for a second.
_lane = Lane(1)
_EXAMPLE = "nom;prenom;email;telephone;note\r\nMartin;Chloé;chloe@example.fr;;\r\n"


class CustomersText(Body):
    most_bytes = 2**20

    texte = Field(unstripped(2**20), example=_EXAMPLE, doc="CSV. The first line names the"
                  " columns nom, prenom, email, telephone and note, in any order.")


class ImportQuery(Query):
    essai = Field(queries.FLAG, default=None, doc="1: a dry run, which stores nothing.")


def _read(text: str, zone: str) -> list[Described]:
    """Returns the customers in a CSV text for a business in the time zone `zone`. Raises
    InvalidFields with the faults of all lines. The key `5.email`, for example, stands for the
    e-mail address in line 5."""
    found: list[Described] = []
    faults: dict[str, Fault] = {}
    try:
        for number, cells in transfer.parsed(text):
            with collecting(faults, str(number)):
                values = dict(CustomerLine.read(cells).values)
                note = values.pop("note")
                if zone in telephones.ZONES:
                    values["telephone"] = telephones.with_zero(values["telephone"])
                found.append(Described(Details(**values), note, number))
                if not values["email"] and not values["telephone"]:
                    raise UNREACHABLE
    except InvalidInput as ex:
        faults |= ex.faults
    if faults:
        raise InvalidFields(faults)
    return found


class CustomersFile(Resource):
    """GET /api/entreprises/{id}/clients.csv"""

    @operation(
        "exportCustomers",
        "The customers of a business as a CSV file",
        ok("CSV with semicolons.", properties.text(_EXAMPLE), media_type="text/csv"),
        description="Excel and LibreOffice open the file. A cell that would be a formula begins"
        " with an apostrophe, which `importCustomers` removes.",
        subject=businesses.owned,
    )
    def on_get(self, resp: falcon.Response, entreprise: Entreprise) -> bytes:
        resp.downloadable_as = f"clients-{entreprise.id}.csv"
        return transfer.written(self.db, entreprise.id).encode()


class CustomersImport(Resource):
    """POST /api/entreprises/{id}/clients/import"""

    @operation(
        "importCustomers",
        "Create and change the records of customers from CSV",
        ok(
            "How many lines create a record, change a record, or change nothing.",
            plain("Imported", **dict.fromkeys(("nouveaux", "modifies", "inchanges"),
                                              properties.COUNT)),
        ),
        description=f"Stores all lines or none; {transfer.MOST} lines at most. A line is about the"
        " customer with the same e-mail address. If there is none, it is about the customer"
        " without an e-mail address who has the same telephone and name. A line without an e-mail"
        " address can also be about the only customer with this telephone and name. `nom` can"
        " hold the full name. A record whose e-mail address comes from an account that has not"
        " proven it is found only by a line with the same names, address and telephone. Two lines"
        " with one e-mail address and different names are refused (`shared_address`). In the time"
        " zones of France, a telephone of nine digits without any other sign gets the first 0,"
        " which spreadsheet programs drop. Empty cells change nothing. `champs` names each invalid"
        " cell by line and column, as in `5.email`."
        f" A business has at most {limits.MOST} customers. Answers 503 if other imports are"
        " running.",
        subject=businesses.owned,
        refuses=refused(409),
    )
    def on_post(
        self, entreprise: Entreprise, query: ImportQuery, body: CustomersText, now: int
    ) -> Any:
        with _lane.place():
            lines = _read(body.texte, entreprise.fuseau)
            counts = importing.load(self.db, entreprise.id, lines, now, bool(query.essai))
        return asdict(counts)
