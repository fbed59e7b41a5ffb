"""The free days of a month are the days of the free times."""

from collections import Counter
from datetime import timedelta


def test_the_free_days_are_those_of_the_free_times(client, salon, chloe, tuesday):
    path = f"/api/entreprises/{salon.id}"
    last = tuesday + timedelta(days=20)
    query = f"?prestation={salon.coupe}&du={tuesday}&au={last}"
    salon.book(chloe, salon.at(tuesday, "10:00"))
    starts = client.get(f"{path}/creneaux{query}").json
    wanted = Counter(start["debut"][:10] for start in starts)
    found = client.get(f"{path}/jours{query}").json
    assert found == [{"jour": day, "libres": count} for day, count in sorted(wanted.items())]
    assert len(found) > 2


def test_a_full_day_is_not_listed(client, salon, chloe, tuesday):
    for start in salon.free(tuesday):
        salon.book(chloe, start["id"])
    query = f"?prestation={salon.coupe}&du={tuesday}&au={tuesday}"
    assert client.get(f"/api/entreprises/{salon.id}/jours{query}").json == []


def test_a_month_is_the_longest_span(client, salon, tuesday):
    query = f"?du={tuesday}&au={tuesday + timedelta(days=31)}"
    found = client.get(f"/api/entreprises/{salon.id}/jours{query}", 400).json
    assert found["champs"]["au"]["code"] == "too_far_from_start"
