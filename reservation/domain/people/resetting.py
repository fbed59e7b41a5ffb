"""A forgotten password: asked for, sent as a token by mail, good once and for an hour.

Nothing here tells the one who asks whether an address has an account: asking only queues a
message, and whether there is anything to send is found out later, with `issue`.
"""

import hashlib
import secrets
import time

from reservation.domain.people import accounts, attempts, credentials, passwords
from reservation.domain.people.attempts import Limit
from reservation.errors import ResetTokenInvalid, TooManyAttempts
from reservation.lib import addresses
from reservation.storage.database import Database, transaction
from reservation.storage.models import Utilisateur

GENRE = "mot_de_passe"  # of the messages in eventemail
LIFETIME = 3600  # seconds for which a token is good
# An address is written to once in five minutes; a network asks 20 times in an hour, so that
# nobody fills the tables with addresses.
PER_ADDRESS = Limit("reset of an address", most=1, period=300, shortest=300, longest=300)
PER_NETWORK = Limit("resets of a network", most=20, period=3600, shortest=3600, longest=3600)

_QUEUE = (
    "INSERT INTO eventemail (genre, destinataire, sequence, sujet, corps, statut, essais,"
    " prochain_essai, cree_le) VALUES (?, ?, 0, '', '', 'attente', 0, ?, ?)"
)


def ask(db: Database, email: str, client: str, now: int) -> None:
    """Queues the message for a valid address, unless PER_ADDRESS is reached.

    By the same statements whether or not the address has an account. Raises TooManyAttempts if
    the network of the client has reached PER_NETWORK.
    """

    def queue() -> None:
        wait = attempts.count(db, PER_NETWORK, attempts.network(client), now)
        if wait:
            raise TooManyAttempts(wait)
        if not attempts.count(db, PER_ADDRESS, email, now):
            db.write(_QUEUE, GENRE, email, now, now)

    transaction(db, queue)


def issue(db: Database, email: str, now: int) -> str | None:
    """A new token for the active account of this address, in place of any older one.

    None where there is no such account. One without a password is claimed in this way.
    """
    token = secrets.token_urlsafe(32)
    stored = Utilisateur.update(
        reinit_empreinte=_fingerprint(token), reinit_jusqua=now + LIFETIME
    ).where((Utilisateur.email == addresses.normalised(email)) & Utilisateur.actif)
    return token if transaction(db, lambda: stored.execute(db)) else None


def redeem(db: Database, token: str, password: str, rounds: int, client: str) -> None:
    """Gives the token's account a new password; the older access tokens end, and so does the
    lock after failed logins from the client's network.

    Raises InvalidInput for a password that registration would refuse, which leaves the token
    as good as it was, and ResetTokenInvalid.
    """
    accounts.check_password(password)
    good = (
        (Utilisateur.reinit_empreinte == _fingerprint(token))
        & (Utilisateur.reinit_jusqua > int(time.time()))
        & Utilisateur.actif
    )
    account = Utilisateur.select(Utilisateur.id, Utilisateur.email).where(good).first(db)
    if account is None:
        raise ResetTokenInvalid()
    stored = passwords.hashed(password, rounds)  # takes long: another use may be quicker
    mine = Utilisateur.id == account.id

    def replace() -> None:
        if not credentials.replace_password(db, stored, mine, good):
            raise ResetTokenInvalid()
        attempts.forget(db, credentials.FAILURES, attempts.pair(account.email, client))

    transaction(db, replace)


def _fingerprint(token: str) -> str:
    """What is stored of a token: 256 random bits need no slow hash."""
    return hashlib.sha256(token.encode()).hexdigest()
