"""scripts/move_business.sql moves a business to another database, as docs/scale.md describes."""

import re
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from reservation.conflicts import SlotTaken
from reservation.domain.booking import booking, invariant
from reservation.domain.booking.requests import Request
from reservation.domain.people import accounts
from reservation.domain.people.sessions import Account
from reservation.domain.planning import photos
from reservation.lib import pictures
from reservation.storage import schema
from reservation.storage.database import connect, forget, sqlite_path
from reservation.storage.models import AncienneAdresse
from tests import engines
from tests.clock import now
from tests.pictures import picture
from tests.races import teams

ROOT = Path(__file__).parents[2]
SCRIPT = (ROOT / "scripts/move_business.sql").read_text()
DOCUMENT = (ROOT / "docs/scale.md").read_text(encoding="utf-8")
PROGRAM, PACKAGE = {
    "sqlite": ("sqlite3", "sqlite3"), "mariadb": ("mariadb", "mariadb-client")
}[engines.ENGINE]
OFFSET = 2_000_000


@pytest.fixture
def target(make_database):
    """Returns the URL of a database where Chloé has another id and Alice has no account."""
    url = make_database("target")
    db = connect(url)
    if engines.ENGINE == "sqlite":
        db.make_file()
    schema.create(db)
    for name in ("zoe", "chloe"):
        person = {"email": f"{name}@example.fr", "password": "un bon mot de passe", "nom": "M"}
        accounts.add(db, 4, now=now(), role="student", **person)
    forget(db)
    return url


def move(source, target, business, folder):
    """Runs the command of docs/scale.md in `folder`."""
    engines.require(PROGRAM, PACKAGE)
    (command,) = re.findall(rf"^ +({PROGRAM} (?:.*\\\n)*.*)$", DOCUMENT, re.MULTILINE)
    command = re.sub(r"(business(?: =)?) 7\b", rf"\g<1> {business}", command)
    text = SCRIPT
    if engines.ENGINE == "sqlite":
        command = command.replace("source.db", sqlite_path(source))
    else:
        text = text.replace("source.", f"{urlsplit(source).path[1:]}.")
        server = f"--no-defaults -h127.0.0.1 -P{urlsplit(target).port} -uroot"
        command = command.replace(PROGRAM, f"{PROGRAM} {server}", 1)
    (folder / "scripts").mkdir()
    (folder / "scripts/move_business.sql").write_text(text)
    subprocess.run(["sh", "-c", command], cwd=folder, check=True)


def counts(db, business):
    tables = (
        "prestation", "semainetype", "evenement", "client", "reservation", "eventemail",
        "ressource", "ancienne_adresse", "photo",
    )
    of_ressources = "ressource_id IN (SELECT id FROM ressource WHERE entreprise_id = ?)"
    where = dict.fromkeys(tables, "entreprise_id = ?")
    where |= dict.fromkeys(("creneau", "prestation_ressource"), of_ressources)
    where["image"] = "photo_id IN (SELECT id FROM photo WHERE entreprise_id = ?)"
    return [
        db.rows(f"SELECT COUNT(*) FROM {table} WHERE {which}", business)[0][0]
        for table, which in where.items()
    ]


@pytest.mark.parametrize("proven", [True, False])
def test_a_moved_business_takes_all_its_rows_along(
    proven, db, database_url, salon, make_salon, alice, bob, chloe, tuesday,
    target, tmp_path,
):
    rival = make_salon(bob)
    rival.book(chloe, rival.at(tuesday, "10:00"))
    taken, free = (salon.at(tuesday, time) for time in ("10:00", "11:00"))
    number = salon.book(chloe, taken)["id"]
    team = teams.make(db, salon)
    massage = salon.book(chloe, free, prestationId=team.massage, ressourceId=team.persons[1])["id"]
    db.write("UPDATE ressource SET utilisateur_id = ? WHERE id = ?", alice.id, team.persons[2])
    salon.book(alice, salon.at(tuesday, "15:00"))
    about = {"type": "information", "titre": "Soldes", "debut": f"{tuesday}T00:00:00+00:00",
             "fin": f"{tuesday}T12:00:00+00:00"}
    path = f"/api/entreprises/{salon.id}/evenements"
    salon.client.post(path, about, expect=201, token=alice.token)
    AncienneAdresse.insert(entreprise=salon.id, adresse="alice").execute(db)
    photos.add(db, salon, pictures.read(picture()), photos.LOGO, "", 0)
    before, untouched = counts(db, salon.id), counts(db, rival.id)
    assert all(before)

    forget(db)
    other = connect(target)
    if proven:
        other.write("UPDATE utilisateur SET email_prouve_le = 1 WHERE email = ?", chloe.email)
    forget(other)
    move(database_url, target, salon.id, tmp_path)

    assert counts(other, salon.id + OFFSET) == before
    assert not any(counts(db, salon.id))
    assert counts(db, rival.id) == untouched
    assert list(invariant.faults(db)) == list(invariant.faults(other)) == []
    customer = accounts.find(other, chloe.email)
    found = "SELECT titulaire_id, creneau_id FROM reservation WHERE id = ?"
    holder = customer.id if proven else None
    assert other.rows(found, number + OFFSET) == [(holder, taken + OFFSET)]
    assert accounts.find(other, alice.email).id == alice.id + OFFSET
    found = "SELECT ressource_id, lieu_id FROM reservation WHERE id = ?"
    assert other.rows(found, massage + OFFSET) == [
        (team.persons[1] + OFFSET, team.rooms[0] + OFFSET)
    ]
    found = "SELECT id FROM ressource WHERE utilisateur_id = ?"
    assert other.rows(found, alice.id + OFFSET) == [(team.persons[2] + OFFSET,)]

    asking = Account(customer.id, "student")
    request = Request(free + OFFSET, salon.coupe + OFFSET)
    booking.book(other, asking, request, now())
    with pytest.raises(SlotTaken):
        booking.book(other, asking, request._replace(
            creneau_id=taken + OFFSET, ressource_id=team.persons[0] + OFFSET
        ), now())
    forget(other)


@engines.on_mariadb
def test_only_the_moved_business_waits(
    db, database_url, salon, make_salon, bob, chloe, tuesday
):
    rival, slot = make_salon(bob), salon.at(tuesday, "10:00")
    moving = connect(database_url)
    lock = next(line for line in SCRIPT.splitlines() if line.startswith("UPDATE source."))
    lock = lock.replace("source.", "").replace("@business;", str(salon.id))
    with moving.transaction():
        moving.execute_sql(lock)
        rival.book(chloe, rival.at(tuesday, "10:00"))
        salon.book(chloe, slot, expect=503)
    forget(moving)
    salon.book(chloe, slot)
