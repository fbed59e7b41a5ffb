"""Which messages are queued for whom, when a booking changes."""

from datetime import timedelta

import pytest

from reservation.domain.messages import lists
from reservation.domain.planning import businesses, closures, events
from reservation.storage.database import connect, forget
from tests import engines, outboxes
from tests.resources.large import Observer

HOUR = 3600


@pytest.fixture
def queued(db):
    """Returns the (genre, recipient) of each message about a booking so far: queued(number)."""

    def look(number):
        sql = "SELECT genre, destinataire FROM eventemail WHERE reservation_id = ? ORDER BY id"
        return db.rows(sql, number)

    return look


@pytest.fixture
def change(client):
    def put(by, number, version, expect=200, **changes):
        body = {"version": version, **changes}
        return client.put(f"/api/reservations/{number}", body, expect, token=by.token).json

    return put


def reminders(db, number):
    """Returns the (due, start of the visit) of each reminder."""
    sql = "SELECT prochain_essai, debut FROM eventemail WHERE genre = 'rappel'"
    return db.rows(sql + " AND reservation_id = ?", number)


def start_of(db, number):
    return db.rows("SELECT debut FROM reservation WHERE id = ?", number)[0][0]


def test_a_booking_tells_both_sides_and_sets_a_reminder(salon, chloe, alice, queued, tuesday):
    number = salon.book(chloe, salon.at(tuesday, "10:00"))["id"]
    assert queued(number) == [
        ("confirmee", chloe.email), ("rappel", chloe.email), ("nouvelle", alice.email),
    ]


def test_the_business_is_told_at_its_own_address_where_it_has_one(
    make_salon, chloe, alice, queued, tuesday
):
    salon = make_salon(alice, email="salon@example.fr")
    number = salon.book(chloe, salon.at(tuesday, "10:00"))["id"]
    assert ("nouvelle", "salon@example.fr") in queued(number)


def test_what_the_owner_books_for_a_caller_is_no_news_to_the_owner(
    salon, alice, queued, tuesday
):
    client = {"email": "zoe@example.fr", "nom": "Blanc", "prenom": "Zoé", "telephone": ""}
    number = salon.book(alice, salon.at(tuesday, "10:00"), client=client)["id"]
    assert queued(number) == [("confirmee", "zoe@example.fr"), ("rappel", "zoe@example.fr")]


def test_a_request_is_confirmed_and_reminded_of_when_it_is_approved(
    make_salon, alice, chloe, queued, change, db, tuesday
):
    salon = make_salon(alice, validationManuelle=True)
    number = salon.book(chloe, salon.at(tuesday, "10:00"))["id"]
    assert [genre for genre, _ in queued(number)] == ["demandee", "a_valider"]
    change(alice, number, 1, statut="confirmee")
    assert [genre for genre, _ in queued(number)][2:] == ["approuvee", "rappel"]
    assert reminders(db, number) == [(start_of(db, number) - 24 * HOUR, start_of(db, number))]


def test_a_refused_request_tells_the_customer_alone(
    make_salon, alice, chloe, queued, change, tuesday
):
    salon = make_salon(alice, validationManuelle=True)
    number = salon.book(chloe, salon.at(tuesday, "10:00"))["id"]
    change(alice, number, 1, statut="refusee")
    assert queued(number)[2:] == [("refusee", chloe.email)]


def test_who_would_approve_books_without_asking(make_salon, alice, queued, tuesday):
    salon = make_salon(alice, validationManuelle=True)
    client = {"email": "zoe@example.fr", "nom": "Blanc", "prenom": "Zoé", "telephone": ""}
    booked = salon.book(alice, salon.at(tuesday, "10:00"), client=client)
    assert booked["statut"] == "confirmee"
    assert queued(booked["id"]) == [("confirmee", "zoe@example.fr"), ("rappel", "zoe@example.fr")]


@pytest.mark.parametrize("by_owner", [False, True])
def test_a_move_takes_the_reminder_along(
    salon, alice, chloe, queued, change, db, tuesday, by_owner
):
    number = salon.book(chloe, salon.at(tuesday, "10:00"))["id"]
    later = salon.at(tuesday + timedelta(days=1), "11:00")
    change(alice if by_owner else chloe, number, 1, creneauId=later)
    assert reminders(db, number) == [(start_of(db, number) - 24 * HOUR, start_of(db, number))]
    told = [genre for genre, _ in queued(number) if genre != "rappel"]
    assert told == ["confirmee", "nouvelle", "deplacee"] + ["deplacement"] * (not by_owner)


@pytest.mark.parametrize("by_owner", [False, True])
def test_a_cancellation_tells_who_did_not_do_it_and_drops_the_reminder(
    salon, alice, chloe, queued, client, db, tuesday, by_owner
):
    number = salon.book(chloe, salon.at(tuesday, "10:00"))["id"]
    client.delete(f"/api/reservations/{number}", token=(alice if by_owner else chloe).token)
    assert reminders(db, number) == []
    assert queued(number)[2:] == (
        [("annulee_entreprise", chloe.email)] if by_owner
        else [("annulee", chloe.email), ("annulation", alice.email)]
    )


def test_an_owner_who_cancels_a_visit_of_her_own_is_not_told_that_the_business_had_to(
    salon, client, alice, queued, tuesday
):
    number = salon.book(alice, salon.at(tuesday, "10:00"))["id"]
    client.delete(f"/api/reservations/{number}", token=alice.token)
    assert queued(number) == [("confirmee", alice.email), ("annulee", alice.email)]


def test_the_business_is_told_of_an_admin_who_books_moves_and_cancels_a_visit_of_her_own(
    salon, client, alice, dora, queued, change, tuesday
):
    number = salon.book(dora, salon.at(tuesday, "10:00"))["id"]
    change(dora, number, 1, creneauId=salon.at(tuesday, "11:00"))
    client.delete(f"/api/reservations/{number}", token=dora.token)
    told = [genre for genre, recipient in queued(number) if recipient == alice.email]
    assert told == ["nouvelle", "deplacement", "annulation"]


def test_the_business_is_told_of_a_person_who_cancels_a_visit_of_her_own_with_herself(
    salon, client, alice, lina, staff, queued, tuesday
):
    number = salon.book(lina, salon.at(tuesday, "10:00"), ressourceId=staff)["id"]
    client.delete(f"/api/reservations/{number}", token=lina.token)
    told = [genre for genre, recipient in queued(number) if recipient == alice.email]
    assert told == ["nouvelle", "annulation"]


def test_what_changes_no_time_and_no_state_tells_nobody(
    salon, alice, chloe, queued, change, tuesday
):
    number = salon.book(chloe, salon.at(tuesday, "10:00"))["id"]
    change(chloe, number, 1, commentaire="Cheveux longs")
    assert len(queued(number)) == 3


@pytest.mark.parametrize("hours, expected", [(0, 0), (1, 1), (24, 1), (720, 0)])
def test_there_is_no_reminder_where_none_is_wanted_or_it_is_too_late_for_one(
    make_salon, alice, chloe, db, tuesday, hours, expected
):
    salon = make_salon(alice, rappelHeures=hours)
    number = salon.book(chloe, salon.at(tuesday, "10:00"))["id"]
    assert len(reminders(db, number)) == expected


@pytest.fixture
def remind(client, db, salon, alice):
    """Sets the hours of the reminders, and returns those of each reminder: remind(number, 24)."""

    def remind(number, hours):
        path = f"/api/entreprises/{salon.id}"
        read = client.get(path, token=alice.token).json
        body = {"nom": "Salon", "ville": "Lyon", "version": read["version"]}
        client.put(path, body | {"rappelHeures": hours}, token=alice.token)
        return [(debut - due) // HOUR for due, debut in reminders(db, number)]

    return remind


def test_a_change_of_the_reminders_of_a_business_applies_to_its_bookings(
    db, salon, chloe, remind, tuesday
):
    number = salon.book(chloe, salon.at(tuesday, "10:00"))["id"]
    # A reminder 720 hours ahead would be due already, so the reminder keeps its time.
    found = [remind(number, hours) for hours in (48, 720, 0, 720, 2)]
    assert found == [[48], [48], [], [], [2]]
    (reminder,) = [post for post in outboxes.posts(db) if post.genre == "rappel"]
    assert (reminder.destinataire, reminder.statut) == (chloe.email, "attente")


def test_the_reminder_of_a_visit_that_was_moved_after_a_reminder_is_queued_again(
    db, salon, chloe, change, remind, tuesday
):
    number = salon.book(chloe, salon.at(tuesday, "10:00"))["id"]
    db.write("UPDATE eventemail SET statut = 'envoye', envoye_le = 1 WHERE genre = 'rappel'")
    change(chloe, number, 1, creneauId=salon.at(tuesday, "14:00"))
    assert [remind(number, hours) for hours in (0, 24)] == [[24], [24, 24]]
    assert reminders(db, number)[1][1] == start_of(db, number)


def test_a_closure_tells_each_customer_once_that_it_strands(
    salon, alice, chloe, queued, client, tuesday
):
    number = salon.book(chloe, salon.at(tuesday, "11:00"))["id"]
    other = salon.book(chloe, salon.at(tuesday, "16:00"))["id"]
    closure = {
        "type": "fermeture", "titre": "Travaux", "debut": f"{tuesday}T09:00+00:00",
        "fin": f"{tuesday}T12:00+00:00",
    }
    path = f"/api/entreprises/{salon.id}/evenements"
    made = client.post(path, closure, 201, token=alice.token).json
    assert queued(number)[3:] == [("fermeture", chloe.email)]
    client.put(
        f"/api/evenements/{made['id']}", {**closure, "titre": "Gros travaux", "version": 1},
        token=alice.token,
    )
    client.delete(f"/api/evenements/{made['id']}", token=alice.token)
    assert len(queued(number)) == 4
    assert len(queued(other)) == 3


def test_a_closure_tells_nobody_whose_visit_has_begun(
    salon, chloe, bob, db, queued, tuesday
):
    begun, coming = (
        salon.book(by, salon.at(tuesday, time))["id"]
        for by, time in ((chloe, "10:00"), (bob, "10:30"))
    )
    outboxes.empty(db)
    entreprise, start = businesses.get(db, salon.id), start_of(db, begun)
    values = closures.values_of("Travaux", start - HOUR, start + HOUR)
    tried = events.rehearse(db, entreprise, values, start + 60)
    done = events.add(db, entreprise, values, start + 60)
    for stranded in (tried.stranded, done.stranded):
        assert [one.id for one in stranded] == [coming]
    assert queued(begun) == []
    assert queued(coming) == [("fermeture", bob.email)]


def test_each_closure_tells_the_customers_whom_it_affects(
    salon, alice, bob, chloe, queued, client, tuesday, lea, ines
):
    def tells():
        return [[genre for genre, _ in queued(id)].count("fermeture") for id in numbers]

    times = {"debut": f"{tuesday}T09:00+00:00", "fin": f"{tuesday}T12:00+00:00"}
    closure = {"type": "fermeture", "titre": "Travaux", **times, "ressourceId": ines}
    path, token = f"/api/entreprises/{salon.id}/evenements", alice.token
    numbers = [
        salon.book(by, salon.at(tuesday, "11:00"), ressourceId=person)["id"]
        for by, person in ((chloe, ines), (bob, lea))
    ]
    first = client.post(path, closure, 201, token=token).json["id"]
    assert tells() == [1, 0]
    client.delete(f"/api/evenements/{first}", token=token)
    second = client.post(path, {**closure, "ressourceId": None}, 201, token=token).json["id"]
    assert tells() == [2, 1]
    client.delete(f"/api/evenements/{second}", token=token)
    third = client.post(path, closure, 201, token=token).json["id"]
    assert tells() == [3, 1]
    for version, ressource in ((1, lea), (2, None), (3, None)):
        changed = {**closure, "ressourceId": ressource, "version": version}
        client.put(f"/api/evenements/{third}", changed, token=token)
        assert tells() == [3 + (version > 1), 2]
    client.put(
        f"/api/evenements/{third}", {**closure, "type": "information", "version": 4}, token=token
    )
    client.put(f"/api/evenements/{third}", {**closure, "version": 5}, token=token)
    assert tells() == [5, 2]


def test_the_sequence_grows_with_each_change(salon, alice, chloe, change, client, db, tuesday):
    number = salon.book(chloe, salon.at(tuesday, "10:00"))["id"]
    change(chloe, number, 1, creneauId=salon.at(tuesday, "11:00"))
    client.delete(f"/api/reservations/{number}", token=chloe.token)
    sql = "SELECT genre, sequence FROM eventemail WHERE reservation_id = ? ORDER BY id"
    told = [row for row in db.rows(sql, number) if row[0] in ("confirmee", "deplacee", "annulee")]
    assert told == [("confirmee", 0), ("deplacee", 1), ("annulee", 2)]


@engines.on_sqlite
def test_counting_abandoned_messages_takes_few_instructions_for_each(
    database_url, db, visit, monkeypatch
):
    """Each scrape of the metrics counts them, and there may be 300,000."""
    outboxes.queue(db, visit, outboxes.people(2000))
    db.write("UPDATE eventemail SET statut = 'abandonne'")
    observer, own = Observer(monkeypatch), connect(database_url)
    own.rows("SELECT 1 FROM eventemail")  # reads the schema
    with observer.observing() as seen:
        assert lists.unsent(own, 0)[0]["abandonne"] >= 2000
    assert seen.read * 100 < 2000 * 5
    forget(own)
