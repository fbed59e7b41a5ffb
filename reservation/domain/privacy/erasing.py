"""Erases a customer of one business, or an account and all customer records of the account."""

from collections.abc import Callable
from functools import partial

from reservation.conflicts import BusinessOpen, CustomerHasUpcoming
from reservation.domain import states
from reservation.domain.booking import changing
from reservation.domain.customers.file import CustomerFile
from reservation.domain.messages.messages import TO_ACCOUNT
from reservation.domain.outbox.holding import REASONS
from reservation.domain.outbox.outbox import HELD, NO_TEXTS, QUEUED, TO_BUSINESS
from reservation.domain.people import accounts, attempts, codes, credentials, resetting, sessions
from reservation.domain.people.sessions import Account
from reservation.domain.planning import photos, team
from reservation.domain.privacy import anonymising
from reservation.errors import DatabaseUnavailable, NotFound
from reservation.lib.folding import search_key
from reservation.storage.database import Database, check_version, transaction
from reservation.storage.models import (
    Client,
    Code,
    Entreprise,
    EventEmail,
    Reservation,
    Utilisateur,
)

ERASED = "Compte effacé"
_ATTEMPTS = 10  # maximum number of attempts of `erase_account`, if the caller books meanwhile
_UPCOMING = (
    f"SELECT r.id FROM reservation r WHERE {{}} AND r.debut > ? AND r.statut IN {states.OPEN}"
)
_OF_CUSTOMER = _UPCOMING.format("r.client_id = ?")
_OF_ACCOUNT = _UPCOMING.format("r.titulaire_id = ?")
# The unsent messages that tell a customer not to come. Omits messages that a restore has held,
# because they may have been sent before, and the erasures since the backup are repeated.
_UNTOLD = (
    "SELECT m.id FROM reservation r JOIN eventemail m ON m.reservation_id = r.id"
    " WHERE r.client_id = ? AND r.debut > ? AND m.genre IN ('annulee_entreprise', 'refusee')"
    f" AND (m.statut IN {QUEUED} OR m.statut = '{HELD}' AND m.derniere_erreur IN {REASONS})"
)
_OPEN_BUSINESS = (
    "SELECT e.id FROM entreprise e WHERE e.proprietaire_id = ? AND (e.actif = 1"
    f" OR EXISTS ({_UPCOMING.format('r.entreprise_id = e.id')}))"
)


def erase_customer(
    db: Database, customer: CustomerFile, version: int | None, now: int
) -> None:
    """Anonymises the record of a customer in one business.

    Raises StaleVersion if `version` is given and not current. Raises CustomerHasUpcoming if the
    customer has upcoming bookings, or has not been told yet that the business has cancelled such
    a booking or refused such a request.
    """

    def work() -> None:
        anonymising.lock(db, [customer.id])
        check_version(Client.select().where(Client.id == customer.id).first(db), version)
        if any(db.rows(sql, customer.id, now) for sql in (_OF_CUSTOMER, _UNTOLD)):
            raise CustomerHasUpcoming()
        anonymising.anonymise(db, [customer.id])

    transaction(db, work)


def erase_account(db: Database, asking: Account, password: str, rounds: int, now: int) -> None:
    """Cancels the upcoming bookings of the caller and erases the account.

    Raises InvalidCredentials if the account has a password and `password` is wrong, and
    TooManyFailures after too many wrong passwords. Raises BusinessOpen if the caller owns a
    business that is active or has upcoming bookings. Raises TokenInvalid if the account was erased
    meanwhile. Retries if the caller books meanwhile, and raises DatabaseUnavailable after
    `_ATTEMPTS` attempts.
    """
    credentials.check_own(db, asking.id, password, rounds, now)
    for _ in range(_ATTEMPTS):
        if db.rows(_OPEN_BUSINESS, asking.id, now):
            raise BusinessOpen()
        try:
            for (number,) in db.rows(_OF_ACCOUNT, asking.id, now):
                changing.cancel(db, asking, number, now, erases=True)
            if transaction(db, partial(erase, db, asking.id, now)):
                return
        except NotFound:
            accounts.get(db, asking.id)  # raises TokenInvalid if the account was erased
    raise DatabaseUnavailable()


def erase(
    db: Database, account_id: int, now: int, check: Callable[[], bool] = lambda: True
) -> bool:
    """Erases an account. Call within a transaction.

    Returns False if the account has an upcoming booking, or owns a business that is active or has
    upcoming bookings. Also returns False if the account got a new customer record while `erase`
    waited for locks, or if `check`, called while the account is locked, returns False. Raises
    NotFound if the account does not exist.
    """
    mine = Utilisateur.id == account_id
    records = _records_of(db, account_id)
    anonymising.lock(db, records)
    # FOR UPDATE prevents other transactions from adding rows that refer to this account.
    if not db.rows(f"SELECT id FROM utilisateur WHERE id = ?{db.FOR_UPDATE}", account_id):
        raise NotFound()
    has_booked = _records_of(db, account_id) != records
    if has_booked or db.rows(_OF_ACCOUNT, account_id, now) or not check():
        return False
    if db.rows(_OPEN_BUSINESS, account_id, now):
        return False
    account = Utilisateur.select().where(mine).get(db)
    anonymising.anonymise(db, records)
    Reservation.update(demandeur=None, cle_idempotence=None, empreinte=None).where(
        Reservation.demandeur == account_id
    ).execute(db)
    team.detach(db, account_id)
    sql = "SELECT id FROM entreprise WHERE proprietaire_id = ?"
    owned = [id for (id,) in db.rows(sql, account_id)]
    _forget_address(db, account, owned)
    if owned:
        _empty(db, account, owned, now)
    else:
        Utilisateur.delete().where(mine).execute(db)
    return True


def _records_of(db: Database, account_id: int) -> list[int]:
    sql = "SELECT id FROM client WHERE utilisateur_id = ? ORDER BY id"
    return [id for (id,) in db.rows(sql, account_id)]


def _forget_address(db: Database, account: Utilisateur, owned: list[int]) -> None:
    """Deletes the messages, codes and counts of attempts for the account's e-mail address.

    An unproven address may belong to another person, who may have just asked for a code. So for an
    unproven address, deletes only messages: those of the account's businesses (`owned`), and those
    of the kinds TO_ACCOUNT that are not queued.
    """
    email = account.email
    to_it = EventEmail.destinataire == email
    if account.email_prouve_le is None:
        about_it = EventEmail.genre.in_(TO_ACCOUNT) & EventEmail.statut.not_in(QUEUED)
        to_it &= EventEmail.entreprise.in_(owned) | about_it
    else:
        Code.delete().where(Code.cle == codes.key_of(email)).execute(db)
        for limit in (resetting.PER_ADDRESS, codes.PER_ADDRESS):
            attempts.forget(db, limit, email)
    EventEmail.delete().where(to_it).execute(db)


def _empty(db: Database, account: Utilisateur, owned: list[int], now: int) -> None:
    """Removes personal data from an owner's account and businesses. Keeps the row of the
    account, because each business needs an owner."""
    photos.remove_all(db, owned)
    team.anonymise(db, owned, account.prenom, ERASED)
    about = EventEmail.entreprise.in_(owned)
    EventEmail.delete().where(about & EventEmail.genre.in_(TO_BUSINESS)).execute(db)
    # The texts contain the business's telephone number, which is the owner's personal data.
    EventEmail.update(NO_TEXTS).where(about & EventEmail.statut.not_in(QUEUED)).execute(db)
    texts = {"telephone": "", "email": "", "adresse": "", "description": ""}
    Entreprise.update(**texts, version=Entreprise.version + 1).where(
        Entreprise.id.in_(owned)
    ).execute(db)
    Utilisateur.update(
        email=f"{account.id}{accounts.ERASED}",  # unique
        email_prouve_le=None,
        mot_de_passe_hash=None,
        nom=ERASED,
        nom_cle=search_key(ERASED),
        prenom="",
        date_naissance=None,
        telephone="",
        ecole="",
        actif=False,
        **sessions.all_revoked(now),
    ).where(Utilisateur.id == account.id).execute(db)
