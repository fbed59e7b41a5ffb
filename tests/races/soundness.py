"""What must hold after every race, whatever happened in it."""

from reservation.domain import invariant
from reservation.storage.database import Database
from tests import engines

ACTIVE = "statut NOT IN ('refusee', 'annulee')"


def assert_sound(db: Database) -> None:
    for number in invariant.businesses(db):
        assert invariant.breaches(db, number) == []
    assert oversold(db) == []
    assert swollen(db) == []
    assert overlaps(db) == []
    assert strangers(db) == []
    assert unannounced(db) == []
    if engines.ENGINE == "sqlite":
        assert db.rows("PRAGMA integrity_check") == [("ok",)]
        assert db.rows("PRAGMA foreign_key_check") == []


def oversold(db: Database) -> list[tuple]:
    """Creneaux with more taken than there is, by their own count or by the bookings."""
    return db.rows(
        "SELECT c.id, c.capacite, c.places_prises, SUM(r.places) FROM creneau c"
        " JOIN reservation r ON r.entreprise_id = c.entreprise_id AND r.occupe_debut < c.fin"
        f" AND r.occupe_fin > c.debut WHERE r.{ACTIVE}"
        " GROUP BY c.id, c.capacite, c.places_prises"
        " HAVING SUM(r.places) > c.capacite OR c.places_prises > c.capacite"
    )


def swollen(db: Database) -> list[tuple]:
    """Creneaux with more room than the week gives, though it is not taken."""
    return db.rows(
        "SELECT id, capacite, capacite_prevue, places_prises FROM creneau"
        " WHERE capacite > capacite_prevue AND capacite > places_prises"
    )


def overlaps(db: Database) -> list[tuple]:
    """Creneaux of one business that overlap, or are the same time twice."""
    return db.rows(
        "SELECT a.id, b.id, a.debut, a.fin, b.debut FROM creneau a JOIN creneau b"
        " ON b.entreprise_id = a.entreprise_id AND b.debut >= a.debut AND b.debut < a.fin"
        " AND a.id <> b.id"
    )


def strangers(db: Database) -> list[tuple]:
    """Active reservations whose creneau is gone, or is not where they start."""
    return db.rows(
        "SELECT r.id, r.creneau_id, r.debut, c.debut FROM reservation r"
        f" LEFT JOIN creneau c ON c.id = r.creneau_id WHERE r.{ACTIVE}"
        " AND (c.id IS NULL OR c.debut <> r.debut OR c.entreprise_id <> r.entreprise_id)"
    )


def unannounced(db: Database) -> list[tuple]:
    """Reservations without exactly one mail of their making and of their cancellation, or
    with a reminder too many or too few."""
    return db.rows(
        "SELECT r.id, r.statut FROM reservation r"
        " LEFT JOIN eventemail m ON m.reservation_id = r.id GROUP BY r.id, r.statut"
        " HAVING SUM(m.genre IN ('demandee', 'confirmee') AND m.cree_le = r.cree_le) < 1"
        " OR SUM(m.genre = 'confirmee') > 1 OR SUM(m.genre = 'demandee') > 1"
        " OR SUM(m.genre = 'approuvee') > 1"
        " OR SUM(m.genre IN ('annulee', 'annulee_entreprise')) <> (r.statut = 'annulee')"
        " OR SUM(m.genre = 'rappel') <> (r.statut = 'confirmee')"
    )


def active(db: Database, creneau_id: int) -> int:
    """How many active reservations start at a creneau."""
    sql = f"SELECT COUNT(*) FROM reservation WHERE creneau_id = ? AND {ACTIVE}"
    return int(db.rows(sql, creneau_id)[0][0])


def taken(db: Database, creneau_id: int) -> int:
    return int(db.rows("SELECT places_prises FROM creneau WHERE id = ?", creneau_id)[0][0])


def mails(db: Database, reservation_id: int) -> list[str]:
    """The kinds of what the customer is told of a reservation, in the order of queuing."""
    sql = (
        "SELECT genre FROM eventemail WHERE reservation_id = ? AND genre NOT IN"
        " ('rappel', 'nouvelle', 'a_valider', 'deplacement', 'annulation') ORDER BY id"
    )
    return [genre for (genre,) in db.rows(sql, reservation_id)]
