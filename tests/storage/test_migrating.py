"""A migrated database has the same schema as a new database and keeps all rows."""

import re
import signal
import stat
import subprocess
import sys
import textwrap
from pathlib import Path

import peewee
import pytest

from reservation import Settings, create_app
from reservation.domain.booking import invariant
from reservation.domain.catalogue import search
from reservation.errors import WrongSchema
from reservation.lib.french import stem
from reservation.storage import definitions, models, schema, words
from reservation.storage.database import SQLite, connect, forget
from reservation.storage.migration import migrating
from reservation.storage.migration.migrations import MIGRATIONS, Migration
from tests import engines
from tests.client import Client
from tests.servers import without_settings

# Databases of releases and of these commits, each with a demo town and three bookings.
EARLIER = Path(__file__).parent.parent / "earlier"
CHANGELOG = EARLIER.parent.parent / "CHANGELOG.md"
RELEASES = sorted(path.name.removesuffix(".sql.xz") for path in EARLIER.glob("*.*.*.sql.xz"))
COMMITS = ["8e0db7b", "26570c5", "a30f556", "6d8c0cd", "74d2043"]
OLDEST = COMMITS[0]
WITHOUT_PERSONS = "5cdb353"  # has records of customers, and no table of persons
WITHOUT_TRADES = "72763d9"  # has persons and rooms too
LATEST = "efede93"  # has trades, pictures and short addresses too


def test_each_release_since_0_3_0_has_left_a_database():
    versions = re.findall(r"^## (\S+) — ", CHANGELOG.read_text(encoding="utf-8"), re.MULTILINE)
    assert RELEASES == sorted(versions[: versions.index("0.2.0")])


@pytest.fixture
def fresh(make_database):
    """Returns the engine's description of the tables of a new database."""
    db = connect(make_database("fresh"))
    schema.create(db)
    yield description(db)
    forget(db)


def description(db):
    """Returns {table: description}: on MariaDB the columns in order, then the rest."""
    if isinstance(db, SQLite):
        rows = db.rows("SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite%'")
        return {name: sql.replace('"', "") for name, sql in rows}
    found = {}
    for name in db.get_tables():
        text = re.sub(r" AUTO_INCREMENT=\d+", "", db.rows(f"SHOW CREATE TABLE {name}")[0][1])
        lines = [line.strip(" ,") for line in text.splitlines()]
        found[name] = sorted(lines, key=lambda line: "" if line.startswith("`") else line)
    return found


def migrate(db):
    return migrating.migrate(db, lambda step: None)


def rows_of(db):
    """Returns {table: {id: {column: value}}}."""
    found = {}
    for table in set(db.get_tables()) & set(definitions.wanted()) - {"schema_version"}:
        cursor = db.execute_sql(f"SELECT * FROM {table}")
        names = [column[0] for column in cursor.description]
        rows = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
        found[table] = {row["id"]: row for row in rows}
    return found


@pytest.mark.parametrize("commit", [*COMMITS, WITHOUT_PERSONS, WITHOUT_TRADES, LATEST, *RELEASES])
def test_a_database_of_an_earlier_version_becomes_a_fresh_one_and_keeps_every_row(
    load, fresh, commit
):
    db = connect(load(commit, whole=True))
    before = rows_of(db)
    assert len(before["creneau"]) > 8000 and len(before["reservation"]) > 400
    migrate(db)
    assert description(db) == fresh
    after = rows_of(db)
    for table, rows in before.items():
        assert rows.keys() == after[table].keys()
        for number, row in rows.items():
            kept = {name: row[name] for name in row if name in after[table][number]}
            if table == "eventemail" and row["statut"] == "attente":
                for name in ("statut", "derniere_erreur", "debut", "fin", "sequence"):
                    kept.pop(name, None)
            if table == "mot":
                kept["racine"] = stem(row["texte"])
            assert kept.items() <= after[table][number].items()
    assert schema.version(db) == schema.VERSION and schema.missing(db) == []
    assert migrate(db) == []
    forget(db)


def test_the_businesses_of_an_earlier_database_are_found_by_words(load):
    db = connect(load(WITHOUT_TRADES))
    migrate(db)
    assert db.rows("SELECT DISTINCT metiers FROM entreprise") == [("",)]
    first, *_ = search.businesses(db, q="coifeuse lyon", most=5)
    assert first.nom == "L'Atelier des Pentes, coiffeur"
    indexed = db.rows("SELECT COUNT(*), MIN(mot) FROM occurrence")
    words.index_all(db)  # changes nothing
    assert db.rows("SELECT COUNT(*), MIN(mot) FROM occurrence") == indexed
    forget(db)


def index_of(db):
    """Returns the contents of `mot` and of `occurrence`."""
    return [
        db.rows(f"SELECT {columns} FROM {table} ORDER BY {columns}")
        for table, columns in (("mot", "texte, envers, racine"),
                               ("occurrence", "entreprise_id, mot, rang"))
    ]


def new_index(db):
    """Deletes the index of words and writes it anew. Returns its contents."""
    for table in ("occurrence", "mot"):
        db.write(f"DELETE FROM {table}")
    words.index_all(db)
    return index_of(db)


@pytest.mark.parametrize("commit", [*COMMITS, WITHOUT_PERSONS, WITHOUT_TRADES, LATEST, *RELEASES])
def test_the_index_of_words_is_migrated_to_that_of_a_new_database(load, commit):
    db = connect(load(commit, small=True))
    migrate(db)
    migrated = index_of(db)
    assert len(migrated[0]) > 200 and migrated == new_index(db)
    forget(db)


@pytest.mark.parametrize("commit", [LATEST, *RELEASES])
def test_a_key_of_a_long_name_loses_the_space_at_its_end(load, commit):
    db = connect(load(commit, small=True))
    ((key,),) = db.rows("SELECT MIN(mot) FROM occurrence WHERE mot LIKE ?", "s:%")
    assert db.write("UPDATE occurrence SET mot = ? WHERE mot = ?", f"{key} ", key).rowcount
    migrate(db)
    found = db.rows("SELECT DISTINCT mot FROM occurrence WHERE mot LIKE ?", f"{key}%")
    assert (key,) in found and (f"{key} ",) not in found
    forget(db)


STEMS = {
    "anim": "animateur animatrice", "avocat": "avocat avocate", "beaut": "beaute",
    "bijou": "bijoux", "blanch": "blanchissement", "boulang": "boulanger boulangerie",
    "cheval": "chevaux", "coiff": "coiffage coiffeur coiffeurs coiffeuse coiffure",
    "color": "coloration coloriste", "coul": "couleur couleurs", "cour": "cours",
    "dermat": "dermatologie dermatologue", "dos": "dos", "esthet": "estheticien estheticienne"
    " esthetique esthetisation", "gateau": "gateaux", "infirm": "infirmier infirmiere",
    "lissant": "lissante", "liss": "lissant", "mecan": "mecanicien mecanique",
    "mus": "musicien musicienne", "not": "notaire notaires", "phot": "photo",
    "sport": "sportif sportive", "teint": "teint teinture", "teintur": "teinturerie teinturier"
    " teinturiere", "therap": "therapeute therapie", "tatou": "tatouage tatoueur", "the": "the",
    "traite": "traitement", "yoga": "yoga",
}


def test_stems_are_those_that_the_last_migration_of_stems_wrote():
    """A database keeps the former stem of a word until a migration writes the new one. So after a
    change of stems, append a Migration with `_write_stems`, and correct STEMS."""
    assert {word: stem(word) for some in STEMS.values() for word in some.split()} == {
        word: expected for expected, some in STEMS.items() for word in some.split()
    }


@pytest.mark.parametrize("commit", [OLDEST, LATEST])
def test_a_business_in_a_district_is_found_in_the_city_after_a_migration(load, commit):
    db = connect(load(commit))
    towns = {1: ("Paris 15ème", "paris 15eme"), 2: ("Paris-l'Hôpital", "paris l hopital")}
    for number, names in towns.items():
        db.write("UPDATE entreprise SET ville = ?, ville_cle = ? WHERE id = ?", *names, number)
    migrate(db)
    keys = db.rows("SELECT ville_cle FROM entreprise WHERE id <= 2 ORDER BY id")
    assert keys == [("paris",), ("paris l hopital",)]
    forget(db)


def copy_of(db, table, number, **changes):
    """Copies a row of a database of any version with changes, and returns the id of the copy."""
    names = [one.name for one in db.get_columns(table) if one.name not in ("id", *changes)]
    wanted, marks = ", ".join([*names, *changes]), ", ".join([*names, *("?" * len(changes))])
    sql = f"INSERT INTO {table} ({wanted}) SELECT {marks} FROM {table} WHERE id = ?"
    return db.write(sql, *changes.values(), number).lastrowid


@pytest.fixture
def booked(load):
    """Returns the URL of a database of a commit, the database, and the ids of two bookings.

    The owner of business 1 has booked for Rose, an account without a password, and for Zoé, an
    account with a password that never booked there.
    """

    def booked(commit):
        url = load(commit)
        db = connect(url)
        sql = "SELECT id, utilisateur_id FROM reservation WHERE demandeur_id = utilisateur_id"
        (number, customer), *_ = db.rows(f"{sql} AND entreprise_id = 1 ORDER BY id")
        owner = db.rows("SELECT proprietaire_id FROM entreprise WHERE id = 1")[0][0]
        who, found = {"nom": "Le Goff", "prenom": "Rosé", "telephone": "+33 6 11"}, {}
        for email, hash in (("rose@example.fr", None), ("zoe@example.fr", "$2b$04$x")):
            person = copy_of(
                db, "utilisateur", customer, email=email, mot_de_passe_hash=hash, **who
            )
            found[email] = copy_of(
                db, "reservation", number, utilisateur_id=person, demandeur_id=owner,
                statut="annulee", cle_idempotence=None,
            )
        return url, db, found

    return booked


@pytest.mark.parametrize("commit", COMMITS)
def test_what_an_owner_booked_moves_to_a_record_without_an_account(booked, environ, commit):
    url, db, numbers = booked(commit)
    migrate(db)
    assert db.rows("SELECT id FROM utilisateur WHERE email = 'rose@example.fr'") == []
    assert db.rows("SELECT mot_de_passe_hash FROM utilisateur WHERE email = 'zoe@example.fr'") == [
        ("$2b$04$x",)
    ]
    for email, number in numbers.items():
        (record, holder), = db.rows(
            "SELECT client_id, titulaire_id FROM reservation WHERE id = ?", number
        )
        assert holder is None
        assert db.rows(
            "SELECT entreprise_id, utilisateur_id, email, nom, prenom, telephone, nom_cle,"
            " telephone_cle, suit_compte FROM client WHERE id = ?", record
        ) == [(1, None, email, "Le Goff", "Rosé", "+33 6 11", "le goff rose", "0611", 0)]
    environ["RESERVATION_DATABASE_URL"] = url
    client = Client(create_app(Settings.from_environ(environ)))
    who = {"email": "rose@example.fr", "password": "un bon mot de passe", "role": "student",
           "first_name": "Rose", "last_name": "Le Goff"}
    client.post("/auth/register", who, 201)
    token = client.post("/auth/login", who).json["token"]
    assert client.get("/api/reservations", token=token).json == []
    forget(db)


@pytest.mark.parametrize("commit", COMMITS)
def test_own_bookings_stay_with_their_account_and_records_can_be_searched(booked, commit):
    _, db, _ = booked(commit)
    own = "SELECT id, utilisateur_id FROM reservation WHERE demandeur_id = utilisateur_id"
    before = dict(db.rows(own))
    assert len(before) > 400
    migrate(db)
    after = db.rows(
        "SELECT r.id, r.titulaire_id, c.utilisateur_id, c.suit_compte, u.nom, c.nom, u.email,"
        " c.email FROM reservation r JOIN client c ON c.id = r.client_id"
        " JOIN utilisateur u ON u.id = c.utilisateur_id"
    )
    assert {number: holder for number, holder, *_ in after} == before
    for _, holder, account, follows, nom, known, email, written in after:
        assert (account, follows, known, written) == (holder, 1, nom, email)
    records = "SELECT nom, prenom, telephone, nom_cle, telephone_cle FROM client"
    for nom, prenom, telephone, *keys in db.rows(records):
        assert [*models.Client.keys(nom, prenom, telephone).values()] == keys
    assert [one for one in invariant.faults(db) if "customer" in one] == []
    forget(db)


@pytest.mark.parametrize("release", RELEASES)
def test_a_number_with_the_prefix_of_france_gets_the_key_of_the_national_number(load, release):
    db = connect(load(release))
    db.write("UPDATE client SET telephone = '+33 6 11 22 33 44', telephone_cle = '33611223344'")
    migrate(db)
    assert set(db.rows("SELECT telephone, telephone_cle FROM client")) == {
        ("+33 6 11 22 33 44", "0611223344")
    }
    forget(db)


@pytest.mark.parametrize("commit", COMMITS)
def test_own_bookings_and_those_that_an_owner_made_for_the_same_account_stay_apart(load, commit):
    db = connect(load(commit))
    owner = "(SELECT e.proprietaire_id FROM entreprise e WHERE e.id = reservation.entreprise_id)"
    db.write(f"UPDATE reservation SET demandeur_id = {owner} WHERE MOD(id, 3) = 0")
    booked = db.rows("SELECT id, utilisateur_id, demandeur_id FROM reservation ORDER BY id")
    migrate(db)
    assert db.rows(
        "SELECT r.id, r.titulaire_id, c.utilisateur_id, c.suit_compte"
        " FROM reservation r JOIN client c ON c.id = r.client_id ORDER BY r.id"
    ) == [
        (number, account, account, 1) if account == by else (number, None, None, 0)
        for number, account, by in booked
    ]
    assert list(invariant.faults(db)) == []
    forget(db)


@pytest.mark.parametrize("commit", [*COMMITS, WITHOUT_PERSONS])
def test_each_business_gets_a_person_without_a_name_who_has_its_slots_and_bookings(load, commit):
    db = connect(load(commit))
    of_slots = "SELECT id, {} FROM creneau"
    before = dict(db.rows(of_slots.format("entreprise_id")))
    migrate(db)
    persons = db.rows(
        "SELECT entreprise_id, id FROM ressource WHERE genre = 'personne' AND nom = ''"
        " AND actif = 1 AND semaine_propre = 0 AND utilisateur_id IS NULL"
    )
    businesses = [id for (id,) in db.rows("SELECT id FROM entreprise ORDER BY id")]
    assert [business for business, _ in sorted(persons)] == businesses
    assert db.rows("SELECT COUNT(*) FROM ressource") == [(len(businesses),)]
    person_of = dict(persons)
    after = dict(db.rows(of_slots.format("ressource_id")))
    assert after == {slot: person_of[business] for slot, business in before.items()}
    found = db.rows("SELECT entreprise_id, ressource_id, lieu_id FROM reservation")
    assert {(person_of[business], None) for business, *_ in found} == {
        (person, room) for _, person, room in found
    }
    for table in ("semainetype", "evenement"):
        sql = f"SELECT COUNT(*) FROM {table} WHERE ressource_id IS NOT NULL"
        assert db.rows(sql) == [(0,)]
    assert db.rows("SELECT COUNT(*) FROM prestation WHERE lieu_requis <> 0") == [(0,)]
    assert list(invariant.faults(db)) == []
    forget(db)


@pytest.mark.parametrize("commit", [*COMMITS, WITHOUT_PERSONS, WITHOUT_TRADES, LATEST, *RELEASES])
def test_a_migrated_database_books_moves_cancels_and_sends(load, commit, environ, work, tmp_path):
    environ["RESERVATION_DATABASE_URL"] = load(commit)
    db = connect(environ["RESERVATION_DATABASE_URL"])
    migrate(db)
    db.write("UPDATE entreprise SET delai_annulation = 0, horizon_jours = 20")
    client = Client(create_app(Settings.from_environ(environ)))
    who = {"email": "eve@example.fr", "password": "un bon mot de passe", "role": "student",
           "first_name": "Ève", "last_name": "Roux"}
    client.post("/api/auth/register", who, 201)
    token = client.post("/api/auth/login", who).json["token"]
    service = client.get("/api/entreprises/1/prestations").json[0]["id"]
    query = f"prestation={service}&prochain=1"
    (first,) = client.get(f"/api/entreprises/1/creneaux?{query}").json
    wanted = {"creneauId": first["id"], "prestationId": service}
    booked = client.post("/api/reservations", wanted, 201, token=token).json
    path = f"/api/reservations/{booked['id']}"
    day = first["debut"][:10]
    later = client.get(f"/api/entreprises/1/creneaux?prestation={service}&du={day}").json[-1]
    change = {"creneauId": later["id"], "version": booked["version"]}
    client.put(path, change, token=token)
    client.delete(path, 204, token=token)
    work("--once").process.wait(timeout=30)
    told = "SELECT genre FROM eventemail WHERE reservation_id = ? AND statut = 'envoye'"
    sent = {genre for (genre,) in db.rows(told, booked["id"])}
    assert {"nouvelle", "deplacement", "annulation", "annulee"} <= sent
    forget(db)


def test_a_message_that_waits_gets_the_facts_of_its_visit(load):
    db = connect(load(OLDEST))
    waiting = db.rows("SELECT id, reservation_id FROM eventemail WHERE statut = 'attente'")
    (kept, its), *others = waiting
    db.write("UPDATE reservation SET debut = ?, fin = ?, occupe_fin = ?, version = 7"
             " WHERE id = ?", 2**40, 2**40 + 60, 2**40 + 60, its)
    for _, passed in others:
        db.write("UPDATE reservation SET debut = 60, occupe_debut = 0 WHERE id = ?", passed)
    migrate(db)
    facts = "SELECT statut, debut, fin, sequence FROM eventemail WHERE id = ?"
    assert db.rows(facts, kept) == [("attente", 2**40, 2**40 + 60, 7)]
    for number, _ in others:
        assert db.rows(facts, number)[0][:2] == ("abandonne", 60)
    forget(db)


def test_ids_of_deleted_rows_are_not_used_again(load):
    db = connect(load(OLDEST))
    highest = db.rows("SELECT MAX(id) FROM evenement")[0][0] or 0
    names, values = "entreprise_id, type, titre, description, debut, fin, version", "0, 1, 1"
    add = f"INSERT INTO evenement ({{}}) VALUES (1, 'information', '', '', {values}{{}})"
    assert db.write(add.format(names, "")).lastrowid == highest + 1
    db.write("DELETE FROM evenement WHERE id = ?", highest + 1)
    migrate(db)
    assert db.write(add.format(f"{names}, portee_jours", ", 1")).lastrowid == highest + 2
    forget(db)


def test_the_id_of_an_account_that_is_deleted_after_the_migration_is_not_used_again(load):
    def copy_of_first(email):
        columns = [name for table, name in definitions.columns(db) if table == "utilisateur"]
        others = ", ".join(name for name in columns if name not in ("id", "email"))
        return db.write(
            f"INSERT INTO utilisateur (email, {others}) SELECT ?, {others} FROM utilisateur"
            " ORDER BY id LIMIT 1", email,
        ).lastrowid

    db = connect(load(OLDEST))
    last = copy_of_first("last@example.fr")
    migrate(db)
    db.write("DELETE FROM utilisateur WHERE id = ?", last)
    assert copy_of_first("next@example.fr") == last + 1
    forget(db)


class Killed(Exception):
    pass


@pytest.mark.parametrize("commit", [WITHOUT_PERSONS, WITHOUT_TRADES])
def test_each_message_about_a_booking_gets_the_person_who_performs_it(load, commit):
    db = connect(load(commit))
    migrate(db)
    persons = db.rows(
        "SELECT DISTINCT m.ressource_id = r.ressource_id FROM eventemail m"
        " LEFT JOIN reservation r ON r.id = m.reservation_id"
    )
    assert persons == [(1,)]
    forget(db)


@pytest.mark.parametrize("commit", [*COMMITS, WITHOUT_PERSONS, WITHOUT_TRADES, LATEST])
def test_each_booking_gets_the_price_of_its_service_once(load, commit):
    db = connect(load(commit))
    db.write("UPDATE prestation SET prix_centimes = 0 WHERE id = 1")
    migrate(db)
    differing = (
        "SELECT COUNT(*), COUNT(DISTINCT r.prix_centimes) FROM reservation r JOIN prestation p"
        " ON p.id = r.prestation_id WHERE r.prix_centimes {} p.prix_centimes"
    )
    assert db.rows(differing.format("<>")) == [(0, 0)]
    ((priced, prices),) = db.rows(differing.format("="))
    assert priced > 400 and prices > 10
    forget(db)


@pytest.mark.parametrize("commit", [OLDEST, WITHOUT_PERSONS, *RELEASES])
def test_a_run_that_ends_before_any_step_is_finished_by_the_next(load, fresh, commit):
    db = connect(load(commit, small=True))
    migrate(db)
    index = new_index(db)
    forget(db)
    number, ended = 0, True
    while ended:
        db = connect(load(commit, small=True))
        try:
            migrating.migrate(db, killer(number))
            ended = False  # there are fewer than `number` steps
        except Killed:
            with pytest.raises(WrongSchema, match="run `reservation migrate`"):
                schema.require(db)
            forget(db)
            migrate(db)
        schema.require(db)
        assert description(db) == fresh
        assert db.rows("SELECT COUNT(*) FROM entreprise") == [(12,)]
        assert index_of(db) == index
        forget(db)
        number += 1
    assert number > {OLDEST: 12, WITHOUT_PERSONS: 6}.get(commit, 2)


def killer(number):
    left = iter(range(number))

    def begin(step):
        if next(left, None) is None:
            raise Killed

    return begin


KILLED = """
    import os, signal, sys
    from reservation.storage.migration import migrating
    from reservation.storage.database import connect

    def begin(step):
        if step.title.startswith(sys.argv[2]):
            os.kill(os.getpid(), signal.SIGKILL)

    migrating.migrate(connect(sys.argv[1]), begin)
"""


@pytest.mark.parametrize(
    "commit, version, title",
    [("a30f556", 0, "version 1"), ("a30f556", 0, "creneau: adjust"), ("a30f556", 0, "record"),
     (WITHOUT_PERSONS, 3, "version 4"), (WITHOUT_PERSONS, 3, "creneau: adjust")],
)
def test_a_killed_process_leaves_a_database_that_says_so_and_can_be_migrated(
    load, fresh, commit, version, title
):
    url = load(commit)
    command = [sys.executable, "-c", textwrap.dedent(KILLED), url, title]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    db = connect(url)
    needs = f"schema version {version} .* needs version {schema.VERSION}"
    with pytest.raises(WrongSchema, match=needs):
        schema.require(db)
    migrate(db)
    assert description(db) == fresh
    counts = [db.rows(f"SELECT COUNT(*) FROM {one}") for one in ("ressource", "entreprise")]
    assert counts == [[(12,)]] * 2
    forget(db)


def test_of_two_that_migrate_at_once_one_works_and_the_other_finds_nothing_to_do(load):
    url = load(OLDEST, whole=True)
    environ = {**without_settings(), "RESERVATION_DATABASE_URL": url}
    command = [sys.executable, "-m", "reservation", "migrate"]
    started = [
        subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    said = sorted((one.communicate(timeout=60)[0] for one in started), key=len)
    assert [one.returncode for one in started] == [0, 0]
    assert said[0] == f"nothing to do: the database has schema version {schema.VERSION}\n"
    assert said[1].count("\n") > 12


@engines.on_sqlite
def test_an_sqlite_file_is_copied_first(load, tmp_path):
    db = connect(load(OLDEST))
    before = rows_of(db)
    first = migrate(db)[0]
    (copied,) = tmp_path.glob("earlier.db.version-0-*")
    assert first.title == f"copy the database to {copied}"
    assert stat.S_IMODE(copied.stat().st_mode) == 0o600
    copy = connect(f"sqlite:///{copied}")
    assert rows_of(copy) == before and schema.version(copy) == 0
    for one in (db, copy):
        forget(one)


@engines.on_sqlite
def test_the_incomplete_copies_of_killed_processes_are_removed(load, tmp_path):
    db = connect(load(OLDEST))
    begun, whole = "earlier.db.version-0-20261122T000000Z", "earlier.db.version-0-20261121T000000Z"
    foreign = f"other-{begun}.partial"
    for name in (f"{begun}.partial", f"{begun}.partial-journal", whole, foreign):
        (tmp_path / name).touch()
    copied = migrate(db)[0].title.rpartition("/")[2]
    assert {one.name for one in tmp_path.glob("*version-0-*")} == {copied, whole, foreign}
    forget(db)


def test_the_tables_of_another_program_in_the_same_database_are_left_alone(load):
    db = connect(load(OLDEST))
    db.execute_sql("CREATE TABLE autre (id INTEGER, mots VARCHAR(9) DEFAULT 'a,b')")
    db.execute_sql("INSERT INTO autre (id) VALUES (7)")
    migrate(db)
    assert db.rows("SELECT id, mots FROM autre") == [(7, "a,b")]
    assert not schema.needs_migration(db)
    forget(db)


@engines.on_sqlite
def test_a_reference_to_nothing_stops_the_migration_and_changes_nothing(load, tmp_path):
    db = connect(load(OLDEST))
    db.execute_sql("PRAGMA foreign_keys = OFF")
    db.write("UPDATE prestation SET entreprise_id = 99 WHERE id = 1")
    before = description(db)
    with pytest.raises(WrongSchema, match="prestation 1 references a row of entreprise"):
        migrate(db)
    assert description(db) == before
    forget(db)


@pytest.mark.parametrize("commit", [OLDEST, "74d2043"])
def test_the_longest_length_of_a_service_covers_its_bookings(load, commit):
    db = connect(load(commit))
    booked = "SELECT prestation_id, MAX(fin - debut) / 60 FROM reservation GROUP BY prestation_id"
    longest = {number: int(minutes) for number, minutes in db.rows(booked)}
    shortened = min(longest)
    db.write("UPDATE prestation SET duree_minutes = 5 WHERE id = ?", shortened)
    migrate(db)
    rows = db.rows("SELECT id, duree_minutes, duree_max_minutes FROM prestation")
    for number, minutes, most in rows:
        assert most == max(minutes, longest.get(number, 0))
    assert longest[shortened] > 5
    forget(db)


# The migration mechanism, tested with an invented next version.

CHANGES = [
    ("    nom_cle VARCHAR(150) NOT NULL,\n    description TEXT NOT NULL,\n    adresse",
     "    nom_cle VARCHAR(150) NOT NULL,\n    slogan VARCHAR(80) NOT NULL,\n"
     "    description TEXT NOT NULL,\n    adresse"),
    ("    telephone VARCHAR(40) NOT NULL,\n    ecole VARCHAR(200) NOT NULL,\n",
     "    telephone VARCHAR(60),\n"),
    ("CONSTRAINT prestation_duree_minutes_check CHECK (duree_minutes >= 1)",
     "CONSTRAINT prestation_duree_minutes_check CHECK (duree_minutes >= 5)"),
    ("CREATE INDEX entreprise_ville_cle ON entreprise (ville_cle);",
     "CREATE INDEX entreprise_ville_cle ON entreprise (ville_cle, nom_cle);\n\n"
     "CREATE TABLE IF NOT EXISTS metier (\n    id INTEGER PRIMARY KEY /*! AUTO_INCREMENT */"
     " NOT NULL,\n    nom VARCHAR(80) NOT NULL,\n    CONSTRAINT metier_nom UNIQUE (nom)\n)"
     " /*! ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin */;\n\n"
     "CREATE INDEX metier_cle ON metier (nom, id);"),
    ("CREATE INDEX prestation_entreprise ON prestation (entreprise_id);",
     "CREATE INDEX prestation_de ON prestation (entreprise_id);"),
]


@pytest.fixture
def next_version(monkeypatch, tmp_path):
    """Installs a schema.sql with changes of all kinds, and the migration to this schema."""
    text = definitions.SCHEMA.read_text(encoding="utf-8")
    for old, new in CHANGES:
        text = text.replace(old, new)
    changed = tmp_path / "schema.sql"
    changed.write_text(text, encoding="utf-8")
    data = (
        "UPDATE entreprise SET slogan = nom WHERE slogan IS NULL",
        "UPDATE prestation SET duree_minutes = 5, duree_max_minutes = duree_max_minutes + 5"
        " WHERE duree_minutes < 5",
        "INSERT INTO metier (nom) SELECT 'Coiffure' WHERE NOT EXISTS (SELECT 1 FROM metier)",
    )
    migrations = (*MIGRATIONS, Migration("businesses have a slogan", data))
    monkeypatch.setattr(definitions, "SCHEMA", changed)
    monkeypatch.setattr(migrating, "MIGRATIONS", migrations)
    monkeypatch.setattr(schema, "VERSION", len(migrations))
    definitions.wanted.cache_clear()
    yield
    definitions.wanted.cache_clear()


@pytest.mark.parametrize("commit", [OLDEST, None], ids=["from the oldest", "from the newest"])
def test_columns_checks_indexes_and_tables_change_by_comparison(
    make_database, load, request, commit
):
    if commit:
        db = connect(load(commit, small=True))
    else:
        db = connect(load("6d8c0cd", small=True))
        migrate(db)
    request.getfixturevalue("next_version")
    fresh = connect(make_database("second"))
    schema.create(fresh)
    db.write("UPDATE prestation SET duree_minutes = 1 WHERE id = 1")
    title = f"version {schema.VERSION}: businesses have a slogan"
    assert title in [one.title for one in migrate(db)]
    assert description(db) == description(fresh)
    versions = [version for (version,) in db.rows("SELECT version FROM schema_version")]
    assert versions == list(range(1, schema.VERSION + 1))
    assert db.rows("SELECT COUNT(*) FROM entreprise WHERE slogan <> nom") == [(0,)]
    assert db.rows("SELECT nom FROM metier") == [("Coiffure",)]
    with pytest.raises((peewee.IntegrityError, peewee.OperationalError)):
        db.write("UPDATE prestation SET duree_minutes = 4")
    for one in (db, fresh):
        forget(one)
