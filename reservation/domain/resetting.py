"""A forgotten password: asked for, sent as a token by mail, good once and for an hour.

Nothing here tells the one who asks whether an address has an account: asking only queues a
message, and whether there is anything to send is found out later, with `issue`.
"""

import hashlib
import secrets
import time

from reservation.domain import accounts, credentials, emails, passwords
from reservation.errors import ResetTokenInvalid
from reservation.storage.database import Database, transaction
from reservation.storage.models import Utilisateur

GENRE = "mot_de_passe"  # of the messages in eventemail
LIFETIME = 3600  # seconds for which a token is good
PAUSE = 300  # seconds before the same address may be written to again

# A row that nobody changes, locked as the turn to ask: without it MariaDB lets several ask at
# once of which each finds no message. Few accounts are admins, so few inserts meet the lock.
_TURN = f"SELECT id FROM typeutilisateur WHERE id = {accounts.ROLES['admin']}"
_QUEUE = (
    "INSERT INTO eventemail (genre, destinataire, sequence, sujet, corps, statut, essais,"
    " prochain_essai, cree_le)"
    " SELECT ?, ?, 0, '', '', 'attente', 0, ?, ? FROM (SELECT 1) AS once WHERE NOT EXISTS"
    " (SELECT 1 FROM eventemail WHERE entreprise_id IS NULL AND destinataire = ? AND genre = ?"
    " AND cree_le > ?)"  # about no business, by which the index finds them
)


def ask(db: Database, email: str, now: int) -> None:
    """Queue the message for a valid address, unless one was queued within PAUSE.

    By the same statements whether or not the address has an account.
    """

    def queue() -> None:
        db.rows(_TURN + db.FOR_UPDATE)
        db.write(_QUEUE, GENRE, email, now, now, email, GENRE, now - PAUSE)

    transaction(db, queue)


def issue(db: Database, email: str, now: int) -> str | None:
    """A new token for the active account of this address, in place of any older one.

    None where there is no such account. One without a password is claimed in this way.
    """
    token = secrets.token_urlsafe(32)
    stored = Utilisateur.update(
        reinit_empreinte=_fingerprint(token), reinit_jusqua=now + LIFETIME
    ).where((Utilisateur.email == emails.normalised(email)) & Utilisateur.actif)
    return token if transaction(db, lambda: stored.execute(db)) else None


def redeem(db: Database, token: str, password: str, rounds: int) -> None:
    """Give the token's account a new password; the older access tokens and the lock end.

    Raises InvalidInput for a password that registration would refuse, which leaves the token
    as good as it was, and ResetTokenInvalid.
    """
    accounts.check_password(password)
    good = (
        (Utilisateur.reinit_empreinte == _fingerprint(token))
        & (Utilisateur.reinit_jusqua > int(time.time()))
        & Utilisateur.actif
    )
    account = Utilisateur.select(Utilisateur.id).where(good).first(db)
    if account is None:
        raise ResetTokenInvalid()
    stored = passwords.hashed(password, rounds)  # takes long: another use may be quicker
    mine = Utilisateur.id == account.id
    if not transaction(db, lambda: credentials.replace_password(db, stored, mine, good)):
        raise ResetTokenInvalid()


def _fingerprint(token: str) -> str:
    """What is stored of a token: 256 random bits need no slow hash."""
    return hashlib.sha256(token.encode()).hexdigest()
