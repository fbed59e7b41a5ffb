"""Calendars made of reservations: one visit as a file, many as a private feed.

The token of a feed opens that feed and nothing else, and is stored nowhere: it names a kind
and an id, and signs them together with the row's flux_version. Counting that up ends it.
"""

import base64
import hmac
import re
import time
from collections.abc import Callable
from dataclasses import dataclass

from reservation.domain.booking import reservations
from reservation.domain.messages import visits
from reservation.domain.messages.visits import Booked, Origin, for_business, for_customer
from reservation.domain.people.sessions import Account
from reservation.domain.states import CUSTOMER
from reservation.errors import NotFound
from reservation.lib import icalendar
from reservation.lib.icalendar import Entry
from reservation.lib.instants import DAY
from reservation.storage.database import Database, transaction

PAST = 60 * DAY  # for how long a feed holds a visit that has begun
RELEASED = 30 * DAY  # and one that was cancelled or refused, so that calendars hear of it
PURPOSE = b"reservation: private calendar feed"  # no other key is derived under this label
# Below 10^18 an id fits every database; the digest is SHA-256 in base64url.
_TOKEN = re.compile(r"([eu])([1-9][0-9]{0,17})-([A-Za-z0-9_-]{43})")
_FED = (
    " AND r.debut >= ? AND (r.statut NOT IN ('annulee', 'refusee') OR r.modifie_le >= ?)"
    " ORDER BY r.debut, r.id"
)


def file(db: Database, asking: Account, reservation_id: int, origin: Origin) -> str:
    """The file of one reservation, as the caller's side sees it. Raises NotFound."""
    _, side = reservations.visible(db, asking, reservation_id)
    seen_by = for_customer if side == CUSTOMER else for_business
    return icalendar.publication(seen_by(visits.booked(db, reservation_id), origin))


@dataclass(frozen=True, slots=True)
class Kind:
    """Whose feed: `state` selects the version, whether it is active and the name, by id."""

    letter: str
    state: str
    renewal: str
    condition: str
    entry: Callable[[Booked, Origin], Entry]


ACCOUNT = Kind(
    letter="u",
    state="SELECT flux_version, actif, nom FROM utilisateur WHERE id = ?",
    renewal="UPDATE utilisateur SET flux_version = flux_version + 1 WHERE id = ?",
    condition="r.utilisateur_id = ?",
    entry=for_customer,
)
BUSINESS = Kind(
    letter="e",
    state="SELECT e.flux_version, u.actif, e.nom FROM entreprise e"
    " JOIN utilisateur u ON u.id = e.proprietaire_id WHERE e.id = ?",
    renewal="UPDATE entreprise SET flux_version = flux_version + 1 WHERE id = ?",
    condition="r.entreprise_id = ?",
    entry=for_business,
)
KINDS = {kind.letter: kind for kind in (ACCOUNT, BUSINESS)}


class Feeds:
    """The feeds of one deployment: their addresses, and what they hold."""

    def __init__(self, secret: str, public_url: str, mail_from: str) -> None:
        self.origin = visits.origin(public_url, mail_from)
        self._address = f"{public_url}/flux/"
        self._key = hmac.digest(secret.encode(), PURPOSE, "sha256")

    def url(self, db: Database, kind: Kind, id: int) -> str:
        """The private address of a feed. Raises NotFound."""
        version, _, _ = _state(db, kind, id)
        return self._url(kind, id, version)

    def renew(self, db: Database, kind: Kind, id: int) -> str:
        """A new address; the old one ends. Raises NotFound."""

        def work() -> int:
            db.write(kind.renewal, id)
            version, _, _ = _state(db, kind, id)
            return version

        return self._url(kind, id, transaction(db, work))

    def read(self, db: Database, token: str, now: int | None = None) -> str:
        """The calendar that a token opens. Raises NotFound, whatever is wrong with it."""
        now = int(time.time()) if now is None else now
        found = _TOKEN.fullmatch(token)
        if not found:
            raise NotFound()
        kind, id = KINDS[found[1]], int(found[2])
        version, actif, nom = _state(db, kind, id)
        if not hmac.compare_digest(self._signature(kind, id, version), found[3]) or not actif:
            raise NotFound()
        sql = f"{visits.SELECT} WHERE {kind.condition}{_FED}"
        rows = db.rows(sql, id, now - PAST, now - RELEASED)
        entries = [kind.entry(Booked(*row), self.origin) for row in rows]
        return icalendar.feed(f"Réservations – {nom}", entries)

    def _url(self, kind: Kind, id: int, version: int) -> str:
        return f"{self._address}{kind.letter}{id}-{self._signature(kind, id, version)}.ics"

    def _signature(self, kind: Kind, id: int, version: int) -> str:
        digest = hmac.digest(self._key, f"{kind.letter}.{id}.{version}".encode(), "sha256")
        return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def _state(db: Database, kind: Kind, id: int) -> tuple[int, bool, str]:
    """The version that is in force, whether somebody may read it, and its name."""
    rows = db.rows(kind.state, id)
    if not rows:
        raise NotFound()
    version, actif, nom = rows[0]
    return version, bool(actif), nom
