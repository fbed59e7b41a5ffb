"""The outbox: a message is queued in the transaction that it tells of, and sent later.

What is queued are facts: what happened, who is told, when the visit is. The words are found
when it is sent.
"""

from typing import NamedTuple

from reservation.storage.database import Database

HOUR = 3600

_INTO = (
    "INSERT INTO eventemail (reservation_id, entreprise_id, genre, destinataire, debut, fin,"
    " sequence, sujet, corps, statut, essais, prochain_essai, cree_le) "
)
_REST = "?, ?, ?, '', '', 'attente', 0, ?, ?"
_TO_CUSTOMER = f"SELECT ?, ?, ?, email, {_REST} FROM utilisateur WHERE id = ?"
_TO_BUSINESS = (
    f"SELECT ?, e.id, ?, CASE e.email WHEN '' THEN u.email ELSE e.email END, {_REST}"
    " FROM entreprise e JOIN utilisateur u ON u.id = e.proprietaire_id WHERE e.id = ?"
)
_ONCE = (
    " AND NOT EXISTS (SELECT 1 FROM eventemail WHERE reservation_id = ? AND genre = ?"
    " AND debut = ?)"
)
_DROP_REMINDER = (
    "DELETE FROM eventemail WHERE reservation_id = ? AND genre = 'rappel'"
    " AND statut = 'attente'"
)


class Visit(NamedTuple):
    """The reservation that messages tell of, as it is now; sequence grows with each change."""

    reservation_id: int
    utilisateur_id: int
    entreprise_id: int
    debut: int
    fin: int
    sequence: int


def tell(
    db: Database, visit: Visit, now: int, *, customer: str = "", business: str = "",
    reminder: int = 0,
) -> None:
    """Queue what the customer and the business are told, in the transaction that it tells of.

    `customer` and `business` are kinds of message, nothing for none; `reminder` is how many
    hours before the visit the customer is reminded, if it is not so late already.
    """
    number, user, entreprise, debut, fin, sequence = visit
    parts, values = [], []
    remind_at = debut - reminder * HOUR
    for genre, due in ((customer, now), ("rappel" if reminder else "", remind_at)):
        if genre and due >= now:
            parts.append(_TO_CUSTOMER)
            values += [number, entreprise, genre, debut, fin, sequence, due, now, user]
    if business:
        parts.append(_TO_BUSINESS)
        values += [number, business, debut, fin, sequence, now, now, entreprise]
    if parts:
        db.write(_INTO + " UNION ALL ".join(parts), *values)


def tell_once(db: Database, visit: Visit, now: int, customer: str) -> None:
    """Queue what the customer is told, unless he was told the same of the same time."""
    number, user, entreprise, debut, fin, sequence = visit
    facts = (number, entreprise, customer, debut, fin, sequence, now, now, user)
    db.write(_INTO + _TO_CUSTOMER + _ONCE, *facts, number, customer, debut)


def drop_reminder(db: Database, reservation_id: int) -> None:
    db.write(_DROP_REMINDER, reservation_id)
