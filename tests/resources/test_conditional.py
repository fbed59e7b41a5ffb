"""Conditional requests (RFC 9110, section 13) on every path that can be read or changed."""

import pytest

from reservation.http import conditional
from reservation.resources import completion
from tests.conftest import WEEK
from tests.resources.test_access import (
    ENTREPRISE,
    EVENEMENT,
    PARAMETER,
    PRESTATION,
    RESSOURCE,
    ROWS,
    Scene,
)

KEEPING, OF_BODIES = ("ETag", "Cache-Control"), ("Content-Type", "Content-Length")
OF_THE_MOMENT = ("/health", "/ready")
READ = [path for method, path in ROWS if method == "GET" and path not in OF_THE_MOMENT]
PUBLIC = [path for path in READ if ROWS["GET", path][0].startswith("200")]
BODIES = {  # function of Scene: (path, valid body of PUT), for each resource with a version
    Scene.entreprise: ("/api/entreprises/{id:id}", ENTREPRISE),
    Scene.ressource: ("/api/ressources/{id:id}", RESSOURCE),
    Scene.prestation: ("/api/prestations/{id:id}", PRESTATION),
    Scene.evenement: ("/api/evenements/{id:id}", EVENEMENT),
    Scene.reservation: ("/api/reservations/{id:id}", {"commentaire": "x"}),
}
PUTS = [("PUT", *row) for row in BODIES.items()]
PUTS.append(("PUT", Scene.entreprise, ("/api/entreprises/{id:id}/semainetype", WEEK)))
OWN_WEEK = ("/api/ressources/{id:id}/semainetype", {"semaine": None})
PUTS.append(("PUT", Scene.ressource, OWN_WEEK))
DELETES = [("DELETE", *row) for row in BODIES.items() if row[0] is not Scene.entreprise]
CHANGES = [
    pytest.param(method, make_id, path, body if method == "PUT" else None, id=f"{method} {path}")
    for method, make_id, (path, body) in PUTS + DELETES
]


@pytest.fixture
def scene(salon, chloe, tuesday, db):
    return Scene(salon, chloe, tuesday, db)


@pytest.fixture
def read(client, dora):
    """Sends a GET as an admin: read(path, 304, If_None_Match="*")."""

    def read(path, expect=200, method="GET", token=dora.token, **headers):
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return client.call(method, path, expect=expect, token=token, headers=named)

    return read


def address(scene, path):
    make_id = ROWS["GET", path][1]
    return PARAMETER.sub(str(make_id(scene)), path) if make_id else path


@pytest.mark.parametrize("path", READ)
def test_who_has_an_answer_already_is_not_sent_it_again(scene, read, path):
    path = address(scene, path)
    for method in ("GET", "HEAD"):
        first = read(path, method=method)
        tag = first.headers["ETag"]
        assert first.headers["Cache-Control"] == "private, no-cache"
        for known in (tag, f"W/{tag}", f'"x", {tag},"y"', f'W/"x" , W/{tag}', "*"):
            again = read(path, 304, method, If_None_Match=known)
            assert again.body == b""
            assert not [name for name in OF_BODIES if name in again.headers]
            for name in ("ETag", "Cache-Control", "Access-Control-Allow-Origin"):
                assert again.headers[name] == first.headers[name]
        for other in ('"x"', tag.strip('"'), f'"{tag[1:5]}"', "nonsense", ""):
            assert read(path, method=method, If_None_Match=other).body == first.body


@pytest.mark.parametrize("path", PUBLIC)
def test_what_nobody_had_to_log_in_for_may_be_kept_by_all_and_asked_for_again(
    scene, read, path
):
    control = "private, no-cache" if path.startswith("/flux/") else "no-cache"
    path = address(scene, path)
    first = read(path, token="")
    assert first.headers["Cache-Control"] == control
    again = read(path, 304, token="", If_None_Match=first.headers["ETag"])
    assert again.headers["Cache-Control"] == control
    assert "Vary" not in first.headers


@pytest.mark.parametrize("path", OF_THE_MOMENT)
def test_what_holds_for_the_moment_only_has_no_tag(read, path):
    answer = read(path, If_None_Match="*")
    assert not [name for name in KEEPING if name in answer.headers]


@pytest.mark.parametrize(
    ("path", "status"),
    [("/nothing", 404), ("/api/entreprises/99", 404), ("/api/villes?q=a&q=b", 400),
     ("/api/entreprises?limite=x", 400), ("/api/reservations", 401), ("/teste", 405),
     ("/flux/x.ics", 404)],
)
def test_an_error_has_no_tag_whatever_is_known(read, path, status):
    answer = read(path, status, token="", If_None_Match="*")
    assert not [name for name in KEEPING if name in answer.headers]
    assert answer.json["error"]


def test_an_answer_to_another_method_has_no_digest_and_is_never_304(client, chloe):
    body = {"email": chloe.email, "password": chloe.password}
    answer = client.post("/auth/login", body, headers={"If-None-Match": "*"})
    assert "ETag" not in answer.headers
    assert answer.headers["Cache-Control"] == "no-store"
    asked = {"If-None-Match": "*"}
    answer = client.call("OPTIONS", "/api/villes", expect=200, headers=asked)
    assert not [name for name in KEEPING if name in answer.headers]


@pytest.mark.parametrize(
    "path", ["/api/villes", "/api/entreprises/{id:id}", "/api/prestations?limite=1"]
)
def test_who_wants_a_certain_answer_gets_no_other(scene, read, path):
    path = address(scene, path) if "{" in path else path
    first = read(path)
    tag = first.headers["ETag"]
    for wanted in (tag, f'"x", {tag}', "*"):
        assert read(path, If_Match=wanted).body == first.body
        read(path, 304, If_Match=wanted, If_None_Match=tag)
    for wanted in ('"x"', ""):
        # The RFC checks If-Match first
        answer = read(path, 412, If_Match=wanted, If_None_Match=tag)
        assert answer.json["code"] == "stale_version"
        assert not [name for name in (*KEEPING, "Link") if name in answer.headers]


def test_a_reservation_has_another_tag_when_its_business_has_another_name(
    client, scene, read, alice
):
    path = f"/api/reservations/{scene.reservation()}"
    before = read(path)
    client.put(f"/api/entreprises/{scene.salon.id}", ENTREPRISE, token=alice.token)
    after = read(path, If_None_Match=before.headers["ETag"])
    assert before.json["version"] == after.json["version"]
    assert before.json["entreprise"] != after.json["entreprise"]


def test_an_event_has_another_tag_when_its_business_has_another_zone(client, scene, read, alice):
    path = f"/api/evenements/{scene.evenement()}"
    before = read(path)
    moved = {**ENTREPRISE, "fuseau": "Indian/Reunion"}
    client.put(f"/api/entreprises/{scene.salon.id}", moved, token=alice.token)
    after = read(path, If_None_Match=before.headers["ETag"])
    assert before.json["version"] == after.json["version"]
    assert before.json["debut"] != after.json["debut"]


def test_a_page_has_another_tag_when_there_is_a_next_one(scene, read, make_salon, bob):
    path = "/api/entreprises?limite=1"
    before = read(path)
    make_salon(bob)
    after = read(path, If_None_Match=before.headers["ETag"])
    assert after.body == before.body
    assert "Link" in after.headers and "Link" not in before.headers


def test_what_is_completed_again_and_again_is_digested_once(read, monkeypatch):
    paths = ("/api/villes", "/api/villes?q=par", "/api/services", "/api/services?q=col")
    tags = [read(path).headers["ETag"] for path in paths]
    for module in (conditional, completion):
        monkeypatch.setattr(module, "tag_of", None)
    assert [read(path).headers["ETag"] for path in paths] == tags
    assert len(set(tags)) == 4


def test_the_answers_to_very_long_texts_are_not_kept(read, monkeypatch):
    path = f"/api/villes?q={'x' * (completion.LONGEST + 1)}"
    made = []
    monkeypatch.setattr(completion, "tag_of", lambda octets: made.append(octets) or "tag")
    read(path)
    read(path)
    assert made == [b"[]", b"[]"]


@pytest.fixture
def change(client, alice):
    """Sends a change as the owner: change("PUT", path, body, 412, If_Match='"v1"')."""

    def change(method, path, body, expect=None, **headers):
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        answers = method == "PUT" or "/ressources/" in path
        expect = expect or (200 if answers else 204)
        return client.call(method, path, body, expect=expect, token=alice.token, headers=named)

    return change


@pytest.mark.parametrize(("method", "make_id", "path", "body"), CHANGES)
@pytest.mark.parametrize(
    "wanted", ["{tag}", "W/{tag}", '"v{version}"', '"x", W/{tag}', '"v{version}-gzip", {tag}', "*"]
)
def test_what_is_still_as_it_was_is_changed(
    scene, read, change, method, make_id, path, body, wanted
):
    path = PARAMETER.sub(str(make_id(scene)), path)
    before = read(path)
    tag = before.headers["ETag"]
    version = tag[2:].partition(".")[0]
    change(method, path, body, If_Match=wanted.format(tag=tag, version=version))
    after = read(path, expect="*")
    assert after.status_int == 404 or after.headers["ETag"] != tag


@pytest.mark.parametrize(("method", "make_id", "path", "body"), CHANGES)
def test_what_is_no_longer_as_it_was_is_not_changed(
    scene, read, change, method, make_id, path, body
):
    path = PARAMETER.sub(str(make_id(scene)), path)
    stale = read(path).headers["ETag"]
    put = {make: valid for make, (_, valid) in BODIES.items()}[make_id]
    change("PUT", path.removesuffix("/semainetype"), put, If_Match=stale)
    before = read(path)
    version = before.headers["ETag"][2:].partition(".")[0]
    for wanted in (stale, f"W/{stale}", '"v1"', f'"x", {stale}', f'"v{version}9"', version,
                   f"v{version}", '""', ""):
        answer = change(method, path, body, 412, If_Match=wanted)
        assert answer.json["code"] == "stale_version"
    for unwanted in (before.headers["ETag"], f'"v{version}"', "*"):
        change(method, path, body, 412, If_Match="*", If_None_Match=unwanted)
    after = read(path)
    assert (after.body, after.headers["ETag"]) == (before.body, before.headers["ETag"])
    change(method, path, body, If_Match="*", If_None_Match=stale)


@pytest.mark.parametrize("make_id", [Scene.prestation, Scene.reservation])
def test_what_is_given_up_already_stays_as_it_is(scene, read, change, make_id):
    path = PARAMETER.sub(str(make_id(scene)), BODIES[make_id][0])
    first = read(path).headers["ETag"]
    change("DELETE", path, None, If_Match=first)
    given_up = read(path)
    for headers in ({}, {"If_Match": "*"}, {"If_Match": given_up.headers["ETag"]}):
        change("DELETE", path, None, **headers)
    change("DELETE", path, None, 412, If_Match=first)
    assert read(path).body == given_up.body


def test_who_may_not_change_a_thing_learns_nothing_of_its_version(scene, client, bob):
    evenement = f"/api/evenements/{scene.evenement()}"
    reservation = f"/api/reservations/{scene.reservation()}"
    for path, token, status in (
        (evenement, "", 401), (evenement, bob.token, 403), (reservation, bob.token, 404)
    ):
        client.delete(path, status, token=token, headers={"If-Match": '"v7"'})
