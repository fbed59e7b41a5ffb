"""Serves static files, with ETags, compression and caching."""

import gzip
from functools import cached_property
from pathlib import Path

import falcon

from reservation.http.conditional import add_tag, tag_of

_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
YEAR = "public, max-age=31536000, immutable"


class File:
    """A file in memory. The file is compressed when a client first accepts gzip.

    `vary` lists the request headers, besides Accept-Encoding, on which the content depends.
    """

    def __init__(self, octets: bytes, suffix: str, *vary: str) -> None:
        self.content_type = _TYPES.get(suffix, "text/plain; charset=utf-8")
        self.octets = octets
        self.vary = ", ".join(("Accept-Encoding", *vary))

    @cached_property
    def etag(self) -> str:
        return f"W/{tag_of(self.octets)}"  # weak, because the gzip form has the same tag

    @cached_property
    def zipped(self) -> bytes:
        return gzip.compress(self.octets, mtime=0)


def below(folder: Path) -> dict[str, File]:
    """Returns {relative path: file} for a folder and its subfolders, sorted by path."""
    return {
        path.relative_to(folder).as_posix(): File(path.read_bytes(), path.suffix)
        for path in sorted(folder.rglob("*")) if path.is_file()
    }


def answer(req: falcon.Request, resp: falcon.Response, file: File, versioned: bool) -> None:
    """Answers with a file. If `versioned`, browsers may cache the file for a year."""
    resp.set_header("Cache-Control", YEAR if versioned else "no-cache")
    resp.set_header("ETag", file.etag)
    resp.set_header("Vary", file.vary)
    resp.content_type, resp.data = file.content_type, file.octets
    if accepts_gzip(req.get_header("Accept-Encoding", default="")):
        resp.set_header("Content-Encoding", "gzip")
        resp.data = file.zipped
    add_tag(req, resp)


def accepts_gzip(header: str) -> bool:
    """Returns whether Accept-Encoding lists gzip with a weight above 0."""
    for part in header.lower().split(","):
        coding, _, weight = part.partition(";")
        if coding.strip() == "gzip":
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False
