"""Password resets. A token is sent by mail, and can be used once within an hour.

A request does not reveal whether an address has an account, because `ask` does not read accounts.
`issue` reads the account later, when the message is sent.
"""

import hashlib
import secrets

from reservation.domain.outbox import outbox
from reservation.domain.people import accounts, attempts, credentials, passwords, proving
from reservation.domain.people.attempts import Limit
from reservation.errors import ResetTokenInvalid
from reservation.lib import addresses
from reservation.storage.database import Database, transaction
from reservation.storage.models import Utilisateur

GENRE = "mot_de_passe"
LIFETIME = 3600  # seconds
# PER_NETWORK prevents a client from filling the tables with made-up addresses.
PER_ADDRESS = Limit.flat("reset of an address", most=1, period=300)
PER_NETWORK = Limit.flat("resets of a network", most=20, period=3600)


def ask(db: Database, email: str, client: str, now: int) -> None:
    """Queues a message with a reset link, unless the address has reached the limit PER_ADDRESS.

    Does not look for the account, so that nobody can find out whether the address has an account.
    Raises TooManyAttempts if the client's network has reached PER_NETWORK.
    """

    def work() -> None:
        attempts.spend(db, PER_NETWORK, attempts.network(client), now)
        if not attempts.count(db, PER_ADDRESS, email, now):
            outbox.tell_account(db, GENRE, email, now)

    transaction(db, work)


def issue(db: Database, email: str, now: int) -> str | None:
    """Returns a new token for the account of this address, and revokes the old token. Returns None
    if no active account has the address."""
    token = secrets.token_urlsafe(32)
    stored = Utilisateur.update(
        reinit_empreinte=_fingerprint(token), reinit_jusqua=now + LIFETIME
    ).where((Utilisateur.email == addresses.normalised(email)) & Utilisateur.actif)
    return token if transaction(db, lambda: stored.execute(db)) else None


def redeem(
    db: Database, token: str, password: str, rounds: int, client: str, now: int
) -> None:
    """Sets a new password for the account of a reset token. Revokes the access tokens of the
    account, and records the address as proven.

    Raises ResetTokenInvalid if the token is unknown, used or expired, or if the account is
    disabled. If the password is too short or too long, raises InvalidInput, and the reset token
    stays valid.
    """
    accounts.check_password(password)
    good = (
        (Utilisateur.reinit_empreinte == _fingerprint(token))
        & (Utilisateur.reinit_jusqua > now)
        & Utilisateur.actif
    )
    account = Utilisateur.select(Utilisateur.id, Utilisateur.email).where(good).first(db)
    if account is None:
        raise ResetTokenInvalid()
    stored = passwords.hashed(password, rounds)  # slow; meanwhile the token may be used or expire
    mine = Utilisateur.id == account.id

    def replace() -> None:
        if not credentials.replace_password(db, stored, now, mine, good):
            raise ResetTokenInvalid()
        proving.shut_out(db, account.id)
        proving.prove(db, account.id, now, releases=False)
        attempts.forget(db, credentials.FAILURES, attempts.pair(account.email, client))

    transaction(db, replace)


def _fingerprint(token: str) -> str:
    """Returns the digest to store. A fast hash is safe, because a token has 256 random bits."""
    return hashlib.sha256(token.encode()).hexdigest()
