"""Conditional requests: what has not changed is not sent again, what has is not overwritten.

RFC 9110, section 13. A tag is `"<digest>"`, or `"v3.<digest>"` where the resource has a version.
What is shown hangs on more than the version (a reservation shows its business's name), so only
the whole tag spares an answer; a change is made to a version, whichever answer showed it.

No answer says `Vary`: what is shown hangs on no header of the request but Authorization, and
what is answered to that no cache gives to others (section 12.5.5).
"""

import hashlib
import re
from typing import Any

import falcon

from reservation.errors import StaleVersion

TAG = re.compile('"[^"]*"')  # without its W/: a proxy that compresses makes every tag weak


def tag_of(body: bytes, link: str = "") -> str:
    """Of a page its link too: the next page may come or go while this one stays.

    SHA-256, which processors know: measured, it takes half the time of BLAKE2.
    """
    return f'"{hashlib.sha256(link.encode() + body).hexdigest()[:32]}"'


class Conditional:
    """Tags what GET and HEAD answer; who has it already is answered 304.

    The answers of an operation that is not `tagged` are for the moment only.
    """

    def process_response(
        self, req: falcon.Request, resp: falcon.Response, resource: Any, _succeeded: bool
    ) -> None:
        if req.method not in ("GET", "HEAD") or resp.status != falcon.HTTP_200:
            return
        body, env = resp.data, req.env
        if body is None or not _is_tagged(resource):
            return
        tag = _whole_tag(resp, body)
        if "HTTP_IF_MATCH" in env and not _lists(env["HTTP_IF_MATCH"], tag):
            resp.etag = None
            raise StaleVersion()
        resp.etag = tag
        if resp.get_header("Cache-Control") is None:
            private = "HTTP_AUTHORIZATION" in env
            resp.set_header("Cache-Control", "private, no-cache" if private else "no-cache")
        if "HTTP_IF_NONE_MATCH" in env and _lists(env["HTTP_IF_NONE_MATCH"], tag):
            resp.status, resp.data, resp.content_type = falcon.HTTP_304, None, None
            resp.delete_header("Content-Encoding")


def _is_tagged(resource: Any) -> bool:
    operation = getattr(resource.on_get, "operation", None)
    return operation is None or bool(operation.tagged)


def _whole_tag(resp: falcon.Response, body: bytes) -> str:
    tag = resp.get_header("ETag")
    if tag is None:
        return tag_of(body, resp.get_header("Link", ""))
    return f"{tag[:-1]}.{tag_of(body)[1:]}" if tag.startswith('"v') else tag


def is_any(header: str) -> bool:
    return header.strip() == "*"


def _lists(header: str, tag: str) -> bool:
    return is_any(header) or tag.removeprefix("W/") in TAG.findall(header)
