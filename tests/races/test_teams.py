"""Persons and rooms at once: no person and no room is ever in two places.

TEAM_STORM is the length of the storm in seconds.
"""

import os
import random
import threading
import time
from collections import Counter
from contextlib import suppress

from reservation.domain.planning import businesses, events
from reservation.errors import DatabaseUnavailable, InvalidInput
from reservation.lib.instants import DAY
from reservation.storage.database import connect, forget
from tests.clock import now
from tests.races import teams
from tests.races.clients import from_processes
from tests.races.soundness import assert_sound, meeting
from tests.races.test_kills import kill_workers

LASTING = float(os.environ.get("TEAM_STORM", "4"))  # seconds
STORMS = 10  # a busy machine needs several storms for enough bookings
PROCESSES, CLIENTS = 4, 8
EVERY = 0.7  # seconds between two kills
DAYS = 3
# What the API documents for these requests.
EXPECTED = {
    "POST 201", "POST 409 slot_taken", "POST 400 invalid_input", "PUT 200", "PUT 409 slot_taken",
    "PUT 412 stale_version", "PUT 400 invalid_input", "GET 200", "DELETE 204",
}


def starts_of(db, team, day):
    """Returns the ids of the slots of all persons on DAYS days, and the first start."""
    first = team.salon.free(day, tous=1)[0]["id"]
    ((debut,),) = db.rows("SELECT debut FROM creneau WHERE id = ?", first)
    marks = ", ".join("?" * len(team.persons))
    found = db.rows(
        f"SELECT id FROM creneau WHERE ressource_id IN ({marks}) AND debut >= ? AND debut < ?",
        *team.persons, debut, debut + DAYS * DAY,
    )
    return [id for (id,) in found], debut


def close_and_open(url, team, debut, until, changes):
    """Closes hours of one person, of a room or of the business, and opens them again."""
    db, chance = connect(url), random.Random(1)
    while time.monotonic() < until:
        since = debut + chance.randrange(DAYS) * DAY + chance.randrange(8) * 3600
        closed = chance.choice([None, *team.persons, *team.rooms])
        values = {
            "type": "fermeture", "titre": "", "description": "", "pas_minutes": None,
            "capacite": None, "debut": since, "fin": since + 3600, "ressource_id": closed,
        }
        # A client would get 503, or 400 for a retired person.
        with suppress(DatabaseUnavailable, InvalidInput):
            made = events.add(db, businesses.get(db, team.salon.id), values, now())
            changes.append("closed")
            time.sleep(chance.random() / 10)
            events.remove(db, made.written.entreprise, made.written, now())
    forget(db)


def retire_and_return(url, team, until, changes):
    db, chance = connect(url), random.Random(2)
    while time.monotonic() < until:
        gone = chance.choice([*team.persons[1:], *team.rooms])
        for active in (False, True):
            with suppress(DatabaseUnavailable):
                teams.retire(db, team, gone, active)
                changes.append("retired")
            time.sleep(chance.random() / 5)
    forget(db)


def storm(server, customers, team, starts, debut, url, told, changes):
    """Adds what the clients were told to `told`, and what was changed to `changes`."""
    until, before = time.monotonic() + LASTING, len(told)
    jobs = [
        (server.port, customers[number].token, number, CLIENTS, starts, team.persons,
         team.services, until)
        for number in range(PROCESSES)
    ]
    threads = [
        threading.Thread(
            target=lambda: told.extend(from_processes(teams.book_move_and_cancel, jobs))
        ),
        threading.Thread(target=close_and_open, args=(url, team, debut, until, changes)),
        threading.Thread(target=retire_and_return, args=(url, team, until, changes)),
    ]
    for thread in threads:
        thread.start()
    killed = kill_workers(server, until, EVERY, LASTING / EVERY / 2)
    for thread in threads:
        thread.join(timeout=LASTING + 60)
    assert len(told) == before + PROCESSES and len(killed) > LASTING / EVERY / 2


def is_enough(answers):
    return answers["POST 201"] > 4 * LASTING and all(
        answers[one] >= LASTING / 2 for one in ("PUT 200", "DELETE 204")
    )


def test_in_a_storm_no_person_and_no_room_is_in_two_places_and_nothing_is_lost(
    team, customers, serve, db, database_url, tuesday
):
    starts, debut = starts_of(db, team, tuesday)
    server = serve("--workers", "2")
    changes, told, answers = [], [], Counter()
    for _ in range(STORMS):
        storm(server, customers, team, starts, debut, database_url, told, changes)
        answers = sum((one.statuses for one in told), Counter())
        if is_enough(answers):
            break
    assert set(answers) <= EXPECTED and is_enough(answers), answers
    assert {"closed", "retired"} == set(changes)
    assert meeting(db) == []
    assert_nothing_was_lost(db, told)


def assert_nothing_was_lost(db, told):
    """Asserts that the stored bookings are those that the clients were told."""
    answered = {
        key: (one["id"], one["version"], one["creneauId"])
        for visits in told for key, one in visits.bookings.items() if one["statut"] != "annulee"
    }
    cancelled = {
        key for visits in told for key, one in visits.bookings.items()
        if one["statut"] == "annulee"
    }
    rows = db.rows("SELECT cle_idempotence, id, version, creneau_id, statut FROM reservation")
    assert {key: (id, version, slot) for key, id, version, slot, statut in rows
            if statut != "annulee"} == answered
    assert {row[0] for row in rows if row[4] == "annulee"} == cancelled
    assert_sound(db)
