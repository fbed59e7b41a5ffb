"""Proves or changes the e-mail address of an account."""

from typing import NamedTuple

from peewee import fn

from reservation.domain.customers import records
from reservation.domain.outbox import outbox
from reservation.domain.outbox.readdressing import readdress
from reservation.domain.people import accounts, credentials, proving, sessions
from reservation.domain.people.codes import Codes
from reservation.domain.people.sessions import Account
from reservation.errors import CodeInvalid, EmailTaken, TokenInvalid
from reservation.storage.database import Database, refusing_duplicates, transaction
from reservation.storage.models import Client, EventEmail, Reservation, Utilisateur

GENRE = "adresse_changee"  # kind of the message to the old address after a change


class Proof(NamedTuple):
    """An e-mail address, the code that was sent to the address, and the caller's password."""

    email: str
    code: str
    password: str = ""


def prove(
    db: Database, codes: Codes, asking: Account, proof: Proof, rounds: int, client: str, now: int
) -> Utilisateur:
    """Records that the caller's address is proven. First changes the address if `proof` has a new
    address.

    Raises InvalidCredentials if the address is new, the account has a password, and
    `proof.password` is wrong. Raises CodeInvalid if the code is wrong or has expired. Raises
    TooManyAttempts after too many wrong passwords, or too many wrong codes from the client's
    network. Raises EmailTaken if another account has the address. Raises TokenInvalid if the
    caller's token was revoked meanwhile.
    """
    email, before = proof.email, accounts.get(db, asking.id)
    if before.email != email:
        credentials.check_own(db, asking.id, proof.password, rounds, now)

    def work() -> Utilisateur | None:
        if not codes.use(db, email, proof.code, client, now):
            return None
        account = accounts.get(db, asking.id)
        if account.jetons_depuis != before.jetons_depuis:
            raise TokenInvalid()  # for example, another request has changed the address meanwhile
        if account.email != email:
            _change(db, account, email, now)
        # Messages still held after an earlier proof stay held: a stranger may have caused them.
        is_first = account.email_prouve_le is None
        proving.prove(db, asking.id, now, releases=is_first)
        # Call after `prove`, which may move bookings to records with the new address: the messages
        # about these bookings also need the new address.
        written = (Client.utilisateur == account.id) & (Client.email == email)
        for record in Client.select().where(written).execute(db):
            readdress(db, now, record.id, account.email, email)
        return accounts.get(db, asking.id)

    account = transaction(db, work)
    if account is None:
        raise CodeInvalid()
    return account


def _change(db: Database, account: Utilisateur, email: str, now: int) -> None:
    same = (Utilisateur.id == account.id) & (Utilisateur.jetons_depuis == account.jetons_depuis)
    change = Utilisateur.update(email=email, **sessions.all_revoked(now)).where(same)
    with refusing_duplicates(db, "utilisateur", "email", EmailTaken()):
        if not change.execute(db):
            raise TokenInvalid()  # another request has revoked the caller's token meanwhile
    records.follow(db, account.id)
    _readdress_records(db, account, email)
    # Delete all messages about the account except the queued ones. A later erasure finds messages
    # by the present address of the account, so it would not find these.
    about_account = (EventEmail.destinataire == account.email) & EventEmail.reservation.is_null()
    over = EventEmail.statut.not_in(outbox.QUEUED)
    EventEmail.delete().where(about_account & over).execute(db)
    outbox.tell_account(db, GENRE, account.email, now, account.langue)


def _readdress_records(db: Database, account: Utilisateur, email: str) -> None:
    """Replaces the old address in customer records.

    A business where the account has never booked must not learn the new address. In the customer
    record of such a business, deletes the old address without a replacement.
    """
    written = (Client.utilisateur == account.id) & (Client.email == account.email)
    own = (Reservation.client == Client.id) & (Reservation.demandeur == account.id)
    has_booked = fn.EXISTS(Reservation.select(Reservation.id).where(own))
    for address, which in ((email, written & has_booked), ("", written)):
        Client.update(email=address, version=Client.version + 1).where(which).execute(db)
