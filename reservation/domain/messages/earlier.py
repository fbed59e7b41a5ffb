"""Compares a message with the other messages about its visit. Sentences for messages about a
changed visit: its earlier time, or its state. The words before the customer's link."""

import time

from reservation.domain.calendar import lateness
from reservation.domain.messages.claims import QueuedMessage
from reservation.domain.messages.formats import moment, when
from reservation.domain.messages.visits import VisitRecord
from reservation.domain.outbox.outbox import ANNOUNCEMENTS, QUEUED, TO_BUSINESS
from reservation.lib import instants
from reservation.storage.database import Database
from reservation.storage.models import EventEmail

_INVITATIONS = ("confirmee", "approuvee")
_LAST = (
    "SELECT debut, fin FROM eventemail WHERE reservation_id = ? AND sequence < ?"
    " AND ({}) ORDER BY sequence DESC LIMIT 1"
)
_ANNOUNCED = f"genre IN {ANNOUNCEMENTS}"
# The customer knows the times of the messages that were sent, and of the customer's own bookings
# and changes, which alone are announced to the business.
_TO_CUSTOMER = f"envoye_le IS NOT NULL OR genre IN {TO_BUSINESS}"
# {kind of a message: SQL condition for earlier messages whose time its reader knows}. A customer
# knows the time of the request, even if the message about the request was not sent.
_KNOWN = {
    "deplacement": _ANNOUNCED,
    "deplacee": f"{_ANNOUNCED} AND statut = 'envoye'",
    "approuvee": f"{_ANNOUNCED} AND (statut = 'envoye' OR genre = 'demandee')",
    "annulee_entreprise": _TO_CUSTOMER,
    "refusee": _TO_CUSTOMER,
}
# Texts for a customer's request to change a confirmed visit. The first text is for a change of the
# time, the second text for other changes.
_TEXTS = {
    ("demandee", "fr"): (
        "Vous avez demandé à déplacer ce rendez-vous. L’horaire précédent, {}, ne vous est plus"
        " réservé.",
        "Vous avez demandé à modifier ce rendez-vous : il n’est donc plus confirmé.",
    ),
    ("demandee", "en"): (
        "You have asked to reschedule this appointment. The previous time, {}, is no longer"
        " reserved for you.",
        "You have asked to change this appointment, so it is no longer confirmed.",
    ),
    ("a_valider", "fr"): (
        "Ce rendez-vous était confirmé. L’horaire précédent, {}, est libéré.",
        "Ce rendez-vous était confirmé avant cette modification.",
    ),
    ("a_valider", "en"): (
        "This appointment was confirmed. The previous time, {}, is now available again.",
        "This appointment was confirmed before this change.",
    ),
}
# _MOVED names the previous time of a moved visit. _APPROVED does so if the business has approved
# the request at another time. _PENDING says that a moved visit is still unconfirmed.
_MOVED = {"fr": "Horaire précédent : {}", "en": "Previous time: {}"}
_APPROVED = {
    "fr": "Attention, l’horaire a changé. " + _MOVED["fr"],
    "en": "Please note that the time has changed. " + _MOVED["en"],
}
_PENDING = {
    ("deplacee", "fr"): (
        "Ce rendez-vous n’est pas encore confirmé : vous recevrez bientôt une réponse."
    ),
    ("deplacee", "en"): "This appointment is not confirmed yet: you will receive a reply soon.",
    ("deplacement", "fr"): "Ce rendez-vous attend toujours votre réponse.",
    ("deplacement", "en"): "This appointment is still waiting for your reply.",
}

# What the link is for. The second text is for a customer who is too late.
_LINK = {
    "fr": (
        "Pour déplacer ou annuler le rendez-vous{}",
        "Il est trop tard pour le déplacer ou l’annuler en ligne : contactez l’établissement.\n"
        "Pour voir le rendez-vous",
    ),
    "en": (
        "To reschedule or cancel the appointment{}",
        "It is too late to reschedule or cancel it online: please contact the business.\n"
        "To see the appointment",
    ),
}
_UNTIL = {"fr": " (possible jusqu’au {})", "en": " (possible until {})"}


def invited(db: Database, row: QueuedMessage) -> bool:
    """Returns whether an earlier message put the visit into the customer's calendar."""
    of_visit = (EventEmail.reservation == row.reservation_id) & (
        EventEmail.sequence < row.sequence
    )
    invitations = of_visit & EventEmail.genre.in_(_INVITATIONS)
    return bool(EventEmail.select().where(invitations).exists(db))


def superseded(db: Database, row: QueuedMessage, visit: VisitRecord) -> bool:
    """Returns whether a message is obsolete because of a later message about the visit, or because
    the visit has changed."""
    if row.genre == "a_valider":
        return visit.statut != "demandee"  # the business has answered
    if row.genre == "fermeture":
        return (row.debut, row.fin) != (visit.debut, visit.fin)
    if row.sequence == visit.version - 1:
        return False
    later = (EventEmail.reservation == visit.id) & (EventEmail.sequence > row.sequence)
    announced = later & EventEmail.genre.in_(ANNOUNCEMENTS)
    return bool(EventEmail.select().where(announced).exists(db))


def is_overtaken(db: Database, row: QueuedMessage) -> bool:
    """Returns whether a message to the business is obsolete because a later message to the
    business about the visit was sent. A message that is resent on request is not obsolete."""
    later = (EventEmail.reservation == row.reservation_id) & (EventEmail.sequence > row.sequence)
    sent = later & EventEmail.genre.in_(TO_BUSINESS) & EventEmail.envoye_le.is_null(False)
    return row.envoye_le is None and bool(EventEmail.select().where(sent).exists(db))


def is_repeated(db: Database, row: QueuedMessage) -> bool:
    """Returns whether a later message about the visit, sent or queued, says the same as this
    message. A message that is resent on request counts as not repeated."""
    later = (EventEmail.reservation == row.reservation_id) & (EventEmail.id > row.id)
    same = later & (EventEmail.genre == row.genre) & EventEmail.statut.in_((*QUEUED, "envoye"))
    return row.envoye_le is None and bool(EventEmail.select().where(same).exists(db))


def given_up(db: Database, row: QueuedMessage, visit: VisitRecord, langue: str) -> str:
    """Returns the text that says what a customer gives up by asking to change a confirmed visit:
    the earlier time or, if the time stays, the confirmation.

    Returns "" for messages about anything else.
    """
    texts = _TEXTS.get((row.genre, langue))
    if not texts or not invited(db, row):
        return ""
    ((debut, fin),) = db.rows(_LAST.format(_ANNOUNCED), row.reservation_id, row.sequence)
    moved, changed = texts
    if (debut, fin) == (row.debut, row.fin):
        return changed
    return moved.format(when(debut, fin, instants.zone_of(visit.fuseau), langue))


def moved_from(db: Database, row: QueuedMessage, visit: VisitRecord, langue: str) -> str:
    """Returns the text that names the earlier time of a visit, or "" if the time stays.

    The earlier time is that in the last message whose time the reader knows.
    """
    if row.genre not in _KNOWN:
        return ""
    last = _LAST.format(_KNOWN[row.genre])
    for debut, fin in db.rows(last, row.reservation_id, row.sequence):
        if (debut, fin) != (row.debut, row.fin):
            zone = instants.zone_of(visit.fuseau)
            text = (_APPROVED if row.genre == "approuvee" else _MOVED)[langue]
            return text.format(when(debut, fin, zone, langue))
    return ""


def pending(row: QueuedMessage, visit: VisitRecord, langue: str) -> str:
    """Returns the text to add to a message about a moved visit that is still unconfirmed.

    Returns "" for all other messages.
    """
    return _PENDING.get((row.genre, langue), "") if visit.statut == "demandee" else ""


def next_step(db: Database, visit: VisitRecord, langue: str) -> str:
    """Returns the words before the customer's link. They say what the customer can do there now,
    and until when, if the deadline is before the start of the visit."""
    deadline, until = lateness.deadline(db, visit, visit.delai_annulation), ""
    if deadline < visit.debut:
        zone = instants.zone_of(visit.fuseau)
        until = _UNTIL[langue].format(moment(deadline, zone, langue))
    return _LINK[langue][time.time() > deadline].format(until)
