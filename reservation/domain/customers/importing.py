"""Imports customer records in one transaction."""

from reservation.domain.calendar import calendar
from reservation.domain.customers import limits, linking
from reservation.domain.customers.candidates import CustomerLines, Described
from reservation.domain.customers.matching import Counts, KnownCustomer, Records
from reservation.domain.outbox.readdressing import readdress
from reservation.lib.instants import DAY
from reservation.storage.database import Database, marks, overtaken, snapshot, transaction

_COMING = "SELECT DISTINCT client_id FROM reservation WHERE entreprise_id = ? AND debut > ?"


def load(
    db: Database, entreprise_id: int, lines: list[Described], now: int, dry_run: bool
) -> Counts:
    """Creates and changes the records that the lines describe, in one transaction. With `dry_run`,
    only counts the lines.

    Raises TooManyCustomers as `limits.check_room` does.
    """
    wanted = CustomerLines(lines)
    with snapshot(db):  # without a lock, so that other writers need not wait
        first = wanted.candidates(db, entreprise_id)
    planned = Records(wanted, first)

    def work() -> Counts:
        calendar.lock(db, entreprise_id)
        present = wanted.candidates(db, entreprise_id, lock=db.FOR_SHARE)
        known = planned if present == first else Records(wanted, present)
        limits.check_room(db, entreprise_id, known.counts.nouveaux)
        _store(db, entreprise_id, known.all, now)
        if wanted.accounts(db, db.FOR_SHARE) != present.accounts:
            raise overtaken()  # see `records.check_unproven`
        # `readdress` runs queries, so skip the many records without a coming visit.
        coming = {id for (id,) in db.rows(_COMING, entreprise_id, now - DAY)}
        for one, email in known.addresses:
            if one.account_id and one.words.email and not email:
                linking.give(db, one.id, one.id, one.account_id)
            if one.id in coming:
                readdress(db, now, one.id, email, one.words.email)
        return known.counts

    counts = planned.counts
    if dry_run or not (counts.nouveaux or counts.modifies):
        limits.check_room(db, entreprise_id, counts.nouveaux)
        return counts
    return transaction(db, work)


def _store(db: Database, entreprise_id: int, records: list[KnownCustomer], now: int) -> None:
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
        kept = {"id", *at_first}
        sets = ", ".join(f"{name} = {given[name]}" for name in given if name not in kept)
        sql = (
            f"INSERT INTO client ({', '.join(rows[0])}) VALUES ({marks(rows[0])})"
            f" {db.IF_ID_EXISTS} {sets}, version = client.version + 1"
        )
        db.write_many(sql, [tuple(row.values()) for row in rows])
