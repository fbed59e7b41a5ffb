"""The choice without a preference, over random bookings: compared with `naive_teams`."""

from datetime import datetime
from types import SimpleNamespace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from reservation.domain.booking import choosing
from reservation.domain.calendar.terms import Visit
from reservation.storage.database import connect, forget
from tests import engines
from tests.domain import naive_teams
from tests.domain.naive import Held, Rules
from tests.domain.naive_teams import Booking, World

HALF_HOUR = 1800
# The local midnights at which days of 23, 25 and 24 hours begin.
DAYS = (
    ("Europe/Paris", "2026-03-29T00:00+01:00"),
    ("Europe/Paris", "2026-10-25T00:00+02:00"),
    ("Asia/Kathmandu", "2026-06-15T00:00+05:45"),
)
PERSONS = (7, 3, 12, 5)  # by `ordre`
OFF = {
    "sqlite": "PRAGMA foreign_keys = off", "mariadb": "SET SESSION foreign_key_checks = 0",
}[engines.ENGINE]
_INSERT = (
    "INSERT INTO reservation (client_id, entreprise_id, prestation_id, ressource_id, debut, fin,"
    " occupe_debut, occupe_fin, places, prix_centimes, statut, commentaire, version, cree_le,"
    " modifie_le) VALUES (1, 1, 1, ?, ?, ?, ?, ?, 1, 0, ?, '', 1, 0, 0)"
)
bookings = st.lists(
    st.tuples(
        st.sampled_from((*PERSONS, 99)), st.integers(-6, 56), st.sampled_from((1, 2, 3, 20)),
        st.sampled_from(("confirmee", "confirmee", "demandee", "honoree", "annulee", "refusee")),
    ),
    max_size=12,
)


@pytest.fixture
def careless(db, database_url):
    """A database that accepts bookings of nobody."""
    own = connect(database_url)
    own.execute_sql(OFF)
    yield own
    own.write("DELETE FROM reservation")
    forget(own)


def test_the_order_of_the_choice_is_that_of_a_naive_sum(careless):
    @settings(max_examples=120, deadline=None)
    @given(st.sampled_from(DAYS), bookings, st.integers(0, 49), st.sampled_from((None, *PERSONS)))
    @example(DAYS[1], [(7, 49, 1, "confirmee")], 0, None)  # the 25th hour
    @example(DAYS[0], [(7, 46, 1, "confirmee")], 0, None)  # the next day
    @example(DAYS[2], [(7, 20, 1, "annulee")], 20, None)
    def check(day, rows, at, first):
        zone, midnight = day
        start = int(datetime.fromisoformat(midnight).timestamp())
        debut, made = start + at * HALF_HOUR, {}
        with careless.atomic() as part:
            for number, (person, half_hours, length, statut) in enumerate(rows):
                since = start + half_hours * HALF_HOUR
                until = since + length * HALF_HOUR
                careless.write(_INSERT, person, since, until, since - 600, until, statut)
                if statut not in ("annulee", "refusee"):
                    held = Held(since, until, since - 600, until, 1)
                    made[number] = Booking(held, person, None)
            salon = SimpleNamespace(fuseau=zone)
            visit = Visit(HALF_HOUR, persons=PERSONS)
            found = choosing.ranked(careless, salon, visit, debut, first).persons
            part.rollback()
        world = World((), {}, made, Rules(zone), 0)
        due = sorted(PERSONS, key=lambda one: (
            one != first, naive_teams.booked_minutes(world, one, debut)
        ))
        assert found == tuple(due)

    check()
