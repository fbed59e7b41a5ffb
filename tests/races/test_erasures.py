"""The erasure of an account while others use the account."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from reservation.domain.people import accounts
from reservation.domain.privacy import erasing, retention
from reservation.lib.instants import DAY
from reservation.storage.database import connect, forget
from tests import engines
from tests.clock import now

LATER = 0.5  # seconds until another transaction waits for a lock


@engines.on_mariadb
@pytest.mark.parametrize("use", [
    "UPDATE utilisateur SET dernier_jeton_le = {now} WHERE id = {id}",
    "UPDATE ressource SET utilisateur_id = {id} WHERE id = {person}",
], ids=["signs in", "runs a calendar"])
def test_an_account_that_is_used_while_the_worker_is_about_to_erase_it_is_kept(
    database_url, db, chloe, ines, use
):
    db.write("UPDATE utilisateur SET cree_le = 1")
    own = connect(database_url)
    with ThreadPoolExecutor(1) as thread:
        with db.transaction():
            db.write(use.format(now=now(), id=chloe.id, person=ines))
            erasure = thread.submit(retention._erase, own, chloe.id, now() - DAY, now())
            time.sleep(LATER)
            assert not erasure.done()
        erasure.result()
        thread.submit(forget, own).result()
    assert accounts.get(db, chloe.id).email == chloe.email


@engines.on_mariadb
@pytest.mark.parametrize("changes", [False, True], ids=["added", "changed"])
def test_nobody_runs_a_calendar_with_an_account_that_is_being_erased(
    client, db, salon, alice, lina, ines, changes
):
    path, body = f"/api/entreprises/{salon.id}/ressources", {"nom": "Lina", "compte": lina.email}
    call = client.post
    if changes:
        path, body, call = f"/api/ressources/{ines}", {**body, "version": 1}, client.put
    with ThreadPoolExecutor(1) as thread:
        with db.transaction():
            assert erasing.erase(db, lina.id, now())
            answer = thread.submit(call, path, body, 400, token=alice.token)
            time.sleep(LATER)
            assert not answer.done()
        assert answer.result().json["champs"]["compte"]["code"] == "unknown_account"
