"""Calendar files: a file of one booking, or a private feed of many bookings.

The token of a feed is signed, not stored. Incrementing the column `flux_version` of the account,
business, person or room revokes the token.
"""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from peewee import JOIN

from reservation.domain import states
from reservation.domain.booking import reservations
from reservation.domain.calendar import performers
from reservation.domain.messages import visits
from reservation.domain.messages.visits import Origin, VisitRecord, for_business, for_customer
from reservation.domain.people.sessions import Account
from reservation.domain.states import CUSTOMER
from reservation.errors import NotFound
from reservation.lib import icalendar
from reservation.lib.icalendar import CalendarEntry
from reservation.lib.instants import DAY
from reservation.lib.signatures import Signer
from reservation.storage import records
from reservation.storage.database import Database, transaction
from reservation.storage.models import Entreprise, Ressource, Utilisateur

# Seconds. Feeds omit visits that began more than PAST ago, and visits that were cancelled or
# refused more than RELEASED ago.
PAST = 60 * DAY
RELEASED = 30 * DAY
PURPOSE = "reservation: private calendar feed"  # changing this text revokes all tokens
# The letter of a FeedKind, an id and a signature. Any number of 18 digits fits into 64 bits.
_TOKEN = re.compile(r"([elpu])([1-9][0-9]{0,17})-([A-Za-z0-9_-]{43})")
_NAMES = {"fr": "Rendez-vous – {}", "en": "Bookings – {}"}
_OF_FEED = (
    f" AND r.debut >= ? AND (r.statut NOT IN {states.RELEASED} OR r.modifie_le >= ?)"
    " ORDER BY r.debut, r.id"
)


def file(db: Database, asking: Account, reservation_id: int, origin: Origin) -> str:
    """Returns the calendar file of a booking. Customers and businesses get different texts.

    Raises NotFound if the caller may not see the booking.
    """
    _, side = reservations.visible(db, asking, reservation_id)
    entry = for_customer if side == CUSTOMER else for_business
    return icalendar.publication(entry(visits.get(db, reservation_id), origin))


class FeedKind(NamedTuple):
    """A kind of feed: of an account, a business, a person or a room.

    A token of this kind begins with `letter`. `column` is the column of the table `reservation`
    that has the id of the account, business, person or room.
    """

    letter: str
    model: Any
    column: str
    entry: Callable[[VisitRecord, Origin], CalendarEntry]


ACCOUNT = FeedKind("u", Utilisateur, "r.titulaire_id", for_customer)
BUSINESS = FeedKind("e", Entreprise, "r.entreprise_id", for_business)
PERSON = FeedKind("p", Ressource, "r.ressource_id", for_business)
ROOM = FeedKind("l", Ressource, "r.lieu_id", for_business)
OF_GENRE = {performers.PERSON: PERSON, performers.ROOM: ROOM}
KINDS = {kind.letter: kind for kind in (ACCOUNT, BUSINESS, PERSON, ROOM)}
_RUNNER: Any = Utilisateur.alias()  # the account that runs the calendar of a person
# Queries that also read the accounts that `_accounts_of` returns.
_ROWS: dict[Any, Any] = {
    Utilisateur: Utilisateur.select(),
    Entreprise: Entreprise.select(Entreprise, Utilisateur).join(Utilisateur),
    Ressource: Ressource.select(Ressource, Entreprise, Utilisateur, _RUNNER)
    .join(Entreprise)
    .join(Utilisateur)
    .join_from(Ressource, _RUNNER, JOIN.LEFT_OUTER),
}


class Feeds:
    """Creates the addresses of private calendar feeds, and renders feeds."""

    def __init__(self, secret: str, public_url: str, mail_from: str) -> None:
        self.origin = visits.origin(public_url, mail_from)
        self._address = f"{public_url}/flux/"
        self._signer = Signer(secret, PURPOSE)

    def url(self, db: Database, kind: FeedKind, id: int) -> str:
        """Returns the private address of a feed. Raises NotFound if the row `id` does not
        exist."""
        version = _row(db, kind, id).flux_version
        signature = self._signer.sign(kind.letter, id, version)
        return f"{self._address}{kind.letter}{id}-{signature}.ics"

    def renew(self, db: Database, kind: FeedKind, id: int) -> str:
        """Revokes the address of a feed and returns the new address. Raises NotFound if the row
        `id` does not exist."""
        version = kind.model.flux_version
        renewal = kind.model.update(flux_version=version + 1).where(kind.model.id == id)

        def work() -> str:
            renewal.execute(db)
            return self.url(db, kind, id)

        return transaction(db, work)

    def read(self, db: Database, token: str, now: int) -> str:
        """Returns a feed in iCalendar format. Raises NotFound if the token is wrong or revoked, or
        if the account of the owner or of the person is disabled."""
        found = _TOKEN.fullmatch(token)
        if not found:
            raise NotFound()
        kind, id = KINDS[found[1]], int(found[2])
        row = _row(db, kind, id)
        signed = self._signer.is_of(found[3], kind.letter, id, row.flux_version)
        owner, *others = _accounts_of(row)
        if not signed or not all(account.actif for account in (owner, *others)):
            raise NotFound()
        sql = f"{visits.SELECT} WHERE {kind.column} = ?{_OF_FEED}"
        rows = db.rows(sql, id, now - PAST, now - RELEASED)
        entries = [kind.entry(VisitRecord(*visit), self.origin) for visit in rows]
        name = f"{row.prenom} {row.nom}".strip() if kind is ACCOUNT else row.nom
        return icalendar.feed(_NAMES[owner.langue].format(name), entries)


def _row(db: Database, kind: FeedKind, id: int) -> Any:
    return records.first(_ROWS[kind.model].where(kind.model.id == id).execute(db))


def _accounts_of(row: Any) -> list[Any]:
    """Returns the accounts whose holders know the URL of the feed, the owner first."""
    if isinstance(row, Utilisateur):
        return [row]
    if isinstance(row, Entreprise):
        return [row.proprietaire]
    return [one for one in (row.entreprise.proprietaire, row.utilisateur) if one]
