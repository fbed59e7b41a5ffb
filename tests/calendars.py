"""The ressources of a business, for tests that read or write slots by SQL; late calendars."""

from reservation.domain.calendar import upkeep
from reservation.storage.database import Database


def calendar_of(db: Database, entreprise_id: int) -> int:
    """Returns the id of the first ressource of a business."""
    sql = "SELECT MIN(id) FROM ressource WHERE entreprise_id = ?"
    ((number,),) = db.rows(sql, entreprise_id)
    return int(number)


def lagging(db: Database, now: int) -> list[int]:
    """Returns the ids of the businesses whose calendars must be extended."""
    return [id for _, ids in upkeep.lagging(db, now) for id in ids]
