"""Rules for every answer: error bodies, CORS and headers (design, 4 and 6)."""

import json

import pytest

from tests.specification.bodies import (
    CREDENTIALS,
    FORM_POSTS,
    GETS,
    JSON_POSTS,
    LINE,
    POSTS,
    PROTECTED,
    is_error,
)

ACCEPTS = ("application/json", "text/html", "application/xml", "text/xml", "image/png", "*/*")
TEXT = {"Content-Type": "text/plain"}
JSON = {"Content-Type": "application/json"}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}

# One request for each kind of answer: (method, path, body, request headers, status).
ANSWERS = [
    ("GET", "/api/services", None, {}, 200),
    ("GET", "/api/villes?q=a", None, {}, 200),
    ("HEAD", "/api/villes", None, {}, 200),
    ("POST", "/auth/register", json.dumps(LINE).encode(), JSON, 201),
    ("POST", "/auth/register", b"{}", JSON, 400),
    ("POST", "/auth/login", json.dumps(CREDENTIALS).encode(), JSON, 401),
    ("POST", "/contact", b"{}", JSON, 400),
    ("GET", PROTECTED, None, {}, 401),
    ("GET", PROTECTED, None, {"Authorization": "Bearer a.b.c"}, 401),
    ("GET", "/api/villes?q=a&q=b", None, {}, 400),
    ("GET", "/nothing/here", None, {}, 404),
    ("GET", "/auth/login", None, {}, 405),
    ("DELETE", "/api/services", None, {}, 405),
    ("POST", "/auth/login", b"a", TEXT, 415),
    ("POST", "/teste", b"a", TEXT, 415),
    ("POST", "/register_form", b"nom=a", FORM, 400),
]
every_answer = pytest.mark.parametrize("method, path, body, headers, status", ANSWERS)


def send(client, method, path, body, headers, status):
    """Sends a request with an exact body and media type."""
    return client.app.request(
        path, method=method, body=body or b"", headers=headers, status=status
    )


@pytest.mark.parametrize("accept", ACCEPTS)
@pytest.mark.parametrize(
    "method, path, body, headers, status",
    [
        ("GET", "/nothing/here", None, {}, 404),
        ("POST", "/auth", None, {}, 404),
        ("GET", "/auth/login", None, {}, 405),
        ("PUT", "/teste", None, {}, 405),
        ("POST", "/auth/register", b"a", TEXT, 415),
        ("POST", "/teste", b"a", TEXT, 415),
        ("POST", "/auth/login", b"{", JSON, 400),
        ("GET", PROTECTED, None, {}, 401),
        ("GET", "/api/services?q=a&q=b", None, {}, 400),
    ],
)
def test_errors_have_the_one_json_shape_whatever_the_accept_header(
    client, method, path, body, headers, status, accept
):
    headers = {**headers, "Accept": accept}
    assert is_error(send(client, method, path, body, headers, status))


@pytest.mark.parametrize("accept", ACCEPTS)
def test_successes_are_json_whatever_the_accept_header(client, accept):
    answer = client.get("/api/services", expect=200, headers={"Accept": accept})
    assert answer.content_type == "application/json"


@pytest.mark.parametrize(
    "path", ["/auth/", "/auth/nothing", "/api", "/api/auth", "/api/ville", "/AUTH/login", "/é"]
)
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE", "PATCH"])
def test_an_unknown_path_is_404(client, method, path):
    assert is_error(client.call(method, path.replace("é", "%C3%A9"), expect=404))


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PATCH"])
@pytest.mark.parametrize("path", POSTS)
def test_another_method_than_post_is_405_and_allow_names_post(client, method, path):
    answer = client.call(method, path, expect=405)
    assert is_error(answer)
    allowed = set(answer.headers["Allow"].replace(" ", "").split(","))
    assert "POST" in allowed and not allowed & {"GET", "HEAD", "PUT", "DELETE", "PATCH"}


@pytest.mark.parametrize("path", ["/api/services", "/api/villes"])
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_another_method_than_get_is_405_and_allow_names_get_and_head(client, method, path):
    answer = client.call(method, path, expect=405)
    assert is_error(answer)
    allowed = set(answer.headers["Allow"].replace(" ", "").split(","))
    assert {"GET", "HEAD"} <= allowed and not allowed & {"POST", "PUT", "DELETE", "PATCH"}


@pytest.mark.parametrize("media", ["text/plain", "application/xml", "multipart/form-data"])
@pytest.mark.parametrize("path", [*JSON_POSTS, *FORM_POSTS])
def test_a_body_of_another_media_type_is_415(client, path, media):
    assert is_error(send(client, "POST", path, b"a", {"Content-Type": media}, 415))


@pytest.mark.parametrize("path", JSON_POSTS)
def test_a_form_sent_to_the_token_group_is_415(client, path):
    answer = client.form(path, {"email": "a@example.fr", "password": "x"}, expect=415)
    assert is_error(answer)


@pytest.mark.parametrize("path", FORM_POSTS)
def test_json_sent_to_the_form_group_is_415(client, path):
    assert is_error(client.post(path, {"username": "Lefèvre"}, expect=415))


def test_a_form_sent_to_contact_is_415(client):
    answer = client.form("/contact", {"name": "a"}, expect=415)
    assert isinstance(answer.json["error"], str) and answer.json["error"]


@pytest.mark.parametrize("media", ["application/json; charset=utf-8", "Application/JSON"])
def test_json_is_taken_with_a_charset_and_in_any_case(client, media):
    answer = send(client, "POST", "/auth/login", b"{}", {"Content-Type": media}, 400)
    assert answer.json == {"error": "Missing email or password"}


@pytest.mark.parametrize("path", JSON_POSTS)
@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b'"a"', b"7", b"null", b'{"a": NaN}', b"\xff\xfe", b"{} {}", b"[" * 9999],
)
def test_a_body_that_is_no_json_object_is_400(client, path, body):
    assert is_error(send(client, "POST", path, body, JSON, 400))


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'"a"', b"null", b"\xff\xfe"])
def test_a_contact_body_that_is_no_json_object_is_400_without_success(client, body):
    answer = send(client, "POST", "/contact", body, JSON, 400)
    assert set(answer.json) == {"success", "error"}
    assert answer.json["success"] is False


@pytest.mark.parametrize(
    "query", ["q=a&q=b", "q=a&q=a", "q=&q=", "q=a&q=", "q=a&%71=b", "x=1&x=2", "q=a&x&x"]
)
@pytest.mark.parametrize("path", ["/api/services", "/api/villes"])
def test_a_repeated_query_parameter_is_refused(client, path, query):
    assert is_error(client.get(f"{path}?{query}", expect=400))


@pytest.mark.parametrize("path", ["/auth/login", "/auth/register", "/contact"])
def test_a_repeated_query_parameter_is_refused_where_none_is_read(client, path):
    answer = client.post(f"{path}?a=1&a=2", {}, expect=400)
    assert "email" not in answer.text and "requis" not in answer.text


@pytest.mark.parametrize("path", [*GETS, "/health", "/ready"])
def test_head_answers_as_get_does_without_the_body(client, alice, path):
    get = client.get(path, expect=200, token=alice.token)
    head = client.call("HEAD", path, expect=200, token=alice.token)
    assert head.body == b""
    for name in ("Content-Type", "Content-Length"):
        assert head.headers[name] == get.headers[name]


@pytest.mark.parametrize("path, status", [(PROTECTED, 401), ("/nothing", 404), ("/teste", 405)])
def test_head_fails_where_get_fails(client, path, status):
    assert client.call("HEAD", path, expect=status).body == b""
    client.get(path, expect=status)


@pytest.mark.parametrize("origin", [{}, {"Origin": "https://ailleurs.example"}])
@every_answer
def test_every_answer_allows_every_origin(client, method, path, body, headers, status, origin):
    answer = send(client, method, path, body, {**headers, **origin}, status)
    assert answer.headers.getall("Access-Control-Allow-Origin") == ["*"]


@every_answer
def test_every_answer_is_nosniff_and_names_its_charset(
    client, method, path, body, headers, status
):
    answer = send(client, method, path, body, headers, status)
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Content-Type"].lower().endswith("charset=utf-8")


@every_answer
def test_no_answer_of_the_application_names_the_software(
    client, method, path, body, headers, status
):
    answer = send(client, method, path, body, headers, status)
    assert "Server" not in answer.headers and "X-Powered-By" not in answer.headers
