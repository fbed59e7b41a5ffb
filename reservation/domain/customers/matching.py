"""Finds the customer records that the lines of an import are about, by the rules of
`recognising.described`."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from reservation.domain.customers.candidates import (
    Candidates,
    CustomerLines,
    Described,
    call_of,
)
from reservation.domain.customers.records import Details
from reservation.errors import Fault, InvalidInput


@dataclass(slots=True)
class Counts:
    """The numbers of lines that create a record, change a record or change nothing."""

    nouveaux: int = 0
    modifies: int = 0
    inchanges: int = 0


@dataclass(slots=True, eq=False)
class KnownCustomer:
    """A customer record, as changed by the lines that were read so far. `id` is 0 for a new
    record. `place` orders the records by id. `by_owner` is True if the owner wrote the e-mail
    address of a record with an account. `is_trusted` is True if the owner wrote the record, and
    no account with an unproven address its address."""

    id: int
    place: int
    account_id: int | None
    by_owner: bool
    is_trusted: bool
    line: Described  # the first line about the record, or the record itself
    words: Details
    note: str
    renamed: bool = False
    changed: bool = False

    def write(self, line: Described, account_id: int | None) -> bool:
        """Changes the record as the line says. Returns whether the record has changed.
        `account_id` is the account that has proven the address of the line."""
        words, note = self.words.changed_by(line.details), line.note or self.note
        renamed, noted = words != self.words, note != self.note
        if words.email != self.words.email:
            self.account_id, self.by_owner = self.account_id or account_id, False
        self.words, self.note = words, note
        self.line = self.line if self.line.number else line
        self.renamed |= renamed
        self.is_trusted |= renamed
        self.changed |= renamed or noted
        return renamed or noted

    def rank(self, details: Details) -> tuple[bool | int, ...]:
        """Returns the lowest value for the record that `recognising` prefers."""
        other_name = self.words.keys()["nom_cle"] != details.keys()["nom_cle"]
        other_telephone = self.words.telephone != details.telephone
        return other_name, other_telephone, self.account_id is None, self.place

    def keys(self) -> Iterator[object]:
        """Yields the keys under which `Records` finds the record."""
        email = self.words.email
        if self.account_id is not None:
            yield self.account_id
        if email and self.account_id is None:
            yield email
        elif email and self.by_owner:
            yield (email,)
        if not email or self.is_trusted:
            yield bool(email), *call_of(self.words)


class Records:
    """The records after the import: the candidates, as the lines change them, and the new records.
    They are in memory, to avoid a query for each line.

    `addresses` has each candidate, with its e-mail address before the import. Raises InvalidInput
    if two lines give the same e-mail address to different people.
    """

    def __init__(self, lines: CustomerLines, candidates: Candidates) -> None:
        self._accounts = candidates.accounts
        self.counts = Counts()
        self.all: list[KnownCustomer] = []
        self._found: dict[object, dict[KnownCustomer, None]] = defaultdict(dict)
        for id, account_id, by_owner, *words, note, is_trusted in candidates.rows:
            line = Described(Details(*words), note)
            self._add(id, account_id, bool(by_owner), bool(is_trusted), line)
        self.addresses = [(one, one.words.email) for one in self.all]
        self._exported: dict[object, KnownCustomer] = {}
        for one in reversed(self.all):
            self._exported |= {one.words: one, (one.words, one.note): one}
        self._faults: dict[str, Fault] = {}
        for line in lines.all:
            self._write(line)
        if self._faults:
            raise InvalidInput(self._faults)

    def _add(
        self, id: int, account_id: int | None, by_owner: bool, is_trusted: bool, line: Described
    ) -> None:
        place, (words, note, _) = len(self.all), line
        known = KnownCustomer(id, place, account_id, by_owner, is_trusted, line, words, note)
        self.all.append(known)
        for key in known.keys():
            self._found[key][known] = None

    def _write(self, line: Described) -> None:
        account_id = self._accounts.get(line.details.email)
        # A line that equals the export of a record is about that record, even if another record
        # has the same address, or if a stranger may have registered the account of the record.
        # The owner may have added a note to the line, which changes nothing that others see.
        known = self._exported.get((line.details, line.note))
        if known is None or known.changed:
            known = self._find(line.details, account_id) or self._recognised(line.details)
            if known is None or known.words != line.details:
                exported = self._exported.get(line.details)
                known = exported if exported and exported.words == line.details else known
            if known is not None:
                self._check(known.line, line)
        if known is None:
            self._add(0, account_id, False, True, line)
            self.counts.nouveaux += 1
            return
        for key in known.keys():
            del self._found[key][known]
        if known.write(line, account_id):
            self.counts.modifies += 1
        else:
            self.counts.inchanges += 1
        for key in known.keys():
            self._found[key][known] = None

    def _check(self, earlier: Described, line: Described) -> None:
        """Adds a fault if the two lines about a record have numbers and different names."""
        if earlier.number and line.number and not line.details.has_name_of(earlier.details):
            at = earlier.number
            fault = Fault("shared_address", f"is in line {at}, with another name", line=at)
            self._faults[f"{line.number}.email"] = fault

    def _find(self, details: Details, account_id: int | None) -> KnownCustomer | None:
        """Does what `recognising.find` does."""
        email = details.email
        keys = [account_id or (email,), email] if email else [(False, *call_of(details))]
        found = next((self._found[key] for key in keys if self._found.get(key)), {})
        if email:
            return min(found, key=lambda one: one.place, default=None)
        return min(found, key=lambda one: one.rank(details), default=None)

    def _recognised(self, details: Details) -> KnownCustomer | None:
        """Does what `recognising.recognised` does if `find` has found no record."""
        call = call_of(details)
        some = self._found.get((not details.email, *call), {}) if call[1] else {}
        found = [one for one in some if not details.email or one.account_id is None]
        is_certain = details.email or len(found) == 1
        return min(found, key=lambda one: one.rank(details)) if found and is_certain else None
