"""Proof that the holder of an account reads the mail of its address."""

from reservation.domain.customers import linking
from reservation.errors import AddressUnproven
from reservation.storage.database import Database
from reservation.storage.models import Utilisateur


def prove(db: Database, account_id: int, now: int) -> None:
    """Records the proof, and gives the account what businesses have booked for its address.

    Call within a transaction.
    """
    mine = Utilisateur.id == account_id
    Utilisateur.update(email_prouve_le=now).where(mine).execute(db)
    linking.link(db, account_id, Utilisateur.select().where(mine).get(db).email)


def require(db: Database, account_id: int) -> None:
    """Raises AddressUnproven unless the holder has proven the address."""
    mine = (Utilisateur.id == account_id) & Utilisateur.email_prouve_le.is_null(False)
    if not Utilisateur.select().where(mine).exists(db):
        raise AddressUnproven()
