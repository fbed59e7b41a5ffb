"""The migrations of the data, by version.

`migrating` adds new tables and columns before the statements of this module run. Afterwards,
`migrating` removes old columns and adds constraints.
"""

from collections.abc import Callable
from typing import NamedTuple

from reservation.lib import french, short_addresses
from reservation.storage import words
from reservation.storage.database import Database
from reservation.storage.models import Client


class Migration(NamedTuple):
    """Statements and functions that change the data of the previous version.

    A statement may be executed twice, so each statement changes only rows that still need the
    change. `{now}` in a statement is replaced with the current Unix time.
    """

    title: str
    data: tuple[str | Callable[[Database], None], ...]


def _write_keys_of_clients(db: Database) -> None:
    select = (
        "SELECT id, nom_cle, telephone_cle, nom, prenom, telephone FROM client WHERE id > ?"
        " ORDER BY id LIMIT 1000"
    )
    change = "UPDATE client SET nom_cle = ?, telephone_cle = ? WHERE id = ?"
    id = 0
    while rows := db.rows(select, id):
        changed = []
        for id, *keys, nom, prenom, telephone in rows:
            wanted = [*Client.keys(nom, prenom, telephone).values()]
            if keys != wanted:
                changed.append((*wanted, id))
        db.write_many(change, changed)


def _add_short_addresses(db: Database) -> None:
    taken = {one for (one,) in db.rows("SELECT adresse_courte FROM entreprise")}
    select = (
        "SELECT id, nom, ville FROM entreprise WHERE adresse_courte IS NULL ORDER BY id LIMIT 1000"
    )
    change = "UPDATE entreprise SET adresse_courte = ? WHERE id = ?"
    while rows := db.rows(select):
        found = []
        for id, nom, ville in rows:
            free = next(one for one in short_addresses.proposals(nom, ville) if one not in taken)
            taken.add(free)
            found.append((free, id))
        db.write_many(change, found)


def _remove_districts(db: Database) -> None:
    cities = db.rows("SELECT DISTINCT ville_cle FROM entreprise")
    changes = [(french.without_district(key), key) for (key,) in cities]
    db.write_many(
        "UPDATE entreprise SET ville_cle = ? WHERE ville_cle = ?",
        [(city, key) for city, key in changes if city != key],
    )


def _write_stems(db: Database) -> None:
    last = 0
    select = "SELECT id, racine, texte FROM mot WHERE id > ? ORDER BY id LIMIT 1000"
    while rows := db.rows(select, last):
        last = rows[-1][0]
        stems = [(french.stem(texte)[: words.LONGEST], racine, id) for id, racine, texte in rows]
        changed = [(stem, id) for stem, racine, id in stems if stem != racine]
        db.write_many("UPDATE mot SET racine = ? WHERE id = ?", changed)


_OF_VISIT = "(SELECT {} FROM reservation r WHERE r.id = eventemail.reservation_id)"
_LONGEST_VISIT = (
    "(SELECT MAX(r.fin - r.debut) / 60 FROM reservation r WHERE r.prestation_id = prestation.id)"
)
# `_BY_ACCOUNT.format(a, b)` is `a` if the customer made the booking, and `b` if the owner did.
# Only the customer's own booking links the customer's record to an account, because an owner may
# have entered another person's e-mail address.
_BY_ACCOUNT = "CASE WHEN r.demandeur_id = r.utilisateur_id THEN {} ELSE {} END"
_OWN_BOOKING = (
    "CASE WHEN reservation.demandeur_id = reservation.utilisateur_id THEN 1 ELSE 0 END"
)
_RANGES = " ".join(
    f"WHEN fin - debut <= {days} * 86400 THEN {days}"
    for days in (1, 2, 4, 8, 16, 32, 64, 128, 256)
)
_ONLY_RESOURCE = (
    "ressource_id = (SELECT r.id FROM ressource r WHERE r.entreprise_id = {}.entreprise_id)"
)

MIGRATIONS = (  # a database's version is the number of its last migration
    Migration(
        "constraints have names, a message keeps the facts of its visit",
        (
            "UPDATE utilisateur SET reinit_jusqua = 0 WHERE reinit_jusqua IS NULL",
            "UPDATE utilisateur SET flux_version = 1 WHERE flux_version IS NULL",
            "UPDATE entreprise SET flux_version = 1 WHERE flux_version IS NULL",
            "UPDATE entreprise SET calendrier_version = 0 WHERE calendrier_version IS NULL",
            # Abandons messages about visits that have begun. These messages are still queued,
            # because the first versions had no mail worker.
            "UPDATE eventemail SET statut = 'abandonne',"
            " derniere_erreur = 'the visit had begun before the upgrade'"
            " WHERE statut = 'attente' AND sequence IS NULL"
            f" AND {_OF_VISIT.format('r.debut')} <= {{now}}",
            f"UPDATE eventemail SET debut = {_OF_VISIT.format('r.debut')},"
            f" fin = {_OF_VISIT.format('r.fin')},"
            f" sequence = COALESCE({_OF_VISIT.format('r.version')}, 0) WHERE sequence IS NULL",
        ),
    ),
    Migration(
        "each list has an index in its order",
        (
            "UPDATE prestation SET duree_max_minutes = duree_minutes"
            " WHERE duree_max_minutes IS NULL",
            # duree_max_minutes must be at least the duration of the longest booking. This booking
            # may be longer than the service, if the owner has shortened the service since.
            f"UPDATE prestation SET duree_max_minutes = {_LONGEST_VISIT}"
            f" WHERE duree_max_minutes < {_LONGEST_VISIT}",
            f"UPDATE evenement SET portee_jours = CASE {_RANGES} ELSE 512 END"
            " WHERE portee_jours IS NULL",
        ),
    ),
    Migration(
        "a business has records of its customers",
        (
            "INSERT INTO client (entreprise_id, utilisateur_id, email, nom, nom_cle, prenom,"
            " telephone, telephone_cle, suit_compte, note, bloque, version, cree_le)"
            f" SELECT r.entreprise_id, {_BY_ACCOUNT.format('u.id', 'NULL')}, u.email, u.nom, '',"
            f" u.prenom, u.telephone, '', {_BY_ACCOUNT.format(1, 0)}, '', 0, 1, MIN(r.cree_le)"
            " FROM reservation r JOIN utilisateur u ON u.id = r.utilisateur_id"
            " WHERE r.client_id IS NULL GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9",
            _write_keys_of_clients,
            "UPDATE reservation SET client_id = (SELECT c.id FROM client c JOIN utilisateur u"
            " ON u.email = c.email WHERE u.id = reservation.utilisateur_id"
            f" AND c.entreprise_id = reservation.entreprise_id AND c.suit_compte = {_OWN_BOOKING})"
            " WHERE client_id IS NULL",
            "UPDATE reservation SET titulaire_id ="
            " (SELECT c.utilisateur_id FROM client c WHERE c.id = reservation.client_id)"
            " WHERE titulaire_id IS NULL",
            # When an owner booked for a customer, earlier versions created an account without a
            # password. Removes the references to these accounts, and then deletes the accounts,
            # so that the customers can register with their e-mail addresses.
            "UPDATE reservation SET utilisateur_id = demandeur_id WHERE utilisateur_id IN"
            " (SELECT id FROM utilisateur WHERE mot_de_passe_hash IS NULL)",
            "DELETE FROM utilisateur WHERE mot_de_passe_hash IS NULL AND NOT EXISTS"
            " (SELECT 1 FROM reservation r WHERE r.demandeur_id = utilisateur.id) AND NOT EXISTS"
            " (SELECT 1 FROM entreprise e WHERE e.proprietaire_id = utilisateur.id)",
        ),
    ),
    Migration(
        "people and rooms have calendars of their own",
        (
            "INSERT INTO ressource (entreprise_id, genre, nom, description, ordre,"
            " semaine_propre, actif, flux_version, version, cree_le)"
            " SELECT id, 'personne', '', '', 0, 0, 1, 1, 1, cree_le FROM entreprise"
            " WHERE id NOT IN (SELECT r.entreprise_id FROM ressource r) ORDER BY id",
            "UPDATE prestation SET lieu_requis = 0 WHERE lieu_requis IS NULL",
            f"UPDATE creneau SET {_ONLY_RESOURCE.format('creneau')} WHERE ressource_id IS NULL",
            f"UPDATE reservation SET {_ONLY_RESOURCE.format('reservation')}"
            " WHERE ressource_id IS NULL",
        ),
    ),
    Migration(
        "a business has trades, pictures and a short address",
        (
            "UPDATE eventemail SET ressource_id = (SELECT r.ressource_id FROM reservation r"
            " WHERE r.id = eventemail.reservation_id) WHERE ressource_id IS NULL",
            "UPDATE entreprise SET metiers = '' WHERE metiers IS NULL",
            words.index_all,
            _add_short_addresses,
            "UPDATE prestation SET categorie = '' WHERE categorie IS NULL",
        ),
    ),
    Migration(
        "a booking keeps its price, an account the time of its last token",
        (
            "UPDATE utilisateur SET dernier_jeton_le = 0 WHERE dernier_jeton_le IS NULL",
            "UPDATE reservation SET prix_centimes = (SELECT p.prix_centimes FROM prestation p"
            " WHERE p.id = reservation.prestation_id) WHERE prix_centimes IS NULL",
            _remove_districts,
        ),
    ),
    Migration("06 and +33 6 begin the same telephone number", (_write_keys_of_clients,)),
    Migration("related words have the same stem", (words.index_all, _write_stems)),
)
