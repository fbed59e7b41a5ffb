"""The rules of WCAG 2.2 AA and the advice of axe-core, checked on a page."""

from collections import Counter
from collections.abc import Iterable, Iterator

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

# `preload` would load the style sheets again, and only a rule that is not enabled needs them.
_OPTIONS = {
    "resultTypes": ["violations"], "preload": False, "rules": {"target-size": {"enabled": True}},
}


def violations(page: Page) -> list[str]:
    """Returns a line for each broken rule: `color-contrast (serious): .price, .note`."""
    if not page.evaluate("'axe' in window"):  # the script is long
        page.evaluate(f"{AXE_SCRIPT}; 0")
    # The rest of the results would take as long to transfer as the script to load.
    found = page.evaluate("async (options) => (await axe.run(options)).violations", _OPTIONS)
    return [
        f"{one['id']} ({one['impact']}): "
        + ", ".join(" ".join(map(str, node["target"])) for node in one["nodes"])
        for one in found
    ]


EVERY_WAY = [(320, "dark"), (1280, "light")]  # each width and each scheme once
NARROW = 195  # a telephone of 390 px at a zoom of 200 %
_WIDER = "document.documentElement.scrollWidth > innerWidth"
_IDS = "[...document.querySelectorAll('[id]')].map(({ id }) => id)"  # axe skips hidden icons
_BLANK = """[...document.querySelectorAll('use')].map((use) => use.getAttribute('href'))
  .filter((name) => !document.querySelector(name))"""
_DRAWN = "() => new Promise((drawn) => setTimeout(drawn, 100))"  # the calendar follows the width


def wrong_with(page: Page, worn: Iterable[tuple[int, str]] = EVERY_WAY) -> Iterator[str]:
    """Yields the violations of the open page in each width and colour scheme, whether the page is
    wider than the screen, the ids that stand for two elements, and the icons that do not exist."""
    yield from (f"id {id} twice" for id, n in Counter(page.evaluate(_IDS)).items() if n > 1)
    yield from (f"no icon {name}" for name in page.evaluate(_BLANK))
    page.set_viewport_size({"width": NARROW, "height": 900})
    page.evaluate(_DRAWN)
    if page.evaluate(_WIDER):
        yield f"{NARROW}: scrolls sideways"
    for width, scheme in worn:
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        yield from (f"{width} {scheme}: {one}" for one in violations(page))
        if page.evaluate(_WIDER):
            yield f"{width}: scrolls sideways"
