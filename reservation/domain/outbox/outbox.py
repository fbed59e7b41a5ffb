"""The outbox: a message is queued in the same transaction as the change that it announces.

A queued message has only facts, such as its kind and recipient. The text is rendered when the
message is sent.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from reservation.conflicts import MessageBeingSent, NoAddress
from reservation.domain import states
from reservation.domain.calendar.lateness import DURING
from reservation.domain.calendar.plans import LONGEST_VISIT
from reservation.storage import records
from reservation.storage.database import Database, in_batches, transaction
from reservation.storage.models import Evenement, EventEmail

HOUR = 3600
CLEARED = 100  # maximum number of messages per transaction of `clear_texts`
# The kinds of messages about bookings.
TO_CUSTOMER = (
    "demandee", "confirmee", "approuvee", "refusee", "deplacee", "annulee", "annulee_entreprise",
    "fermeture", "maintenue", "rappel",
)
ANNOUNCEMENTS = ("demandee", "confirmee", "approuvee", "deplacee")  # announce the time of a visit
TO_BUSINESS = ("nouvelle", "a_valider", "deplacement", "annulation")
STATES = ("attente", "envoi", "envoye", "abandonne", "retenu")
QUEUED = ("attente", "envoi")
HELD = "retenu"  # held because of a quota, an unproven address or a restored backup
NO_TEXTS = {"sujet": "", "corps": "", "piece_jointe": None, "message": None}

# Plain SQL instead of Peewee, for speed: each booking queues messages with these statements.
_COLUMNS = dict.fromkeys(
    (
        "reservation_id", "entreprise_id", "ressource_id", "genre", "message", "debut", "fin",
        "sequence", "prochain_essai", "cree_le",
    ),
    "?",
) | {
    "destinataire": "u.email", "sujet": "''", "corps": "''", "statut": "'attente'",
    "derniere_erreur": "NULL", "essais": "0",
}
INTO = f"INSERT INTO eventemail ({', '.join(_COLUMNS)}) "


class SentContent(NamedTuple):
    sujet: str
    corps: str
    piece_jointe: str | None


def select_from(source: str, **others: str) -> str:
    return f"SELECT {', '.join((_COLUMNS | others).values())} FROM {source}"


# If a customer has no address, the message is stored as abandoned, so that the owner sees it.
NO_ADDRESS = "no_address"
CLOSED = "closed"  # why a reminder was not sent: a closure covers the visit
_TO_ADDRESS = {
    "destinataire": "c.email",
    "statut": "CASE c.email WHEN '' THEN 'abandonne' ELSE 'attente' END",
    "derniere_erreur": f"CASE c.email WHEN '' THEN '{NO_ADDRESS}' END",
}
_FOR_CUSTOMER = select_from("client c WHERE c.id = ?", **_TO_ADDRESS)
_REMINDER = f"{_FOR_CUSTOMER} AND c.email <> ''"
_FOR_BUSINESS = select_from(
    "entreprise e JOIN utilisateur u ON u.id = e.proprietaire_id WHERE e.id = ?",
    destinataire="CASE e.email WHEN '' THEN u.email ELSE e.email END",
)
# The present address of a message's customer. The placeholder is `eventemail` or its alias.
PRESENT_ADDRESS = (
    "(SELECT c.email FROM reservation r JOIN client c ON c.id = r.client_id"
    " WHERE r.id = {}.reservation_id)"
)
# The messages `m`, and RESEND_ADDRESS: the address to which `send_again` sends each of them.
WITH_RECIPIENTS = (
    "eventemail m LEFT JOIN entreprise e ON e.id = m.entreprise_id"
    f" LEFT JOIN utilisateur u ON m.genre IN {TO_BUSINESS} AND u.id = e.proprietaire_id"
    f" LEFT JOIN reservation r ON m.genre IN {TO_CUSTOMER} AND r.id = m.reservation_id"
    " LEFT JOIN client c ON c.id = r.client_id"
)
RESEND_ADDRESS = (
    "CASE WHEN c.email <> '' THEN c.email WHEN u.id IS NULL THEN m.destinataire"
    " WHEN e.email <> '' THEN e.email ELSE u.email END"
)
_RESEND_ADDRESS = f"SELECT {RESEND_ADDRESS} FROM {WITH_RECIPIENTS} WHERE m.id = ?"
# The values of a message about the booking `r`, for `select_from`.
OF_BOOKING = {
    "reservation_id": "r.id",
    "entreprise_id": "r.entreprise_id",
    "ressource_id": "r.ressource_id",
    "message": "NULL",
    "debut": "r.debut",
    "fin": "r.fin",
    "sequence": "r.version - 1",
}
_DURING = DURING.format(fin="?", debut="?", ressource="?")
_OF_CLOSURE = INTO + select_from(
    "reservation r JOIN client c ON c.id = r.client_id"
    f" WHERE r.entreprise_id = ? AND r.debut > ? AND r.statut IN {states.OPEN}"
    f" AND {_DURING} AND NOT ({_DURING}) ORDER BY r.debut, r.id",
    **OF_BOOKING | _TO_ADDRESS,
    genre="'fermeture'",
)


def tell(
    db: Database, booking: Any, now: int, *, customer: str = "", business: str = "",
    reminder: int = 0, message: str = "",
) -> None:
    """Queues the messages about a change of a booking, unless the visit is over.

    `booking` is the ReservationRecord after the change. `customer` and `business` are the kinds of
    the messages to the customer and to the business; "" means no message. `reminder` is the number
    of hours between the customer's reminder and the visit, or 0 for no reminder. `message` is the
    owner's text to the customer.
    """
    client, entreprise, debut = booking.client_id, booking.entreprise_id, booking.debut
    parts, values = [], []
    for select, key, genre, words, due in (
        (_FOR_CUSTOMER, client, customer, message or None, now),
        (_REMINDER, client, "rappel" if reminder else "", None, debut - reminder * HOUR),
        (_FOR_BUSINESS, entreprise, business, None, now),
    ):
        if genre and due >= now and booking.fin > now:
            parts.append(select)
            values += [
                booking.id, entreprise, booking.ressource_id, genre, words, debut, booking.fin,
                booking.version - 1, due, now, key,
            ]
    if parts:
        db.write(INTO + " UNION ALL ".join(parts), *values)


def tell_of_closure(
    db: Database, closure: Evenement, before: Evenement | None, now: int
) -> None:
    """Queues a message to the customer of each open booking that overlaps the closure.

    `before` is the event before its change, or None for a new closure. Skips bookings that have
    begun, and bookings that overlapped the closure before its change.
    """
    since = max(now, closure.debut - LONGEST_VISIT)
    during = closure.fin, closure.debut, closure.ressource_id
    told = (0, 0, None)
    if before is not None and before.type == "fermeture":
        told = before.fin, before.debut, before.ressource_id
    db.write(_OF_CLOSURE, now, now, closure.entreprise_id, since, *during, *told)


def tell_account(
    db: Database, genre: str, email: str, now: int, langue: str | None = None
) -> None:
    """Queues a message to an account. `langue` is the language of the message if no account has
    the address."""
    message = EventEmail.insert(
        genre=genre, destinataire=email, message=langue, prochain_essai=now, cree_le=now
    )
    transaction(db, lambda: message.execute(db))


def send_again(db: Database, message_id: int, now: int) -> None:
    """Makes a message due now, and resets its number of attempts and its last error.

    Sends a message about a booking to the present address of the customer or of the business. If
    the customer has no address now, keeps the address of the message. Raises NoAddress if the
    message has no address either. Raises MessageBeingSent if a worker has claimed the message.
    """
    queued = {"statut": "attente", "prochain_essai": now, "essais": 0, "derniere_erreur": None}
    mine = (EventEmail.id == message_id) & (EventEmail.statut != "envoi")

    def work() -> None:
        # Waits for a change of the customer's address, because `readdress` skips this message.
        address = records.first(db.rows(_RESEND_ADDRESS + db.FOR_SHARE, message_id))[0]
        if not address:
            raise NoAddress()
        if EventEmail.update(destinataire=address, **queued).where(mine).execute(db) != 1:
            raise MessageBeingSent()

    transaction(db, work)


def clear_texts(db: Database, before: int) -> Iterator[None]:
    """Removes the texts of sent messages whose last lease ended earlier than `before`. Keeps the
    messages. Yields before each transaction.

    Sets `prochain_essai` to 0, so that the index on `statut` and `prochain_essai` finds the
    messages that still have texts.
    """
    due = EventEmail.prochain_essai
    with_texts = (EventEmail.statut == "envoye") & (due > 0) & (due < before)
    return in_batches(db, EventEmail.update(**NO_TEXTS, prochain_essai=0), with_texts, CLEARED)
