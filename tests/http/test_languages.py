"""The Accept-Language header: as browsers send the header, and malformed."""

import pytest

from reservation.lib.languages import preferred


@pytest.mark.parametrize(
    ("header", "langue"),
    [
        ("", "fr"),
        ("fr-FR,fr;q=0.9,en-US;q=0.8,en;q=0.7", "fr"),
        ("en-US,en;q=0.5", "en"),
        ("en-GB,en;q=0.9,fr;q=0.8", "en"),
        ("EN", "en"),
        ("en", "en"),
        ("de-DE, de;q=0.9, en;q=0.4", "en"),
        ("de-DE, de;q=0.9, en;q=0.4, fr;q=0.3", "en"),
        ("de", "fr"),
        ("*", "fr"),
        ("en, *", "fr"),
        ("en;q=0", "fr"),
        ("fr;q=0, *", "en"),
        ("en;q=0.5, fr;q=0.5", "fr"),
        ("en;q=0.8, fr-CA;q=0.9, fr;q=0.1", "fr"),
        ("en ; q=0.9 , fr ; q=0.8", "en"),
        ("end, english", "fr"),
        ("en;q=2, x;y, ;;;, \u00e9, -", "fr"),
    ],
)
def test_it_is_french_unless_english_is_preferred(header, langue):
    assert preferred(header, ("fr", "en")) == langue
