"""Messages that no longer agree with the visit are not sent."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from zoneinfo import ZoneInfo

import pytest

from reservation.domain.messages.formats import moment
from reservation.domain.messages.rendering import NotNeeded, Renderer
from reservation.domain.outbox import holding, reminders
from reservation.domain.outbox.outbox import TO_BUSINESS
from reservation.lib.instants import from_iso
from tests import engines, outboxes
from tests.clock import now
from tests.outboxes import let_pauses_pass, posts


def end(db, ago=3600):
    """Moves the visit to the past."""
    times = now() - ago, now() - ago + 1800
    columns = "debut = ?, fin = ?, occupe_debut = ?, occupe_fin = ?"
    db.write(f"UPDATE reservation SET {columns}", *times, *times)


@pytest.fixture
def deliver(db, post):
    return outboxes.delivery(db, post.port).deliver


@pytest.fixture
def states(db, chloe):
    """Returns [kind, state] of each message to the customer, without reminders."""

    def look():
        return [
            [one.genre, one.statut] for one in posts(db)
            if one.destinataire == chloe.email and one.genre != "rappel"
        ]

    return look


@pytest.fixture
def booked(salon, chloe, deliver, post, tuesday):
    """Returns a booking whose confirmation the relay has refused once."""
    made = salon.book(chloe, salon.at(tuesday, "10:00"))
    post.moods[chloe.email] = lambda _server: "451 later"
    deliver()
    post.moods.clear()
    return made


@pytest.fixture
def close(client, salon, alice):
    """Closes the salon at the time of a booking, and returns the closure."""

    def close(booked):
        closure = {
            "type": "fermeture", "titre": "Travaux", "debut": booked["debut"], "fin": booked["fin"]
        }
        path = f"/api/entreprises/{salon.id}/evenements"
        return client.post(path, closure, 201, token=alice.token).json

    return close


@pytest.fixture
def closed(salon, close, chloe, deliver, tuesday):
    """Returns a closure at the time of a booking. Its message is queued."""
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    deliver()
    return close(booked)


def test_a_confirmation_is_not_sent_after_the_cancellation(
    db, booked, client, chloe, deliver, post, states
):
    client.delete(f"/api/reservations/{booked['id']}", token=chloe.token)
    deliver()
    let_pauses_pass(db)
    deliver()
    assert states() == [["confirmee", "abandonne"], ["annulee", "envoye"]]
    assert posts(db)[0].derniere_erreur == "visit_changed"
    assert post.told.count(chloe.email) == 1


def test_of_several_moves_the_customer_gets_the_last(
    db, booked, salon, change, chloe, deliver, post, states, tuesday
):
    change(chloe, booked, 1, creneauId=salon.at(tuesday, "11:00"))
    change(chloe, booked, 2, creneauId=salon.at(tuesday, "10:00"))  # the time of the confirmation
    let_pauses_pass(db)
    deliver()
    assert states() == [
        ["confirmee", "abandonne"], ["deplacee", "abandonne"], ["deplacee", "envoye"],
    ]
    assert post.told.count(chloe.email) == 1


def test_a_change_of_the_comment_drops_no_message(
    db, booked, change, chloe, deliver, states
):
    change(chloe, booked, 1, commentaire="Cheveux longs")
    let_pauses_pass(db)
    deliver()
    assert states() == [["confirmee", "envoye"]]


LATE = "Il est trop tard pour le déplacer ou l’annuler en ligne\u00a0: contactez l’établissement."


@pytest.fixture
def said(db, post, deliver, chloe):
    """Sends all queued messages. Returns {first line after the greeting: text} of all messages to
    the customer until now."""

    def send():
        db.write("UPDATE eventemail SET prochain_essai = 0 WHERE genre = 'rappel'")
        deliver()
        mails = [one.mail for one in post.received if one.recipients == [chloe.email]]
        texts = [one.get_body(["plain"]).get_content().replace("\r\n", "\n") for one in mails]
        return {text.splitlines()[2]: text for text in texts}

    return send


@pytest.mark.parametrize("late", [False, True])
def test_messages_say_whether_the_visit_can_still_be_moved_and_cancelled(
    db, salon, change, alice, chloe, said, tuesday, late
):
    delai = 366 * 1440 if late else 0
    db.write("UPDATE entreprise SET delai_annulation = ?", delai)
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    said()
    change(alice, booked, 1, creneauId=salon.at(tuesday, "11:00"))
    texts = said()
    assert {"Votre rendez-vous approche.", "Votre rendez-vous est confirmé."} < set(texts)
    assert len(texts) == 3
    for text in texts.values():
        assert (f"{LATE}\nPour voir le rendez-vous\u00a0: https://" in text) == late
        assert ("Pour déplacer ou annuler le rendez-vous\u00a0: https://" in text) == (not late)


@pytest.mark.parametrize("late", [False, True])
def test_the_answer_to_a_request_says_whether_the_visit_can_still_be_moved(
    make_salon, change, alice, chloe, said, tuesday, late
):
    delai = 366 * 1440 if late else 0
    salon = make_salon(alice, validationManuelle=True, delaiAnnulation=delai)
    asked = salon.book(chloe, salon.at(tuesday, "10:00"))
    change(chloe, asked, 1, creneauId=salon.at(tuesday, "11:00"))
    texts = said()
    assert len(texts) == 1 and LATE not in str(texts)  # a request has no deadline
    change(alice, asked, 2, statut="confirmee")
    (answer,) = (text for text in said().values() if "a accepté votre demande" in text)
    assert (LATE in answer) == late


@pytest.mark.parametrize("langue", ["fr", "en"])
def test_messages_say_the_price_of_all_places_and_the_deadline(
    db, client, salon, alice, chloe, said, tuesday, langue
):
    db.write("UPDATE entreprise SET delai_annulation = 120")
    db.write("UPDATE prestation SET prix_centimes = 1950")
    db.write("UPDATE utilisateur SET langue = ?", langue)
    hours = [{"jour": 2, "debut": "10:00", "fin": "13:00", "pasMinutes": 60, "capacite": 2}]
    client.put(f"/api/entreprises/{salon.id}/semainetype", hours, token=alice.token)
    booked = salon.book(chloe, salon.at(tuesday, "10:00"), places=2)
    deadline = moment(from_iso(booked["debut"]) - 2 * 3600, ZoneInfo("Europe/Paris"), langue)
    price = {"fr": "Tarif\u00a0: 39\u00a0€", "en": "Price: €39"}[langue]
    until = {"fr": "possible jusqu’au", "en": "possible until"}[langue]
    texts = said()
    assert len(texts) == 2  # the confirmation and the reminder
    for text in texts.values():
        assert f"\n{price}\n" in text
        assert f"({until} {deadline})" in text


def test_messages_say_no_deadline_if_a_closure_covers_the_visit(
    db, salon, close, chloe, said, tuesday
):
    db.write("UPDATE entreprise SET delai_annulation = 120")
    close(salon.book(chloe, salon.at(tuesday, "10:00")))
    text = said()["Votre rendez-vous est confirmé."]
    assert "Pour déplacer ou annuler le rendez-vous\u00a0: https://" in text


def test_an_approval_supersedes_the_receipt_of_the_request(
    db, make_salon, alice, chloe, change, deliver, states, tuesday
):
    salon = make_salon(alice, validationManuelle=True)
    asked = salon.book(chloe, salon.at(tuesday, "10:00"))
    change(alice, asked, 1, statut="confirmee")
    deliver()
    assert states() == [["demandee", "abandonne"], ["approuvee", "envoye"]]


@pytest.mark.parametrize("statut", ["confirmee", "refusee"])
def test_a_business_that_has_answered_is_not_asked_for_an_answer(
    db, make_salon, alice, chloe, change, deliver, tuesday, statut
):
    salon = make_salon(alice, validationManuelle=True)
    asked = salon.book(chloe, salon.at(tuesday, "10:00"))
    change(alice, asked, 1, statut=statut)
    deliver()
    (told,) = [one for one in posts(db) if one.genre == "a_valider"]
    assert (told.statut, told.derniere_erreur) == ("abandonne", "visit_changed")


def test_a_business_is_not_asked_for_an_answer_after_the_visit(
    db, make_salon, alice, chloe, deliver, tuesday
):
    salon = make_salon(alice, validationManuelle=True)
    salon.book(chloe, salon.at(tuesday, "10:00"))
    end(db)
    deliver()
    (told,) = [one for one in posts(db) if one.genre == "a_valider"]
    assert (told.statut, told.derniere_erreur) == ("abandonne", "visit_begun")


@pytest.fixture
def delayed(db, salon, alice, chloe, deliver, post, tuesday):
    """Returns a booking of which the owner has not heard, because the relay has refused the
    message once."""
    post.moods[alice.email] = lambda _server: "451 later"
    made = salon.book(chloe, salon.at(tuesday, "10:00"))
    deliver()
    post.moods.clear()
    return made


@pytest.fixture
def notices(db, deliver):
    """Sends the due messages, then those whose pauses have passed. Returns [kind, state, reason]
    of each message to the business."""

    def look():
        deliver()
        let_pauses_pass(db)
        deliver()
        return [
            [one.genre, one.statut, one.derniere_erreur] for one in posts(db)
            if one.genre in TO_BUSINESS
        ]

    return look


@pytest.mark.parametrize("genre", ["annulation", "deplacement"])
def test_the_news_of_a_booking_is_not_sent_after_later_news_of_the_booking(
    salon, client, chloe, change, delayed, notices, tuesday, genre
):
    if genre == "annulation":
        client.delete(f"/api/reservations/{delayed['id']}", token=chloe.token)
    else:
        change(chloe, delayed, 1, creneauId=salon.at(tuesday, "15:00"))
    assert notices() == [["nouvelle", "abandonne", "visit_changed"], [genre, "envoye", None]]


def test_the_news_of_a_booking_is_sent_if_later_news_was_not(
    db, client, chloe, delayed, notices
):
    client.delete(f"/api/reservations/{delayed['id']}", token=chloe.token)
    db.write("UPDATE eventemail SET statut = 'retenu' WHERE genre = 'annulation'")
    assert notices() == [["nouvelle", "envoye", None], ["annulation", "retenu", None]]


def test_the_news_of_a_move_is_not_sent_after_the_news_of_the_next_move(
    salon, alice, chloe, change, deliver, post, notices, tuesday
):
    made = salon.book(chloe, salon.at(tuesday, "10:00"))
    deliver()
    change(chloe, made, 1, creneauId=salon.at(tuesday, "11:00"))
    post.moods[alice.email] = lambda _server: "451 later"
    deliver()
    post.moods.clear()
    change(chloe, made, 2, creneauId=salon.at(tuesday, "15:00"))
    assert notices()[1:] == [
        ["deplacement", "abandonne", "visit_changed"], ["deplacement", "envoye", None],
    ]


def test_the_news_of_a_booking_is_not_sent_after_the_visit(db, delayed, notices):
    end(db)
    assert notices() == [["nouvelle", "abandonne", "visit_begun"]]


def test_the_news_of_a_booking_is_sent_again_on_request_after_later_news(
    db, salon, client, alice, chloe, notices, post, tuesday
):
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))
    notices()
    client.delete(f"/api/reservations/{booked['id']}", token=chloe.token)
    notices()
    end(db)
    ((number,),) = db.rows("SELECT id FROM eventemail WHERE genre = 'nouvelle'")
    client.post(f"/api/emails/{number}/renvoi", expect=202, token=alice.token)
    notices()
    assert post.told.count(alice.email) == 3


@pytest.mark.parametrize("statut", ["refusee", "annulee"])
def test_held_messages_that_are_released_are_not_sent_if_obsolete(
    db, make_salon, alice, chloe, change, deliver, states, tuesday, statut
):
    salon = make_salon(alice, validationManuelle=True)
    asked = salon.book(chloe, salon.at(tuesday, "10:00"))
    db.write("UPDATE eventemail SET statut = 'retenu'")
    change(alice, asked, 1, statut=statut)
    holding.release_restored(db)
    deliver()
    last = {"refusee": "refusee", "annulee": "annulee_entreprise"}[statut]
    assert states() == [["demandee", "abandonne"], [last, "envoye"]]


@pytest.mark.parametrize("ago, state", [(23 * 3600, "envoye"), (25 * 3600, "abandonne")])
def test_a_cancellation_is_not_sent_a_day_after_the_visit(
    db, visit, client, alice, deliver, states, ago, state
):
    client.delete(f"/api/reservations/{visit}", token=alice.token)
    db.write("UPDATE eventemail SET statut = 'retenu'")
    end(db, ago)
    holding.release_restored(db)
    deliver()
    assert states() == [["annulee_entreprise", state]]


def test_a_confirmation_is_not_sent_after_the_visit(db, booked, deliver, states):
    end(db)
    let_pauses_pass(db)
    deliver()
    assert states() == [["confirmee", "abandonne"]]
    assert posts(db)[0].derniere_erreur == "visit_begun"


def test_an_obsolete_message_starts_no_sender(db, booked, deliver, states, monkeypatch):
    end(db)
    let_pauses_pass(db)
    # The worker would wait two seconds for a sender without a message.
    monkeypatch.setattr("reservation.domain.messages.delivery.Sender", None)
    deliver()
    assert states() == [["confirmee", "abandonne"]]


def test_the_news_of_a_closure_is_not_sent_after_the_cancellation(
    client, closed, alice, deliver, states
):
    (booked,) = closed["reservationsTouchees"]
    client.delete(f"/api/reservations/{booked['id']}", token=alice.token)
    deliver()
    assert states()[1:] == [["fermeture", "abandonne"], ["annulee_entreprise", "envoye"]]


def test_the_news_of_a_closure_is_not_sent_after_the_closure_is_removed(
    db, closed, client, alice, deliver, states
):
    client.delete(f"/api/evenements/{closed['id']}", token=alice.token)
    deliver()
    assert states() == [["confirmee", "envoye"], ["fermeture", "abandonne"]]
    assert [one.derniere_erreur for one in posts(db) if one.genre == "fermeture"] == ["no_closure"]


def test_the_news_of_a_closure_is_not_sent_after_the_visit_is_moved_out_of_the_closure(
    salon, closed, change, alice, deliver, states, tuesday
):
    (booked,) = closed["reservationsTouchees"]
    change(alice, booked, 1, commentaire="Cheveux longs")
    change(alice, booked, 2, creneauId=salon.at(tuesday, "15:00"))
    deliver()
    assert states()[1:] == [["fermeture", "abandonne"], ["deplacee", "envoye"]]


def test_the_news_of_a_closure_is_not_sent_if_another_closure_covers_the_new_time_of_the_visit(
    db, salon, closed, change, close, alice, deliver, tuesday
):
    (booked,) = closed["reservationsTouchees"]
    close(change(alice, booked, 1, creneauId=salon.at(tuesday, "15:00")))
    deliver()
    news = [one for one in posts(db) if one.genre == "fermeture"]
    assert [one.statut for one in news] == ["abandonne", "envoye"]
    assert news[0].derniere_erreur == "visit_changed"
    assert "15:00" in news[1].sujet


@pytest.mark.parametrize("is_late", [False, True])
def test_the_news_of_a_closure_that_was_removed_and_added_again_is_sent_once(
    db, closed, client, alice, chloe, close, deliver, post, is_late
):
    """Also if the second message is sent first, because the first one waits for its next try."""
    (booked,) = closed["reservationsTouchees"]
    if is_late:
        post.moods[chloe.email] = lambda _server: "451 later"
        deliver()
        post.moods.clear()
    client.delete(f"/api/evenements/{closed['id']}", token=alice.token)
    close(booked)
    deliver()
    let_pauses_pass(db)
    deliver()
    news = [(one.statut, one.derniere_erreur) for one in posts(db) if one.genre == "fermeture"]
    assert news == [("abandonne", "no_closure"), ("envoye", None)]


@pytest.fixture
def event(client, alice):
    """Removes a closure, or replaces values of the closure: event(closed, titre="Peinture")."""

    def change(closed, **values):
        path = f"/api/evenements/{closed['id']}"
        if not values:
            return client.delete(path, token=alice.token)
        body = {name: closed[name] for name in ("type", "titre", "debut", "fin", "version")}
        return client.put(path, body | values, token=alice.token).json

    return change


@pytest.fixture
def kept(db, deliver):
    """Sends the due messages. Returns the states of the messages that a visit takes place."""

    def look():
        deliver()
        return [
            (one.statut, one.derniere_erreur) for one in posts(db) if one.genre == "maintenue"
        ]

    return look


@pytest.mark.parametrize("how", ["removed", "moved", "announced"])
def test_a_customer_who_was_told_of_a_closure_is_told_of_its_end_once(
    db, closed, close, event, kept, how
):
    assert kept() == []
    renamed = event(closed, titre="Peinture")
    assert kept() == []
    later = {"debut": closed["fin"], "fin": closed["fin"].replace(":30:00", ":45:00")}
    values = {"removed": {}, "moved": later, "announced": {"type": "information"}}[how]
    changed = event(renamed, **values)
    assert kept() == [("envoye", None)]
    (told,) = [one for one in posts(db) if one.genre == "maintenue"]
    assert told.sujet.startswith("Rendez-vous maintenu") and "10:00–10:30" in told.corps
    if values:
        event(changed)
    event(close(closed["reservationsTouchees"][0]))  # nobody is told of this closure
    assert kept() == [("envoye", None)]


def test_of_a_closure_and_its_end_a_customer_hears_nothing_if_neither_was_sent(
    closed, event, kept, states
):
    event(closed)
    assert kept() == []
    assert states() == [["confirmee", "envoye"], ["fermeture", "abandonne"]]


def test_a_customer_who_is_being_served_is_not_told_of_a_closure(db, closed, deliver, states):
    end(db, ago=60)
    for table in ("eventemail", "evenement"):
        db.write(f"UPDATE {table} SET debut = ?, fin = ?", now() - 60, now() + 1740)
    deliver()
    assert states() == [["confirmee", "envoye"], ["fermeture", "abandonne"]]
    (told,) = [one for one in posts(db) if one.genre == "fermeture"]
    assert told.derniere_erreur == "visit_begun"


def test_a_visit_does_not_take_place_during_another_closure(closed, close, event, kept):
    other = close(closed["reservationsTouchees"][0])
    assert kept() == []
    event(closed)
    assert kept() == []
    event(other)
    assert kept() == [("envoye", None)]


def test_the_end_of_a_closure_is_not_announced_if_the_visit_is_closed_again(
    closed, close, event, kept, deliver
):
    deliver()
    event(closed)
    again = close(closed["reservationsTouchees"][0])
    assert kept() == [("abandonne", "closed")]
    event(again)
    assert kept() == [("abandonne", "closed"), ("envoye", None)]


@pytest.mark.parametrize("how", ["cancelled", "moved", "begun"])
@pytest.mark.parametrize("is_late", [False, True])
def test_only_a_coming_visit_at_the_closed_time_takes_place_after_all(
    db, salon, closed, event, change, alice, kept, tuesday, how, is_late
):
    """`is_late`: the visit changes between the end of the closure and the message."""
    (booked,) = closed["reservationsTouchees"]
    kept()
    if is_late:
        event(closed)
    if how == "begun":
        end(db)
    else:
        moved = {"creneauId": salon.at(tuesday, "15:00")}
        change(alice, booked, 1, **moved if how == "moved" else {"statut": "annulee"})
    if not is_late:
        event(closed)
    reason = "visit_begun" if how == "begun" else "visit_changed"
    assert kept() == [("abandonne", reason)] * is_late


def test_the_news_of_the_first_of_two_closures_is_sent_again_on_request(
    db, closed, client, alice, chloe, close, deliver, post
):
    deliver()
    close(closed["reservationsTouchees"][0])
    deliver()
    number = db.rows("SELECT MIN(id) FROM eventemail WHERE genre = 'fermeture'")[0][0]
    client.post(f"/api/emails/{number}/renvoi", expect=202, token=alice.token)
    before = post.told.count(chloe.email)
    deliver()
    assert post.told.count(chloe.email) == before + 1


def test_the_news_of_a_closure_is_sent_after_a_change_of_the_comment(
    closed, change, chloe, deliver, states
):
    (booked,) = closed["reservationsTouchees"]
    change(chloe, booked, 1, commentaire="Cheveux longs")
    deliver()
    assert states() == [["confirmee", "envoye"], ["fermeture", "envoye"]]


@pytest.fixture
def remind(db, deliver):
    """Makes the reminders due, and delivers messages. Returns the state of each reminder."""

    def run():
        waiting = "genre = 'rappel' AND statut = 'attente'"
        db.write(f"UPDATE eventemail SET prochain_essai = 0 WHERE {waiting}")
        deliver()
        return db.rows("SELECT statut, derniere_erreur FROM eventemail WHERE genre = 'rappel'")

    return run


def test_a_reminder_waits_while_a_closure_covers_the_visit(
    closed, client, alice, chloe, remind, post
):
    assert remind() == [("abandonne", "closed")]
    assert post.told.count(chloe.email) == 2  # of the booking and of the closure
    client.delete(f"/api/evenements/{closed['id']}", token=alice.token)
    assert remind() == [("envoye", None)]


@pytest.fixture
def when_given_up(monkeypatch):
    """when_given_up(act) calls `act` as soon as the worker finds that a message is obsolete."""

    def arrange(act):
        inner = Renderer.render

        def render(renderer, row):
            try:
                return inner(renderer, row)
            except NotNeeded:
                monkeypatch.setattr(Renderer, "render", inner)
                act()
                raise

        monkeypatch.setattr(Renderer, "render", render)

    return arrange


def test_a_reminder_is_sent_if_its_closure_is_removed_while_the_reminder_is_given_up(
    closed, client, alice, remind, when_given_up
):
    path = f"/api/evenements/{closed['id']}"
    when_given_up(lambda: client.delete(path, token=alice.token))
    assert remind() == [("envoye", None)]


@engines.on_mariadb
def test_a_reminder_is_given_up_only_after_a_removal_of_its_closure_that_has_begun(
    closed, client, alice, remind, when_given_up, monkeypatch
):
    inner, queued = reminders.queue_again, threading.Event()

    def queue_again(*args):
        inner(*args)
        queued.set()
        time.sleep(0.5)  # until the worker waits for the removal

    def remove():
        thread.submit(client.delete, f"/api/evenements/{closed['id']}", token=alice.token)
        assert queued.wait(5)

    monkeypatch.setattr(reminders, "queue_again", queue_again)
    when_given_up(remove)
    with ThreadPoolExecutor(1) as thread:
        assert remind() == [("envoye", None)]


def test_a_reminder_is_sent_after_the_closure_is_moved(closed, client, alice, remind):
    remind()
    path = f"/api/evenements/{closed['id']}"
    body = {name: closed[name] for name in ("type", "titre", "debut", "fin", "version")}
    renamed = client.put(path, body | {"titre": "Peinture"}, token=alice.token).json
    assert remind() == [("abandonne", "closed")]
    later = {"debut": closed["fin"], "fin": closed["fin"].replace(":30:00", ":45:00")}
    client.put(path, body | later | {"version": renamed["version"]}, token=alice.token)
    assert remind() == [("envoye", None)]


@pytest.mark.parametrize("email", ["chloe@nouvelle.example", ""])
def test_a_reminder_after_a_closure_goes_to_the_present_address(
    db, closed, salon, client, alice, remind, post, email
):
    remind()
    (row,) = client.get(f"/api/entreprises/{salon.id}/clients", token=alice.token).json
    names = ("nom", "prenom", "note", "bloque", "version")
    body = {name: row[name] for name in names} | {"email": email, "telephone": "06 99"}
    client.put(f"/api/clients/{row['id']}", body, token=alice.token)
    client.delete(f"/api/evenements/{closed['id']}", token=alice.token)
    before = len(post.told)
    assert remind() == [("envoye", None) if email else ("abandonne", "closed")]
    # Two messages: the reminder, and the message that the visit takes place after all
    assert post.told[before:] == [email, email] * bool(email)


def test_no_reminder_is_sent_after_a_closure_if_reminders_are_turned_off_meanwhile(
    db, closed, salon, client, alice, remind
):
    remind()
    path = f"/api/entreprises/{salon.id}"
    shown = client.get(path, token=alice.token).json
    body = {name: shown[name] for name in shown if name not in ("id", "proprietaireId")}
    client.put(path, body | {"rappelHeures": 0}, token=alice.token)
    client.delete(f"/api/evenements/{closed['id']}", token=alice.token)
    assert remind() == [("abandonne", "closed")]


def test_the_confirmation_of_a_past_visit_is_sent_again_on_request(
    db, salon, client, alice, chloe, deliver, post, tuesday
):
    salon.book(chloe, salon.at(tuesday, "10:00"))
    deliver()
    end(db)
    ((number,),) = db.rows("SELECT id FROM eventemail WHERE genre = 'confirmee'")
    client.post(f"/api/emails/{number}/renvoi", expect=202, token=alice.token)
    deliver()
    assert post.told.count(chloe.email) == 2
