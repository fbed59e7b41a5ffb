"""The outbox: a message is queued in the transaction that it tells of, and sent later."""

from typing import NamedTuple

from reservation.domain import instants
from reservation.domain.availability import Offered, Terms
from reservation.storage.database import Database

# What a message tells its reader, by its kind: the state that the reservation went to,
# or that it was moved.
SUBJECTS = {
    "demandee": "Demande reçue",
    "confirmee": "Réservation confirmée",
    "deplacee": "Réservation déplacée",
    "refusee": "Demande refusée",
    "annulee": "Réservation annulée",
}


_INSERT = (
    "INSERT INTO eventemail (reservation_id, entreprise_id, genre, destinataire, sequence, sujet,"
    " corps, statut, essais, prochain_essai, cree_le)"
    " SELECT ?, ?, ?, email, 0, ?, ?, 'attente', 0, ?, ? FROM utilisateur WHERE id = ?"
)


class News(NamedTuple):
    """What happened to whose reservation; genre is a key of SUBJECTS, or nothing to tell."""

    reservation_id: int
    utilisateur_id: int
    genre: str
    debut: int


def enqueue(db: Database, news: News, entreprise: Terms, service: Offered, now: int) -> None:
    """Queue the customer's message, in the transaction that it tells of."""
    subject = SUBJECTS.get(news.genre)
    if subject is None:
        return
    when = instants.to_iso(news.debut, instants.zone_of(entreprise.fuseau))
    text = f"{subject}\n\n{service.nom}\n{entreprise.nom}\n{when} ({entreprise.fuseau})\n"
    db.write(
        _INSERT,
        news.reservation_id,
        entreprise.id,
        news.genre,
        f"{subject} : {service.nom}"[:250],
        text,
        now,
        now,
        news.utilisateur_id,
    )
