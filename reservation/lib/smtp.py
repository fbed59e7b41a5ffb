"""Sends mail through an SMTP relay. Each message has one recipient."""

import contextlib
import math
import selectors
import smtplib
import ssl
import threading
from collections.abc import Callable, Iterator
from functools import lru_cache
from queue import Empty, SimpleQueue
from urllib.parse import unquote, urlsplit

from reservation.errors import MailNotSent
from reservation.lib.deadlines import Deadline
from reservation.lib.mime import Mail, as_data
from reservation.lib.readers import wants_starttls

TIME_LIMIT = 8.0  # seconds for each of two steps: to send a message, and to read the answer
REQUEST_LIMIT = 4.5  # seconds to send a message while an HTTP request waits
_FAILURES = (OSError, smtplib.SMTPException, ValueError)
_FAREWELL = 1.0  # seconds for QUIT or RSET
_REFUSALS = 9  # maximum in a row on a connection; after 10 refusals, Postfix delays its answers
_STEP_LIMIT = 4.0  # seconds for each SMTP command, and to connect to each IP address


class Relay:
    """An SMTP server at `smtp://…`, `smtp://…?starttls=1` or `smtps://…`."""

    def __init__(
        self, url: str, time_limit: float = TIME_LIMIT, tls: ssl.SSLContext | None = None
    ) -> None:
        parts = urlsplit(url)
        self._tls_from_start = parts.scheme == "smtps"
        self._starttls = wants_starttls(parts.query)
        self._host = parts.hostname or "localhost"
        self._port = parts.port or (465 if self._tls_from_start else 587 if self._starttls else 25)
        self._user = unquote(parts.username or "")
        self._password = unquote(parts.password or "")
        self.time_limit = time_limit
        secure = self._tls_from_start or self._starttls
        # Created only once, because loading the certificates takes 50 ms of CPU time.
        self._tls = tls or (ssl.create_default_context() if secure else None)

    def send(self, mail: Mail) -> None:
        """Sends a message. Raises MailNotSent if the relay does not accept the message in time."""

        def talk(connection: _Connection) -> None:
            connection.hand_over(mail)
            connection.answers(REQUEST_LIMIT)
            connection.confirm()

        self._within_limit(talk)

    def greet(self) -> None:
        """Raises MailNotSent unless the relay accepts TLS, the login and NOOP in time."""
        self._within_limit(_Connection.greet)

    def _within_limit(self, talk: "Callable[[_Connection], None]") -> None:
        """Runs `talk` in a thread, so that the caller can give up even during a DNS look-up.

        Raises MailNotSent if `talk` fails or takes too long. The thread then sends nothing more.
        """
        limit = min(REQUEST_LIMIT, self.time_limit)
        outcome: SimpleQueue[MailNotSent | None] = SimpleQueue()

        def run() -> None:
            connection = _Connection(self, limit)
            try:
                talk(connection)
                outcome.put(None)
            except MailNotSent as ex:
                outcome.put(ex)
            finally:
                connection.close()

        threading.Thread(target=run, daemon=True).start()
        try:
            failure = outcome.get(timeout=limit)
        except Empty:
            failure = MailNotSent()
            failure.__cause__ = TimeoutError(f"no answer within {limit:g} s")
        if failure is not None:
            raise failure

    def session(self) -> contextlib.closing["_Connection"]:
        return contextlib.closing(_Connection(self))

    def open(self, deadline: Deadline) -> smtplib.SMTP:
        """Connects, starts TLS if needed, and logs in."""
        smtp = self.connect(deadline)
        try:
            if self._starttls:
                smtp.starttls(context=self._tls)
            if self._user:
                smtp.login(self._user, self._password)
            smtp.ehlo_or_helo_if_needed()
        except Exception:
            smtp.close()
            raise
        return smtp

    def connect(self, deadline: Deadline) -> smtplib.SMTP:
        limit = min(_STEP_LIMIT, self.time_limit)
        smtp = smtplib.SMTP(timeout=limit)
        if self._tls_from_start:
            smtp = smtplib.SMTP_SSL(timeout=limit, context=self._tls)
        smtp._host = self._host  # type: ignore[attr-defined]  # the name that TLS checks
        deadline.watch(smtp)
        code, answer = smtp.connect(self._host, self._port)
        if code != 220:
            smtp.close()
            raise smtplib.SMTPConnectError(code, answer)
        return smtp


class _Connection:
    """A connection to a relay, opened for the first message, and closed after most failures."""

    def __init__(self, relay: Relay, limit: float = math.inf) -> None:
        """Does not connect yet. The connection may be used for `limit` seconds."""
        self._relay = relay
        self._smtp: smtplib.SMTP | None = None
        self._refusals = 0  # since the last accepted message
        self._deadline = Deadline(limit)

    def greet(self) -> None:
        with self._failing(), self._deadline.within(self._relay.time_limit):
            self._smtp = self._relay.open(self._deadline)
            _expect(self._smtp.noop(), 250)

    def hand_over(self, mail: Mail) -> None:
        with self._failing(), self._deadline.within(self._relay.time_limit):
            if self._smtp is None:
                self._smtp = self._relay.open(self._deadline)
            smtp = self._smtp
            size = f" size={len(mail.octets)}" if smtp.has_extn("size") else ""
            _expect(smtp.docmd("mail", f"FROM:{_quoted(mail.sender)}{size}"), 250)
            _expect(smtp.docmd("rcpt", f"TO:{_quoted(mail.recipient)}"), 250, 251)
            _expect(smtp.docmd("DATA"), 354)
            self._deadline.check()
            smtp.send(as_data(mail.octets))

    def answers(self, seconds: float) -> bool:
        """Returns whether the relay answers within `seconds`. If not, the relay may still accept
        the message: call again for up to 10 minutes (RFC 5321, 4.5.3.2.6)."""
        sock = self._smtp.sock if self._smtp else None
        if sock is None:
            return True  # so that the caller calls `confirm`, which raises MailNotSent
        with selectors.DefaultSelector() as selector:
            selector.register(sock, selectors.EVENT_READ)
            return bool(selector.select(min(seconds, self._deadline.left())))

    def confirm(self) -> None:
        with self._failing(), self._deadline.within(self._relay.time_limit):
            if self._smtp is None:
                raise smtplib.SMTPServerDisconnected("there is no connection")
            _expect(self._smtp.getreply(), 250)
            self._refusals = 0

    @contextlib.contextmanager
    def _failing(self) -> Iterator[None]:
        try:
            yield
        except _FAILURES as ex:
            if not self._is_ready_after(ex):
                self._drop()
            raise MailNotSent() from ex

    def _is_ready_after(self, ex: Exception) -> bool:
        """Resets the SMTP session after a refusal. Returns whether a new message can be sent."""
        code = getattr(ex, "smtp_code", 0)
        self._refusals += 1
        if 400 <= code < 600 and code != 421 and self._smtp and self._refusals < _REFUSALS:
            with contextlib.suppress(*_FAILURES), self._deadline.within(_FAREWELL):
                return self._smtp.rset()[0] == 250
        return False

    def close(self) -> None:
        if self._smtp is not None:
            with contextlib.suppress(*_FAILURES), self._deadline.within(_FAREWELL):
                self._smtp.quit()
        self._drop()
        self._deadline.end()

    def _drop(self) -> None:
        if self._smtp is not None:
            self._smtp.close()
            self._smtp, self._refusals = None, 0


_quoted = lru_cache(maxsize=256)(smtplib.quoteaddr)  # cached, because smtplib is slow


def _expect(reply: tuple[int, bytes], *codes: int) -> None:
    if reply[0] not in codes:
        raise smtplib.SMTPResponseException(*reply)
