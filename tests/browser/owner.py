"""Opens the pages of an owner who is signed in."""

import json
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page

from reservation.resources import site
from tests.conftest import Person

_OF_A_BUSINESS = "/gestion/{id:id}/"
FOLDERS = [
    path.removeprefix(_OF_A_BUSINESS) for path, _ in site.PAGES if path.startswith(_OF_A_BUSINESS)
]
NASTY = "<img src=x onerror=alert(1)>"


def open_page(
    new_page: Callable[..., Page], url: str, person: Person, path: str, role: str = "company",
    **options: Any,
) -> Page:
    page = new_page(url, **options)
    user = {
        "id": person.id, "email": person.email, "first_name": "Alice", "last_name": "Martin",
        "role": role, "school": "",
    }
    session = json.dumps({"token": person.token, "user": user})
    page.add_init_script(f"sessionStorage.setItem('session', {json.dumps(session)})")
    page.goto(path)
    return page
