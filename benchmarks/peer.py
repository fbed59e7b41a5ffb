"""The row about django-appointment, an open-source booking service in Python.

It is the most similar one to this service. Both services compute the free times of one day. `make
bench` installs django-appointment into an environment of its own; PEER_PYTHON names the
interpreter of another environment.
"""

import json
import os
import sys
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import cycle, islice
from pathlib import Path

from benchmarks.load import fetch, measure, request
from benchmarks.people import People
from benchmarks.rows import Row, at_least
from benchmarks.servers import CannotMeasure, running
from benchmarks.world import World

PYTHON = Path(sys.prefix) / "peer/bin/python"
SITE = Path(__file__).with_name("peer_site.py")
STAFF, DAYS, TAKEN = 8, 12, 8  # appointments of each member on each day


def django_appointment(world: World) -> Iterator[Row]:
    python = Path(os.environ.get("PEER_PYTHON", PYTHON))
    if not python.exists():
        raise CannotMeasure(f"django-appointment is missing: {python}; run `make bench`")
    words = list(map(str, (python, SITE, STAFF, DAYS, TAKEN)))
    peer = world.stack.enter_context(running(words, world.folder, os.environ))
    people = People(world.settings(), 600, STAFF)
    server = world.serve(people.settings)
    measure(server, list(islice(people.bookings(), world.size.requests * 4)), clients=2)
    pairs = world.against_bare(server, world.bare(), people.weeks(days=1), clients=2)
    days, count = _days(), max(world.size.requests // 4, 1)
    body = fetch(peer, next(days)).body
    if not json.loads(body)["available_slots"]:
        raise CannotMeasure(f"django-appointment answers {body[:300]!r}")

    def times_faster() -> tuple[float]:
        """Compares CPU times less the time of a bare server, which is most of our own."""
        here, nothing = pairs()
        there = measure(peer, list(islice(days, count)), clients=2)
        return ((there.cpu - nothing.cpu) / (here.cpu - nothing.cpu),)

    name = "a day's free starts, less bare: django-appointment ÷ ours"
    yield Row(name, [at_least(75)], times_faster, world.rounds(0.5))


def _days() -> Iterator[bytes]:
    """Yields requests for one day of one member of the staff after another."""
    monday = date.today() + timedelta(days=8 - date.today().isoweekday())
    for at in cycle(range(STAFF * 5)):
        member, day = at % STAFF + 1, monday + timedelta(days=at // STAFF)
        yield request(
            "GET",
            f"/ajax/available_slots/?selected_date={day}&staff_member={member}&service_id=1",
            X_Requested_With="XMLHttpRequest",
        )
