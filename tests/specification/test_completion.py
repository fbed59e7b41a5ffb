"""Autocomplete: sections 2.5, 4.3 and 8 of the specification, with the shipped lists.

The tests compute each expected answer by a linear search of the list.
"""

import codecs
import random
import unicodedata
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.specification.bodies import NO_DATABASE

ROOT = Path(__file__).parents[2]
CITIES = (ROOT / "cities.txt").read_text(encoding="utf-8").splitlines()
SERVICES = (ROOT / "services.txt").read_text(encoding="utf-8").splitlines()
EQUAL = str.maketrans({"-": " ", "'": " ", "\N{RIGHT SINGLE QUOTATION MARK}": " "})


def plain(text):
    """Normalizes like the API: lower case, no accents or ligatures; "-" and "'" become a space."""
    text = unicodedata.normalize("NFD", text.lower().replace("œ", "oe").replace("æ", "ae"))
    return "".join(c for c in text if not unicodedata.combining(c)).translate(EQUAL)


# The trailing space lets a typed space match the end of a name's last word.
PLAIN_CITIES = [plain(name) + " " for name in CITIES]
PLAIN_SERVICES = [plain(name) + " " for name in SERVICES]


def reckoned_cities(q):
    typed = plain(q)
    return [name for name, key in zip(CITIES, PLAIN_CITIES) if key.startswith(typed)][:15]


def reckoned_services(q):
    typed = plain(q)
    first, second = [], []
    for name, key in zip(SERVICES, PLAIN_SERVICES):
        if f" {typed}" in f" {key}":
            first.append(name)
        elif typed in key:
            second.append(name)
    return (first + second)[:20]


RECKONED = {"/api/villes": reckoned_cities, "/api/services": reckoned_services}


def ask(client, path, q):
    return client.get(f"{path}?q={quote(q)}", expect=200).json


def variants(chance, text):
    """Returns a random variant of the text, as a user may type it."""
    return chance.choice(
        [
            text,
            text.lower(),
            text.upper(),
            plain(text),
            text.replace("-", " "),
            text.replace("'", "\N{RIGHT SINGLE QUOTATION MARK}"),
            text.replace(" ", "-"),
            text.replace("œ", "oe"),
            unicodedata.normalize("NFD", text),
        ]
    )


@pytest.mark.parametrize("q", ["", "?q="])
def test_services_without_q_is_the_full_list_in_its_order(client, q):
    answer = client.get(f"/api/services{q}", expect=200)
    assert answer.content_type == "application/json"
    assert answer.json == SERVICES


@pytest.mark.parametrize("q", ["", "?q="])
def test_cities_without_q_are_the_first_100_in_list_order(client, q):
    answer = client.get(f"/api/villes{q}", expect=200)
    assert answer.content_type == "application/json"
    assert answer.json == CITIES[:100]


def test_the_lists_are_arrays_of_strings(client):
    for path in RECKONED:
        names = client.get(path).json
        assert {type(name) for name in names} == {str}
        assert [name for name in names if not name.strip()] == []


def test_services_with_q_are_at_most_20(client):
    assert sum(plain("e") in key for key in PLAIN_SERVICES) > 20
    assert len(ask(client, "/api/services", "e")) == 20


def test_cities_with_q_are_at_most_15(client):
    assert sum(key.startswith("s") for key in PLAIN_CITIES) > 15
    assert len(ask(client, "/api/villes", "s")) == 15


@pytest.mark.parametrize("path", sorted(RECKONED))
def test_what_matches_nothing_is_an_empty_array(client, path):
    assert ask(client, path, "xyzxyz") == []


def test_cities_start_with_q_and_nothing_that_merely_holds_it_is_told(client):
    assert "Paris" in ask(client, "/api/villes", "par")
    assert ask(client, "/api/villes", "arseille") == []


@pytest.mark.parametrize(
    "q", ["saint et", "SAINT ET", "Saint-Ét", "saint-et", "saint'et", "SAINT-ÉT"]
)
def test_case_accents_hyphens_apostrophes_and_spaces_make_no_difference(client, q):
    found = ask(client, "/api/villes", q)
    assert "Saint-Étienne" in found
    assert found == reckoned_cities("Saint-Ét")


@pytest.mark.parametrize(
    "q, city",
    [
        ("villeneuve d ascq", "Villeneuve-d'Ascq"),
        ("villeneuve-d-ascq", "Villeneuve-d'Ascq"),
        ("Villeneuve d\N{RIGHT SINGLE QUOTATION MARK}Ascq", "Villeneuve-d'Ascq"),
        ("l hay les roses", "L'Haÿ-les-Roses"),
        ("marcq en baroeul", "Marcq-en-Barœul"),
        ("MARCQ-EN-BARŒUL", "Marcq-en-Barœul"),
        ("marcq en baro", "Marcq-en-Barœul"),
        ("vandœuvre", "Vandœuvre-lès-Nancy"),
        ("e\N{COMBINING ACUTE ACCENT}pinal", "Épinal"),
    ],
)
def test_a_city_is_found_however_it_is_typed(client, q, city):
    assert city in ask(client, "/api/villes", q)


@pytest.mark.parametrize("end", [" ", "-", "'", "\N{RIGHT SINGLE QUOTATION MARK}"])
def test_a_space_hyphen_or_apostrophe_at_the_end_of_q_ends_the_word(client, end):
    found = ask(client, "/api/villes", f"nort{end}")
    assert found == ["Nort-sur-Erdre", "Nort-Leulinghem"]
    found = ask(client, "/api/services", f"cours d{end}")
    assert found and [name for name in found if not name.startswith("Cours d'")] == []


def test_services_of_which_a_word_starts_with_q_rank_before_those_that_hold_it_inside(client):
    found = ask(client, "/api/services", "age")
    starts = [" age" in f" {plain(name)}" for name in found]
    assert found == reckoned_services("age")
    assert starts == sorted(starts, reverse=True)


@pytest.mark.parametrize("q", ["coupe", "barbe", "domicile", "identite", "l ancienne", "d'ongles"])
def test_a_service_is_found_by_any_of_its_words_in_list_order(client, q):
    found = ask(client, "/api/services", q)
    assert found and found == reckoned_services(q)


@pytest.mark.parametrize("path", sorted(RECKONED))
def test_signs_of_a_pattern_language_stand_for_themselves(client, path):
    for q in ("%", "_", "*", ".", ".*", "\\", "^", "$"):
        assert ask(client, path, q) == []


@pytest.mark.parametrize("path, names", [("/api/villes", CITIES), ("/api/services", SERVICES)])
def test_every_answer_is_the_one_reckoned_by_looking_at_every_entry(client, path, names):
    chance = random.Random(4)
    wrong = []
    for _ in range(400):
        name = chance.choice(names)
        q = variants(chance, name[: chance.randint(1, len(name))])
        q = q.removesuffix("(")  # the specification does not define a lone parenthesis
        if ask(client, path, q) != RECKONED[path](q):
            wrong.append(q)
    assert wrong == []


def test_services_are_found_by_any_part_of_a_name(client):
    chance = random.Random(4)
    wrong = []
    for _ in range(300):
        name = chance.choice(SERVICES)
        start = chance.choice([at for at, letter in enumerate(name) if letter.isalnum()])
        q = variants(chance, name[start : start + chance.randint(1, 6)])
        if ask(client, "/api/services", q) != reckoned_services(q):
            wrong.append(q)
    assert wrong == []


@pytest.mark.parametrize("letter", "abcdefghijklmnopqrstuvwxyz")
def test_each_letter_alone_answers_the_first_of_the_list(client, letter):
    assert ask(client, "/api/villes", letter) == reckoned_cities(letter)
    assert ask(client, "/api/services", letter) == reckoned_services(letter)


@pytest.mark.parametrize("path", sorted(RECKONED))
def test_completion_needs_no_token_and_no_database(make_client, path):
    client = make_client(DATABASE_URL=NO_DATABASE)
    assert ask(client, path, "a") == RECKONED[path]("a")


@pytest.mark.parametrize("path", sorted(RECKONED))
def test_completion_is_the_same_in_production(client, make_client, path):
    assert ask(make_client(ENV="production"), path, "a") == RECKONED[path]("a")


@pytest.mark.parametrize("path, name", [("/api/villes", "CITIES"), ("/api/services", "SERVICES")])
def test_a_list_may_begin_with_a_byte_order_mark(make_client, tmp_path, path, name):
    (tmp_path / "names").write_bytes(codecs.BOM_UTF8 + b"Paris\r\nLyon\r\n")
    assert ask(make_client(**{name: str(tmp_path / "names")}), path, "") == ["Paris", "Lyon"]
