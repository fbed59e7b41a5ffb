"""Booking, moving, cancelling and approving through the API."""


def test_a_free_time_is_booked_and_gone(salon, chloe, tuesday):
    creneau = salon.at(tuesday, "10:00")
    booked = salon.book(chloe, creneau)
    assert booked["statut"] == "confirmee"
    assert booked["creneauId"] == creneau
    assert booked["debut"][:16] == f"{tuesday}T10:00"
    assert booked["entreprise"] == {"id": salon.id, "nom": "Salon alice"}
    assert "10:00" not in [one["debut"][11:16] for one in salon.free(tuesday)]


def test_a_time_is_not_sold_twice(salon, chloe, bob, tuesday):
    creneau = salon.at(tuesday, "10:00")
    salon.book(chloe, creneau)
    refused = salon.book(bob, creneau, expect=409)
    assert refused["motif"] == "complet"
    times = [one["debut"][11:16] for one in refused["alternatives"]]
    assert times == ["09:00", "09:30", "10:30"] or times == ["09:30", "10:30", "11:00"]
