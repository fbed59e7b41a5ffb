"""Texts: each in both languages, each used. That a text exists is checked by `make lint`."""

import re
from collections import Counter

import pytest

from reservation.resources import emails
from tests.site.sources import CODES, FOLDER, SCRIPTS, keys, name_of, texts

TABLES = [FOLDER / "texts.js", *sorted((FOLDER / "texts").glob("*.js"))]


@pytest.mark.parametrize("path", TABLES, ids=name_of)
def test_a_text_is_in_both_languages_with_the_same_placeholders_and_plurals(path):
    found = texts(path)
    assert set(keys(path)) == set(found)
    for key, both in found.items():
        french, english = (sorted(set(re.findall(r"\{\w+\}", text))) for text in both)
        assert french == english, key
        assert both[0].count("|") == both[1].count("|"), key


def test_a_key_belongs_to_one_table():
    written = Counter(key for path in TABLES if path != CODES for key in keys(path))
    assert [key for key, count in written.items() if count > 1] == []


def test_every_text_is_used():
    scripts = [path.read_text() for path in SCRIPTS if path not in TABLES]
    named = {name for source in scripts for name in re.findall(r"['`](\w+)['`]", source)}
    built = [name for source in scripts for name in re.findall(r"t\(`(\w+)\$\{", source)]
    ended = [name for source in scripts for name in re.findall(r"t\(`\$\{\w+\}(\w+)`", source)]
    # The states of bookings and the rules of businesses are the keys of their texts.
    types = (FOLDER / "types.js").read_text()
    named |= set(re.findall(r"'(\w+)'", types)) | set(re.findall(r"\} (\w+)", types))
    unused = {
        key
        for path in TABLES if path != CODES
        for key in texts(path)
        if key not in named and not key.startswith(tuple(built)) and not key.endswith(tuple(ended))
    }
    assert unused == set()


def test_a_colon_comes_from_a_text():
    """In French, a space precedes a colon."""
    found = [
        f"{name_of(path)}: {line.strip()}"
        for path in SCRIPTS if path not in TABLES
        for line in path.read_text().splitlines()
        if re.search(r"\} ?: \$\{|> : ", line)
    ]
    assert found == []


def test_each_reason_for_an_unsent_message_has_a_text():
    source = (FOLDER / "gestion" / "messages.js").read_text()
    assert set(re.findall(r"(\w+): 'reason_\1'", source)) == set(emails.REASONS)
