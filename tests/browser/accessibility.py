"""axe-core: what it finds wrong with a page, by the rules of WCAG 2.2 AA and its own advice."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

_OPTIONS = {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}


def violations(page: Page) -> list[str]:
    """A line for each broken rule: `color-contrast (serious): .price, .note`."""
    found = Axe().run(page, options=_OPTIONS).response["violations"]
    return [
        f"{one['id']} ({one['impact']}): "
        + ", ".join(" ".join(map(str, node["target"])) for node in one["nodes"])
        for one in found
    ]
