"""Reads all rows of a database, for comparison with a copy."""

import json
from typing import Any

from reservation.storage import schema
from reservation.storage.backups import transfer
from reservation.storage.database import Database, connect, forget

Tables = dict[str, list[dict[str, Any]]]
# Characters that engines, drivers, SQL or JSON may encode differently, and a trailing space.
AWKWARD = "é 漢 🙂 ' \" ` \\ \\' \\\\n %s %% ? \t\r\n\x01\x1f\x7f \u2028 \\u0041 NULL "
LONG = 2**53 + 1


def rows(url: str) -> Tables:
    """Returns all rows of all tables except schema_version, with dates as text."""
    db = connect(url)
    found = {}
    for table, columns in transfer.types().items():
        asked = db.rows(f"SELECT {', '.join(columns)} FROM {table} ORDER BY id")
        named = [dict(zip(columns, row, strict=True)) for row in asked]
        found[table] = json.loads(json.dumps(named, default=str))
    forget(db)
    return found


def without_tokens(tables: Tables) -> Tables:
    """Removes the columns of accounts and codes that a restore changes."""
    for one in tables["utilisateur"]:
        del one["jetons_depuis"], one["reinit_empreinte"], one["reinit_jusqua"]
    for one in tables["code"]:
        del one["jusqua"]
    return tables


def tables(url: str) -> set[str]:
    db = connect(url)
    try:
        return set() if schema.is_empty(db) else set(db.get_tables())
    finally:
        forget(db)


def fill_awkwardly(db: Database, salon: int, account: int) -> None:
    db.write("UPDATE utilisateur SET nom = ?, date_naissance = '1900-02-28', ecole = ''", AWKWARD)
    db.write("UPDATE utilisateur SET cree_le = ?, jetons_depuis = ?", 2**63 - 1, LONG)
    db.write(
        "UPDATE utilisateur SET date_naissance = NULL, mot_de_passe_hash = NULL, cree_le = ?"
        " WHERE id = ?", -LONG, account,
    )
    db.write("UPDATE entreprise SET description = ?, adresse = '', actif = 0", AWKWARD * 90)
    db.write("UPDATE prestation SET intervalle_minutes = NULL, nom = '0'")
    db.write("UPDATE reservation SET commentaire = ?, empreinte = '', creneau_id = NULL", AWKWARD)
    db.write(
        "INSERT INTO evenement"
        " (entreprise_id, type, titre, description, debut, fin, portee_jours, version)"
        " VALUES (?, 'information', ?, '', ?, ?, 1, 1), (?, 'information', '', '', ?, ?, 1, 1)",
        salon, AWKWARD, -LONG, 1 - LONG, salon, LONG - 1, LONG,
    )
    db.write("INSERT INTO ancienne_adresse (entreprise_id, adresse) VALUES (?, 'alice')", salon)
    photo = db.write(
        "INSERT INTO photo (entreprise_id, genre, texte, ordre, empreinte, largeur, hauteur,"
        " version, cree_le) VALUES (?, 'photo', ?, 0, '', 1, 1, 1, 0)", salon, AWKWARD,
    ).lastrowid
    for number in range(25):
        db.write(
            "INSERT INTO image (photo_id, taille, octets) VALUES (?, ?, ?)",
            photo, number, bytes(range(256)) * number,
        )
    db.write("INSERT INTO code (cle, empreinte, essais, jusqua) VALUES ('c', 'd', 1, ?)", LONG)
    db.write("INSERT INTO tentative (cle, nombre, depuis, bloque_jusqua) VALUES ('c', 1, 0, 0)")
