"""The shape of the sources: what Biome and TypeScript do not check."""

import re
from collections import Counter
from pathlib import Path

import pytest

from reservation.resources import site
from tests.site.sources import FOLDER, OWN, SCRIPTS, name_of


@pytest.mark.parametrize("path", OWN, ids=name_of)
def test_a_line_has_at_most_100_columns_and_a_file_200_lines(path):
    """The formatter leaves templates and comments alone."""
    lines = path.read_text().splitlines()
    assert [line for line in lines if len(line) > 100] == []
    assert len(lines) <= 200


def test_a_folder_has_at_most_15_files():
    assert max(Counter(path.parent for path in FOLDER.rglob("*") if path.is_file()).values()) <= 15


@pytest.mark.parametrize("path", SCRIPTS, ids=name_of)
def test_the_state_of_a_component_is_named_x_and_set_x(path):
    for value, setter in re.findall(r"const \[(\w+), (\w+)\] = useState", path.read_text()):
        assert setter == f"set{value[0].upper()}{value[1:]}"


def test_the_routes_of_the_script_are_the_pages_of_the_server():
    source = (FOLDER / "router.js").read_text()
    table = source[source.index("ROUTES = [") : source.index("];", source.index("ROUTES = ["))]
    paths = [f"/{path}" for path in re.findall(r"(?:open|account)\('(.*?)'", table)]
    paths += [f"/gestion/{{id}}/{page}" for page in re.findall(r"manage\('(\w+)'", table)]
    pages = {
        path.replace("{id:id}", "{id}"): cls
        for path, cls in site.PAGES if issubclass(cls, site.SitePage)
    }
    del pages["/{adresse:short}"]  # a page of a business
    assert sorted(paths) == sorted(pages)
    framed = re.findall(r"open\('(.*?)', .*framed: true", table)
    assert [pages[f"/{path}"] for path in framed] == [site.EmbeddedPage]
    assert list(pages.values()).count(site.EmbeddedPage) == 1
    assert all((FOLDER / file).is_file() for file in re.findall(r"import\('\./(.+?)'\)", source))


def test_every_script_and_style_sheet_is_loaded_by_another():
    sources = "".join(path.read_text() for path in (*OWN, FOLDER / "index.html"))
    only_types = {"types.js"}
    for path in OWN:
        assert path.name in only_types or re.search(rf"[/\"]{re.escape(path.name)}['\"]", sources)


def test_every_export_is_imported_by_another_script_or_a_test():
    sources = {path: path.read_text() for path in SCRIPTS}
    imported = {
        name
        for source in sources.values()
        for braces in re.findall(r"(?:import|export) \{([^{}]*)\} from", source)
        for name in re.findall(r"(\w+)(?: as \w+)?", braces)
    }
    for test in Path(__file__).parent.parent.glob("browser/*.py"):
        imported.update(re.findall(r"const \{ (\w+) \} = await import", test.read_text()))
    # Some scripts are imported when they are needed, and their exports are named elsewhere.
    lazy = set(re.findall(r"/([\w-]+\.js)'\)", "".join(sources.values())))
    unused = [
        f"{name_of(path)}: {name}"
        for path, source in sources.items()
        for name in re.findall(r"^export (?:async )?(?:const|function|class) (\w+)", source, re.M)
        if name not in imported and path.name not in lazy
    ]
    assert unused == []
