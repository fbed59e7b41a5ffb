"""Reading what a request carries, and refusing what cannot be meant.

Every refusal is a falcon.HTTPError whose title is the sentence for the caller.
"""

import json
import math
from typing import Any, NoReturn
from urllib.parse import parse_qsl

import falcon

from reservation.http.codes import RequestRefused

MOST_BYTES = 64 * 1024
_MOST_FORM_FIELDS = 100
_LEAST_INTEGER, _MOST_INTEGER = -(2**63), 2**63 - 1


def read_json(req: falcon.Request, kind: type[dict] | type[list] = dict) -> Any:
    """The JSON object, or the list, in the body; no body is an empty object, but no list.

    Refused with 400: what is no UTF-8, no JSON, nested too deeply, of another kind, or holds
    NaN, a number beyond 64 bits, a NUL, half of a surrogate pair or one key twice.
    """
    text = _read_text(req, "application/json")
    if not text and kind is dict:
        return {}
    try:
        body = json.loads(
            text,
            parse_int=_integer,
            parse_float=_float,
            parse_constant=_no_constant,
            object_pairs_hook=_object,
        )
    except (ValueError, RecursionError):
        raise RequestRefused("malformed_json") from None
    if not isinstance(body, kind):
        expected = "object" if kind is dict else "list"
        raise RequestRefused("wrong_json_type", expected=expected)
    if "\\u" in text and not _is_text(body):  # both get through as escapes only
        raise RequestRefused("malformed_json")
    return body


def read_form(req: falcon.Request) -> dict[str, str]:
    """The fields of an application/x-www-form-urlencoded body, blank ones included."""
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


def _read_text(req: falcon.Request, media_type: str) -> str:
    body = _read(req)
    if body:
        _check_media_type(req, media_type)
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        raise RequestRefused("not_utf8") from None
    if "\0" in text:
        raise RequestRefused("nul_character")
    return text


def _read(req: falcon.Request) -> bytes:
    """The body, of which no more than MOST_BYTES is ever read."""
    length = req.content_length
    if length is None and not req.env.get("wsgi.input_terminated"):
        if req.env.get("HTTP_TRANSFER_ENCODING"):  # it has one, which this server cannot hand on
            raise RequestRefused("length_required")
        return b""
    if length is not None and length > MOST_BYTES:
        _too_large()
    try:
        body = req.env["wsgi.input"].read(MOST_BYTES + 1 if length is None else length)
    except Exception:  # malformed chunks or a client that left: each server has its own class
        raise RequestRefused("body_unreadable") from None
    if len(body) > MOST_BYTES:
        _too_large()
    if length is not None and len(body) < length:
        raise RequestRefused("body_truncated")
    return body


def _too_large() -> NoReturn:
    raise RequestRefused("body_too_large", max=MOST_BYTES)


def _check_media_type(req: falcon.Request, expected: str) -> None:
    media_type, parameters = falcon.parse_header(req.content_type or "")
    charset = parameters.get("charset", "utf-8").lower()
    if media_type.lower() != expected or charset not in ("utf-8", "utf8"):
        raise RequestRefused("unsupported_media_type", expected=expected)


def _integer(digits: str) -> int:
    number = int(digits)
    if not _LEAST_INTEGER <= number <= _MOST_INTEGER:
        raise ValueError("beyond 64 bits")
    return number


def _float(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError("beyond a double")
    return number


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("a key stands twice")
    return made


def _is_text(value: Any) -> bool:
    """Whether no string in a JSON value holds a NUL or half of a surrogate pair."""
    parts = [value]  # no recursion: the decoder reaches deeper than Python calls may
    for part in parts:
        if isinstance(part, dict):
            parts += [*part.keys(), *part.values()]
        elif isinstance(part, list):
            parts += part
        elif isinstance(part, str) and any(c == "\0" or "\ud800" <= c <= "\udfff" for c in part):
            return False
    return True
