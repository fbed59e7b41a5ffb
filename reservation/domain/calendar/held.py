"""Reads the bookings of a person or room."""

from reservation.storage.database import Database
from reservation.storage.sqlite import Row

# A UNION instead of an OR, because MariaDB would use no index for the OR.
_OF_PERSON = "SELECT {} FROM reservation WHERE ressource_id = ? AND {}"
_OF_ROOM = "SELECT {} FROM reservation WHERE lieu_id = ? AND {}"
_BOTH = f"{_OF_PERSON} UNION ALL {_OF_ROOM}"


def bookings(
    db: Database, columns: str, ressource_id: int, condition: str, *values: object
) -> list[Row]:
    """Returns `columns` of a person's or room's bookings that meet the SQL `condition`, ordered by
    the first two columns."""
    sql = _BOTH.format(columns, condition, columns, condition) + " ORDER BY 1, 2"
    mine = (ressource_id, *values)
    return db.rows(sql, *mine, *mine)
