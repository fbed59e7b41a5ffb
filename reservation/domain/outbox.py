"""The outbox: a message is queued in the transaction that it tells of, and sent later."""

from reservation.domain import instants
from reservation.storage.database import Database
from reservation.storage.models import (
    Entreprise,
    EventEmail,
    Prestation,
    Reservation,
    Utilisateur,
)

# What a message tells its reader, by its kind: the state that the reservation went to,
# or that it was moved.
SUBJECTS = {
    "demandee": "Demande reçue",
    "confirmee": "Réservation confirmée",
    "deplacee": "Réservation déplacée",
    "refusee": "Demande refusée",
    "annulee": "Réservation annulée",
}


def enqueue(
    db: Database,
    reservation: Reservation,
    entreprise: Entreprise,
    prestation: Prestation,
    genre: str,
    now: int,
) -> None:
    """Queue the customer's message; kinds without a subject are not written about."""
    if genre not in SUBJECTS:
        return
    zone = instants.zone_of(entreprise.fuseau)
    customer = Utilisateur.select(Utilisateur.email).where(
        Utilisateur.id == reservation.utilisateur_id
    )
    EventEmail.insert(
        reservation=reservation.id,
        entreprise=entreprise.id,
        genre=genre,
        destinataire=customer,
        sujet=f"{SUBJECTS[genre]} : {prestation.nom}"[:250],
        corps=(
            f"{SUBJECTS[genre]}\n\n{prestation.nom}\n{entreprise.nom}\n"
            f"{instants.to_iso(reservation.debut, zone)} ({entreprise.fuseau})\n"
        ),
        prochain_essai=now,
        cree_le=now,
    ).execute(db)
