"""Finds the customer records that the lines of an import are about, by the rules of
`records.described`.

Reads only the records that may match: a business may have very many, and an import delays the
bookings of all businesses in an SQLite file.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

from peewee import chunked

from reservation.domain.customers.records import Details
from reservation.storage.database import Database, marks

_AT_ONCE = 500  # maximum number of values in one statement
_COLUMNS = (
    "c.id, c.utilisateur_id, c.suit_compte = 0 AND c.email <> COALESCE(u.email, ''),"
    " c.nom, c.prenom, c.email, c.telephone, c.note"
)
_KNOWN = (
    "FROM client c LEFT JOIN utilisateur u ON u.id = c.utilisateur_id"
    " WHERE c.entreprise_id = ? AND {} IN ({})"
)
_CALLED = (
    "SELECT nom_cle, telephone_cle, id FROM client"
    " WHERE entreprise_id = ? AND email = '' AND telephone_cle IN ({})"
)
_PROVEN = "SELECT email, id FROM utilisateur WHERE email_prouve_le IS NOT NULL AND email IN ({})"


class Described(NamedTuple):
    """A line of an import: a customer and a note."""

    details: Details
    note: str = ""


@dataclass(slots=True)
class Counts:
    """The numbers of lines that create a record, change a record or change nothing."""

    nouveaux: int = 0
    modifies: int = 0
    inchanges: int = 0


@dataclass(slots=True)
class KnownCustomer:
    """A customer record, as changed by the lines that were read so far. `id` is 0 for a new
    record. `by_owner` is True if the owner wrote the e-mail address."""

    id: int
    account_id: int | None
    by_owner: bool
    words: Details
    note: str = ""
    renamed: bool = False
    changed: bool = False

    def write(self, line: Described) -> bool:
        """Copies the non-empty values of the line. Returns whether the record has changed."""
        given = {name: word for name, word in line.details._asdict().items() if word}
        words, note = self.words._replace(**given), line.note or self.note
        renamed, noted = words != self.words, note != self.note
        self.words, self.note = words, note
        self.renamed |= renamed
        self.changed |= renamed or noted
        return renamed or noted


class Candidates(NamedTuple):
    """The stored records that some lines may be about, in the order of `records.find`.

    `accounts` maps each proven e-mail address of the lines to the id of its account.
    """

    rows: list[list[Any]]
    accounts: dict[str, int]


class CustomerLines:
    def __init__(self, lines: list[Described]) -> None:
        self.all = lines
        self._emails = {line.details.email for line in lines} - {""}
        self._calls = {_call(line.details) for line in lines if not line.details.email}

    def candidates(self, db: Database, entreprise_id: int, lock: str = "") -> Candidates:
        """Reads the candidates. `lock` is added to the query for the accounts."""
        accounts = self.accounts(db, lock)
        found = {}
        for column, values in (
            ("c.email", self._emails),
            ("c.utilisateur_id", accounts.values()),
            ("c.id", self._called(db, entreprise_id)),
        ):
            for some in chunked(sorted(values), _AT_ONCE):
                source = _KNOWN.format(column, marks(some))
                for row in db.many_rows(_COLUMNS, source, entreprise_id, *some):
                    found[row[0]] = row
        rows = sorted(found.values(), key=lambda row: (row[1] is None, row[0]))
        return Candidates(rows, accounts)

    def _called(self, db: Database, entreprise_id: int) -> list[int]:
        """Returns the ids of the records without an address that have the telephone and the name
        of a line. Reads only the keys, because many records may have the same telephone."""
        telephones = {telephone for _, telephone in self._calls}
        return [
            id for some in chunked(sorted(telephones), _AT_ONCE)
            for *call, id in db.rows(_CALLED.format(marks(some)), entreprise_id, *some)
            if tuple(call) in self._calls
        ]

    def accounts(self, db: Database, lock: str) -> dict[str, int]:
        found: dict[str, int] = {}
        for some in chunked(sorted(self._emails), _AT_ONCE):
            found.update(db.rows(_PROVEN.format(marks(some)) + lock, *some))
        return found


class Records:
    """The records after the import: the candidates, as the lines change them, and the new records.
    They are in memory, to avoid a query for each line.

    `addresses` has each candidate, with its e-mail address before the import.
    """

    def __init__(self, lines: CustomerLines, candidates: Candidates) -> None:
        self._accounts = candidates.accounts
        self.counts = Counts()
        self.all: list[KnownCustomer] = []
        self._found: dict[object, KnownCustomer] = {}
        self._exported: dict[Described, KnownCustomer] = {}
        for id, account_id, by_owner, *words, note in candidates.rows:
            self._add(KnownCustomer(id, account_id, bool(by_owner), Details(*words), note))
        self.addresses = [(one, one.words.email) for one in self.all]
        for line in lines.all:
            self._write(line)

    def _add(self, known: KnownCustomer) -> None:
        self.all.append(known)
        self._exported.setdefault(Described(known.words, known.note), known)
        if known.account_id is not None:
            self._found[known.account_id] = known
            if known.by_owner and known.words.email:
                self._found.setdefault((known.words.email,), known)
        elif known.words.email:
            self._found.setdefault(known.words.email, known)
        if not known.words.email:
            for key in _call_keys(known.words):
                self._found.setdefault(key, known)

    def _write(self, line: Described) -> None:
        email = line.details.email
        account_id = self._accounts.get(email)
        # `_found` has a record with an account under the account's id and, if the owner wrote the
        # address, also under (email,). A record without an account is under `email`, and comes
        # last, as in `records.find`.
        keys = [account_id or (email,), email] if email else _call_keys(line.details)
        # A line that equals the export of a record is about that record, even if another record
        # has the same address.
        known = self._exported.get(line)
        if known is None or known.changed:
            known = next((self._found[key] for key in keys if key in self._found), None)
        if known is None:
            self._add(KnownCustomer(0, account_id, False, line.details, line.note))
            self.counts.nouveaux += 1
        elif known.write(line):
            self.counts.modifies += 1
        else:
            self.counts.inchanges += 1


def _call_keys(words: Details) -> list[tuple[str, ...]]:
    call = _call(words)
    return [(*call, words.telephone), call]


def _call(words: Details) -> tuple[str, ...]:
    return tuple(words.keys().values())
