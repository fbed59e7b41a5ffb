"""Random histories: saving equal hours again changes no slot, whatever happened before."""

import random
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from typing import Any

import pytest

from reservation.domain.booking import booking, changing
from reservation.domain.booking.requests import Request
from reservation.domain.calendar import calendar
from reservation.domain.calendar.timetable import Opening
from reservation.domain.people.sessions import Account
from reservation.domain.planning import businesses, events, hours, own_hours, ressources, services
from reservation.errors import Refusal
from reservation.storage import definitions
from reservation.storage.models import Entreprise, Utilisateur
from tests import engines, teams

MINUTE, HOUR, DAY = 60, 3600, 86400
STEPS = 40
# Each is near a clock change, except the last.
BEGINNINGS = "2026-03-27T07:30+00:00", "2026-10-23T08:00+00:00", "2026-06-10T08:00+00:00"
_SLOTS = ", ".join(definitions.wanted()["creneau"].columns), "FROM creneau"
_NEAR = "SELECT id, debut FROM creneau WHERE fin > ? AND debut < ? ORDER BY debut, id"
_WEEK = (
    "SELECT ressource_id, jour, debut, fin, pas_minutes, capacite, prestation_id FROM semainetype"
)
_ACTIVE = "SELECT id FROM reservation WHERE statut NOT IN ('refusee', 'annulee') AND fin > ?"


class History:
    """A business with two persons and a room. Its week and events change beside its bookings."""

    def __init__(self, db, seed: int) -> None:
        engines.empty(db)
        self.db, self.random = db, random.Random(seed)
        self.now = int(datetime.fromisoformat(self.random.choice(BEGINNINGS)).timestamp())
        owner = Utilisateur.insert(
            type=2, email="alice@example.fr", nom="Petit", nom_cle="petit", cree_le=self.now
        ).execute(db)
        self.alice = Account(owner, "company")
        values = {"nom": "Salon", "ville": "Lyon", "horizon_jours": 4}
        self.salon = businesses.create(db, self.alice, values, self.now)
        db.write("UPDATE ressource SET nom = 'Alice'")
        for name, genre in (("Léa", "personne"), ("Cabine", "lieu")):
            teams.add(db, self.salon, name, genre)
        self.services = [
            services.add(db, self.entreprise, {
                "nom": "Soin", "duree_minutes": length, "tampon_avant": before,
                "tampon_apres": after, "lieu_requis": length == 45,
            })
            for length, before, after in ((30, 0, 0), (60, 15, 20), (45, 0, 0), (100, 0, 30))
        ]
        self.members = [id for (id,) in db.rows("SELECT id FROM ressource ORDER BY id")]
        self.save(None, self.week())
        self.extend()

    @property
    def entreprise(self) -> Entreprise:
        return businesses.get(self.db, self.salon)

    def week(self) -> list[dict[str, Any]]:
        """Returns the same openings for each day: one or two, or one over midnight."""
        any_of, debut, found = self.random.choice, self.random.choice((0, 300, 540, 570, 1200)), []
        for _ in range(any_of((1, 1, 2))):
            length = any_of((180, 240, 480, 700))
            terms = debut, (debut + length) % 1440, any_of((20, 40, 45, 60, 90)), any_of((1, 2))
            found += [dict(zip(Opening._fields, (day, *terms, None))) for day in range(1, 8)]
            debut += length + any_of((0, 60))
            if debut >= 1440:
                break
        return found

    def save(self, owner: int | None, rows: list[dict[str, Any]] | None) -> None:
        if owner is None:
            hours.replace(self.db, self.entreprise, rows or [], self.now)
        else:
            whose = ressources.get(self.db, owner)
            own_hours.replace(self.db, whose, rows, self.now, whose.version)

    def save_again(self, owner: int | None) -> None:
        own = owner is None or ressources.get(self.db, owner).semaine_propre
        rows = [
            dict(zip(Opening._fields, row)) for of, *row in self.db.rows(_WEEK) if of == owner
        ]
        self.save(owner, rows if own else None)

    # Actions.

    def book(self) -> None:
        near = self.db.rows(_NEAR, self.now, self.now + self.random.choice((4, 24)) * HOUR)
        if near:
            slot = self.random.choice(near)[0]
            request = Request(slot, self.random.choice(self.services))
            booking.book(self.db, self.alice, request, self.now)

    def cancel(self) -> None:
        active = self.db.rows(_ACTIVE, self.now)
        if active:
            changing.cancel(self.db, self.alice, self.random.choice(active)[0], self.now)

    def change_week(self) -> None:
        owner = self.random.choice((None, None, *self.members))
        self.save(owner, self.week() if owner is None else self.random.choice((None, self.week())))

    def change_events(self) -> None:
        kind = self.random.choice(("fermeture", "ouverture", "horaires"))
        debut = self.now // HOUR * HOUR + self.random.randint(-12, 30) * HOUR
        extra = kind != "fermeture"
        events.add(self.db, self.entreprise, {
            "type": kind, "titre": "Foire", "description": "", "debut": debut,
            "fin": debut + self.random.choice((60, 100, 480, 2880)) * MINUTE,
            "pas_minutes": 45 if extra else None, "capacite": 2 if extra else None,
            "ressource_id": self.random.choice((None, *self.members)),
        }, self.now)

    def wait(self) -> None:
        self.now += self.random.choice((5, 15, 60, 240, 1440)) * MINUTE

    def wait_for_a_slot(self) -> None:
        """Time goes by until a slot begins, or some minutes longer."""
        near = self.db.rows(_NEAR, self.now, self.now + 4 * HOUR)
        if near:
            late = self.random.choice((0, 0, 5)) * MINUTE
            self.now = max(self.now, self.random.choice(near)[1] + late)

    def extend(self) -> None:
        calendar.extend(self.db, self.entreprise, self.now + 6 * DAY, self.now)

    def act(self) -> Callable[[], None]:
        action = self.random.choice((
            self.book, self.book, self.book, self.cancel, self.cancel, self.change_week,
            self.change_week, self.change_events, self.wait, self.wait_for_a_slot, self.extend,
        ))
        with suppress(Refusal):
            action()
        return action


@pytest.mark.parametrize("seed", range(12))
def test_saving_equal_hours_again_changes_no_slot(db, seed):
    history = History(db, seed)
    for _ in range(STEPS):
        action = history.act()
        slots = sorted(db.many_rows(*_SLOTS))
        owner = history.random.choice((None, *history.members))
        history.save_again(owner)
        assert sorted(db.many_rows(*_SLOTS)) == slots, (action.__name__, owner, history.now)
