"""Queues messages again that a quota has held, when the quota has room."""

from collections.abc import Iterator
from typing import NamedTuple

from reservation.domain.messages import quotas
from reservation.domain.outbox import holding
from reservation.domain.outbox.holding import OF_BUSINESS, OF_QUOTAS, TO_ADDRESS
from reservation.domain.outbox.outbox import HELD
from reservation.domain.people import attempts
from reservation.storage.database import Database
from reservation.storage.models import EventEmail

STEP = 50  # number of messages per step of `release`
_HELD = (
    "SELECT m.id, m.entreprise_id, m.reservation_id, m.destinataire, m.derniere_erreur,"
    " e.mails_par_jour FROM eventemail m {} LEFT JOIN entreprise e ON e.id = m.entreprise_id"
    f" WHERE m.statut = '{HELD}' AND m.id > ? ORDER BY m.id LIMIT ?"
)
_BEYOND = EventEmail.derniere_erreur.in_(OF_QUOTAS)


class _HeldMessage(NamedTuple):
    id: int
    entreprise_id: int | None
    reservation_id: int | None
    destinataire: str
    reason: str
    quota: int | None


def release(db: Database, now: int) -> Iterator[None]:
    """Queues messages that a quota has held, the oldest first, if the quota has room again. Yields
    after each step.

    Releases no more than half of a quota in its period. Otherwise, a backlog would hold up all new
    messages.
    """
    left: dict[str, int] = {}  # {key of a limit: number of messages that may still be released}
    sql, last = _HELD.format(db.BY_INDEX.format("eventemail_statut")), 0
    while rows := [_HeldMessage(*row) for row in db.rows(sql, last, STEP)]:
        last, ids, limits = rows[-1].id, [], quotas.of_recipients(db, rows)
        for row in rows:
            if row.reason == OF_BUSINESS:
                limit, about = quotas.of_business(row.quota), str(row.entreprise_id)
            elif row.reason == TO_ADDRESS:
                limit, about = limits[row.id]
            else:
                continue
            key = limit.key(about)
            if key not in left:
                left[key] = (limit.most + 1) // 2 - attempts.used(db, limit, about, now)
            if left[key] > 0:
                left[key] -= 1
                ids.append(row.id)
        if ids:
            holding.queue_again(db, _BEYOND & EventEmail.id.in_(ids), now)
        yield
