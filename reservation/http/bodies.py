"""Reads JSON and forms from requests. Raises RequestRefused for an invalid body."""

import json
import math
import re
from typing import Any, NoReturn
from urllib.parse import parse_qsl

import falcon

from reservation.http.codes import RequestRefused

MOST_BYTES = 64 * 1024
_MOST_FORM_FIELDS = 100
_REFUSED = re.compile("[\0\ud800-\udfff]")  # NUL and surrogates
_LEAST_INTEGER, _MOST_INTEGER = -(2**63), 2**63 - 1


def read_json(
    req: falcon.Request, kind: type[dict] | type[list] = dict, most: int = MOST_BYTES
) -> Any:
    """Returns the JSON value in the body, which must have the type `kind`. If `kind` is dict, an
    empty body is read as {}.

    Refuses duplicate keys, NaN, NUL characters, unpaired surrogates, integers of more than 64 bits
    and JSON that is nested too deeply.
    """
    text = _read_text(req, "application/json", most)
    if not text and kind is dict:
        return {}
    try:
        body = json.loads(
            text,
            parse_int=_integer,
            parse_float=_float,
            parse_constant=_float,
            object_pairs_hook=_object,
        )
    except (ValueError, RecursionError):
        raise RequestRefused("malformed_json") from None
    if not isinstance(body, kind):
        expected = "object" if kind is dict else "list"
        raise RequestRefused("wrong_json_type", expected=expected)
    if "\\u" in text and not _is_text(body):
        raise RequestRefused("malformed_json")
    return body


def read_form(req: falcon.Request) -> dict[str, str]:
    """Returns the fields of an application/x-www-form-urlencoded body, including blank fields."""
    text = _read_text(req, "application/x-www-form-urlencoded")
    try:
        pairs = parse_qsl(
            text, keep_blank_values=True, errors="strict", max_num_fields=_MOST_FORM_FIELDS
        )
    except ValueError:
        raise RequestRefused("malformed_form") from None
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise RequestRefused("duplicate_form_field")
    if any("\0" in name + value for name, value in pairs):
        raise RequestRefused("malformed_form")
    return fields


def _read_text(req: falcon.Request, media_type: str, most: int = MOST_BYTES) -> str:
    body = read_octets(req, most)
    if body:
        _check_media_type(req, media_type)
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        raise RequestRefused("not_utf8") from None
    if "\0" in text:
        raise RequestRefused("nul_character")
    return text


def read_octets(req: falcon.Request, most: int) -> bytes:
    """Returns the body. Raises RequestRefused if the body has more than `most` bytes, is shorter
    than its Content-Length, or cannot be read."""
    length = req.content_length
    if length is None and not req.env.get("wsgi.input_terminated"):
        if req.env.get("HTTP_TRANSFER_ENCODING"):  # a chunked body that the server has not decoded
            raise RequestRefused("length_required")
        return b""
    if length is not None and length > most:
        _too_large(most)
    try:
        body = req.env["wsgi.input"].read(most + 1 if length is None else length)
    except Exception:  # malformed chunks or a closed connection; each server raises its own class
        raise RequestRefused("body_unreadable") from None
    if len(body) > most:
        _too_large(most)
    if length is not None and len(body) < length:
        raise RequestRefused("body_truncated")
    return body


def _too_large(most: int) -> NoReturn:
    raise RequestRefused("body_too_large", max=most)


def _check_media_type(req: falcon.Request, expected: str) -> None:
    media_type, parameters = falcon.parse_header(req.content_type or "")
    charset = parameters.get("charset", "utf-8").lower()
    coding = (req.get_header("Content-Encoding") or "identity").lower()
    is_readable = charset in ("utf-8", "utf8") and coding == "identity"
    if media_type.lower() != expected or not is_readable:
        raise RequestRefused("unsupported_media_type", expected=expected)


def _integer(digits: str) -> int:
    number = int(digits)
    if not _LEAST_INTEGER <= number <= _MOST_INTEGER:
        raise ValueError("more than 64 bits")
    return number


def _float(text: str) -> float:
    """Reads a number, or refuses one of the constants NaN, Infinity and -Infinity."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("not a double")
    return number


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    body = dict(pairs)
    if len(body) < len(pairs):
        raise ValueError("duplicate key")
    return body


def _is_text(value: Any) -> bool:
    """Returns whether all strings in a JSON value are free of NULs and unpaired surrogates."""
    parts = [value]  # no recursion, because the nesting can be very deep
    for part in parts:
        if isinstance(part, dict):
            parts += [*part.keys(), *part.values()]
        elif isinstance(part, list):
            parts += part
        elif isinstance(part, str) and _REFUSED.search(part):
            return False
    return True
