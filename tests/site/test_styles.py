"""The style sheet: its tokens, and nothing but tokens where a token exists."""

import re

import pytest

from tests.site.sources import FOLDER, SHEETS, name_of

TOKENS = FOLDER / "styles" / "tokens.css"
PARTS = [path for path in SHEETS if path.parent != FOLDER and path != TOKENS]
RULE = re.compile(r"([a-z-]+): ([^;{}]+);")
SPACED = re.compile(r"(margin|padding|scroll-padding)(-\w+)*$|(row-|column-)?gap$")
LENGTH = re.compile(r"(?<![\w-])\d*\.?\d+(px|rem|em|vw|vh|%)")
COLOUR = re.compile(
    r"#[0-9a-f]{3,8}\b|\b(rgb|hsl|hwb|(ok)?lab|(ok)?lch)a?\(|\b(black|white|red)\b"
)


def rules(path):
    return RULE.findall(re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S))


@pytest.mark.parametrize("path", PARTS, ids=name_of)
def test_colours_sizes_of_text_spaces_and_radii_are_tokens(path):
    raw = [
        f"{name}: {value}"
        for name, value in rules(path)
        if COLOUR.search(value)
        or (name == "font-size" or name.endswith("radius") or SPACED.match(name))
        and LENGTH.search(value)
        or name in ("box-shadow", "font-family") and "var(" not in value and value != "none"
    ]
    assert raw == []


def test_every_token_is_used_and_every_variable_has_a_value():
    defined = set(re.findall(r"(--[\w-]+):", "".join(path.read_text() for path in SHEETS)))
    scripts = "".join(path.read_text() for path in FOLDER.rglob("*.js"))
    defined |= set(re.findall(r"'(--[\w-]+)':", scripts))
    used = set(re.findall(r"var\((--[\w-]+)\)", "".join(path.read_text() for path in SHEETS)))
    vendor = "".join(path.read_text() for path in (FOLDER / "vendor").rglob("*.css"))
    of_vendor = {name for name in defined if name.startswith("--ec-")}
    assert used == defined - of_vendor
    assert of_vendor <= set(re.findall(r"var\((--[\w-]+)\)", vendor))


def test_the_style_sheets_have_every_part_once_and_the_tokens_first():
    sheets = "".join((FOLDER / name).read_text() for name in ("site.css", "manage.css"))
    imported = re.findall(r'@import url\("(.+)"\);', sheets)
    assert sorted(imported) == sorted(name_of(path) for path in (TOKENS, *PARTS))
    assert imported[0] == name_of(TOKENS)


def test_one_rule_cuts_texts_after_some_lines():
    found = [name for path in SHEETS for name, _ in rules(path) if name == "-webkit-line-clamp"]
    assert len(found) == 1


def test_every_class_of_a_rule_occurs_in_a_script():
    rules = re.sub(r"/\*.*?\*/", "", "".join(path.read_text() for path in PARTS), flags=re.S)
    classes = set(re.findall(r"\.([a-z][\w-]*)(?=[^{}]*\{)", rules))
    scripts = "".join(path.read_text() for path in FOLDER.rglob("*.js"))
    built = ("hue-",)  # legend.js and events.js add a number
    assert [
        name for name in sorted(classes)
        if not re.search(rf"(?<![\w-]){name}(?![\w-])", scripts) and not name.startswith(built)
    ] == []
