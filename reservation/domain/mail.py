"""Sending mail: through an SMTP relay, or into a folder that plays one.

The only module that knows smtplib. Each message goes to one recipient, named in the
envelope, whatever its headers say.
"""

import contextlib
import math
import os
import smtplib
import socket
import ssl
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol
from urllib.parse import parse_qs, unquote, urlsplit

from reservation.domain.mime import Mail
from reservation.errors import MailNotSent

TIME_LIMIT = 8.0  # seconds for the whole conversation with a relay
_FAILURES = (OSError, smtplib.SMTPException, ValueError)
_FAREWELL = 1.0  # seconds for the last word
_STEP_LIMIT = 4.0  # seconds for each step of it, connecting to one address among them


class Line(Protocol):
    def send(self, mail: Mail) -> None:
        """Hand the message over. Raises MailNotSent unless it was accepted."""


class Mailer(Line, Protocol):
    def session(self) -> AbstractContextManager[Line]:
        """For many messages in a row: a line that stays open between them."""


class Folder:
    """Keeps each message as an .eml file: the development profile's relay."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @contextmanager
    def session(self) -> Iterator[Line]:
        yield self

    def send(self, mail: Mail) -> None:
        name = f"{time.strftime('%Y%m%dT%H%M%S')}-{uuid.uuid4().hex[:12]}"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            unfinished = self.folder / f".{name}"
            unfinished.write_bytes(mail.octets)
            os.replace(unfinished, self.folder / f"{name}.eml")
        except OSError as ex:
            raise MailNotSent() from ex


class Relay:
    """An SMTP server, `smtp://…?starttls=1` or `smtps://…`, within TIME_LIMIT seconds."""

    def __init__(
        self, url: str, time_limit: float = TIME_LIMIT, tls: ssl.SSLContext | None = None
    ) -> None:
        parts = urlsplit(url)
        self._tls_from_start = parts.scheme == "smtps"
        self._starttls = parse_qs(parts.query).get("starttls", ["0"])[-1] not in ("0", "off")
        self._host = parts.hostname or "localhost"
        self._port = parts.port or (465 if self._tls_from_start else 587 if self._starttls else 25)
        self._user = unquote(parts.username or "")
        self._password = unquote(parts.password or "")
        self.time_limit = time_limit
        self._tls = tls or ssl.create_default_context()

    def send(self, mail: Mail) -> None:
        with self.session() as line:
            line.send(mail)

    @contextmanager
    def session(self) -> Iterator[Line]:
        line = _Connection(self)
        try:
            yield line
        finally:
            line.close()

    def open(self, deadline: "_Deadline") -> smtplib.SMTP:
        """A connection that takes messages."""
        smtp = self._connect(deadline)
        try:
            if self._starttls:
                smtp.starttls(context=self._tls)
            if self._user:
                smtp.login(self._user, self._password)
        except Exception:
            smtp.close()
            raise
        return smtp

    def _connect(self, deadline: "_Deadline") -> smtplib.SMTP:
        limit = min(_STEP_LIMIT, self.time_limit)
        smtp: smtplib.SMTP
        if self._tls_from_start:
            smtp = smtplib.SMTP_SSL(timeout=limit, context=self._tls)
        else:
            smtp = smtplib.SMTP(timeout=limit)
        smtp._host = self._host  # type: ignore[attr-defined]  # the name that TLS checks
        deadline.watch(smtp)
        code, _ = smtp.connect(self._host, self._port)
        if code != 220:
            smtp.close()
            raise smtplib.SMTPConnectError(code, b"not ready")
        return smtp


class _Connection:
    """A connection to a relay, from the first message on until one fails."""

    def __init__(self, relay: Relay) -> None:
        self._relay = relay
        self._smtp: smtplib.SMTP | None = None
        self._deadline = _Deadline()

    def send(self, mail: Mail) -> None:
        try:
            with self._deadline.within(self._relay.time_limit):
                if self._smtp is None:
                    self._smtp = self._relay.open(self._deadline)
                self._smtp.sendmail(mail.sender, [mail.recipient], mail.octets)
        except _FAILURES as ex:
            self._drop()
            raise MailNotSent() from ex

    def close(self) -> None:
        """What was accepted stays accepted, whatever the relay says to the farewell."""
        if self._smtp is not None:
            with contextlib.suppress(*_FAILURES), self._deadline.within(_FAREWELL):
                self._smtp.quit()
        self._drop()
        self._deadline.end()

    def _drop(self) -> None:
        if self._smtp is not None:
            self._smtp.close()
            self._smtp = None


class _Deadline:
    """Cuts a conversation off when its time is over: a server that sends a byte now and
    then would otherwise hold a request for ever, for socket time limits start anew."""

    _LOOK = 0.1  # seconds between two looks at the clock

    def __init__(self) -> None:
        self._until = math.inf
        self._smtp: smtplib.SMTP | None = None
        self._ended = threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """Raises SMTPServerDisconnected for what took longer, though it seemed to end well:
        the last answer was cut off and may be half a line."""
        until = time.monotonic() + seconds
        self._until = until
        try:
            yield
        finally:
            self._until = math.inf
        if time.monotonic() >= until:
            raise smtplib.SMTPServerDisconnected("the time for it was over")

    def watch(self, smtp: smtplib.SMTP) -> None:
        self._smtp = smtp

    def end(self) -> None:
        self._ended.set()

    def _watch(self) -> None:
        # Again and again: it may still be connecting, or just have changed to TLS.
        while not self._ended.wait(self._LOOK):
            sock = getattr(self._smtp, "sock", None)
            if time.monotonic() >= self._until and sock is not None:
                with contextlib.suppress(OSError):  # closed already
                    socket.socket.shutdown(sock, socket.SHUT_RDWR)


def mailer(smtp_url: str, default_folder: Path) -> Mailer:
    """What Settings.smtp_url names; without one, the folder."""
    parts = urlsplit(smtp_url)
    if parts.scheme == "file":
        return Folder(Path(unquote(parts.path)))
    return Relay(smtp_url) if smtp_url else Folder(default_folder)
