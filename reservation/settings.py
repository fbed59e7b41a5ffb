"""The settings: one frozen dataclass, read from the environment that `app.py` hands in.

Each field has a type, a default and a sentence; the table in the README is tested
against them. A value that cannot be used stops the start and says which one and why.
"""

import dataclasses
import difflib
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

PREFIX = "RESERVATION_"
SECRET_BYTES = 32  # what HS256 wants at least: RFC 7518, section 3.2
DATA = Path(__file__).parent / "data"
_CODES = "in a password, write @ as %40, / as %2F, ? as %3F, # as %23 and % as %25"


class BadSetting(ValueError):
    """A setting that stops the start; the text names it, its value and the reason."""


def whole(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and low <= int(text) <= high):
            raise ValueError(f"must be a whole number from {low} to {high}")
        return int(text)

    return read


def _one_of(*choices: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in choices:
            raise ValueError("must be one of " + ", ".join(choices))
        return text

    return read


def _switch(text: str) -> bool:
    return _one_of("on", "off")(text) == "on"


def _split(text: str) -> SplitResult:
    """Raises ValueError, without a word of the text, for what is no URL."""
    try:
        url = urlsplit(text)
        _ = url.port  # raises for an impossible one
    except ValueError:
        raise ValueError(
            f"is no URL that can be read: its port is a number up to 65535, and {_CODES}"
        ) from None
    return url


def _server_url(text: str) -> SplitResult:
    url = _split(text)
    if "@" in url.path + url.query + url.fragment:
        raise ValueError(f"has an @ behind its host: {_CODES}")
    return url


def _database_url(text: str) -> str:
    if text.lower().startswith("sqlite:"):
        if not re.match(r"(?i)sqlite:///.", text):
            raise ValueError("takes three slashes for SQLite: sqlite:///reservation.db")
        return text
    url = _server_url(text)
    if url.scheme != "mysql" or len(url.path) < 2:
        raise ValueError(
            "must look like sqlite:///reservation.db or mysql://user:password@host:port/name"
        )
    return text


def _smtp_url(text: str) -> str:
    if text.lower().startswith("file:") and _split(text).path not in ("", "/"):
        return text
    url = _server_url(text)
    if url.scheme not in ("smtp", "smtps") or not url.hostname:
        raise ValueError(
            "must look like smtp://user:password@host:port?starttls=1, smtps://… or file:///folder"
        )
    if not unquote(url.netloc, "latin-1").isascii():
        raise ValueError("may hold no letter beyond ASCII")  # smtplib sends no other password
    unknown = set(parse_qs(url.query)) - {"starttls"}
    if unknown:
        raise ValueError(f"has an unknown option: {sorted(unknown)[0]}")
    return text


def _address(text: str) -> str:
    if text.count("@") != 1 or not text.isascii() or not text.isprintable() or " " in text:
        raise ValueError("must be one e-mail address")
    return text


def _folder(text: str) -> str:
    if not Path(text).is_dir():
        raise ValueError("is no folder")
    return text


def _readable_file(text: str) -> str:
    if not Path(text).is_file():
        raise ValueError("is no readable file")
    return text


def _http_url(text: str) -> str:
    url = _split(text)
    if url.scheme not in ("http", "https") or not url.hostname:
        raise ValueError("must look like https://reservation.example")
    return text.rstrip("/")


def setting(
    default: Any, doc: str, read: Callable[[str], Any] = str, secret: bool = False
) -> Any:
    return dataclasses.field(
        default=default, repr=not secret, metadata={"doc": doc, "read": read, "secret": secret}
    )


@dataclasses.dataclass(frozen=True)
class Settings:
    """Everything a deployment can decide. The variable is the field's name in capitals."""

    env: str = setting(
        "development",
        "Profile: `development` (open doors, loopback) or `production`.",
        _one_of("development", "production"),
    )
    database_url: str = setting(
        "sqlite:///reservation.db",
        "Where the tables are: `sqlite:///file` or `mysql://user:password@host:port/name`.",
        _database_url,
        secret=True,
    )
    secret: str = setting(
        "",
        "Key that signs tokens, at least 32 bytes. Development makes one for itself.",
        secret=True,
    )
    token_lifetime: int = setting(
        86400, "Seconds for which a token is good.", whole(1, 366 * 86400)
    )
    expired_status: int = setting(
        401, "Status of the answer to an expired token: 401 or 419.",
        lambda text: int(_one_of("401", "419")(text)),
    )
    bcrypt_rounds: int = setting(12, "Cost of a password hash, 4 to 31.", whole(4, 31))
    smtp_url: str = setting(
        "",
        "Mail relay: `smtp://user:password@host:port?starttls=1`, `smtps://…`, or"
        " `file:///folder` to keep messages as files (the default in development:"
        " the folder `mails`).",
        _smtp_url,
        secret=True,
    )
    mail_from: str = setting(
        "reservation@localhost", "Sender of every message.", _address
    )
    mail_templates: str = setting(
        "", "Folder whose files stand in for the shipped templates of messages.", _folder
    )
    contact_to: str = setting(
        "contact@localhost", "Who receives the contact form.", _address
    )
    public_url: str = setting(
        "http://127.0.0.1:8000",
        "Address under which people reach the service. In development, `serve` replaces the"
        " default by its own address.",
        _http_url,
    )
    unsafe_forms: bool = setting(
        False,
        "`on` opens `/login_form` and `/teste` in production, which the specification"
        " itself calls unsafe.",
        _switch,
    )
    cities: str = setting(
        str(DATA / "cities.txt"), "File of the cities to complete, one a line.", _readable_file
    )
    services: str = setting(
        str(DATA / "services.txt"), "File of the services to complete, one a line.", _readable_file
    )
    site: bool = setting(
        True, "`on` serves the booking site at `/`; `off` leaves the API alone.", _switch
    )
    log: str = setting(
        "text", "Form of the log lines: `text` or `json`.", _one_of("text", "json")
    )
    metrics: str = setting(
        "",
        "Folder in which the processes of one machine share what they count for `/metrics`;"
        " without one nothing is counted.",
    )

    def __post_init__(self) -> None:
        if self.secret and len(self.secret.encode()) < SECRET_BYTES:
            raise BadSetting(f"{PREFIX}SECRET is shorter than {SECRET_BYTES} bytes")
        if self.production and not self.secret:
            raise BadSetting(
                f"{PREFIX}SECRET (or {PREFIX}SECRET_FILE) is required in production:"
                f" at least {SECRET_BYTES} random bytes"
            )
        if self.production and not self.smtp_url:
            raise BadSetting(f"{PREFIX}SMTP_URL is required in production: the mail relay")

    @property
    def production(self) -> bool:
        return self.env == "production"

    @property
    def open_doors(self) -> list[str]:
        """What this profile lets anybody do, a sentence each. Production should have none."""
        doors = []
        if self.forms_are_open:
            doors.append("/login_form answers with the password that it was sent")
            doors.append("/teste shows the data and the password hash of any account")
        if not self.production:
            doors.append("/auth/register lets anybody become admin")
            doors.append("/register_form accepts passwords under 8 characters")
            doors.append("the most common passwords are accepted")
            if not self.smtp_url:
                doors.append("mail is kept in a folder and reaches nobody")
        return doors

    def in_force(self) -> dict[str, str]:
        """Each variable with its value as a person may see it: secrets are hidden."""
        shown = {}
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if isinstance(value, bool):
                value = "on" if value else "off"
            if field.metadata["secret"] and value:
                is_url = field.name.endswith("_url")
                value = without_password(value) if is_url else "(hidden)"
            shown[PREFIX + field.name.upper()] = str(value)
        return shown

    @property
    def forms_are_open(self) -> bool:
        """Whether the two forms that the specification calls unsafe answer."""
        return self.unsafe_forms or not self.production

    @classmethod
    def from_environ(
        cls, environ: Mapping[str, str] = os.environ, **defaults: Any
    ) -> "Settings":
        """Read `RESERVATION_…` from a mapping; other names are not looked at.

        `RESERVATION_X_FILE` names a file whose content is the secret X. `defaults` replace
        those of the fields.
        Raises BadSetting for an unknown name or a value that cannot be used.
        """
        fields = {field.name: field for field in dataclasses.fields(cls)}
        values = dict(defaults)
        for variable, text in sorted(environ.items()):
            if not variable.startswith(PREFIX):
                continue
            name = variable.removeprefix(PREFIX).lower()
            secret_of = fields.get(name.removesuffix("_file"))
            if name.endswith("_file") and secret_of and secret_of.metadata["secret"]:
                if PREFIX + secret_of.name.upper() in environ:
                    raise BadSetting(f"{variable} and its value are both set: keep one")
                name, text = secret_of.name, _content(variable, text)
            if name not in fields:
                raise BadSetting(f"{variable} is not a setting{_nearest(name, list(fields))}")
            field = fields[name]
            try:
                values[name] = field.metadata["read"](text)
            except ValueError as ex:
                shown = "" if field.metadata["secret"] else f"={without_password(text)!r}"
                raise BadSetting(f"{variable}{shown} {ex}") from None
        return cls(**values)


def without_password(text: str) -> str:
    """The text with "(hidden)" for the password of a URL: all up to the last @, for a password
    may hold an @ as it is."""
    text = re.sub(r"(?s)(://[^:]*:).*@", r"\1(hidden)@", text)
    return re.sub(r"(?i)([?&]passw\w*=)[^&]*", r"\1(hidden)", text)


def _content(variable: str, path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as ex:
        reason = ex.strerror if isinstance(ex, OSError) else "it is no text"
        shown = without_password(path)  # somebody may have set the secret instead of a file
        raise BadSetting(f"{variable}={shown!r} cannot be read: {reason}") from None


def _nearest(name: str, known: list[str]) -> str:
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.0)
    return f"; the nearest is {PREFIX}{close[0].upper()}" if close else ""
