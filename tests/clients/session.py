"""Runs a customer's session with the generated client: python session.py URL EMAIL SERVICE

Registers, logs in, lists free starts, books (also repeated and in conflict), moves and cancels.
"""

import sys
from typing import get_type_hints

from generated import AuthenticatedClient, Client
from generated.api.auth import login, register
from generated.api.creneaux import list_creneaux
from generated.api.photos import create_photo
from generated.api.prestations import search_prestations
from generated.api.reservations import (
    cancel_reservation,
    create_reservation,
    list_reservations,
    read_reservation,
    update_reservation,
)
from generated.models import (
    Booking,
    Credentials,
    Registered,
    Registration,
    RegistrationRole,
    Reservation,
    ReservationChange,
    Session,
    SlotTaken,
)
from generated.types import File

url, email, name = sys.argv[1:]
password = "un bon mot de passe"

anybody = Client(url)
registration = Registration(email, password, "Zoé", "Lefèvre", RegistrationRole.STUDENT)
assert isinstance(register.sync(client=anybody, body=registration), Registered)
session = login.sync(client=anybody, body=Credentials(email, password))
assert isinstance(session, Session) and session.user.first_name == "Zoé"
client = AuthenticatedClient(url, session.token)

(service,) = search_prestations.sync(client=client, q=name)
starts = list_creneaux.sync(service.entreprise_id, client=client, prestation=service.id)
wanted, later = starts[-2:]

booking = Booking(wanted.id, service.id)
booked = create_reservation.sync(client=client, body=booking, idempotency_key="generated")
assert isinstance(booked, Reservation) and booked.debut == wanted.debut
again = create_reservation.sync(client=client, body=booking, idempotency_key="generated")
assert again == booked
taken = create_reservation.sync(client=client, body=booking)
assert isinstance(taken, SlotTaken) and taken.alternatives

change = ReservationChange(creneau_id=later.id, version=booked.version)
moved = update_reservation.sync(booked.id, client=client, body=change)
assert isinstance(moved, Reservation) and moved.debut == later.debut
stale = update_reservation.sync_detailed(booked.id, client=client, body=change)
assert stale.status_code == 412
assert [one.id for one in list_reservations.sync(client=client)] == [booked.id]

assert cancel_reservation.sync_detailed(booked.id, client=client).status_code == 204
assert read_reservation.sync(booked.id, client=client).statut == "annulee"
assert get_type_hints(create_photo.sync)["body"] is File
print("cancelled")
