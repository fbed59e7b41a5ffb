"""A search returns the businesses by rank. The tests compute the ranks in the plainest way."""

import random
import sqlite3

import pytest

from reservation.domain.catalogue import matching, ranking
from reservation.domain.catalogue.matching import ENDLESS, NEAR, RANK, Search
from reservation.lib.folding import search_key
from reservation.storage import words
from reservation.storage.database import SQLite
from reservation.storage.models import Entreprise
from tests import copies

SOME = ("coiffeur", "coiffeuse", "barbier", "barbe", "couleur", "coupe", "Lyon")
SEARCHES = (
    "coiffeur", "coupe", "cou", "bar", "coupe couleur", "cou bar", "barbier coupe couleur",
    "cuope", "coiffeur cuope", "couleur lyon coupe", "barbe coiffeur", "lyon", "coupe 69100",
)  # fmt: skip
CITIES = (("Lyon", "69001"), ("Villeurbanne", "69100"), ("Coupe", "75001"), ("Barbe", "75002"))


@pytest.fixture
def town(db, make_salon, alice):
    """Fills a town with businesses, many of which have the same words. Returns the first id."""
    return copies.business(db, alice.id, "town", lambda: fill(db, make_salon(alice).id))[0]


def fill(db, first):
    draw = random.Random(20261123)
    (row,) = Entreprise.select().where(Entreprise.id == first).dicts().execute(db)

    def texts(most):
        return " ".join(draw.sample(SOME, draw.randrange(most)))

    for number in range(first + 1, first + 89):
        nom, (ville, code_postal) = texts(4) or "Chez Zoé", draw.choice(CITIES)
        of = {
            "id": number, "adresse_courte": f"a-{number}", "nom": nom, "nom_cle": search_key(nom),
            "ville": ville, "ville_cle": search_key(ville), "code_postal": code_postal,
            "metiers": texts(3).replace(" ", "\n"), "description": texts(5),
        }
        Entreprise.insert(row | of).execute(db)
        words.index(db, number)
    return (first,)


def rank(db, search, business, own, near):
    """Returns the key of a business, or None if it does not match."""
    there = dict(db.rows("SELECT mot, rang FROM occurrence WHERE entreprise_id = ?", business))
    key, ranks = search.meaning.key, []
    for matched in search.meaning.words:
        found = [
            there[word] and there[word] + matched[word].added for word in matched if word in there
        ]
        if not found:
            return None
        ranks.append(min(filter(None, found), default=0))
    total = max(ranks)
    if words.whole(words.OF_NAME, key) in there:
        total = words.WHOLE_NAME
    elif total == words.SERVICE and words.whole(words.OF_SERVICE, key) in there:
        total = words.WHOLE_SERVICE
    if not total or business not in own | near:
        return None
    return (total + (0 if business in own else NEAR)) * RANK + business


def ids(db, condition, values):
    return {id for (id,) in db.rows(f"SELECT e.id FROM entreprise e WHERE {condition}", *values)}


@pytest.mark.parametrize("frequent, values", [(2, 0), (2, 1000), (20, 0), (20, 1000), (2000, 0)])
@pytest.mark.parametrize("ville", ["", "Lyon", "Villeurbanne", "69100"])
def test_a_search_by_words_reads_the_best_businesses_first(
    monkeypatch, db, town, frequent, values, ville
):
    monkeypatch.setattr(ranking, "FREQUENT", frequent)
    monkeypatch.setattr(matching, "_MOST_VALUES", values)
    monkeypatch.setattr(matching, "_MOST_BY_ID", 30)
    for q in SEARCHES:
        search = Search.of(db, q, ville, "")
        place = search.place
        own = ids(db, place.own, place.own_values) if place else ids(db, "1 = 1", [])
        near = ids(db, place.near, place.near_values) if place and place.near else set()
        if search.meaning:
            keys = [rank(db, search, business, own, near) for business in own | near]
        else:
            keys = [*own, *(NEAR * RANK + business for business in near)]
        expected = sorted(filter(None, keys))
        read = matching.read(db, search, "e.id", 0, ENDLESS, 100)
        assert [key for key, _ in read] == expected, q
        assert q == "lyon" or len(expected) > 3 or ville
        walked, last = [], 0
        while some := matching.read(db, search, "e.id", last, ENDLESS, 7):
            walked += some
            last = some[-1][0]
        assert walked == read, q


def test_a_search_may_match_very_many_words(db, town):
    if isinstance(db, SQLite):  # some systems build SQLite with a higher limit
        db.connection().setlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER, 32_766)
    starts = ("abc", "bcd", "cde", "def", "efg", "fgh")
    more = [*starts, *(f"{start}{number}" for start in starts for number in range(1500))]
    words._know(db, more)
    db.write_many(words._ADD, [(town, word, words.NAME) for word in more])
    for after in (0, 1):  # a list that does not begin at 0 needs more values
        search = Search.of(db, " ".join(starts), "", "")
        (row,) = matching.read(db, search, "e.id", after, ENDLESS, 9)
        assert row == (words.NAME * RANK + town, town)
    rare = [f"xyz{number}" for number in range(60)]
    words._know(db, rare)
    db.write_many(words._ADD, [(town, word, words.NAME) for word in rare])
    (row,) = matching.read(db, Search.of(db, "abc xyz", "", ""), "e.id", 0, ENDLESS, 9)
    assert row == ((words.NAME + 1) * RANK + town, town)


def test_the_businesses_with_the_rarest_word_are_read(monkeypatch, db, town):
    monkeypatch.setattr(ranking, "FREQUENT", 5)
    often, rarely = range(town, town + 80), range(town, town + 80, 4)
    words._know(db, ["often", "rarely"])
    for word, ids in (("often", often), ("rarely", rarely)):
        db.write_many(words._ADD, [(id, word, words.DESCRIPTION) for id in ids])
    for q in ("often rarely", "rarely often"):
        (tier,) = Search.of(db, q, "", "").meaning.tiers()
        assert tier.pairs == [("rarely", words.DESCRIPTION)]
        assert tier.is_frequent
