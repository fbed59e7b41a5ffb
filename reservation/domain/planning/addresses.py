"""Short addresses of businesses. A former address still leads to its business."""

from reservation.errors import Fault, InvalidInput, NotFound
from reservation.lib import short_addresses
from reservation.lib.short_addresses import RESERVED
from reservation.storage.database import Database
from reservation.storage.models import AncienneAdresse, Entreprise

FORMER = 10  # number of former addresses that a business keeps
TAKEN = Fault("address_taken", "is the address of another page")
_CURRENT = "SELECT id FROM entreprise WHERE adresse_courte = ?"
_FORMER = "SELECT entreprise_id FROM ancienne_adresse WHERE adresse = ?"


def find(db: Database, adresse: str) -> int:
    """Returns the id of the business that has or had this short address. Raises NotFound."""
    for sql in (_CURRENT, _FORMER):
        for (entreprise_id,) in db.rows(sql, adresse):
            return int(entreprise_id)
    raise NotFound()


def free(db: Database, nom: str, ville: str) -> str:
    """Returns a short address for the page of a business, made from the name and the city. No
    business has or had this address."""
    return next(
        one for one in short_addresses.proposals(nom, ville) if not _holders(db, one)
    )


def change(db: Database, before: Entreprise, adresse: str) -> None:
    """Checks the new short address of a business, and stores the old address as a former address.
    Gives up the former addresses before the last FORMER, so that a business cannot hoard them.

    Raises InvalidInput as `check` does. Call within the transaction that changes the business.
    """
    if adresse == before.adresse_courte:
        return
    check(db, adresse, before.id)
    AncienneAdresse.delete().where(AncienneAdresse.adresse == adresse).execute(db)
    AncienneAdresse.insert(entreprise=before.id, adresse=before.adresse_courte).execute(db)
    own, id = AncienneAdresse.entreprise == before.id, AncienneAdresse.id
    latest = AncienneAdresse.select(id).where(own).order_by(id.desc()).limit(FORMER)
    oldest = min(row.id for row in latest.execute(db))
    AncienneAdresse.delete().where(own & (id < oldest)).execute(db)


def check(db: Database, adresse: str, entreprise_id: int | None = None) -> None:
    """Raises InvalidInput if the address is reserved, or if another business has or had the
    address."""
    if adresse in RESERVED or _holders(db, adresse) - {entreprise_id}:
        raise InvalidInput({"adresse_courte": TAKEN})


def _holders(db: Database, adresse: str) -> set[int | None]:
    return {id for sql in (_CURRENT, _FORMER) for (id,) in db.rows(sql, adresse)}
