"""A WSGI application that returns what the server reports about a request."""

import json

from reservation.lib.proxies import Forwarded

TOLD = (
    "wsgi.url_scheme", "SCRIPT_NAME", "PATH_INFO", "REMOTE_ADDR", "HTTP_FORWARDED",
    "HTTP_X_FORWARDED_FOR",
)


def application(environ, start_response):
    start_response("200 OK", [("Content-Type", "application/json")])
    return [json.dumps({name: environ.get(name) for name in TOLD}).encode()]


forwarded = Forwarded(application)
