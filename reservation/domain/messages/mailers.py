"""Destinations of mail: an SMTP relay, or a folder in development."""

import os
import time
import uuid
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote, urlsplit

from reservation.errors import MailNotSent
from reservation.lib.mime import Mail
from reservation.lib.smtp import Relay


class RelaySession(Protocol):
    """A connection to a relay. Sends one message at a time."""

    def hand_over(self, mail: Mail) -> None:
        """Sends a message, but does not wait for the relay to accept the message. Raises
        MailNotSent if sending fails."""

    def answers(self, seconds: float) -> bool:
        """Waits up to `seconds` for the relay's answer. Returns False after a timeout."""

    def confirm(self) -> None:
        """Reads the relay's answer. Raises MailNotSent unless the relay accepted the message."""


class Mailer(Protocol):
    def send(self, mail: Mail) -> None:
        """Sends a message and waits for the answer. Raises MailNotSent unless the message is
        accepted."""

    def session(self) -> AbstractContextManager[RelaySession]:
        """Opens a session for many messages."""


class Folder:
    """Writes each message to an .eml file, for development."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.absolute()

    def there(self) -> Path:
        """Returns the folder or, if it does not exist yet, its nearest existing parent."""
        there = self.folder
        while not os.path.exists(there):  # unlike Path.exists, raises nothing
            there = there.parent
        return there

    @contextmanager
    def session(self) -> Iterator[RelaySession]:
        yield self

    def send(self, mail: Mail) -> None:
        self.hand_over(mail)

    def hand_over(self, mail: Mail) -> None:
        name = f"{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}-{uuid.uuid4().hex[:12]}"
        unfinished = self.folder / f".{name}"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            unfinished.write_bytes(mail.octets)
            os.replace(unfinished, self.folder / f"{name}.eml")
        except OSError as ex:  # for example, the disk is full
            with suppress(OSError):
                unfinished.unlink()
            raise MailNotSent() from ex

    def answers(self, seconds: float) -> bool:
        return True

    def confirm(self) -> None:
        pass


def mailer(smtp_url: str, default_folder: Path) -> Mailer:
    """Returns a Relay, or a Folder if the URL is a file URL or empty."""
    parts = urlsplit(smtp_url)
    if parts.scheme == "file":
        return Folder(Path(unquote(parts.path)))
    return Relay(smtp_url) if smtp_url else Folder(default_folder)
