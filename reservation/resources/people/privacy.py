"""The export of the caller's data."""

from typing import Any

from reservation.domain.booking.feeds import ACCOUNT
from reservation.domain.people.sessions import Account
from reservation.domain.planning import businesses, ressources
from reservation.domain.privacy import exporting
from reservation.domain.states import CUSTOMER
from reservation.lib import instants
from reservation.operations import properties
from reservation.operations.answers import ok
from reservation.operations.operation import operation
from reservation.operations.properties import ID, as_sent, instant
from reservation.operations.resource import Resource
from reservation.operations.shapes import Many, Shape, plain
from reservation.resources.business.customers import CustomerInput
from reservation.resources.emails import EMAIL
from reservation.resources.feeds import ADDRESS
from reservation.resources.people.accounts import PROFILE
from reservation.resources.reservation_shapes import RESERVATION, show

_MOST = 10_000  # maximum number of businesses, and of persons, in an export
_RECORD = Shape(
    "PersonalRecord",
    {
        "entreprise_id": ID,
        "entreprise": properties.text("Salon Alice"),
        **as_sent(CustomerInput),
        "cree_le": instant("2030-05-20T18:03:11+02:00"),
    },
)
_TIME = {"format": "date-time", "examples": ["2030-05-20T18:03:11+02:00"]}
_OWNED = plain("OwnedEntreprise", id=ID, nom=properties.text("Salon Alice"))
_RUN = plain("ManagedRessource", id=ID, nom=properties.text("Léa"))
_EXPORT = plain(
    "AccountExport",
    compte=PROFILE,
    emailProuveLe={"type": ["string", "null"], **_TIME},
    creeLe={"type": "string", **_TIME},
    reservations=Many(RESERVATION),
    messages=Many(EMAIL),
    fiches=Many(_RECORD),
    flux=properties.text(ADDRESS),
    entreprises=Many(_OWNED),
    ressources=Many(_RUN),
)


class CompteExport(Resource):
    """GET /api/compte/export"""

    @operation(
        "exportCompte",
        "All data of the caller",
        ok("The data.", _EXPORT),
        description="`fiches` are the records that businesses keep of the caller, with the"
        " private notes of the owners (article 15 of the GDPR). Messages to the address are"
        " included if the address is proven.",
    )
    def on_get(self, account: Account) -> Any:
        found = exporting.export(self.db, account)
        mine = found.account
        owned = businesses.managed(self.db, Account(account.id, "company"), most=_MOST)
        run = ressources.of_account(self.db, account.id, None, _MOST)
        return {
            "compte": PROFILE.show(mine),
            "emailProuveLe": instants.shown(mine.email_prouve_le, instants.FRANCE),
            "creeLe": instants.shown(mine.cree_le, instants.FRANCE),
            "reservations": [show(row, CUSTOMER) for row in found.bookings],
            "messages": [EMAIL.show(row) for row in found.messages],
            "fiches": [_RECORD.show(row) for row in found.records],
            "flux": self.parts.feeds.url(self.db, ACCOUNT, account.id),
            "entreprises": [{"id": one.id, "nom": one.nom} for one in owned],
            "ressources": [{"id": one.id, "nom": one.nom} for one in run],
        }
