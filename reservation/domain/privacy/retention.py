"""Erases customers and accounts that have not been used for years, and deletes old messages to
accounts, in small transactions.

An account counts as used when it is created, when its bookings start, and when its holder proves
the e-mail address, requests a new password, gets a bearer token or revokes all bearer tokens.
"""

from collections.abc import Iterator
from contextlib import suppress

from peewee import chunked

from reservation.domain.customers.records import ERASED
from reservation.domain.messages.messages import TO_ACCOUNT
from reservation.domain.outbox.outbox import QUEUED
from reservation.domain.people.sessions import ROLES
from reservation.domain.privacy import anonymising, erasing
from reservation.errors import NotFound
from reservation.storage.database import Database, highest_id, in_batches, marks, transaction
from reservation.storage.models import EventEmail

SPAN = 500  # size of the range of ids that one query searches
MOST = 50  # maximum number of customer records that one transaction anonymises
DELETED = 100  # maximum number of messages that one transaction deletes

_RECORDS = (
    "SELECT c.id FROM client c WHERE {} AND c.cree_le < ? AND (c.nom <> ? OR c.email <> '' OR"
    " c.telephone <> '' OR c.note <> '' OR c.utilisateur_id IS NOT NULL) AND NOT EXISTS"
    " (SELECT 1 FROM reservation r WHERE r.client_id = c.id AND r.debut >= ?) ORDER BY c.id"
)
_ACCOUNTS = (
    "SELECT u.id FROM utilisateur u WHERE {} AND u.type_id = ? AND u.cree_le < ?"
    " AND u.dernier_jeton_le < ? AND u.jetons_depuis < ? AND u.reinit_jusqua < ?"
    " AND COALESCE(u.email_prouve_le, 0) < ?"
    " AND NOT EXISTS (SELECT 1 FROM reservation r WHERE r.titulaire_id = u.id AND r.debut >= ?)"
    " AND NOT EXISTS (SELECT 1 FROM reservation r WHERE r.demandeur_id = u.id AND r.debut >= ?)"
    " AND NOT EXISTS (SELECT 1 FROM ressource w WHERE w.utilisateur_id = u.id AND w.actif = 1)"
    " AND NOT EXISTS (SELECT 1 FROM entreprise e WHERE e.proprietaire_id = u.id) ORDER BY u.id"
)


def delete_messages(db: Database, before: int) -> Iterator[None]:
    """Deletes the messages to accounts, such as codes, that were created before the time `before`.
    Keeps queued messages. Yields before each transaction.

    Nobody could erase a message to an address that has no account.
    """
    to_account = EventEmail.entreprise.is_null() & EventEmail.genre.in_(TO_ACCOUNT)
    old = EventEmail.statut.not_in(QUEUED) & (EventEmail.cree_le < before)
    return in_batches(db, EventEmail.delete(), to_account & old, DELETED)


def erase_unused(db: Database, before: int, now: int) -> Iterator[None]:
    """Anonymises customer records that were created before the time `before` and have no booking
    after this time. Erases customer accounts that have not been used since this time, but keeps
    those that run the calendar of an active person.

    Yields after each query and transaction, so that the caller can pause.
    """
    for low in range(0, highest_id(db, "client"), SPAN):
        found = _unused_records(db, "c.id > ? AND c.id <= ?", (low, low + SPAN), before)
        for some in chunked(found, MOST):
            _anonymise(db, some, before)
            yield
        yield
    for low in range(0, highest_id(db, "utilisateur"), SPAN):
        span = (low, low + SPAN)
        for account_id in _unused_accounts(db, "u.id > ? AND u.id <= ?", span, before):
            _erase(db, account_id, before, now)
            yield
        yield


def _unused_records(
    db: Database, which: str, values: tuple[int, ...], before: int
) -> list[int]:
    rows = db.rows(_RECORDS.format(which), *values, before, ERASED, before)
    return [id for (id,) in rows]


def _unused_accounts(
    db: Database, which: str, values: tuple[int, ...], before: int
) -> list[int]:
    rows = db.rows(_ACCOUNTS.format(which), *values, ROLES["student"], *[before] * 7)
    return [id for (id,) in rows]


def _anonymise(db: Database, ids: list[int], before: int) -> None:
    def work() -> None:
        anonymising.lock(db, ids)
        # Check again, because a customer may have booked since the first query.
        still = _unused_records(db, f"c.id IN ({marks(ids)})", tuple(ids), before)
        anonymising.anonymise(db, still)

    transaction(db, work)


def _erase(db: Database, account_id: int, before: int, now: int) -> None:
    def is_unused() -> bool:
        return bool(_unused_accounts(db, "u.id = ?", (account_id,), before))

    with suppress(NotFound):  # another worker has erased the account since the query
        # Check again, because somebody may have used the account since the query.
        transaction(db, lambda: erasing.erase(db, account_id, now, is_unused))
