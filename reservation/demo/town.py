"""The town of the demo, read from `data/town.toml`. Fields are named after columns."""

import tomllib
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from reservation.lib.holidays import METROPOLE
from reservation.settings import DATA


class Resident(NamedTuple):
    prenom: str
    nom: str


class ShopService(NamedTuple):
    nom: str
    duree_minutes: int
    prix_centimes: int
    categorie: str = ""
    tampon_avant: int = 0
    tampon_apres: int = 0
    intervalle_minutes: int | None = None
    description: str = ""
    lieu_requis: bool = False


class Hours(NamedTuple):
    """Opening hours on the weekdays `jours`, such as "12345" for Monday to Friday."""

    jours: str
    heures: str  # such as "09:00-12:00 14:00-18:00"
    pas_minutes: int = 15
    capacite: int = 1
    prestation: str = ""  # the only service of these hours, or "" for all services


class DatedEvent(NamedTuple):
    """An event that begins `dans` days from today.

    If `jour` is not 0, the event begins on the first weekday `jour` on or after that day. For
    example, `dans` 8 and `jour` 1 mean the first Monday that is at least 8 days from today.
    """

    type: str
    titre: str
    dans: int
    jour: int = 0  # 1 is Monday; 0 is any day
    jours: int = 1  # length in days
    heures: str = "00:00-24:00"
    pas_minutes: int | None = None
    capacite: int | None = None
    description: str = ""
    qui: str = ""  # the person or room, or "" for the whole shop


class TeamMember(NamedTuple):
    """A person or a room of a shop.

    A person without `prestations` performs all services. A member without `semaine` has the hours
    of the shop.
    """

    nom: str
    genre: str = "personne"
    description: str = ""
    prestations: tuple[str, ...] = ()
    semaine: tuple[Hours, ...] = ()


@dataclass(frozen=True)
class Shop:
    gerant: Resident
    nom: str
    description: str
    adresse: str
    code_postal: str
    ville: str
    telephone: str
    email: str
    metiers: list[str]
    prestations: tuple[ShopService, ...]
    semaine: tuple[Hours, ...]
    evenements: tuple[DatedEvent, ...]
    visites: float  # average number of visits on a past day; future days have fewer
    equipe: tuple[TeamMember, ...] = ()  # the owner first; empty if the owner works alone
    groupe: int = 1  # a visit takes at most this many places
    feries: str = METROPOLE  # region of the public holidays, or "" if open on holidays
    regles: dict[str, Any] = field(default_factory=dict)  # {column of entreprise: value}


class Town(NamedTuple):
    admin: Resident
    customers: list[Resident]
    comments: list[str]
    shops: list[Shop]


@cache
def town() -> Town:
    told = tomllib.loads((DATA / "town.toml").read_text(encoding="utf-8"))
    people = told["people"]
    return Town(
        Resident(*people["admin"]),
        [Resident(*names) for names in people["customers"]],
        told["comments"],
        [_shop(**shop) for shop in told["shops"]],
    )


def _shop(
    gerant: Any, prestations: Any, semaine: Any, evenements: Any, equipe: Any = (), **others: Any
) -> Shop:
    return Shop(
        Resident(*gerant),
        prestations=tuple(ShopService(**one) for one in prestations),
        semaine=tuple(Hours(**one) for one in semaine),
        evenements=tuple(DatedEvent(**one) for one in evenements),
        equipe=tuple(_member(**one) for one in equipe),
        **others,
    )


def _member(semaine: Any = (), prestations: Any = (), **others: Any) -> TeamMember:
    own = tuple(Hours(**one) for one in semaine)
    return TeamMember(semaine=own, prestations=tuple(prestations), **others)
