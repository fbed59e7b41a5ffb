"""Searches by words among many businesses.

Each business has one of ten trades, one of five names, and 12 of 16 words in its description. So
most words are far more frequent than in real descriptions.
"""

import random
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import psutil

from benchmarks import town
from benchmarks.rows import Row, at_most
from benchmarks.servers import CannotMeasure, cpu_of
from benchmarks.world import World
from reservation.domain.catalogue import search
from reservation.lib.folding import search_key
from reservation.settings import Settings
from reservation.storage import words
from reservation.storage.database import Database, connect, forget, transaction
from reservation.storage.models import Entreprise
from reservation.storage.mysql import MySQL
from tests.resources.large import BUSINESSES

TRADES = (
    "coiffeur", "barbier", "ostéopathe", "dentiste", "fleuriste", "masseur", "plombier", "avocat",
    "garagiste", "esthéticienne",
)  # fmt: skip
NAMES = ("Alice", "Bob", "Chloé", "Dupont", "Martin")
DESCRIPTION = (
    "accueil", "chaleureux", "cadre", "soigné", "près", "centre", "produits", "naturels",
    "équipe", "expérience", "parking", "rendez", "vous", "coupe", "couleur", "conseil",
)  # fmt: skip
SEARCHES = {
    "a trade": "coiffeuse", "a trade, with an error": "coifeur", "a name": "dupont",
    "a frequent word": "coupe", "the beginning of words": "cou", "two words": "coiffeur dupont",
    "two frequent words": "coupe couleur", "three frequent words": "accueil équipe parking",
}  # fmt: skip


def searches_on_sqlite(world: World) -> Iterator[Row]:
    yield from _rows(world, world.settings(), "SQLite", None)


def searches_on_mariadb(world: World) -> Iterator[Row]:
    create, process = world.mariadb()
    settings = world.settings(create("searches"))
    yield from _rows(world, settings, "MariaDB", psutil.Process(process))


def _rows(
    world: World, settings: Settings, engine: str, server: psutil.Process | None
) -> Iterator[Row]:
    town.fill(settings, 600, 1, days=1)
    db = connect(settings.database_url)
    world.stack.callback(forget, db)
    transaction(db, partial(_add, db, world.size.many))
    if isinstance(db, MySQL):  # otherwise its planner learns some time later
        db.execute_sql("ANALYZE TABLE entreprise, mot, occurrence").fetchall()
    for name, q in SEARCHES.items():
        yield Row(
            f"{name} among {world.size.many:,}, {engine}", [at_most(5, "ms")],
            partial(_milliseconds, db, server, q, world.size.requests // 4), world.rounds(0.5),
        )


def _milliseconds(
    db: Database, server: psutil.Process | None, q: str, count: int
) -> tuple[float]:
    """Returns the CPU time of a search for a page, including the CPU time of MariaDB."""

    def spent() -> float:
        return time.process_time() + (cpu_of(server) if server else 0)

    before = spent()
    for _ in range(count):
        for ville in ("", "Lyon"):
            if not search.businesses(db, q=q, ville=ville, most=51):
                raise CannotMeasure(f"nothing has the words {q!r}")
    return ((spent() - before) / count / 2 * 1000,)


def _add(db: Database, count: int) -> None:
    """Adds this number of businesses, with their words."""
    draw = random.Random(20261123)
    (row,) = Entreprise.select().where(Entreprise.id == 1).dicts().execute(db)
    ids = range(BUSINESSES + 1, BUSINESSES + 1 + count)
    for first in range(0, count, 500):
        some = ids[first : first + 500]
        Entreprise.insert_many([row | _business(draw, id) for id in some]).execute(db)
    for id in ids:
        words.index(db, id)


def _business(draw: random.Random, id: int) -> dict[str, Any]:
    trade = draw.choice(TRADES)
    nom = f"{trade.title()} {draw.choice(NAMES)} {id}"
    return {
        "id": id, "adresse_courte": f"business-{id}", "nom": nom, "nom_cle": search_key(nom),
        "metiers": trade, "description": " ".join(draw.sample(DESCRIPTION, 12)),
        "ville": "Lyon", "ville_cle": "lyon", "code_postal": "69001",
    }
