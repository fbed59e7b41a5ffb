"""Codes of six digits, sent by mail. A code proves that a person reads the mail of an address.

The database stores only a digest. A code is valid for LIFETIME seconds, ATTEMPTS attempts and one
use. A new code replaces the old code. This module does not read accounts, so it does not reveal
which addresses have accounts.

The limits allow few guesses per day at the 10^6 possible codes:
- For one address, all networks together have 50 guesses: 10 codes (PER_ADDRESS), with 5 guesses
  for each code (ATTEMPTS).
- For all addresses together, one network has about 55 guesses: 30 guesses (WRONG), and then one
  guess after each lock. Locks last 10 to 60 minutes, so a day has about 25 locks.
"""

import hashlib
import secrets
from collections.abc import Iterator

from reservation.domain.outbox import outbox
from reservation.domain.people import attempts
from reservation.domain.people.attempts import Limit
from reservation.lib import addresses
from reservation.lib.instants import DAY
from reservation.lib.signatures import Signer
from reservation.storage.database import Database, in_batches, transaction
from reservation.storage.models import Code

GENRE = "code"
LIFETIME = 600  # seconds
ATTEMPTS = 5
# A pair is an address and a network. Without PER_PAIR, one network could reach PER_ADDRESS, and so
# lock out the address.
PER_PAIR = Limit("codes of a pair", most=5, period=DAY, shortest=3600, longest=DAY)
PER_ADDRESS = Limit.flat("codes of an address", most=10, period=DAY)
PER_NETWORK = Limit("codes of a network", most=50, period=3600, shortest=600, longest=3600)
WRONG = Limit("wrong codes of a network", most=30, period=DAY, shortest=600, longest=3600)

_COUNT = "UPDATE code SET essais = essais + 1 WHERE cle = ? AND essais < ? AND jusqua > ?"
_DIGEST = "SELECT empreinte FROM code WHERE cle = ?"
_USE = "DELETE FROM code WHERE cle = ? AND empreinte = ?"


class Codes:
    """Makes and checks codes. The limits PER_PAIR, PER_ADDRESS, PER_NETWORK and WRONG apply only
    if `limited` is True."""

    def __init__(self, secret: str, limited: bool = True) -> None:
        self._signer = Signer(secret, "reservation: code by mail")
        self._limited = limited

    def ask(self, db: Database, email: str, langue: str, client: str, now: int) -> None:
        """Queues a message with a code. The message is in the language of the account, or in
        `langue` if no account has the address. Raises TooManyAttempts if the address or the
        client's network has reached a limit."""

        def queue() -> None:
            if self._limited:
                attempts.spend(db, PER_NETWORK, attempts.network(client), now)
                attempts.spend(db, PER_PAIR, attempts.pair(email, client), now)
                attempts.spend(db, PER_ADDRESS, email, now)
            outbox.tell_account(db, GENRE, email, now, langue)

        transaction(db, queue)

    def issue(self, db: Database, email: str, now: int) -> str:
        """Returns a new code for the address, and revokes the old code."""
        code = f"{secrets.randbelow(10**6):06}"
        digest = self._signer.sign(code, addresses.normalised(email))
        new = {"cle": key_of(email), "empreinte": digest, "essais": 0, "jusqua": now + LIFETIME}
        transaction(db, lambda: Code.replace(new).execute(db))
        return code

    def use(self, db: Database, email: str, code: str, client: str, now: int) -> bool:
        """Counts an attempt, and returns whether `code` is right. If so, deletes the stored code.

        Ignores blanks in `code`. Raises TooManyAttempts if the client's network has sent too
        many wrong codes. Call within a transaction, and commit even after a wrong code: a rollback
        would undo the count.
        """
        key, network = key_of(email), attempts.network(client)
        if self._limited:
            attempts.spend(db, WRONG, network, now)
        is_counted = db.write(_COUNT, key, ATTEMPTS, now).rowcount == 1
        rows = db.rows(_DIGEST, key)
        stored = rows[0][0] if rows else ""
        typed = "".join(code.split())
        is_right = self._signer.is_of(stored, typed, addresses.normalised(email))
        if not (is_counted and is_right and db.write(_USE, key, stored).rowcount == 1):
            return False
        if self._limited:
            attempts.give_back(db, WRONG, network)
        return True


def key_of(email: str) -> str:
    """Returns the key of the address in the table `code`."""
    return hashlib.sha256(addresses.normalised(email).encode()).hexdigest()


def purge(db: Database, now: int) -> Iterator[None]:
    """Deletes expired codes, in batches. Yields before each batch."""
    return in_batches(db, Code.delete(), Code.jusqua <= now, attempts.BATCH)
