"""Removes the texts of messages that were sent long ago. The rows of the messages stay.

`prochain_essai` of a sent message is the end of the lease of its last attempt. So the index on
`statut` and `prochain_essai` lists the sent messages in the order in which they were sent. After
the texts of a message are removed, its `prochain_essai` is 0, so this message is not found again.
"""

from collections.abc import Iterator

from reservation.storage.database import Database, marks, transaction

MOST = 100  # upper bound of the messages of one transaction

_OLD = (
    "SELECT id FROM eventemail WHERE statut = 'envoye' AND prochain_essai > 0"
    " AND prochain_essai < ? ORDER BY prochain_essai LIMIT ?"
)
_CLEAR = (
    "UPDATE eventemail SET sujet = '', corps = '', piece_jointe = NULL, message = NULL,"
    " prochain_essai = 0 WHERE id IN ({})"
)


def clear_texts(db: Database, before: int) -> Iterator[None]:
    """Removes the texts of the messages that were sent before `before`, in Unix seconds. Yields
    after each transaction."""

    def clear_some() -> int:
        ids = [id for (id,) in db.rows(_OLD + db.FOR_UPDATE, before, MOST)]
        if ids:
            db.write(_CLEAR.format(marks(ids)), *ids)
        return len(ids)

    while transaction(db, clear_some):
        yield
