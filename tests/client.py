"""A client of the application. Each call names the status it expects."""

import json
from typing import Any
from wsgiref.validate import validator

import webtest

from tests import contract


class Client:
    """Calls the WSGI application in this process.

    wsgiref's validator and webtest's lint check the WSGI protocol. Every answer must be one that
    the OpenAPI document promises.
    """

    def __init__(self, app: Any) -> None:
        self.app = webtest.TestApp(contract.checked(validator(app)))

    def get(self, path: str, expect: int = 200, **how: Any) -> Any:
        return self.call("GET", path, expect=expect, **how)

    def post(self, path: str, body: Any = None, expect: int = 200, **how: Any) -> Any:
        return self.call("POST", path, body, expect=expect, **how)

    def put(self, path: str, body: Any = None, expect: int = 200, **how: Any) -> Any:
        return self.call("PUT", path, body, expect=expect, **how)

    def delete(self, path: str, expect: int = 204, **how: Any) -> Any:
        return self.call("DELETE", path, expect=expect, **how)

    def form(self, path: str, fields: dict[str, str], expect: int = 200) -> Any:
        """Sends a POST with application/x-www-form-urlencoded."""
        return self.app.post(path, fields, status=expect)

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        expect: int,
        token: str = "",
        headers: dict[str, str] | None = None,
        source: str = "",
    ) -> Any:
        """Returns a webtest response, with `.json`, `.text`, `.headers` and `.status_int`.

        `source` is the client's address.
        """
        self.app.extra_environ = {"REMOTE_ADDR": source} if source else {}
        sent = dict(headers or {})
        if token:
            sent["Authorization"] = f"Bearer {token}"
        options: dict[str, Any] = {"method": method, "headers": sent}
        if isinstance(body, bytes):
            options["body"], options["content_type"] = body, "application/octet-stream"
        elif body is not None:
            options["body"] = json.dumps(body).encode()
            options["content_type"] = "application/json"
        return self.app.request(path, status=expect, **options)


def below(prefix: str, app: Any) -> Any:
    """Returns the application mounted in another application, below a path prefix."""

    def outer(environ: dict[str, Any], start_response: Any) -> Any:
        assert environ["PATH_INFO"].startswith(prefix)
        environ["SCRIPT_NAME"] += prefix
        environ["PATH_INFO"] = environ["PATH_INFO"].removeprefix(prefix)
        return app(environ, start_response)

    return outer
