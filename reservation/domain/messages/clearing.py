"""Removes the texts of messages that were sent long ago, but keeps the messages.

When the texts of a message are removed, `prochain_essai` becomes 0. So the index on `statut` and
`prochain_essai` finds the messages that still have texts.
"""

from collections.abc import Iterator

from reservation.domain.outbox.outbox import NO_TEXTS
from reservation.storage.database import Database, transaction
from reservation.storage.models import EventEmail

MOST = 100  # maximum number of messages per transaction

_OLD = (
    "SELECT id FROM eventemail WHERE statut = 'envoye' AND prochain_essai > 0"
    " AND prochain_essai < ? ORDER BY prochain_essai LIMIT ?"
)


def clear_texts(db: Database, before: int) -> Iterator[None]:
    """Removes the texts of sent messages whose last lease ended earlier than `before`.

    Yields after each transaction.
    """

    def clear_some() -> int:
        ids = [id for (id,) in db.rows(_OLD + db.FOR_UPDATE, before, MOST)]
        if ids:
            cleared = EventEmail.update(**NO_TEXTS, prochain_essai=0)
            cleared.where(EventEmail.id.in_(ids)).execute(db)
        return len(ids)

    while transaction(db, clear_some):
        yield
