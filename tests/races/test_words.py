"""The words of a business, while its services change at once."""

import time

from reservation.domain.catalogue import search
from reservation.storage import words
from reservation.storage.database import transaction
from tests.races.clients import Asking, statuses, storm

ROWS = "SELECT entreprise_id, mot, rang FROM occurrence ORDER BY mot"
NAMES = ("Chignon", "Brushing", "Tresses africaines")


def test_the_words_are_those_of_the_services_after_changes_at_once(hall, port, db, monkeypatch):
    wanted = words._wanted

    def slowly(*args):
        found = wanted(*args)
        time.sleep(0.02)  # so that another change comes between reading and writing
        return found

    monkeypatch.setattr(words, "_wanted", slowly)
    changes = [
        Asking("PUT", f"/api/prestations/{service}", hall.owner.token,
               {"nom": name, "dureeMinutes": 30})
        for _ in range(5) for name in NAMES for service in (hall.coupe, hall.couleur)
    ]
    more = [
        Asking("POST", f"/api/entreprises/{hall.id}/prestations", hall.owner.token,
               {"nom": f"{name} {number}", "dureeMinutes": 30})
        for name in NAMES for number in ("court", "long")
    ]
    assert statuses(storm(port, changes + more)) == {200: len(changes), 201: len(more)}
    indexed = db.rows(ROWS)
    transaction(db, lambda: words.index_all(db))
    assert db.rows(ROWS) == indexed
    assert [one.id for one in search.businesses(db, q="chignon court", most=9)] == [hall.id]
