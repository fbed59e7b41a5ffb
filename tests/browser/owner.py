"""Opens the pages of an owner who is signed in, and closes days."""

import json
from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from playwright.sync_api import Page

from reservation.resources import site
from tests.client import Client
from tests.conftest import Person, Salon

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


def close(
    client: Client, salon: Salon, owner: Person, title: str, day: date, days: int = 1, **of: Any
) -> None:
    """Closes the salon, or the person or room in `of`, on some days."""
    debut, fin = f"{day}T06:00:00Z", f"{day + timedelta(days=days - 1)}T20:00:00Z"
    about = {"type": "fermeture", "titre": title, "debut": debut, "fin": fin, **of}
    client.post(f"/api/entreprises/{salon.id}/evenements", about, 201, token=owner.token)


def at_nine_ten(day: date) -> datetime:
    """Returns 9:10 in Paris, just after the first slot of the day has begun."""
    return datetime(day.year, day.month, day.day, 9, 10, tzinfo=ZoneInfo("Europe/Paris"))
