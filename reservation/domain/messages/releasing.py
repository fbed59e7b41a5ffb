"""Queues held messages again: when their quota has room, or after a restore."""

from collections.abc import Iterator

from reservation.domain.messages import quotas
from reservation.domain.outbox import outbox
from reservation.domain.people import attempts, proving
from reservation.domain.people.proving import UNPROVEN
from reservation.storage.database import Database, transaction
from reservation.storage.models import EventEmail

MOST = 500  # maximum number of messages per transaction of `release_restored`
STEP = 50  # number of messages per step of `release_within_quotas`
# The messages that a restore has held. All other held messages have one of these reasons.
_RESTORED = (EventEmail.statut == outbox.HELD) & (
    EventEmail.derniere_erreur.is_null()
    | EventEmail.derniere_erreur.not_in((UNPROVEN, *quotas.REASONS))
)
_BEYOND = EventEmail.derniere_erreur.in_(quotas.REASONS)
_HELD = (
    "SELECT m.id, m.derniere_erreur, m.entreprise_id, m.destinataire, e.mails_par_jour"
    " FROM eventemail m {} LEFT JOIN entreprise e ON e.id = m.entreprise_id"
    f" WHERE m.statut = '{outbox.HELD}' AND m.id > ? ORDER BY m.id LIMIT ?"
)


def release_within_quotas(db: Database, now: int) -> Iterator[None]:
    """Queues messages that a quota has held, the oldest first, if the quota has room again. Yields
    after each step.

    Releases no more than half of a quota in its period. Otherwise, a backlog would hold up all new
    messages.
    """
    left: dict[str, int] = {}  # {key of a limit: number of messages that may still be released}
    sql, last = _HELD.format(db.BY_INDEX.format("eventemail_statut")), 0
    while rows := db.rows(sql, last, STEP):
        last, ids = rows[-1][0], []
        for id, reason, *facts in rows:
            if reason in quotas.REASONS:
                limit, about = quotas.limit_of(reason, *facts)
                key = limit.key(about)
                if key not in left:
                    left[key] = (limit.most + 1) // 2 - attempts.used(db, limit, about, now)
                if left[key] > 0:
                    left[key] -= 1
                    ids.append(id)
        if ids:
            proving.queue_held(db, _BEYOND & EventEmail.id.in_(ids), now)
        yield


def is_pending(statut: str, reason: str | None) -> bool:
    """Returns whether a worker sends the message sooner or later, without a further request."""
    return statut in outbox.QUEUED or (statut == outbox.HELD and reason in quotas.REASONS)


def restored(db: Database) -> int:
    """Returns the number of messages that are held because of a restore."""
    return int(EventEmail.select().where(_RESTORED).count(db))


def release_restored(db: Database) -> int:
    """Queues the messages that a restore has held, and returns their number. Messages that are
    held for another reason stay held."""
    released = 0
    some = EventEmail.select(EventEmail.id).where(_RESTORED).order_by(EventEmail.id).limit(MOST)
    while ids := [row.id for row in some.clone().execute(db)]:
        queue = EventEmail.update(statut="attente").where(_RESTORED & EventEmail.id.in_(ids))
        released += transaction(db, lambda: queue.execute(db))  # noqa: B023
    return released
