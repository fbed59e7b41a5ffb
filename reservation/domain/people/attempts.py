"""Counts attempts, and locks out clients that make too many attempts.

A count has a purpose, such as "login", and a subject `about`: an e-mail address, a network or
both. A conditional UPDATE counts each attempt, so concurrent attempts cannot exceed a limit, even
on two nodes of a cluster.
"""

import hashlib
import ipaddress
from collections.abc import Iterator
from typing import Any, NamedTuple

import peewee

from reservation.errors import TooManyAttempts
from reservation.lib import addresses
from reservation.lib.instants import DAY
from reservation.storage.database import Database, in_batches, transaction
from reservation.storage.models import Tentative

SKEW = 60  # seconds by which two clocks may differ
BATCH = 500  # maximum number of rows that `purge` deletes in one transaction
# Prefix length by IP version. Addresses with the same prefix count as one client.
_PREFIXES = {4: 24, 6: 64}


class Limit(NamedTuple):
    """After `most` attempts within `period` seconds, locks a subject out for `shortest` seconds.
    Each further attempt doubles this time, up to `longest` seconds."""

    purpose: str
    most: int
    period: int
    shortest: int
    longest: int

    @classmethod
    def flat(cls, purpose: str, most: int, period: int) -> "Limit":
        """Returns a limit whose lockouts all take `period` seconds."""
        return cls(purpose, most, period, shortest=period, longest=period)

    def pause(self, count: int) -> int:
        """Returns the duration of the lockout after `count` attempts, in seconds. Returns 0 if
        `count` is less than `most`."""
        beyond = count - self.most
        return min(self.shortest * 2 ** min(beyond, 30), self.longest) if beyond >= 0 else 0

    def key(self, about: str) -> str:
        return hashlib.sha256(f"{self.purpose}\0{about}".encode()).hexdigest()


def network(client: str) -> str:
    """Returns the network of an IP address: /24 for IPv4, /64 for IPv6. Returns "" if `client` is
    not an IP address."""
    try:
        address = ipaddress.ip_address(client.partition("%")[0])
    except ValueError:
        return ""
    mapped = getattr(address, "ipv4_mapped", None) or address
    return str(ipaddress.ip_network((mapped, _PREFIXES[mapped.version]), strict=False))


def pair(email: str, client: str) -> str:
    """Combines an e-mail address and the client's network into the argument `about` of `count`."""
    return f"{addresses.normalised(email)}\0{network(client)}"


def wait(db: Database, limit: Limit, about: str, now: int) -> int | None:
    """Returns the seconds until the lockout ends, or 0 without a lockout. Returns None if no
    attempt has been counted.

    Ignores a lockout longer than `limit.longest` + SKEW, which comes from a wrong clock.
    """
    found = Tentative.select().where(Tentative.cle == limit.key(about)).first(db)
    if found is None:
        return None
    left = found.bloque_jusqua - now
    return min(left, limit.longest) if 0 < left <= limit.longest + SKEW else 0


def count(db: Database, limit: Limit, about: str, now: int) -> int:
    """Counts an attempt and returns 0. If the subject `about` is locked out, does not count the
    attempt, and returns the seconds to wait. Call within a transaction."""
    key = limit.key(about)
    if not _counted(db, limit, key, now):
        left = wait(db, limit, about, now)
        if left:
            return left
        if not _inserted(db, key, now) and not _counted(db, limit, key, now):
            return wait(db, limit, about, now) or 1  # 0 would mean that the attempt is counted
    _lock_out(db, limit, key, now)
    return 0


def count_all(db: Database, limit: Limit, about: str, number: int, now: int) -> bool:
    """Counts `number` attempts together, and returns True. Counts none and returns False if the
    subject is locked out or has fewer than `number` attempts left. Call within a transaction."""
    key = limit.key(about)
    if number > limit.most:
        return False
    if not _counted(db, limit, key, now, number):
        if wait(db, limit, about, now) is not None or not _inserted(db, key, now, number):
            return False
    _lock_out(db, limit, key, now)
    return True


def used(db: Database, limit: Limit, about: str, now: int) -> int:
    """Returns the number of attempts in the current period, or `limit.most` during a lockout."""
    if wait(db, limit, about, now):
        return limit.most
    counted = (Tentative.cle == limit.key(about)) & _recent(now, limit.period)
    found = Tentative.select().where(counted).first(db)
    return found.nombre if found else 0


def spend(db: Database, limit: Limit, about: str, now: int) -> None:
    """Counts an attempt. Raises TooManyAttempts if the subject `about` is locked out."""
    wait = transaction(db, lambda: count(db, limit, about, now))
    if wait:
        raise TooManyAttempts(wait)


def give_back(db: Database, limit: Limit, about: str) -> None:
    """Undoes the count of one attempt, and ends the lockout. Call within a transaction."""
    mine = Tentative.cle == limit.key(about)
    if not Tentative.delete().where(mine & (Tentative.nombre == 1)).execute(db):
        less = {Tentative.nombre: Tentative.nombre - 1, Tentative.bloque_jusqua: 0}
        Tentative.update(less).where(mine).execute(db)


def _lock_out(db: Database, limit: Limit, key: str, now: int) -> None:
    """Locks the subject of `key` out if its count has reached the limit."""
    mine = Tentative.cle == key
    pause = limit.pause(Tentative.select().where(mine).get(db).nombre)
    if pause:
        Tentative.update(bloque_jusqua=now + pause).where(mine).execute(db)


def _counted(db: Database, limit: Limit, key: str, now: int, number: int = 1) -> bool:
    since, recent = Tentative.depuis, _recent(now, limit.period)
    # MySQL assigns in this order. `nombre` comes first, because `recent` needs the old `depuis`.
    changes = {
        Tentative.nombre: peewee.Case(None, [(recent, Tentative.nombre + number)], number),
        Tentative.depuis: peewee.Case(None, [(recent, since)], now),
        Tentative.bloque_jusqua: 0,
    }
    same = (Tentative.cle == key) & _unlocked(now, limit.longest)
    # Attempts that are counted together must not exceed `most`. A single attempt may exceed `most`
    # after a lockout, because the next lockout is then longer.
    if number > 1:
        before = peewee.Case(None, [(recent, Tentative.nombre)], 0)
        same &= before <= limit.most - number
    return bool(Tentative.update(changes).where(same).execute(db))


def _recent(now: int, period: int) -> Any:
    return (Tentative.depuis > now - period) & (Tentative.depuis <= now + period)


def _unlocked(now: int, longest: int) -> Any:
    until = Tentative.bloque_jusqua
    return (until <= now) | (until > now + longest + SKEW)


def _inserted(db: Database, key: str, now: int, number: int = 1) -> bool:
    """Returns False if another request has stored a count with this key meanwhile."""
    try:
        Tentative.insert(cle=key, nombre=number, depuis=now, bloque_jusqua=0).execute(db)
    except peewee.IntegrityError as ex:
        if not db.violates(ex, "tentative", "cle"):
            raise
        return False
    return True


def forget(db: Database, limit: Limit, about: str) -> None:
    """Deletes the count, and ends the lockout."""
    Tentative.delete().where(Tentative.cle == limit.key(about)).execute(db)


def purge(db: Database, now: int) -> Iterator[None]:
    """Deletes counts older than a day, in batches. Yields before each batch."""
    since = Tentative.depuis
    stale = (since > now + DAY) | (since <= now - DAY) & _unlocked(now, DAY)
    return in_batches(db, Tentative.delete(), stale, BATCH)
