"""Boundary values of each documented field and parameter, which random search misses.

The test client validates every answer against the document. No answer may be a 5xx.
"""

import json
import re

import pytest

from tests import contract
from tests.pictures import picture

NUMBERS = (0, -1, 2**31, 2**63 - 1, 2**63, 10**30, -(2**63) - 1, 1.0, 0.5, 1e300)
TEXTS = (
    "1_0", "٣", "\0", "a\0b", "\ud800", "x\udfff", "\u2028", "🦊" * 50, "x" * 60_000,
    "'; DROP TABLE utilisateur; --", "0001-01-01", "9999-12-31", "0001-01-01T00:00:00+00:00",
    "9999-12-31T23:59:59-23:59", "2030-02-30T00:00:00Z", "2030-06-01T00:00:60Z",
)  # fmt: skip
OTHERS = (None, True, [], {}, [[]], {"": ""})
QUERIES = (
    "0", "-1", "+1", "1_0", "1.0", "1e3", "٣", str(2**63), str(10**30), "%00", "%ED%A0%80", "%FF",
    "0001-01-01", "1970-12-31", "1971-01-01", "9998-12-31", "9999-12-31", "2030-02-30", "x" * 3000,
)  # fmt: skip

LARGEST = {"importCustomers": 2**20, "createPhoto": 5 * 2**20}  # bytes of a body


def operations():
    return [
        pytest.param(method, path, told, id=told["operationId"])
        for path, of_path in contract.promised()["paths"].items()
        for method, told in of_path.items()
        if path != "/api/pages/{nom}"  # not served without a folder of pages
    ]


@pytest.fixture
def send(client, salon, chloe, tuesday, dora):
    """Calls an operation as an admin. The path's id is that of an existing resource."""
    booked = salon.book(chloe, salon.at(tuesday, "10:00"))["id"]
    record = client.get(f"/api/reservations/{booked}", token=dora.token).json["client"]["id"]
    day = f"{tuesday}T00:00:00+00:00"
    closure = {"type": "information", "titre": "Fête", "debut": day, "fin": f"{tuesday}T10:00:00Z"}
    events = f"/api/entreprises/{salon.id}/evenements"
    event = client.post(events, closure, 201, token=dora.token).json["id"]
    team = f"/api/entreprises/{salon.id}/ressources"
    photos = f"/api/entreprises/{salon.id}/photos"
    photo = client.post(photos, picture(), 201, token=dora.token).json["id"]
    lea = client.post(team, {"nom": "Léa"}, 201, token=dora.token).json["id"]
    things = {
        "/api/entreprises/": salon.id, "/api/prestations/": salon.coupe,
        "/api/evenements/": event, "/api/reservations/": booked,
        "/api/clients/": record, "/api/ressources/": lea, "/api/photos/": photo,
        "/api/comptes/": chloe.id,
    }  # fmt: skip

    def call(method, path, media_type="application/json", text=None):
        number = next((things[noun] for noun in things if path.startswith(noun)), 1)
        path = re.sub(r"\{\w+\}", str(number), path)
        headers = {"Authorization": f"Bearer {dora.token}"}
        options = {"method": method.upper(), "headers": headers, "status": "*"}
        if text is not None:
            options |= {"body": text.encode("utf-8", "surrogatepass"), "content_type": media_type}
        answer = client.app.request(path, **options)
        assert answer.status_int < 500
        return answer.status_int

    return call


@pytest.mark.parametrize(
    ("method", "path", "told"),
    [one for one in operations() if "application/json" in
     one.values[2].get("requestBody", {}).get("content", {})],
)
def test_a_body_with_one_odd_value_is_answered_as_promised(send, method, path, told):
    example = told["requestBody"]["content"]["application/json"]["example"]
    statuses = set()
    for name in example[0] if isinstance(example, list) else example:
        for odd in (*NUMBERS, *TEXTS, *OTHERS):
            body = (
                [{**example[0], name: odd}] if isinstance(example, list)
                else {**example, name: odd}
            )
            statuses.add(send(method, path, text=json.dumps(body)))
    assert 400 in statuses or told["operationId"].endswith("ogin")


@pytest.mark.parametrize(
    ("method", "path", "told"), [one for one in operations() if "requestBody" in one.values[2]]
)
def test_a_body_that_is_none_of_its_kind_is_refused(send, method, path, told):
    (media_type,) = told["requestBody"]["content"]
    largest = LARGEST.get(told["operationId"], 65_536)
    assert send(method, path, media_type, "x" * (largest + 1)) == 413
    if media_type != "application/octet-stream":  # the content tells the type of a picture
        assert send(method, path, "text/csv", "x") == 415
    assert send(method, path, media_type, "\ud800") == 400
    if media_type == "application/json":
        for text in ("null", "1", '"', "NaN", "[" * 60_000, '{"a": 1e999}', '{"a": "\\ud800"}'):
            assert send(method, path, media_type, text) == 400, text[:20]


@pytest.mark.parametrize(
    ("method", "path", "told"),
    [one for one in operations() if any(p["in"] == "query" for p in one.values[2]["parameters"])],
)
def test_a_query_with_one_odd_value_is_answered_as_promised(send, method, path, told):
    for parameter in told["parameters"]:
        for odd in QUERIES if parameter["in"] == "query" else ():
            status = send(method, f"{path}?{parameter['name']}={odd}")
            assert status in (200, 400), (parameter["name"], odd)
        assert send(method, f"{path}?q=1&q=2") == 400


@pytest.mark.parametrize("header", ["Idempotency-Key", "If-Match", "If-None-Match"])
def test_a_header_with_an_odd_value_is_answered_as_promised(client, salon, dora, header):
    nines = '"v' + "9" * 30 + '"'
    for odd in ("", " ", '"', "W/", 'W/"', '"v1', nines, "*", "**", ",", "x" * 2000):
        for method, path in (("GET", 1), ("PUT", 1), ("DELETE", 2)):
            client.app.request(
                f"/api/prestations/{path}",
                method=method,
                headers={header: odd, "Authorization": f"Bearer {dora.token}"},
                status="*",
            )
