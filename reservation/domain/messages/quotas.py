"""Limits how many messages a business may send to addresses other than its owner's.

Without quotas, anybody could open a business and write to strangers from the address of the
deployment.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from reservation.domain.messages.claims import QueuedMessage
from reservation.domain.outbox import holding
from reservation.domain.outbox.holding import OF_BUSINESS, TO_ADDRESS, UNPROVEN
from reservation.domain.outbox.outbox import TO_BUSINESS
from reservation.domain.people import attempts
from reservation.domain.people.attempts import Limit
from reservation.lib.instants import DAY
from reservation.storage.database import Database, marks, transaction
from reservation.storage.models import Entreprise

BY_DEFAULT = 500  # default daily quota of a business
TO_ONE = 30  # daily quota of messages to one address from all businesses together
_SENDERS = (
    "SELECT e.id, u.id, u.email, u.email_prouve_le IS NOT NULL, e.mails_par_jour FROM entreprise e"
    " JOIN utilisateur u ON u.id = e.proprietaire_id WHERE e.id IN ({})"
)
_STILL_UNPROVEN = "SELECT id FROM utilisateur WHERE email_prouve_le IS NULL AND id IN ({})"
# The proven address of the account that made a booking.
_BOOKED_BY = (
    "SELECT r.id, u.email FROM reservation r JOIN utilisateur u ON u.id = r.demandeur_id"
    " WHERE u.email_prouve_le IS NOT NULL AND r.id IN ({})"
)
_TO_OWNER = "UPDATE eventemail SET destinataire = ? WHERE id = ?"


class _SenderQuota(NamedTuple):
    entreprise_id: int
    owner_id: int
    email: str
    is_proven: bool
    quota: int | None


class Quotas(NamedTuple):
    """With `proof`, messages are held until the owner has proven the address of the account.

    With `limits`, messages beyond the daily quota of the business or of the recipient are held.
    Beyond a quota, a message to the business goes to the owner's address instead, because nobody
    has proven `entreprise.email`.
    """

    proof: bool = False
    limits: bool = False

    def exceeded(self, db: Database, rows: Sequence[QueuedMessage], now: int) -> dict[int, str]:
        """Returns {message id: reason} for the messages to hold, and counts the other messages.

        Skips retries and messages to the owner's address, but with `proof` only if this address
        is proven. The reason is "" for a message that has been redirected to the owner's address.
        Call within a transaction.
        """
        if not (self.proof or self.limits):
            return {}
        held: dict[int, str] = {}
        counted: dict[_SenderQuota, list[QueuedMessage]] = {}
        new = list(_new(db, rows, self.proof))
        unproven = _unproven(db, [sender for _, sender in new]) if self.proof else set()
        for row, sender in new:
            if sender.owner_id in unproven and row.destinataire != sender.email:
                held[row.id] = UNPROVEN
            elif self.limits:
                counted.setdefault(sender, []).append(row)
        for sender, some in counted.items():
            held |= _beyond_limits(db, sender, some, now)
        return held

    def uncount(self, db: Database, row: QueuedMessage) -> None:
        """Undoes the count of a message that was claimed but not tried. Call within a
        transaction."""
        for _, sender in _new(db, [row], self.proof) if self.limits else ():
            attempts.give_back(db, of_business(sender.quota), str(row.entreprise_id))
            attempts.give_back(db, *of_recipients(db, [row])[row.id])


def _unproven(db: Database, senders: list[_SenderQuota]) -> set[int]:
    """Returns the ids of the owners without a proven address. Locks these owners: a simultaneous
    proof waits for this transaction, and then queues the messages held by this transaction."""
    owners = {sender.owner_id for sender in senders if not sender.is_proven}
    if not owners:
        return set()
    found = db.rows(_STILL_UNPROVEN.format(marks(owners)) + db.FOR_SHARE, *owners)
    return {id for (id,) in found}


def _beyond_limits(
    db: Database, sender: _SenderQuota, rows: Sequence[QueuedMessage], now: int
) -> dict[int, str]:
    """Counts messages of one business against the quota of the business and the quota of each
    recipient. Messages beyond a quota are not counted. Returns {message id: reason} for these
    messages."""
    limit, business, held = of_business(sender.quota), str(sender.entreprise_id), {}
    limits = of_recipients(db, rows)
    # Count all messages together or, if they exceed the quota, one by one until it is spent.
    are_counted = attempts.count_all(db, limit, business, len(rows), now)
    is_spent = not limit.most
    for row in rows:
        if not are_counted and not is_spent:
            is_spent = attempts.count(db, limit, business, now) > 0
        if is_spent:
            held[row.id] = OF_BUSINESS
        elif attempts.count(db, *limits[row.id], now):
            attempts.give_back(db, limit, business)
            held[row.id] = TO_ADDRESS
        if row.id in held and row.genre in TO_BUSINESS and row.destinataire != sender.email:
            db.write(_TO_OWNER, sender.email, row.id)
            held[row.id] = ""
    return held


def of_recipients(db: Database, rows: Sequence[Any]) -> dict[int, tuple[Limit, str]]:
    """Returns {message id: (limit, about)}, the quota of the recipient.

    Messages to the account that made the booking have a quota for each business, so that no
    stranger can use it up. Without a proof of the address, a stranger may have registered the
    account.
    """
    ids = {row.reservation_id for row in rows}
    booked_by = set(db.rows(_BOOKED_BY.format(marks(ids)), *ids))
    return {
        row.id: (_TO_CUSTOMER, f"{row.entreprise_id}\0{row.destinataire}")
        if (row.reservation_id, row.destinataire) in booked_by else (_TO_ONE, row.destinataire)
        for row in rows
    }


def _new(
    db: Database, rows: Sequence[QueuedMessage], proof: bool
) -> Iterator[tuple[QueuedMessage, _SenderQuota]]:
    """Yields the messages to hold or to count. Omits messages without a business, retries, and
    messages to the owner's address (see `exceeded`)."""
    new = [row for row in rows if row.entreprise_id is not None and not row.essais]
    ids = {row.entreprise_id for row in new}
    found = db.rows(_SENDERS.format(marks(ids)), *ids) if ids else []
    senders: dict[int | None, _SenderQuota] = {row[0]: _SenderQuota(*row) for row in found}
    for row in new:
        sender = senders[row.entreprise_id]
        if row.destinataire != sender.email or (proof and not sender.is_proven):
            yield row, sender


def of_business(quota: int | None) -> Limit:
    return _OF_BUSINESS._replace(most=BY_DEFAULT if quota is None else quota)


_OF_BUSINESS = Limit.flat("messages of a business", most=BY_DEFAULT, period=DAY)
_TO_ONE = Limit.flat("messages to an address", most=TO_ONE, period=DAY)
_TO_CUSTOMER = Limit.flat("messages of a business to a customer", most=TO_ONE, period=DAY)
OPEN = Quotas()


def set_quota(db: Database, entreprise_id: int, quota: int | None, now: int) -> None:
    """Sets the daily quota of a business; None means BY_DEFAULT. Restarts the count, and queues
    the messages that were held because of the old quota."""

    def work() -> None:
        Entreprise.update(mails_par_jour=quota).where(Entreprise.id == entreprise_id).execute(db)
        attempts.forget(db, _OF_BUSINESS, str(entreprise_id))
        holding.release(db, [entreprise_id], OF_BUSINESS, now)

    transaction(db, work)
