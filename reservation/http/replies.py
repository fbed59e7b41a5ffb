"""Bodies of answers: JSON and plain text."""

import json
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import falcon

JSON = "application/json; charset=utf-8"
TEXT = "text/plain; charset=utf-8"

json_text = json.JSONEncoder(ensure_ascii=False).encode  # reuses one encoder, unlike json.dumps


def to_json(body: Any) -> bytes:
    return json_text(body).encode()


def as_list(texts: Iterable[str]) -> bytes:
    """Returns a JSON list of elements that are already JSON."""
    return f"[{', '.join(texts)}]".encode()


def as_json(resp: falcon.Response, body: Any) -> None:
    resp.content_type = JSON
    resp.data = to_json(body)


@lru_cache(maxsize=512)
def camel(name: str) -> str:
    """Returns the JSON name of a column, such as `dureeMinutes` for `duree_minutes`."""
    return re.sub("_([a-z])", lambda match: match[1].upper(), name)
