"""Files that the package ships, as browsers like them: tagged, compressed, kept."""

import gzip
import hashlib
from functools import cache
from pathlib import Path
from typing import NamedTuple

import falcon

_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
}
_YEAR = "public, max-age=31536000, immutable"


class File(NamedTuple):
    content_type: str
    octets: bytes
    zipped: bytes
    etag: str

    @classmethod
    def of(cls, octets: bytes, suffix: str) -> "File":
        return cls(
            _TYPES.get(suffix, "text/plain; charset=utf-8"),
            octets,
            gzip.compress(octets, mtime=0),
            hashlib.sha256(octets).hexdigest()[:32],
        )


def send(req: falcon.Request, resp: falcon.Response, path: Path, versioned: bool) -> None:
    """Answer the file at a path; see `answer`."""
    answer(req, resp, _read(path), versioned)


def answer(req: falcon.Request, resp: falcon.Response, file: File, versioned: bool) -> None:
    """Answer a file, or 304; a year long, no browser asks again for a versioned one."""
    resp.set_header("Cache-Control", _YEAR if versioned else "no-cache")
    resp.set_header("ETag", f'W/"{file.etag}"')  # weak: it stands for both encodings
    resp.set_header("Vary", "Accept-Encoding")
    known = req.if_none_match or ()
    if file.etag in known or "*" in known:
        resp.status = falcon.HTTP_304
        return
    resp.content_type, resp.data = file.content_type, file.octets
    if accepts_gzip(req.get_header("Accept-Encoding", default="")):
        resp.set_header("Content-Encoding", "gzip")
        resp.data = file.zipped


@cache
def _read(path: Path) -> File:
    return File.of(path.read_bytes(), path.suffix)


def accepts_gzip(header: str) -> bool:
    """Whether Accept-Encoding names gzip, and not with a weight of nought."""
    for part in header.lower().split(","):
        coding, _, weight = part.partition(";")
        if coding.strip() == "gzip":
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False
