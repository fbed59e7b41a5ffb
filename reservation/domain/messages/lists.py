"""Reads messages of the outbox."""

from collections.abc import Sequence
from typing import Annotated, NamedTuple

from reservation.domain.customers import search
from reservation.domain.outbox.outbox import (
    QUEUED,
    RESEND_ADDRESS,
    STATES,
    WITH_RECIPIENTS,
)
from reservation.lib import instants
from reservation.storage import records
from reservation.storage.database import Database, marks
from reservation.storage.paging import ENDLESS, Key, Part, first_keys


class MessageRecord(NamedTuple):
    """A message of the outbox. Times are Unix seconds. `fuseau` is the time zone for display.
    `send_again` sends the message to `adresse_renvoi`, which is "" if no address is known.

    A message without a `destinataire` has the customer of its booking in `client_…`. In other
    messages, `client_id` is None.
    """

    id: int
    reservation_id: int | None
    entreprise_id: int | None
    genre: str
    destinataire: str
    statut: str
    sujet: str
    corps: str
    essais: int
    prochain_essai: int
    derniere_erreur: str | None
    envoye_le: int | None
    cree_le: int
    adresse_renvoi: Annotated[str, RESEND_ADDRESS]
    fuseau: Annotated[str, f"COALESCE(e.fuseau, '{instants.FRANCE}')"]
    client_id: Annotated[int | None, "CASE m.destinataire WHEN '' THEN c.id END"]
    client_nom: Annotated[str | None, "c.nom"]
    client_prenom: Annotated[str | None, "c.prenom"]
    client_email: Annotated[str | None, "c.email"]
    client_telephone: Annotated[str | None, "c.telephone"]

    @property
    def next_attempt(self) -> int | None:
        return self.prochain_essai if self.statut in QUEUED else None


_PERSON = (
    "ressource_id = (SELECT p.id FROM ressource p WHERE p.entreprise_id = {:d} AND p.id = ?)"
)
_ADDRESSES = "SELECT DISTINCT email FROM client WHERE id IN ({}) AND email <> ''"
_MOST_CUSTOMERS = 100
# One query for each state: GROUP BY takes several times as long to count 300,000 messages.
_NUMBER = "SELECT COUNT(*) FROM eventemail WHERE statut = ?"
_FIRST = "SELECT MIN(prochain_essai) FROM eventemail WHERE statut = ?"


def ids(
    db: Database, entreprise_id: int | None, ressource_id: int | None, statut: str, q: str,
    after: Key | None, most: int,
) -> list[int]:
    """Returns the ids of messages, latest first. Starts after the id in `after`.

    Without `entreprise_id`, returns ids for all businesses and ignores `ressource_id` and `q`.
    `q` is the e-mail address, the name or the telephone number of the recipient.
    """
    (before,) = after or (ENDLESS,)
    if entreprise_id is not None:
        parts = _of_business(db, entreprise_id, ressource_id, statut, q)
    elif statut:
        parts = [Part("eventemail_statut", {"statut = ?": statut})]
    else:
        parts = [Part("", {})]
    parts = [part._replace(conditions={**part.conditions, "id < ?": before}) for part in parts]
    return [id for (id,) in first_keys(db, "eventemail", ("id",), parts, most, latest=True)]


def _of_business(
    db: Database, entreprise_id: int, ressource_id: int | None, statut: str, q: str
) -> list[Part]:
    index, of = "eventemail_entreprise_statut", {"entreprise_id = ?": entreprise_id}
    if ressource_id is not None:
        index, of = "eventemail_ressource_statut", {_PERSON.format(entreprise_id): ressource_id}
    if not q:
        states = [statut] if statut else STATES
        return [Part(index, {**of, "statut = ?": one}) for one in states]
    limit = {"statut = ?": statut} if statut else {}
    return [
        Part("eventemail_destinataire", {"destinataire = ?": address, **of, **limit})
        for address in _addresses(db, entreprise_id, q)
    ]


def _addresses(db: Database, entreprise_id: int, q: str) -> set[str]:
    found = {q.strip().lower()} if "@" in q else set()
    if ids := search.page(db, entreprise_id, q, False, None, _MOST_CUSTOMERS):
        found |= {email for (email,) in db.rows(_ADDRESSES.format(marks(ids)), *ids)}
    return found


def one(db: Database, message_id: int) -> MessageRecord:
    """Raises NotFound if there is no such message."""
    return records.first(by_ids(db, [message_id]))


def by_ids(db: Database, ids: Sequence[int]) -> list[MessageRecord]:
    """Returns messages in any order, without a permission check."""
    return records.by_ids(db, MessageRecord, "m", f"FROM {WITH_RECIPIENTS}", ids)


def unsent(db: Database, now: int) -> tuple[dict[str, int], int]:
    """Returns the number of messages in each state except `envoye`, and the longest delay in
    seconds. The delay of a claimed message begins when the lease ends.
    """
    states = [statut for statut in STATES if statut != "envoye"]
    numbers = {statut: db.rows(_NUMBER, statut)[0][0] for statut in states}
    found = [db.rows(_FIRST, statut)[0][0] for statut in QUEUED]
    return numbers, now - min([now, *(due for due in found if due is not None)])
