"""Conditional requests (RFC 9110, section 13).

A tag is `"<digest>"`, or `"v3.<digest>"` for version 3 of a resource. PUT and DELETE of a resource
with a version compare only the version (`operations.versions`). GET compares the whole tag,
because the JSON can change without a new version. For example, the JSON of a booking contains the
name of the business.
"""

import hashlib
import re

import falcon

from reservation.errors import StaleVersion

TAG = re.compile('"[^"]*"')  # ignores the prefix W/, which a compressing proxy may add


def tag_of(body: bytes, link: str = "") -> str:
    """Returns a tag for the body and for `link`, the link to the next page.

    SHA-256 takes half the time of BLAKE2, because processors have instructions for SHA-256.
    """
    return f'"{hashlib.sha256(link.encode() + body).hexdigest()[:32]}"'


def add_tag(req: falcon.Request, resp: falcon.Response) -> None:
    """Adds an ETag to the answer if the method is GET or HEAD, and the answer has status 200 and a
    body.

    Changes the answer to 304 if If-None-Match matches. Raises StaleVersion if If-Match does not
    match.
    """
    body, env = resp.data, req.env
    if body is None or resp.status != falcon.HTTP_200 or req.method not in ("GET", "HEAD"):
        return
    tag = _whole_tag(resp, body)
    if _wants_other(req, tag):
        raise StaleVersion()
    resp.etag = tag
    if resp.get_header("Cache-Control") is None:
        # `Vary` is not needed: Authorization is the only request header that affects the body, and
        # shared caches do not store answers to requests with Authorization.
        private = "HTTP_AUTHORIZATION" in env
        resp.set_header("Cache-Control", "private, no-cache" if private else "no-cache")
    if "HTTP_IF_NONE_MATCH" in env and _contains(env["HTTP_IF_NONE_MATCH"], tag):
        resp.status, resp.data, resp.content_type = falcon.HTTP_304, None, None
        resp.delete_header("Content-Encoding")


def _whole_tag(resp: falcon.Response, body: bytes) -> str:
    tag = resp.get_header("ETag")
    if tag is None:
        return tag_of(body, resp.get_header("Link", ""))
    return f"{tag[:-1]}.{tag_of(body)[1:]}" if tag.startswith('"v') else tag


def check_match(req: falcon.Request, body: bytes) -> None:
    """Raises StaleVersion if If-Match or If-None-Match forbids a change of the resource. `body` is
    the present answer to a GET. Use for a resource without a version."""
    tag = tag_of(body)
    if _wants_other(req, tag) or _contains(req.env.get("HTTP_IF_NONE_MATCH", ""), tag):
        raise StaleVersion()


def _wants_other(req: falcon.Request, tag: str) -> bool:
    """Returns whether If-Match names only other tags."""
    return "HTTP_IF_MATCH" in req.env and not _contains(req.env["HTTP_IF_MATCH"], tag)


def is_any(header: str) -> bool:
    return header.strip() == "*"


def _contains(header: str, tag: str) -> bool:
    return is_any(header) or tag.removeprefix("W/") in TAG.findall(header)
