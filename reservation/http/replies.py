"""Bodies of answers: JSON and plain text."""

import json
import re
from functools import lru_cache
from typing import Any

import falcon

JSON = "application/json; charset=utf-8"
TEXT = "text/plain; charset=utf-8"

_encode = json.JSONEncoder(ensure_ascii=False).encode  # json.dumps creates an encoder per call


def to_json(body: Any) -> bytes:
    return _encode(body).encode()


def as_json(resp: falcon.Response, body: Any) -> None:
    resp.content_type = JSON
    resp.data = to_json(body)


@lru_cache(maxsize=512)
def camel(name: str) -> str:
    """Returns the JSON name of a column: `dureeMinutes` for `duree_minutes`."""
    return re.sub("_([a-z])", lambda match: match[1].upper(), name)
