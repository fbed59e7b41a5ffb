"""The outbox: a message is queued in the transaction that it tells of, and sent later.

What is queued are facts: what happened, who is told, when the visit is. The words are found
when it is sent.
"""

from functools import partial
from typing import NamedTuple

from reservation.domain import states
from reservation.domain.calendar.plans import LONGEST_VISIT
from reservation.errors import MessageBeingSent, NotFound
from reservation.lib import instants
from reservation.storage.database import Database, transaction

HOUR = 3600
AHEAD = ("rappel",)  # kinds that are queued long before they are due; all others are due at once

_INTO = (
    "INSERT INTO eventemail (reservation_id, entreprise_id, genre, destinataire, message, debut,"
    " fin, sequence, sujet, corps, statut, essais, prochain_essai, cree_le) "
)
_REST = "?, ?, ?, ?, '', '', 'attente', 0, ?, ?"
_TO_CUSTOMER = f"SELECT ?, ?, ?, email, {_REST} FROM utilisateur WHERE id = ?"
_TO_BUSINESS = (
    f"SELECT ?, e.id, ?, CASE e.email WHEN '' THEN u.email ELSE e.email END, {_REST}"
    " FROM entreprise e JOIN utilisateur u ON u.id = e.proprietaire_id WHERE e.id = ?"
)
_OF_CLOSURE = (
    f"{_INTO}SELECT r.id, r.entreprise_id, 'fermeture', u.email, NULL, r.debut, r.fin,"
    " r.version - 1, '', '', 'attente', 0, ?, ? FROM reservation r"
    " JOIN utilisateur u ON u.id = r.utilisateur_id WHERE r.entreprise_id = ? AND r.debut > ?"
    f" AND r.debut < ? AND r.fin > ? AND r.statut IN {states.OPEN}"
    " AND NOT EXISTS (SELECT 1 FROM eventemail m WHERE m.reservation_id = r.id"
    " AND m.genre = 'fermeture' AND m.debut = r.debut) ORDER BY r.debut, r.id"
)
_DROP_REMINDER = (
    "DELETE FROM eventemail WHERE reservation_id = ? AND genre = 'rappel'"
    " AND statut IN ('attente', 'retenu')"
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
    reminder: int = 0, message: str = "",
) -> None:
    """Queue what the customer and the business are told, in the transaction that it tells of.

    `customer` and `business` are kinds of message, nothing for none; `reminder` is how many
    hours before the visit the customer is reminded, if it is not so late already; `message` is
    the owner's own word to the customer.
    """
    number, user, entreprise, debut, fin, sequence = visit
    parts, values = [], []
    remind_at = debut - reminder * HOUR
    rappel = "rappel" if reminder else ""
    for genre, word, due in ((customer, message or None, now), (rappel, None, remind_at)):
        if genre and due >= now:
            parts.append(_TO_CUSTOMER)
            values += [number, entreprise, genre, word, debut, fin, sequence, due, now, user]
    if business:
        parts.append(_TO_BUSINESS)
        values += [number, business, None, debut, fin, sequence, now, now, entreprise]
    if parts:
        db.write(_INTO + " UNION ALL ".join(parts), *values)


def tell_of_closure(db: Database, entreprise_id: int, debut: int, fin: int, now: int) -> None:
    """Queue a message to each customer whose visit to come touches [debut, fin), unless he
    was told the same of the same time."""
    start = max(debut, now)
    db.write(_OF_CLOSURE, now, now, entreprise_id, start - LONGEST_VISIT, fin, start)


def drop_reminder(db: Database, reservation_id: int) -> None:
    db.write(_DROP_REMINDER, reservation_id)


# Looking into it.

STATES = ("attente", "envoi", "envoye", "abandonne", "retenu")
QUEUED = ("attente", "envoi")
HELD = "retenu"  # by a restore, until somebody releases it or has it sent again
_LISTED = (
    "SELECT m.id, m.reservation_id, m.entreprise_id, m.genre, m.destinataire, m.statut,"
    " m.sujet, m.corps, m.essais, m.prochain_essai, m.derniere_erreur, m.envoye_le, m.cree_le,"
    " COALESCE(e.fuseau, ?) FROM eventemail m LEFT JOIN entreprise e ON e.id = m.entreprise_id"
)

_UNSENT = (
    "SELECT statut, COUNT(*), MIN(prochain_essai) FROM eventemail WHERE statut IN (?, ?, ?, ?)"
    " GROUP BY statut"
)
MOST = 500  # messages that are released at once
_HELD = "SELECT id FROM eventemail WHERE statut = ? ORDER BY id LIMIT ?"
_QUEUE_AGAIN = "UPDATE eventemail SET statut = 'attente' WHERE statut = 'retenu' AND id IN ({})"


class Listed(NamedTuple):
    """A message with its state; times are Unix seconds, to be shown in `fuseau`."""

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
    fuseau: str


def listed(
    db: Database, entreprise_id: int | None, statut: str, before: int | None, most: int
) -> list[Listed]:
    """The messages of one business or of all, the latest first, with ids below `before`."""
    conditions: list[tuple[str, object]] = [("m.id < ?", 2**62 if before is None else before)]
    if entreprise_id is not None:
        conditions.append(("m.entreprise_id = ?", entreprise_id))
    if statut:
        conditions.append(("m.statut = ?", statut))
    where = " AND ".join(text for text, _ in conditions)
    values = [value for _, value in conditions]
    rows = db.rows(
        f"{_LISTED} WHERE {where} ORDER BY m.id DESC LIMIT ?", instants.FRANCE, *values, most
    )
    return [Listed(*row) for row in rows]


def one(db: Database, message_id: int) -> Listed:
    """Raises NotFound."""
    rows = db.rows(f"{_LISTED} WHERE m.id = ?", instants.FRANCE, message_id)
    if not rows:
        raise NotFound()
    return Listed(*rows[0])


def unsent(db: Database, now: int) -> tuple[dict[str, int], int]:
    """How many messages are in each state but `envoye`, of which there are ever more; and the
    seconds for which the one that is due longest, or whose claim ran out, has been so."""
    numbers, first = {"attente": 0, "envoi": 0, "abandonne": 0, "retenu": 0}, now
    for statut, number, due in db.rows(_UNSENT, *numbers):
        numbers[statut] = number
        if statut in QUEUED:
            first = min(first, due)
    return numbers, now - first


def send_again(db: Database, message_id: int, now: int) -> None:
    """Make a message due now, as if it had never been tried. Raises MessageBeingSent while it is
    being sent."""
    again = (
        "UPDATE eventemail SET statut = 'attente', prochain_essai = ?, essais = 0"
        " WHERE id = ? AND statut <> 'envoi'"
    )
    if transaction(db, lambda: db.write(again, now, message_id).rowcount) != 1:
        raise MessageBeingSent()


def release(db: Database) -> int:
    """Queues the messages that are held, MOST at a time; returns their number."""
    released = 0
    while rows := db.rows(_HELD, HELD, MOST):
        ids = [row[0] for row in rows]
        queue = _QUEUE_AGAIN.format(", ".join("?" * len(ids)))
        released += transaction(db, partial(db.write, queue, *ids)).rowcount
    return released
