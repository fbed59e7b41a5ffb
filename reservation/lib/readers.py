"""Functions that convert the text of a setting, or raise ValueError.

The text of a ValueError begins with a verb, for example "must be one of on, off". The caller puts
the name of the setting before this text. The text never quotes a URL, because a URL may contain a
password.
"""

import os
import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from reservation.lib.addresses import is_address

Reader = Callable[[str], Any]
# Valid path prefixes, such as "/agenda". Excludes "//host": links and Location headers would lead
# to another site.
PREFIX = re.compile(r"(/[A-Za-z0-9._~%@:+,=-]+)*")
_ENCODING = (
    "in a password or an option, write @ as %40, / as %2F, ? as %3F, # as %23 and % as %25"
)


def such_that(right: Callable[[str], object], reason: str, convert: Reader = str) -> Reader:
    def read(text: str) -> Any:
        if not right(text):
            raise ValueError(reason)
        return convert(text)

    return read


def whole(low: int, high: int) -> Reader:
    def right(text: str) -> bool:
        return text.isascii() and text.isdigit() and low <= int(text) <= high

    return such_that(right, f"must be a whole number from {low} to {high}", int)


def one_of(*choices: str, convert: Reader = str) -> Reader:
    return such_that(choices.__contains__, "must be one of " + ", ".join(choices), convert)


switch = one_of("on", "off", convert="on".__eq__)
folder = such_that(os.path.isdir, "is not a folder")
readable_file = such_that(os.path.isfile, "is not a readable file")
# Python reads bytes that are not UTF-8 as surrogates, which cannot be encoded.
text = such_that(lambda text: not re.search("[\ud800-\udfff]", text), "must be text in UTF-8")
# The address may have capital letters, and a host without a dot, such as `localhost`.
address = such_that(
    lambda text: text.isascii() and is_address(f"{text.lower()}.example"),
    "must be one e-mail address",
)

_truth = such_that(lambda text: text.lower() in ("true", "false"), "must be true or false")
_seconds = whole(1, 31_536_000)
# The allowed options of a mysql:// URL. The driver accepts more options, but some make the driver
# fail, and some, such as autocommit, break this program.
_MYSQL_OPTIONS = {
    "ssl_ca": readable_file, "ssl_cert": readable_file, "ssl_key": readable_file,
    "ssl_disabled": _truth, "ssl_verify_cert": _truth, "ssl_verify_identity": _truth,
    "connect_timeout": _seconds, "read_timeout": _seconds, "write_timeout": _seconds,
    "unix_socket": text, "bind_address": text, "init_command": text, "program_name": text,
    "read_default_file": readable_file, "read_default_group": text,
    "charset": such_that(lambda text: text.lower() == "utf8mb4", "must be utf8mb4"),
}
_SWITCH = {"0", "off", "1", "on", "true", "True", "yes"}
# Other values are refused, because it is unclear whether they switch TLS on or off.
_SMTP_OPTIONS = {"starttls": such_that(lambda text: text in _SWITCH, "must be 1 or 0")}


def database_url(text: str) -> str:
    _check_ends(text)
    if text.lower().startswith("sqlite:"):
        if not re.match(r"(?i)sqlite:///.", text):
            raise ValueError("takes three slashes for SQLite: sqlite:///reservation.db")
        if re.search(r"[?#]", text):  # the file name would end at this character
            raise ValueError("must have no ? and no # for SQLite: rename the file or its folder")
        if text.lower() == "sqlite:///:memory:":
            raise ValueError("must name a file for SQLite: the processes share the database")
        return text
    urls = [_split_server(one) for one in each_host(text)]
    if urls[0].scheme != "mysql" or len(urls[0].path) < 2:
        raise ValueError(
            "must look like sqlite:///reservation.db or mysql://user:password@host:port/name"
        )
    if len(urls) > 1 and not all(url.hostname for url in urls):
        raise ValueError("has an empty host between two commas")
    if urls[0].fragment:
        raise ValueError(f"has a # after its name: {_ENCODING}")
    _check_options(urls[0].query, _MYSQL_OPTIONS)
    return text


def _check_ends(text: str) -> None:
    if text != text.strip():
        raise ValueError("must have no white space at its ends")


def _check_options(query: str, known: Mapping[str, Reader]) -> None:
    for name, value in parse_qsl(query, keep_blank_values=True):
        if name not in known:
            raise ValueError(f"has an unknown option: {name} is none of {', '.join(known)}")
        try:
            known[name](value)
        except ValueError as ex:
            raise ValueError(f"has a wrong option: {name} {ex}") from None


def each_host(url: str) -> list[str]:
    """Splits `mysql://user:password@a,b:3307/name` into one URL for each host."""
    found = re.fullmatch(r"(?s)(\w+://(?:[^/?#]*@)?)([^/?#@]*)(.*)", url)
    before, hosts, after = found.groups() if found else (url, "", "")
    return [f"{before}{host}{after}" for host in hosts.split(",")]


def smtp_url(text: str) -> str:
    _check_ends(text)
    if text.lower().startswith("file:"):
        folder = _split(text)
        if folder.netloc not in ("", "localhost"):
            raise ValueError("takes three slashes for a folder: file:///folder")
        if folder.query or folder.fragment:
            raise ValueError("must have no ? and no # in a folder: write ? as %3F and # as %23")
        if folder.path not in ("", "/"):
            return text
    url = _split_server(text)
    if url.scheme not in ("smtp", "smtps") or not url.hostname:
        raise ValueError(
            "must look like smtp://user:password@host:port?starttls=1, smtps://… or file:///folder"
        )
    if not unquote(url.netloc, "latin-1").isascii():
        raise ValueError("must contain only ASCII characters")  # a limit of smtplib
    _check_options(url.query, _SMTP_OPTIONS)
    if url.scheme == "smtps" and wants_starttls(url.query):
        raise ValueError("must have no starttls with smtps, which uses TLS from the start")
    if url.path not in ("", "/") or url.fragment:
        raise ValueError("must have only options after its host, such as ?starttls=1")
    return text


def wants_starttls(query: str) -> bool:
    return dict(parse_qsl(query)).get("starttls", "0") not in ("0", "off")


def http_url(text: str) -> str:
    url = _split(text)
    if url.scheme not in ("http", "https") or not url.hostname:
        raise ValueError("must look like https://reservation.example")
    # No query or fragment, because links append a path to this URL.
    if "@" in url.netloc or re.search(r"[\s?#\"']", text):
        raise ValueError("must have no user, query, fragment, quotes or white space")
    # The ids of messages and calendar entries contain the host, and must be ASCII.
    if not url.hostname.isascii():
        raise ValueError(f"has a host that is not ASCII{_in_ascii(url.hostname)}")
    if not PREFIX.fullmatch(url.path.rstrip("/")):
        allowed = "A-Z a-z 0-9 . _ ~ % @ : + , = -"
        raise ValueError(f"takes a path such as /agenda, with only these characters: {allowed}")
    return text.rstrip("/")


def _in_ascii(host: str) -> str:
    try:
        return f": write the host as {host.encode('idna').decode()}"
    except UnicodeError:  # invalid host name
        return ""


def _split(text: str) -> SplitResult:
    try:
        url = urlsplit(text)
        if url.port == 0:  # raises ValueError if the port is invalid
            raise ValueError
    except ValueError:
        raise ValueError(
            f"is not a valid URL: its port is a number from 1 to 65535, and {_ENCODING}"
        ) from None
    return url


def _split_server(text: str) -> SplitResult:
    url = _split(text)
    if "@" in url.path + url.query + url.fragment:
        raise ValueError(f"has an @ after its host: {_ENCODING}")
    if re.search(r"\s", url.hostname or ""):
        raise ValueError("has white space in its host")
    try:
        (url.hostname or "").encode("idna")
    except UnicodeError:
        raise ValueError("has an invalid host: a part of a name has 1 to 63 characters") from None
    return url


def without_password(text: str) -> str:
    """Replaces the password in a URL with "(hidden)", even if the password contains an unescaped
    "@"."""
    text = re.sub(r"(?s)(://[^:]*:).*@", r"\1(hidden)@", text)
    return re.sub(r"(?i)([?&]passw\w*=)[^&]*", r"\1(hidden)", text)
