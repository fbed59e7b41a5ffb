"""What must hold after every race."""

from reservation.domain.booking import invariant
from reservation.storage.database import Database
from tests import engines

ACTIVE = "statut NOT IN ('refusee', 'annulee')"
_MEETING = (
    "SELECT a.id, b.id FROM reservation a JOIN reservation b"
    " ON a.entreprise_id = b.entreprise_id AND a.id < b.id"
    " AND a.occupe_debut < b.occupe_fin AND b.occupe_debut < a.occupe_fin"
    " AND (a.ressource_id = b.ressource_id OR a.lieu_id = b.lieu_id)"
    f" WHERE a.{ACTIVE} AND b.{ACTIVE} AND a.ressource_id IN"
    " (SELECT s.ressource_id FROM creneau s WHERE s.capacite_prevue = 1)"
)


def assert_sound(db: Database) -> None:
    assert faults(db) == []
    assert unannounced(db) == []
    if engines.ENGINE == "sqlite":
        assert db.rows("PRAGMA foreign_key_check") == []


def faults(db: Database, words: str = "") -> list[str]:
    """Returns the faults that `reservation check` finds and that contain `words`."""
    return [fault for fault in invariant.faults(db) if words in fault]


def unannounced(db: Database) -> list[tuple]:
    """Returns bookings with missing or duplicate messages.

    A booking has exactly one message about its creation, one about its cancellation if cancelled,
    and one reminder if confirmed.
    """
    return db.rows(
        "SELECT r.id, r.statut FROM reservation r"
        " LEFT JOIN eventemail m ON m.reservation_id = r.id GROUP BY r.id, r.statut"
        " HAVING SUM(m.genre IN ('demandee', 'confirmee') AND m.cree_le = r.cree_le) < 1"
        " OR SUM(m.genre = 'confirmee') > 1 OR SUM(m.genre = 'demandee') > 1"
        " OR SUM(m.genre = 'approuvee') > 1"
        " OR SUM(m.genre IN ('annulee', 'annulee_entreprise')) <> (r.statut = 'annulee')"
        " OR SUM(m.genre = 'rappel') <> (r.statut = 'confirmee')"
    )


def meeting(db: Database) -> list[tuple]:
    """Returns pairs of bookings that hold the same person or room at the same time.

    People who serve several customers at once are omitted.
    """
    return db.rows(_MEETING)


def active(db: Database, creneau_id: int) -> int:
    """Returns the number of active bookings that start in the slot."""
    sql = f"SELECT COUNT(*) FROM reservation WHERE creneau_id = ? AND {ACTIVE}"
    return int(db.rows(sql, creneau_id)[0][0])


def taken(db: Database, creneau_id: int) -> int:
    return int(db.rows("SELECT places_prises FROM creneau WHERE id = ?", creneau_id)[0][0])


def mails(db: Database, reservation_id: int) -> list[str]:
    """Returns the kinds of the customer's messages about the booking, in queuing order."""
    sql = (
        "SELECT genre FROM eventemail WHERE reservation_id = ? AND genre NOT IN"
        " ('rappel', 'nouvelle', 'a_valider', 'deplacement', 'annulation') ORDER BY id"
    )
    return [genre for (genre,) in db.rows(sql, reservation_id)]
