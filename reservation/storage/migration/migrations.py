"""The migrations of the data, by version: what a comparison with schema.sql cannot know.

`migrating` adds tables and columns before these statements, with NULL in each new column. It
removes what schema.sql no longer has, and adds constraints, after them.
"""

from typing import NamedTuple


class Migration(NamedTuple):
    """The statements that bring the data of the version before into order.

    A statement may run again after a run that was killed: it looks at what it has to change.
    `{now}` stands for the present instant.
    """

    title: str
    data: tuple[str, ...]


_OF_VISIT = "(SELECT {} FROM reservation r WHERE r.id = eventemail.reservation_id)"

MIGRATIONS = (
    Migration(
        "constraints have names, a message keeps the facts of its visit",
        (
            "UPDATE utilisateur SET reinit_jusqua = 0 WHERE reinit_jusqua IS NULL",
            "UPDATE utilisateur SET flux_version = 1 WHERE flux_version IS NULL",
            "UPDATE entreprise SET flux_version = 1 WHERE flux_version IS NULL",
            "UPDATE entreprise SET calendrier_version = 0 WHERE calendrier_version IS NULL",
            # The first versions had no worker: their messages wait still, some of them about
            # visits of long ago.
            "UPDATE eventemail SET statut = 'abandonne',"
            " derniere_erreur = 'the visit had begun before the upgrade'"
            " WHERE statut = 'attente' AND sequence IS NULL"
            f" AND {_OF_VISIT.format('r.debut')} <= {{now}}",
            f"UPDATE eventemail SET debut = {_OF_VISIT.format('r.debut')},"
            f" fin = {_OF_VISIT.format('r.fin')},"
            f" sequence = COALESCE({_OF_VISIT.format('r.version')}, 0) WHERE sequence IS NULL",
        ),
    ),
)  # the version of a database is the number of the last one
