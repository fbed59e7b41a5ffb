"""What a business of the demo is described by."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from reservation.lib.holidays import METROPOLE


class Person(NamedTuple):
    prenom: str
    nom: str


class Service(NamedTuple):
    """The columns of prestation."""

    nom: str
    duree_minutes: int
    prix_centimes: int
    tampon_avant: int = 0
    tampon_apres: int = 0
    intervalle_minutes: int | None = None
    description: str = ""


class Hours(NamedTuple):
    """Opening on some weekdays, `12345` from Monday to Friday, at `09:00-12:00 14:00-18:00`."""

    jours: str
    heures: str
    pas_minutes: int = 15
    capacite: int = 1
    prestation: str = ""  # the service that it is kept for


class Dated(NamedTuple):
    """An event on the first weekday `jour` (0: any day) from `dans` days hence on.

    It lasts `jours` whole days, or those hours of one.
    """

    type: str
    titre: str
    dans: int
    jour: int = 0
    jours: int = 1
    heures: str = "00:00-24:00"
    pas_minutes: int | None = None
    capacite: int | None = None
    description: str = ""


@dataclass(frozen=True)
class Shop:
    """A business; `visites` is how many a day come to it, `groupe` how many places at most one
    visit takes, and `feries` the region of its public holidays, if it closes on them."""

    gerant: Person
    nom: str
    description: str
    adresse: str
    code_postal: str
    ville: str
    telephone: str
    email: str
    prestations: tuple[Service, ...]
    semaine: tuple[Hours, ...]
    evenements: tuple[Dated, ...]
    visites: float
    groupe: int = 1
    feries: str = METROPOLE  # or empty: open on holidays too
    regles: dict[str, Any] = field(default_factory=dict)
