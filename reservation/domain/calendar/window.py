"""The period in which a new booking may start: after the minimum notice and before the horizon."""

from typing import Any, NamedTuple

from reservation.domain.calendar.reasons import DELAI, FERME, HORIZON, PASSE
from reservation.domain.calendar.terms import Business
from reservation.lib import instants


def horizon(entreprise: Any, now: int) -> int:
    """Returns the end of the last bookable day, in Unix seconds."""
    zone = instants.zone_of(entreprise.fuseau)
    return instants.midnight_after(now, zone, entreprise.horizon_jours + 1)


class BookingWindow(NamedTuple):
    """A visit that is booked at `now` may start in [earliest, horizon)."""

    now: int
    earliest: int
    horizon: int
    actif: bool

    @classmethod
    def of(cls, entreprise: Business, now: int) -> "BookingWindow":
        notice = entreprise.delai_reservation * 60
        return cls(now, now + notice, horizon(entreprise, now), bool(entreprise.actif))

    def obstacle(self, debut: int) -> str | None:
        if debut < self.now:
            return PASSE
        if debut < self.earliest:
            return DELAI
        if debut >= self.horizon:
            return HORIZON
        return None if self.actif else FERME
