"""Counts attempts, and makes people wait who make too many.

A count is kept for a digest of what it is about: the purpose, and an e-mail address, the network
of a client, or the pair of them. Whether the address has an account makes no difference. Each
count is taken by a conditional write, which two nodes of a cluster cannot both commit.
"""

import hashlib
import ipaddress
from collections.abc import Callable
from dataclasses import dataclass

import peewee

from reservation.lib import addresses
from reservation.storage.database import Database, transaction

DAY = 86400
BATCH = 500  # rows that one transaction of `purge` deletes at most
_PREFIXES = {4: 24, 6: 64}  # what one customer of a provider has at hand

# MySQL assigns from left to right, so `depuis` comes after what is computed from its old value.
_COUNT = (
    "UPDATE tentative SET bloque_jusqua = 0,"
    " nombre = CASE WHEN depuis > ? AND depuis <= ? THEN nombre + 1 ELSE 1 END,"
    " depuis = CASE WHEN depuis > ? AND depuis <= ? THEN depuis ELSE ? END"
    " WHERE cle = ? AND (bloque_jusqua <= ? OR bloque_jusqua > ?)"
)
_FIRST = "INSERT INTO tentative (cle, nombre, depuis, bloque_jusqua) VALUES (?, 1, ?, 0)"
_LOCK = "UPDATE tentative SET bloque_jusqua = ? WHERE cle = ?"
_STALE = "(depuis > ? OR depuis <= ? AND (bloque_jusqua <= ? OR bloque_jusqua > ?))"


@dataclass(frozen=True, slots=True)
class Limit:
    """`most` attempts within `period` seconds. From that one on, each attempt locks: the first
    for `shortest` seconds, each further one for twice as long, up to `longest`."""

    purpose: str
    most: int
    period: int
    shortest: int
    longest: int

    def pause(self, count: int) -> int:
        """Returns for how many seconds attempt number `count` locks."""
        beyond = count - self.most
        return min(self.shortest * 2 ** min(beyond, 30), self.longest) if beyond >= 0 else 0

    def key(self, about: str) -> str:
        return hashlib.sha256(f"{self.purpose}\0{about}".encode()).hexdigest()


def network(client: str) -> str:
    """Returns the /24 or /64 of a client's address; "" if it has none, as on a socket file."""
    try:
        address = ipaddress.ip_address(client.partition("%")[0])
    except ValueError:
        return ""
    mapped = getattr(address, "ipv4_mapped", None) or address
    return str(ipaddress.ip_network((mapped, _PREFIXES[mapped.version]), strict=False))


def pair(email: str, client: str) -> str:
    """What a count is about: an address as it is typed from the network of a client."""
    return f"{addresses.normalised(email)}\0{network(client)}"


def wait(db: Database, limit: Limit, about: str, now: int) -> int | None:
    """Returns the seconds until the next attempt, 0 if it may be made; None if none was counted.

    A lock that ends later than any lock could is void: the clock was wrong.
    """
    rows = db.rows("SELECT bloque_jusqua FROM tentative WHERE cle = ?", limit.key(about))
    if not rows:
        return None
    left = rows[0][0] - now
    return left if 0 < left <= limit.longest else 0


def count(db: Database, limit: Limit, about: str, now: int) -> int:
    """Counts an attempt; within a transaction. Returns 0, or if the attempt is not allowed the
    seconds to wait; it is not counted then."""
    key = limit.key(about)
    if not _counted(db, limit, key, now):
        left = wait(db, limit, about, now)
        if left:
            return left
        if not _inserted(db, key, now) and not _counted(db, limit, key, now):
            return wait(db, limit, about, now) or 1  # others were quicker
    ((number,),) = db.rows("SELECT nombre FROM tentative WHERE cle = ?", key)
    pause = limit.pause(number)
    if pause:
        db.write(_LOCK, now + pause, key)
    return 0


def _counted(db: Database, limit: Limit, key: str, now: int) -> bool:
    window = (now - limit.period, now + limit.period)
    longest = now + limit.longest
    return bool(db.write(_COUNT, *window, *window, now, key, now, longest).rowcount)


def _inserted(db: Database, key: str, now: int) -> bool:
    try:
        db.write(_FIRST, key, now)
    except peewee.IntegrityError as ex:
        if not db.violates(ex, "tentative", "cle"):
            raise
        return False
    return True


def forget(db: Database, limit: Limit, about: str) -> None:
    """The next attempt is the first one again."""
    db.write("DELETE FROM tentative WHERE cle = ?", limit.key(about))


def purge(db: Database, now: int, stopping: Callable[[], bool]) -> None:
    """Deletes counts that are older than a day, in batches."""
    stale = (now + DAY, now - DAY, now, now + DAY)
    while not stopping():
        found = db.rows(f"SELECT id FROM tentative WHERE {_STALE} LIMIT {BATCH}", *stale)
        if not found:
            break
        ids = ", ".join(str(number) for (number,) in found)
        delete = f"DELETE FROM tentative WHERE id IN ({ids}) AND {_STALE}"
        transaction(db, lambda: db.write(delete, *stale))  # noqa: B023
