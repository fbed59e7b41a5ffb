"""A business whose time zone is unknown, because the database was edited, breaks no list."""

import pytest

ZONE = "UPDATE entreprise SET fuseau = 'Mars/Olympus' WHERE id = ?"


@pytest.fixture
def salons(client, salon, make_salon, bob, chloe, tuesday):
    """Two salons, each with a visit of Chloé and an event."""
    salons = salon, make_salon(bob)
    for one in salons:
        one.book(chloe, one.at(tuesday, "10:00"))
        event = {
            "type": "information", "titre": "Fête", "debut": f"{tuesday}T10:00:00+01:00",
            "fin": f"{tuesday}T11:00:00+01:00",
        }
        path = f"/api/entreprises/{one.id}/evenements"
        client.post(path, event, 201, token=one.owner.token)
    return salons


@pytest.mark.parametrize("unknown", [0, 1], ids=["first", "last"])
def test_a_search_by_day_leaves_out_a_business_with_an_unknown_zone(
    client, db, salons, tuesday, unknown
):
    db.write(ZONE, salons[unknown].id)
    found = client.get(f"/api/entreprises?disponible={tuesday}")
    assert [one["id"] for one in found.json] == [salons[1 - unknown].id]
    assert "Link" not in found.headers


@pytest.mark.parametrize(
    ("path", "who"),
    [
        ("/api/reservations", "chloe"), ("/api/reservations", "dora"), ("/api/evenements", ""),
        ("/api/emails", "dora"), ("/api/compte/export", "chloe"),
    ],
)
def test_lists_show_a_business_with_an_unknown_zone_in_utc(
    client, db, salons, request, path, who
):
    db.write(ZONE, salons[0].id)
    shown = client.get(path, token=who and request.getfixturevalue(who).token).text
    assert "+01:00" in shown or "+02:00" in shown
    assert "+00:00" in shown
