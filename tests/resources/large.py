"""A large and skewed data set, and what a request reads of it."""

import random
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from reservation.storage.database import Database, SQLite, transaction
from reservation.storage.mysql import MySQL
from tests.engines import MYSQLD

START = 1_800_000_000  # the first visit; a multiple of an hour
HOUR, DAY = 3600, 86_400
BUSINESSES, CUSTOMERS = 400, 600
BUSY = 1  # the business with half of all bookings, and the id of its person
ROOM = BUSINESSES + 1  # the room of half of its bookings
CITIES = [f"Ville {number}" for number in range(20)]
STATES = ["honoree"] * 60 + ["confirmee"] * 30 + ["annulee"] * 9 + ["demandee"]
LONGEST = 6  # half-hours of a visit


@dataclass
class Town:
    """Businesses with services, events, and many bookings with a message each.

    `owner` has the business BUSY, `manager` has 20 businesses, and `regular` books most. Others
    own the remaining businesses. The visits and the events begin within 400 days of `start`.
    """

    db: Database
    owner: int
    manager: int
    regular: int
    start: int = START
    draw: random.Random = field(default_factory=lambda: random.Random(7))
    visits: list[dict[str, Any]] = field(default_factory=list)
    records: dict[tuple[int, int], int] = field(default_factory=dict)  # of customers
    counts: dict[Any, int] = field(default_factory=dict)  # the results of `count`

    def fill(self, bookings: int) -> None:
        self.visits = [self._visit(id) for id in range(1, bookings + 1)]
        tables = {
            "utilisateur": map(self._customer, range(CUSTOMERS)),
            "entreprise": map(self._business, range(1, BUSINESSES + 1)),
            "ressource": map(_ressource, range(1, BUSINESSES + 2)),
            "prestation": map(_service, range(1, 5 * BUSINESSES + 1)),
            "prestation_ressource": map(_performer, range(1, 5 * BUSINESSES + 1)),
            "evenement": map(self._event, range(1, bookings // 4)),
            "client": [_record(id, *key) for key, id in self.records.items()],
            "reservation": self.visits,
            "eventemail": map(_message, self.visits),
        }
        transaction(self.db, lambda: self._insert(tables))
        if isinstance(self.db, MySQL):  # otherwise its planner learns some time later
            self.db.execute_sql(f"ANALYZE TABLE {', '.join(tables)}").fetchall()

    def _insert(self, tables: dict[str, Iterable[dict[str, Any]]]) -> None:
        for table, rows in tables.items():
            known = list(rows)
            names = ", ".join(known[0])
            marks = ", ".join("?" * len(known[0]))
            sql = f"INSERT INTO {table} ({names}) VALUES ({marks})"
            self.db.write_many(sql, [tuple(row.values()) for row in known])

    def count(self, table: str, **equal: Any) -> int:
        """Returns the number of these rows, which must not change after the first call."""
        asked = (table, *equal.items())
        if asked not in self.counts:
            where = " AND ".join(f"{name} = ?" for name in equal)
            rows = self.db.rows(f"SELECT COUNT(*) FROM {table} WHERE {where}", *equal.values())
            self.counts[asked] = rows[0][0]
        return self.counts[asked]

    def owner_of(self, entreprise: int) -> int:
        if entreprise == BUSY:
            return self.owner
        return self.manager if entreprise <= 21 else self._id(entreprise)

    def _id(self, customer: int) -> int:
        return self.regular + 1 + customer

    def _customer(self, number: int) -> dict[str, Any]:
        names = {"nom": "Martin", "nom_cle": "martin", "prenom": "", "telephone": "", "ecole": ""}
        times = dict.fromkeys(("jetons_depuis", "dernier_jeton_le", "reinit_jusqua", "cree_le"), 0)
        email = f"{number}@example.net"
        return {"id": self._id(number), "type_id": 1, "email": email, "langue": "fr", "actif": 1,
                "flux_version": 1, **names, **times}

    def _business(self, id: int) -> dict[str, Any]:
        ville = CITIES[id % len(CITIES)]
        rules = dict.fromkeys(
            ("delai_reservation", "delai_annulation", "validation_manuelle", "rappel_heures",
             "calendrier_jusqua", "calendrier_version", "cree_le"), 0,
        )
        texts = dict.fromkeys(("description", "adresse", "telephone", "email", "metiers"), "")
        return {
            "id": id, "proprietaire_id": self.owner_of(id), "nom": f"Salon {id}",
            "nom_cle": f"salon {id}", "adresse_courte": f"salon-{id}",
            "code_postal": "69001", "ville": ville, "ville_cle": ville.lower(),
            "fuseau": "Europe/Paris", "horizon_jours": 30,
            "actif": int(id % 10 != 9), "flux_version": 1, "version": 1, **rules, **texts,
        }

    def _event(self, id: int) -> dict[str, Any]:
        debut = self.start + self.draw.randrange(400) * DAY
        fin = debut + self.draw.choice((1, 1, 9)) * DAY
        portee = 16 if fin > debut + DAY else 1
        return {"id": id, "entreprise_id": self.draw.randint(1, BUSINESSES), "debut": debut,
                "fin": fin, "portee_jours": portee, "type": "fermeture", "titre": "Congés",
                "description": "", "version": 1}

    def _visit(self, id: int) -> dict[str, Any]:
        draw = self.draw
        entreprise = BUSY if draw.random() < 0.5 else draw.randint(2, BUSINESSES)
        debut = self.start + draw.randrange(380 * 48) * HOUR // 2  # many start at the same time
        fin = debut + draw.choice((1, 1, 1, 1, 1, 1, LONGEST)) * HOUR // 2
        customer = self.regular if draw.random() < 0.02 else self._id(draw.randrange(CUSTOMERS))
        if draw.random() < 0.01:
            customer = self.owner_of(entreprise)  # in two parts of the owner's list
        record = self.records.setdefault((entreprise, customer), len(self.records) + 1)
        return {
            "id": id, "client_id": record, "titulaire_id": customer, "demandeur_id": customer,
            "entreprise_id": entreprise, "prestation_id": 5 * entreprise,
            "ressource_id": entreprise,
            "lieu_id": ROOM if entreprise == BUSY and id % 2 else None, "debut": debut,
            "fin": fin, "occupe_debut": debut, "occupe_fin": fin, "places": 1,
            "prix_centimes": 0,
            "statut": draw.choice(STATES), "commentaire": "", "version": 1, "cree_le": 0,
            "modifie_le": 0,
        }


def _ressource(id: int) -> dict[str, Any]:
    of, genre = (BUSY, "lieu") if id == ROOM else (id, "personne")
    return {"id": id, "entreprise_id": of, "genre": genre, "nom": "Léa", "description": "",
            "ordre": 0, "semaine_propre": 0, "actif": 1, "flux_version": 1, "version": 1,
            "cree_le": 0}


def _performer(id: int) -> dict[str, Any]:
    return {"id": id, "prestation_id": id, "ressource_id": (id - 1) // 5 + 1}


def _service(id: int) -> dict[str, Any]:
    buffers = {"tampon_avant": 0, "tampon_apres": 0, "prix_centimes": 0, "lieu_requis": 0,
               "version": 1}
    return {"id": id, "entreprise_id": (id - 1) // 5 + 1, "nom": "Coupe", "nom_cle": "coupe",
            "categorie": "", "description": "",
            "duree_minutes": 30, "duree_max_minutes": 30 * LONGEST,
            "actif": int(id % 7 != 6), **buffers}


def _record(id: int, entreprise: int, customer: int) -> dict[str, Any]:
    names = {"nom": "Martin", "nom_cle": "martin", "prenom": "", "email": "x@example.net"}
    return {"id": id, "entreprise_id": entreprise, "utilisateur_id": customer, "note": "",
            "telephone": "", "telephone_cle": "", "suit_compte": 1, "bloque": 0, "version": 1,
            "cree_le": 0, **names}


def _message(visit: dict[str, Any]) -> dict[str, Any]:
    statut = "abandonne" if visit["id"] % 500 == 0 else "envoye"
    times = {"sequence": 0, "essais": 1, "prochain_essai": 0, "cree_le": 0}
    return {"id": visit["id"], "reservation_id": visit["id"], "genre": "confirmee",
            "entreprise_id": visit["entreprise_id"], "ressource_id": visit["ressource_id"],
            "destinataire": "" if statut == "abandonne" else "x@example.fr", "statut": statut,
            "sujet": "", "corps": "", **times}


@dataclass
class Seen:
    """The statements of a request, and how much they read: rows on MariaDB, hundreds of
    instructions of the virtual machine on SQLite."""

    statements: list[tuple[str, tuple[Any, ...]]] = field(default_factory=list)
    read: int = 0


class Observer:
    """Observes what the databases of this process execute. Create it before they connect."""

    def __init__(self, monkeypatch: Any) -> None:
        self.seen = Seen()
        self._last: MySQL | None = None  # the database that executed the last statement
        self._before = 0  # the rows that `_last` had read before what is observed
        self._explained: set[tuple[str, tuple[Any, ...]]] = set()
        observer, connect, self._execute = self, SQLite._connect, MySQL.execute_sql

        def observed(db: SQLite) -> Any:
            connection = connect(db)
            connection.set_trace_callback(lambda sql: observer.seen.statements.append((sql, ())))
            connection.set_progress_handler(observer._step, 100)
            return connection

        def executed(db: MySQL, sql: str, params: Any = None, *others: Any) -> Any:
            if observer._last is not db:
                observer._last = db
                observer._before = observer._rows()
            observer.seen.statements.append((sql, tuple(params or ())))
            return observer._execute(db, sql, params, *others)

        monkeypatch.setattr(SQLite, "_connect", observed)
        monkeypatch.setattr(MySQL, "execute_sql", executed)

    def _step(self) -> None:
        self.seen.read += 1

    @contextmanager
    def observing(self) -> Iterator[Seen]:
        """Observes a request to one application."""
        self._before = self._rows()
        self.seen = seen = Seen()
        yield seen
        assert seen.statements, "create the Observer before the databases connect"
        seen.read += self._rows() - self._before
        self.seen = Seen()

    def _rows(self) -> int:
        if self._last is None:
            return 0
        found = dict(self._execute(self._last, "SHOW SESSION STATUS LIKE 'Handler_%%'").fetchall())
        read = sum(int(value) for name, value in found.items() if name.startswith("Handler_read"))
        # The entries of an index that the server has read and refused (index condition pushdown).
        # MySQL does not count them.
        tried, matched = (int(found.get(f"Handler_icp_{of}", 0)) for of in ("attempts", "match"))
        return read + tried - matched

    def scans(self, db: Database, seen: Seen) -> Iterator[str]:
        """Yields the SELECTs whose plan reads a whole table or a whole index, each once. Also
        yields those that join the rows of several indexes, because each may have most rows."""
        for sql, values in seen.statements:
            if not sql.startswith("SELECT") or " FROM " not in sql:
                continue
            if (sql, values) in self._explained:
                continue
            self._explained.add((sql, values))
            if isinstance(db, SQLite):
                plan = "\n".join(row[3] for row in db.rows(f"EXPLAIN QUERY PLAN {sql}"))
                subqueries = re.findall(r"^(?:CO-ROUTINE|MATERIALIZE) (\w+)", plan, re.M)
                for table in re.findall(r"^(?:SCAN|MULTI-INDEX) (\w+)", plan, re.M):
                    if table not in (*subqueries, "CONSTANT"):
                        yield f"SCAN {table}: {sql}"
            else:
                plan = self._execute(db, f"EXPLAIN FORMAT=TRADITIONAL {sql}", values)
                names = [column[0] for column in plan.description]
                for row in plan.fetchall():
                    table, kind = row[names.index("table")], row[names.index("type")]
                    # MySQL also says "index" for a read in order that a LIMIT ends.
                    whole = kind in ("ALL", "index_merge") or kind == "index" and not MYSQLD
                    if whole and not (table or "<").startswith("<"):
                        yield f"{kind} {table}: {sql} {values}"
