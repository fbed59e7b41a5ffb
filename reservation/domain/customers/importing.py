"""Imports customer records in one transaction, by the rules of `records.described`."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from peewee import chunked

from reservation.domain.calendar import calendar
from reservation.domain.customers.records import Details, Readdress
from reservation.lib.instants import DAY
from reservation.storage.database import Database, marks, overtaken, transaction

_AT_ONCE = 500  # maximum number of addresses in one statement
_COMING = "SELECT DISTINCT client_id FROM reservation WHERE entreprise_id = ? AND debut > ?"
_KNOWN = (
    "SELECT c.id, c.utilisateur_id, c.suit_compte = 0 AND c.email <> COALESCE(u.email, ''),"
    " c.nom, c.prenom, c.email, c.telephone, c.note FROM client c"
    " LEFT JOIN utilisateur u ON u.id = c.utilisateur_id"
    " WHERE c.entreprise_id = ? ORDER BY c.utilisateur_id IS NULL, c.id"
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
class _Known:
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


class _Records:
    """The customer records of a business, in memory to avoid a query for each line of the
    import."""

    def __init__(self, rows: Iterable[tuple], accounts: dict[str, int]) -> None:
        self._accounts = accounts
        self.all: list[_Known] = []
        self._found: dict[object, _Known] = {}
        self._exported: dict[Described, _Known] = {}
        for id, account_id, by_owner, *words, note in rows:
            self._add(_Known(id, account_id, bool(by_owner), Details(*words), note))

    def _add(self, known: _Known) -> None:
        self.all.append(known)
        self._exported.setdefault(Described(known.words, known.note), known)
        if known.account_id is not None:
            self._found[known.account_id] = known
            if known.by_owner and known.words.email:
                self._found.setdefault((known.words.email,), known)
        elif known.words.email:
            self._found.setdefault(known.words.email, known)
        if not known.words.email:
            self._found.setdefault(_call(known.words), known)

    def write(self, line: Described, counts: Counts) -> None:
        email = line.details.email
        account_id = self._accounts.get(email)
        # `_found` has a record with an account under the account's id and, if the owner wrote the
        # address, also under (email,). A record without an account is under `email`, and comes
        # last, as in `records.find`.
        keys = [account_id or (email,), email] if email else [_call(line.details)]
        # A line that equals the export of a record is about that record, even if another record
        # has the same address.
        known = self._exported.get(line)
        if known is None or known.changed:
            known = next((self._found[key] for key in keys if key in self._found), None)
        if known is None:
            self._add(_Known(0, account_id, False, line.details, line.note))
            counts.nouveaux += 1
        elif known.write(line):
            counts.modifies += 1
        else:
            counts.inchanges += 1


def _call(words: Details) -> tuple[str, ...]:
    return tuple(words.keys().values())


def load(
    db: Database, entreprise_id: int, lines: list[Described], now: int, dry_run: bool,
    readdress: Readdress,
) -> Counts:
    """Creates and changes the records that the lines describe, in one transaction. Then calls
    `readdress` for the records with upcoming visits. With `dry_run`, only counts the lines.
    """

    def work() -> Counts:
        calendar.lock(db, entreprise_id)
        accounts = _accounts(db, lines)
        known = _Records(db.rows(_KNOWN, entreprise_id), accounts)
        before = [(one, one.words.email) for one in known.all]
        counts = Counts()
        for line in lines:
            known.write(line, counts)
        if not dry_run:
            _store(db, entreprise_id, known.all, now)
            if _accounts(db, lines) != accounts:  # see `records.check_unproven`
                raise overtaken()
            # `readdress` runs queries, so skip the many records without a coming visit.
            coming = {id for (id,) in db.rows(_COMING, entreprise_id, now - DAY)}
            for one, email in before:
                if one.id in coming:
                    readdress(db, now, one.id, email, one.words.email)
        return counts

    return transaction(db, work)


def _accounts(db: Database, lines: list[Described]) -> dict[str, int]:
    """Maps each proven e-mail address of the lines to the id of its account."""
    emails = sorted({line.details.email for line in lines} - {""})
    found: dict[str, int] = {}
    for some in chunked(emails, _AT_ONCE):
        found.update(db.rows(_PROVEN.format(marks(some)) + db.FOR_SHARE, *some))
    return found


def _store(db: Database, entreprise_id: int, records: list[_Known], now: int) -> None:
    at_first = {"entreprise_id": entreprise_id, "bloque": 0, "version": 1, "cree_le": now}
    rows = [
        {"id": one.id or None, "utilisateur_id": one.account_id, "note": one.note, **at_first,
         "suit_compte": one.id > 0 and not one.renamed, **one.words._asdict(), **one.words.keys()}
        for one in records if one.changed or not one.id
    ]
    if rows:
        given = {name: db.GIVEN.format(name) for name in rows[0]}
        # A record whose details were changed by a line no longer follows its account.
        given["suit_compte"] = f"client.suit_compte AND {given['suit_compte']}"
        kept = {"id", "utilisateur_id", *at_first}
        sets = ", ".join(f"{name} = {given[name]}" for name in given if name not in kept)
        sql = (
            f"INSERT INTO client ({', '.join(rows[0])}) VALUES ({marks(rows[0])})"
            f" {db.IF_ID_EXISTS} {sets}, version = client.version + 1"
        )
        db.write_many(sql, [tuple(row.values()) for row in rows])
