"""The site decides by the codes of refusals, and has a text for each in both languages."""

import re
from string import Formatter

from reservation.http import codes
from tests.site import generic
from tests.site.sources import CODES, texts

SOURCE = CODES.read_text()
TEXTS = texts(CODES)
GENERIC = [code for some in generic.GENERIC.values() for code in some]
ENTRIES = re.findall(r"^  (\w+): \[", SOURCE.partition("export const t")[0], re.M)
KNOWN = {*codes.TABLE, *codes.FAULTS}


def bounds(code):
    """The bounds that the API gives with a code."""
    message = codes.TABLE[code].message if code in codes.TABLE else ""
    return {*codes.FAULTS.get(code, ()), *placeholders(message)}


def placeholders(text):
    return {name for _, name, *_ in Formatter().parse(text) if name}


def test_every_code_has_a_french_and_an_english_text_or_a_reason_for_the_generic_one():
    assert KNOWN - {*TEXTS} == {*GENERIC}


def test_every_code_of_the_site_has_both_texts_and_exists():
    assert {*ENTRIES} - {*TEXTS} == set()
    assert {*ENTRIES, *GENERIC} <= KNOWN
    assert len(GENERIC) == len({*GENERIC})


def test_a_text_names_only_bounds_that_the_api_gives():
    for code in ENTRIES:
        french, english = TEXTS[code]
        assert placeholders(french) == placeholders(english) <= bounds(code), code
