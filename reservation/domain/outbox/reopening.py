"""Tells customers who know of a closure that their visits take place after all."""

from reservation.domain.calendar.lateness import COVERS, DURING
from reservation.domain.calendar.plans import LONGEST_VISIT
from reservation.domain.outbox import outbox
from reservation.storage.database import Database
from reservation.storage.models import Evenement

_CLOSURE = f"SELECT v.id FROM evenement v WHERE {COVERS}"
# The customer knows of a closure at the time of the visit, and of no end of this closure.
_NEWS = (
    "SELECT m.id FROM eventemail m WHERE m.reservation_id = r.id AND m.genre = 'fermeture'"
    " AND m.statut IN ('envoi', 'envoye') AND m.debut = r.debut AND m.fin = r.fin"
    " AND NOT EXISTS (SELECT n.id FROM eventemail n WHERE n.reservation_id = r.id"
    " AND n.genre = 'maintenue' AND n.statut <> 'abandonne' AND n.id > m.id)"
)
_TELL = outbox.INTO + outbox.select_from(
    "reservation r JOIN client c ON c.id = r.client_id WHERE r.entreprise_id = ? AND r.debut > ?"
    f" AND {DURING.format(fin='?', debut='?', ressource='?')} AND r.statut = 'confirmee'"
    f" AND c.email <> '' AND EXISTS ({_NEWS}) AND NOT EXISTS ({_CLOSURE}) ORDER BY r.debut, r.id",
    **outbox.OF_BOOKING,
    genre="'maintenue'",
    destinataire="c.email",
)


def tell(db: Database, before: Evenement, now: int) -> None:
    """Queues a message to the customer of each coming confirmed booking that no closure covers any
    more, if the customer was told of a closure. Call in the transaction that has changed or
    removed the event `before`."""
    if before.type == "fermeture":
        since, during = max(now, before.debut - LONGEST_VISIT), (before.fin, before.debut)
        db.write(_TELL, now, now, before.entreprise_id, since, *during, before.ressource_id)
