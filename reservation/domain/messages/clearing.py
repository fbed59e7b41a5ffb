"""Removes the texts of messages that were sent long ago, but keeps the messages.

When the texts of a message are removed, `prochain_essai` becomes 0. So the index on `statut` and
`prochain_essai` finds the messages that still have texts.
"""

from collections.abc import Iterator

from reservation.storage.database import Database, marks, transaction

MOST = 100  # maximum number of messages per transaction

_OLD = (
    "SELECT id FROM eventemail WHERE statut = 'envoye' AND prochain_essai > 0"
    " AND prochain_essai < ? ORDER BY prochain_essai LIMIT ?"
)
_CLEAR = (
    "UPDATE eventemail SET sujet = '', corps = '', piece_jointe = NULL, message = NULL,"
    " prochain_essai = 0 WHERE id IN ({})"
)


def clear_texts(db: Database, before: int) -> Iterator[None]:
    """Removes the texts of sent messages whose last lease ended earlier than `before`.

    Yields after each transaction.
    """

    def clear_some() -> int:
        ids = [id for (id,) in db.rows(_OLD + db.FOR_UPDATE, before, MOST)]
        if ids:
            db.write(_CLEAR.format(marks(ids)), *ids)
        return len(ids)

    while transaction(db, clear_some):
        yield
