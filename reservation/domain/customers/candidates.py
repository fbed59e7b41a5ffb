"""Reads the customer records that the lines of an import may be about.

A business may have very many records, and an import delays the bookings of all businesses in an
SQLite file.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from peewee import chunked

from reservation.domain.customers.records import Details, name_keys
from reservation.lib.telephones import with_zero, without_zero
from reservation.storage.database import Database, marks

_AT_ONCE = 500  # maximum number of values in one statement
_COLUMNS = (
    "c.id, c.utilisateur_id, c.suit_compte = 0 AND c.email <> COALESCE(u.email, ''),"
    " c.nom, c.prenom, c.email, c.telephone, c.note,"
    " c.suit_compte = 0 AND (c.email <> COALESCE(u.email, '') OR u.email_prouve_le IS NOT NULL)"
)
_KNOWN = (
    "FROM client c LEFT JOIN utilisateur u ON u.id = c.utilisateur_id"
    " WHERE c.entreprise_id = ? AND {} IN ({})"
)
_CALLED = (
    "SELECT nom_cle, telephone_cle, id, email <> '',"
    " CASE email WHEN '' THEN utilisateur_id IS NULL ELSE suit_compte = 0 END FROM client"
    " WHERE entreprise_id = ? AND telephone_cle IN ({})"
)
_PROVEN = "SELECT email, id FROM utilisateur WHERE email_prouve_le IS NOT NULL AND email IN ({})"


class Described(NamedTuple):
    """A line of an import: a customer and a note. `number` is the number of the line, or 0 if the
    line may give another name to the customer of an earlier line."""

    details: Details
    note: str = ""
    number: int = 0


class Candidates(NamedTuple):
    """The stored records that some lines may be about, ordered by id.

    `accounts` maps each proven e-mail address of the lines to the id of its account.
    """

    rows: list[list[Any]]
    accounts: dict[str, int]


class CustomerLines:
    def __init__(self, lines: list[Described]) -> None:
        self.all = lines
        self._emails = {line.details.email for line in lines} - {""}
        self._without = {call_of(line.details) for line in lines if not line.details.email}

    def candidates(self, db: Database, entreprise_id: int, lock: str = "") -> Candidates:
        """Reads the candidates. `lock` is added to the query for the accounts."""
        accounts = self.accounts(db, lock)
        found = {}

        def read(column: str, values: Iterable[Any]) -> None:
            for some in chunked(sorted(values), _AT_ONCE):
                source = _KNOWN.format(column, marks(some))
                for row in db.many_rows(_COLUMNS, source, entreprise_id, *some):
                    found[row[0]] = row

        read("c.email", self._emails)
        read("c.utilisateur_id", accounts.values())
        new = self._emails - set(_found_emails(found.values(), accounts))
        read("c.id", self._called(db, entreprise_id, new))
        return Candidates(sorted(found.values()), accounts)

    def _called(self, db: Database, entreprise_id: int, new: set[str]) -> list[int]:
        """Returns the ids of the records that have the telephone and the name of a line without
        an address, or with an address in `new`. Reads only the keys, because many records may have
        the same telephone."""
        added = {call_of(line.details) for line in self.all if line.details.email in new}
        calls = self._without | {call for call in added if call[1]}
        telephones = sorted({one for _, number in calls for one in (number, without_zero(number))})
        found: dict[tuple[str, str], list[Any]] = defaultdict(list)
        for some in chunked(telephones, _AT_ONCE):
            for nom, telephone, *row in db.rows(_CALLED.format(marks(some)), entreprise_id, *some):
                if (call := (min(name_keys(nom)), with_zero(telephone))) in calls:
                    found[call].append(row)
        ids = []
        for call, rows in found.items():
            ids += [id for id, has_address, _ in rows if not has_address]
            # A line without an address matches a record without an address, if there is one.
            is_found = call not in added and any(not row[1] and row[2] for row in rows)
            if call in self._without and not is_found:
                ids += [id for id, has_address, by_owner in rows if has_address and by_owner]
        return ids

    def accounts(self, db: Database, lock: str) -> dict[str, int]:
        found: dict[str, int] = {}
        for some in chunked(sorted(self._emails), _AT_ONCE):
            found.update(db.rows(_PROVEN.format(marks(some)) + lock, *some))
        return found


def _found_emails(rows: Iterable[list[Any]], accounts: dict[str, int]) -> Iterator[str]:
    """Yields the e-mail addresses by which `recognising.find` certainly finds a record."""
    by_account = {account_id: email for email, account_id in accounts.items()}
    for _, account_id, _, _, _, email, *_ in rows:
        if account_id is None:
            yield email
        elif account_id in by_account:
            yield by_account[account_id]


def call_of(words: Details) -> tuple[str, str]:
    """Returns keys of the name and the telephone, by which `recognising` compares customers."""
    nom_cle, telephone_cle = words.keys().values()
    return min(name_keys(nom_cle)), with_zero(telephone_cle)
