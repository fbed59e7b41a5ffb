"""Held messages: why they are held, and how they are queued again."""

from collections.abc import Sequence
from typing import Any

from reservation.domain.outbox.outbox import HELD, QUEUED
from reservation.storage.database import Database, in_batches, transaction
from reservation.storage.models import EventEmail

# The reasons to hold a message, as the API returns them.
UNPROVEN = "owner_unproven"
OF_BUSINESS = "business_quota"
TO_ADDRESS = "address_quota"
OF_QUOTAS = (OF_BUSINESS, TO_ADDRESS)
REASONS = (UNPROVEN, *OF_QUOTAS)  # a message that a restore has held has none of these reasons
_RESTORED = (EventEmail.statut == HELD) & (
    EventEmail.derniere_erreur.is_null() | EventEmail.derniere_erreur.not_in(REASONS)
)
_MOST = 500  # maximum number of messages per transaction of `release_restored`


def release(db: Database, businesses: Sequence[int], reason: str, now: int) -> None:
    """Queues the messages that were held for `reason` and belong to these businesses. Call within
    a transaction."""
    which = (EventEmail.derniere_erreur == reason) & EventEmail.entreprise.in_(businesses)
    queue_again(db, which, now)


def queue_again(db: Database, which: Any, now: int) -> None:
    """Queues the held messages that meet the condition `which`."""
    queued = EventEmail.update(statut="attente", prochain_essai=now, derniere_erreur=None)
    queue = queued.where((EventEmail.statut == HELD) & which)
    transaction(db, lambda: queue.execute(db))


def is_pending(statut: str, reason: str | None) -> bool:
    """Returns whether the worker will send the message without a request from anybody."""
    return statut in QUEUED or (statut == HELD and reason in OF_QUOTAS)


def restored(db: Database) -> int:
    """Returns the number of messages that are held because of a restore."""
    return int(EventEmail.select().where(_RESTORED).count(db))


def release_restored(db: Database) -> int:
    """Queues the messages that a restore has held, and returns their number. Messages that are
    held for another reason stay held."""
    number = restored(db)
    for _ in in_batches(db, EventEmail.update(statut="attente"), _RESTORED, _MOST):
        pass
    return number
