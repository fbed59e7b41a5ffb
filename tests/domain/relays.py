"""SMTP servers for tests: a working server, and a server that fails at a chosen stage."""

import asyncio
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword

from tests.engines import free_port, require

USER, PASSWORD = "facteur", "un secret : a garder/@%"


@dataclass
class Received:
    """An accepted message: its envelope and its bytes."""

    sender: str
    recipients: list[str]
    raw: bytes

    @property
    def mail(self) -> EmailMessage:
        return message_from_bytes(self.raw, policy=policy.default)  # type: ignore[return-value]

    @property
    def text(self) -> str:
        return str(self.mail.get_content()).replace("\r\n", "\n")


@dataclass
class Handler:
    """Accepts every message, or answers a stage with the reply in `replies`."""

    replies: dict[str, str] = field(default_factory=dict)
    received: list[Received] = field(default_factory=list)
    logins: list[tuple[bytes, bytes]] = field(default_factory=list)

    async def handle_MAIL(
        self, _server: Any, _session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return self.replies.get("MAIL", "250 OK")

    async def handle_RCPT(
        self, _server: Any, _session: Any, envelope: Any, address: str, _options: list[str]
    ) -> str:
        envelope.rcpt_tos.append(address)
        return self.replies.get("RCPT", "250 OK")

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:
        if "DATA" not in self.replies:
            self.received.append(
                Received(envelope.mail_from, envelope.rcpt_tos, envelope.content)
            )
        return self.replies.get("DATA", "250 OK")

    def authenticate(
        self, _server: SMTP, _session: Any, _envelope: Any, _mechanism: str, data: LoginPassword
    ) -> AuthResult:
        self.logins.append((data.login, data.password))
        success = data == LoginPassword(USER.encode(), PASSWORD.encode())
        return AuthResult(success=success, handled=False)  # the server answers 235 or 535


# Handles a received message, given the server. Returns the reply.
Mood = Callable[[SMTP], str]


@dataclass
class Moody(Handler):
    """Handles messages to some addresses by their mood. Calls `then` after it stores a message and
    before the reply."""

    port: int = 0
    moods: dict[str, Mood] = field(default_factory=dict)
    then: Callable[[], object] | None = None
    over: threading.Event = field(default_factory=threading.Event)  # ends all waiting

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        mood = self.moods.get(envelope.rcpt_tos[0])
        if mood is not None:
            return await asyncio.to_thread(mood, server)
        answer = await super().handle_DATA(server, session, envelope)
        if self.then is not None:
            await asyncio.to_thread(self.then)
        return answer

    def keeps_and_answers_after(self, seconds: float) -> Mood:
        """Returns a mood that stores the message at once and replies after `seconds`."""

        def mood(server: SMTP) -> str:
            envelope: Any = server.envelope
            self.received.append(
                Received(envelope.mail_from, envelope.rcpt_tos, envelope.content)
            )
            self.over.wait(seconds)
            return "250 OK"

        return mood

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.port}"

    @property
    def told(self) -> list[str]:
        """Returns the recipients of the received messages, in order of arrival."""
        return [recipient for one in self.received for recipient in one.recipients]


def started(handler: Handler, **options: Any) -> Controller:
    relay = Controller(handler, hostname="127.0.0.1", port=free_port(), **options)
    relay.start()
    return relay


def certificate(folder: Path, name: str = "IP:127.0.0.1") -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """Creates a self-signed certificate. Returns the TLS contexts of the server and the client."""
    require("openssl", "openssl")
    key, cert = folder / "key.pem", folder / "cert.pem"
    made_for = ["-subj", "/CN=relay", "-addext", f"subjectAltName={name}", "-days", "2"]
    kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    files = ["-keyout", str(key), "-out", str(cert)]
    subprocess.run(
        ["openssl", "req", "-x509", *kind, *files, *made_for], check=True, capture_output=True
    )
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(cert, key)
    return server, ssl.create_default_context(cafile=str(cert))


# stage: the reply of a working server. Each stage but "greeting" follows a line of the client.
TALK = {
    "greeting": b"220 relay\r\n",
    "EHLO": b"250-relay\r\n250 STARTTLS\r\n",
    "MAIL": b"250 OK\r\n",
    "RCPT": b"250 OK\r\n",
    "DATA": b"354 go on\r\n",
    "end": b"250 kept\r\n",
    "QUIT": b"221 bye\r\n",
}


class BrokenRelay:
    """A relay that works until the given stage of TALK, and then calls `what(connection)`."""

    def __init__(self, stage: str, what: Callable[["BrokenRelay", socket.socket], None]) -> None:
        self.stage, self.what = stage, what
        self.over = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    def _accept(self) -> None:
        while not self.over.is_set():
            with suppress(OSError):
                connection, _ = self._listener.accept()
                threading.Thread(target=self._talk, args=[connection], daemon=True).start()

    def _talk(self, connection: socket.socket) -> None:
        with suppress(OSError), connection, connection.makefile("rb") as lines:
            for stage, reply in TALK.items():
                if stage == self.stage:
                    return self.what(self, connection)
                connection.sendall(reply)
                last = b".\r\n" if stage == "DATA" else b""
                while not (line := lines.readline()).endswith(last) or (last and line != last):
                    if not line:
                        return None
        return None

    def stop(self) -> None:
        self.over.set()
        with suppress(OSError):  # wakes accept()
            socket.create_connection(("127.0.0.1", self.port)).close()
        self._thread.join(timeout=5)
        self._listener.close()


def hang(relay: BrokenRelay, _connection: socket.socket) -> None:
    relay.over.wait()


def close(_relay: BrokenRelay, connection: socket.socket) -> None:
    connection.close()


def repeated(part: bytes, pause: float) -> Callable[[BrokenRelay, socket.socket], None]:
    """Returns an action that sends the same bytes forever, with a pause before each."""

    def drip(relay: BrokenRelay, connection: socket.socket) -> None:
        while not relay.over.wait(pause):
            connection.sendall(part)

    return drip


def says(reply: bytes) -> Callable[[BrokenRelay, socket.socket], None]:
    """Returns an action that sends one reply, then nothing, and keeps the connection open."""

    def say(relay: BrokenRelay, connection: socket.socket) -> None:
        connection.sendall(reply)
        relay.over.wait()

    return say
