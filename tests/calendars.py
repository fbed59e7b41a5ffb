"""The ressources of a business, for tests that read or write slots by SQL."""

from reservation.storage.database import Database


def calendar_of(db: Database, entreprise_id: int) -> int:
    """Returns the id of the first ressource of a business."""
    sql = "SELECT MIN(id) FROM ressource WHERE entreprise_id = ?"
    ((number,),) = db.rows(sql, entreprise_id)
    return int(number)
