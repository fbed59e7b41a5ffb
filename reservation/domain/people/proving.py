"""Proven addresses: the holder of the account is known to receive mail at the address."""

from reservation.domain.customers import linking
from reservation.domain.outbox import holding
from reservation.errors import AddressUnproven, TokenInvalid
from reservation.storage.database import Database
from reservation.storage.models import Entreprise, Ressource, Utilisateur


def prove(db: Database, account_id: int, now: int, releases: bool = True) -> None:
    """Records that the address of an account is proven. Call within a transaction.

    Links the account to the customer records and bookings with this address. With `releases`,
    queues the messages that were held back because the address was unproven. Use False if a
    stranger may have registered the account, because the stranger may have caused the messages.
    Raises TokenInvalid if the account was erased.
    """
    mine = Utilisateur.id == account_id
    if not Utilisateur.update(email_prouve_le=now).where(mine).execute(db):
        raise TokenInvalid()  # the account was erased meanwhile
    email = Utilisateur.select().where(mine).get(db).email
    linking.link(db, account_id, email, now)
    if not releases:
        return
    owned = Entreprise.select(Entreprise.id).where(Entreprise.proprietaire == account_id)
    holding.release(db, [row.id for row in owned.execute(db)], holding.UNPROVEN, now)


def shut_out(db: Database, account_id: int) -> None:
    """Ends the access of others to the data of an account and of its businesses if the address is
    unproven, because a stranger may have registered the account. Call within a transaction.

    Revokes the calendar feeds. Removes the e-mail addresses of the businesses, which get messages,
    and the accounts of the persons, which see bookings.
    """
    unproven = (Utilisateur.id == account_id) & Utilisateur.email_prouve_le.is_null()
    renewal = {Utilisateur.flux_version: Utilisateur.flux_version + 1}
    if not Utilisateur.update(renewal).where(unproven).execute(db):
        return
    mine = Entreprise.proprietaire == account_id
    team = Ressource.entreprise.in_(Entreprise.select(Entreprise.id).where(mine))
    for model, which, removed in (
        (Entreprise, mine, {"email": ""}), (Ressource, team, {"utilisateur": None}),
    ):
        versions = {"flux_version": model.flux_version + 1, "version": model.version + 1}
        model.update(**versions, **removed).where(which).execute(db)


def require(db: Database, account_id: int) -> None:
    """Raises AddressUnproven unless the address of the account is proven."""
    mine = (Utilisateur.id == account_id) & Utilisateur.email_prouve_le.is_null(False)
    if not Utilisateur.select().where(mine).exists(db):
        raise AddressUnproven()
