"""Sending mail: through an SMTP relay, or into a folder that plays one.

The only module that knows smtplib. Each message goes to one recipient, named in the
envelope, whatever its headers say.
"""

import contextlib
import os
import smtplib
import socket
import ssl
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path
from typing import NamedTuple, Protocol
from urllib.parse import parse_qs, unquote, urlsplit

from reservation.errors import MailNotSent

TIME_LIMIT = 8.0  # seconds for the whole conversation with a relay
_FAILURES = (OSError, smtplib.SMTPException, ValueError)
_FAREWELL = 1.0  # seconds for the last word
_ASCII = SMTP.clone(cte_type="7bit")  # not every relay takes bytes above 127
_STEP_LIMIT = 4.0  # seconds for each step of it, connecting to one address among them


class Line(Protocol):
    def send(self, message: EmailMessage) -> None:
        """Hand the message over. Raises MailNotSent unless it was accepted."""


class Mailer(Line, Protocol):
    def session(self) -> AbstractContextManager[Line]:
        """For many messages in a row: a line that stays open between them."""


class Calendar(NamedTuple):
    """A calendar file to go with a message, and its METHOD."""

    method: str
    text: str


def compose(
    *,
    sender: str,
    recipient: str,
    subject: str,
    text: str,
    reply_to: str = "",
    html: str = "",
    calendar: Calendar | None = None,
    message_id: str = "",
) -> EmailMessage:
    """A message of text, of HTML too where there is any; control characters in a header
    become spaces."""
    message = EmailMessage(policy=_ASCII)
    message["From"] = sender
    message["To"] = recipient
    if reply_to:
        message["Reply-To"] = reply_to
    message["Subject"] = one_line(subject)
    host = sender.rpartition("@")[2] or "localhost"
    message["Message-ID"] = message_id or f"<{uuid.uuid4()}@{host}>"
    message["Date"] = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime())
    message.set_content(text)
    if html:
        message.add_alternative(html, subtype="html")
    if calendar:
        message.add_attachment(
            calendar.text.encode(),
            maintype="text",
            subtype="calendar",
            filename="reservation.ics",
            params={"method": calendar.method, "charset": "utf-8"},
        )
    return message


def one_line(text: str) -> str:
    """The text with every control character and line break turned into a space.

    An encoded word (RFC 2047) is broken up, for the header would decode what it hides.
    """
    printable = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(printable.replace("=?", "= ?").split())


class Folder:
    """Keeps each message as an .eml file: the development profile's relay."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @contextmanager
    def session(self) -> Iterator[Line]:
        yield self

    def send(self, message: EmailMessage) -> None:
        name = f"{time.strftime('%Y%m%dT%H%M%S')}-{uuid.uuid4().hex[:12]}"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            unfinished = self.folder / f".{name}"
            unfinished.write_bytes(message.as_bytes())
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

    def send(self, message: EmailMessage) -> None:
        with self.session() as line:
            line.send(message)

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

    def send(self, message: EmailMessage) -> None:
        deadline = _Deadline(self._relay.time_limit)
        try:
            with deadline:
                if self._smtp is None:
                    self._smtp = self._relay.open(deadline)
                deadline.watch(self._smtp)
                # Not send_message, which turns a line's "From" into ">From".
                self._smtp.sendmail(message["From"], [message["To"]], message.as_bytes())
                deadline.met()
        except _FAILURES as ex:
            self._drop()
            raise MailNotSent() from ex

    def close(self) -> None:
        """What was accepted stays accepted, whatever the relay says to the farewell."""
        if self._smtp is not None:
            deadline = _Deadline(_FAREWELL)
            deadline.watch(self._smtp)
            with deadline, contextlib.suppress(*_FAILURES):
                self._smtp.quit()
            self._drop()

    def _drop(self) -> None:
        if self._smtp is not None:
            self._smtp.close()
            self._smtp = None


class _Deadline:
    """Cuts a conversation off when its time is over: a server that sends a byte now and
    then would otherwise hold a request for ever, for socket time limits start anew."""

    def __init__(self, seconds: float) -> None:
        self._passed = False
        self._seconds = seconds
        self._smtp: smtplib.SMTP | None = None
        self._over = threading.Event()

    def __enter__(self) -> None:
        threading.Thread(target=self._wait, daemon=True).start()

    def __exit__(self, *_: object) -> None:
        self._over.set()

    def watch(self, smtp: smtplib.SMTP) -> None:
        self._smtp = smtp

    def met(self) -> None:
        if self._passed:  # and the last answer was cut off: it may be half a line
            raise smtplib.SMTPServerDisconnected()

    def _wait(self) -> None:
        pause = self._seconds
        while not self._over.wait(pause):
            self._passed = True
            pause = 0.1  # it may still be connecting, or just have changed to TLS
            sock = getattr(self._smtp, "sock", None)
            if sock is not None:
                with contextlib.suppress(OSError):  # closed already
                    socket.socket.shutdown(sock, socket.SHUT_RDWR)


def mailer(smtp_url: str, default_folder: Path) -> Mailer:
    """What Settings.smtp_url names; without one, the folder."""
    parts = urlsplit(smtp_url)
    if parts.scheme == "file":
        return Folder(Path(unquote(parts.path)))
    return Relay(smtp_url) if smtp_url else Folder(default_folder)
