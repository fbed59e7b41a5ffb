"""The migrations of the data, by version.

`migrating` finds all other changes by comparing a database with schema.sql. The steps are: add
tables and columns, with NULL in each new column; run these statements; remove columns and indexes
that schema.sql no longer has; add constraints.
"""

from typing import NamedTuple


class Migration(NamedTuple):
    """The statements that bring the data of the previous version into order.

    A statement may be executed twice, so its WHERE selects only rows that need the change.
    `{now}` is replaced by the current Unix time.
    """

    title: str
    data: tuple[str, ...]


_OF_VISIT = "(SELECT {} FROM reservation r WHERE r.id = eventemail.reservation_id)"
_LONGEST_VISIT = (
    "(SELECT MAX(r.fin - r.debut) / 60 FROM reservation r WHERE r.prestation_id = prestation.id)"
)
_RANGES = " ".join(
    f"WHEN fin - debut <= {days} * 86400 THEN {days}"
    for days in (1, 2, 4, 8, 16, 32, 64, 128, 256)
)

MIGRATIONS = (  # the version of a database is the number of its last migration
    Migration(
        "constraints have names, a message keeps the facts of its visit",
        (
            "UPDATE utilisateur SET reinit_jusqua = 0 WHERE reinit_jusqua IS NULL",
            "UPDATE utilisateur SET flux_version = 1 WHERE flux_version IS NULL",
            "UPDATE entreprise SET flux_version = 1 WHERE flux_version IS NULL",
            "UPDATE entreprise SET calendrier_version = 0 WHERE calendrier_version IS NULL",
            # The first versions had no worker: their messages are still queued, also those about
            # past visits.
            "UPDATE eventemail SET statut = 'abandonne',"
            " derniere_erreur = 'the visit had begun before the upgrade'"
            " WHERE statut = 'attente' AND sequence IS NULL"
            f" AND {_OF_VISIT.format('r.debut')} <= {{now}}",
            f"UPDATE eventemail SET debut = {_OF_VISIT.format('r.debut')},"
            f" fin = {_OF_VISIT.format('r.fin')},"
            f" sequence = COALESCE({_OF_VISIT.format('r.version')}, 0) WHERE sequence IS NULL",
        ),
    ),
    Migration(
        "each list has an index in its order",
        (
            "UPDATE prestation SET duree_max_minutes = duree_minutes"
            " WHERE duree_max_minutes IS NULL",
            # The service may have been longer when it was booked.
            f"UPDATE prestation SET duree_max_minutes = {_LONGEST_VISIT}"
            f" WHERE duree_max_minutes < {_LONGEST_VISIT}",
            f"UPDATE evenement SET portee_jours = CASE {_RANGES} ELSE 512 END"
            " WHERE portee_jours IS NULL",
        ),
    ),
)
