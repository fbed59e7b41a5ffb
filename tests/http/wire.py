"""HTTP over a plain socket: requests as bytes, answers parsed from the received bytes."""

import io
import json
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPResponse
from typing import Any

from tests import contract, refusals
from tests.servers import Gunicorn

Headers = dict[str, str]
JSON = {"Content-Type": "application/json"}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
CLOSE = {"Connection": "close"}


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Message
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class _Received(io.BytesIO):
    """Passes received bytes to HTTPResponse as a socket, for several answers in a row."""

    def makefile(self, *_: Any) -> "_Received":
        return self

    def close(self) -> None:
        """Does nothing, so that the next answer can be read."""


def answers(raw: bytes, method: str = "GET") -> list[Answer]:
    """Returns every answer in the bytes of a connection."""
    found, received = [], _Received(raw)
    while received.tell() < len(raw):
        response = HTTPResponse(received, method=method)  # type: ignore[arg-type]
        response.begin()
        found.append(Answer(response.status, response.headers, response.read()))
    return found


def request(method: str, path: str, headers: Headers, body: bytes = b"") -> bytes:
    """Returns the bytes of a request with these headers and a Host."""
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def declared(body: bytes) -> Headers:
    return {"Content-Length": str(len(body))}


def chunk(part: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(part), part)


CHUNKED = {"Transfer-Encoding": "chunked"}
LAST_CHUNK = b"0\r\n\r\n"


class Wire:
    """Sends requests to a real server."""

    def __init__(self, server: Gunicorn) -> None:
        self.server = server

    def send(self, raw: bytes, method: str = "POST", **how: Any) -> Answer:
        """Sends the bytes. Returns the answer; fails if there are several."""
        (answer,) = answers(self.server.send(raw, **how), method)
        return answer

    def call(
        self, method: str, path: str, body: bytes = b"", headers: Headers | None = None
    ) -> Answer:
        sent = {**(declared(body) if body else {}), **(headers or {}), **CLOSE}
        answer = self.send(request(method, path, sent, body), method)
        path = path.partition("?")[0]
        # nginx answers some requests itself
        if isinstance(self.server, Gunicorn) and contract.operations_of(path):
            told = {name.lower(): value for name, value in answer.headers.items()}
            contract.check(method, path, answer.status, told, answer.body)
        return answer

    def post_json(self, path: str, body: Any) -> Answer:
        return self.call("POST", path, json.dumps(body).encode(), JSON)


def is_error(answer: Answer, status: int) -> bool:
    """Returns True if the answer is a refusal with the headers of every answer."""
    assert answer.status == status, answer.body
    assert answer.headers["Content-Type"] == "application/json; charset=utf-8"
    assert answer.headers.get_all("Access-Control-Allow-Origin") == ["*"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    refusals.check(status, answer.headers["X-Error-Code"], answer.body)
    return isinstance(answer.json["error"], str) and answer.json["error"] != ""
