"""Where mail goes: to an SMTP relay, or to a folder in development."""

import os
import time
import uuid
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote, urlsplit

from reservation.errors import MailNotSent
from reservation.lib.mime import Mail
from reservation.lib.smtp import Relay


class Line(Protocol):
    """A conversation with a relay. Between the two ends of a message, nothing else is sent."""

    def hand_over(self, mail: Mail) -> None:
        """Send the message up to the end of its data. Raises MailNotSent."""

    def answers(self, seconds: float) -> bool:
        """Waits so long at most; returns whether the relay has begun to answer the data."""

    def confirm(self) -> None:
        """Reads the answer. Raises MailNotSent unless the message was accepted."""


class Mailer(Protocol):
    def send(self, mail: Mail) -> None:
        """Send one message while a request waits. Raises MailNotSent unless it was accepted."""

    def session(self) -> AbstractContextManager[Line]:
        """A line for many messages, one after the other."""


class Folder:
    """Keeps each message as an .eml file: the development profile's relay."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def there(self) -> Path:
        """The folder, or that in which it is made with the first message."""
        there = self.folder.absolute()
        while not there.exists():
            there = there.parent
        return there

    @contextmanager
    def session(self) -> Iterator[Line]:
        yield self

    def send(self, mail: Mail) -> None:
        self.hand_over(mail)

    def hand_over(self, mail: Mail) -> None:
        name = f"{time.strftime('%Y%m%dT%H%M%S')}-{uuid.uuid4().hex[:12]}"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            unfinished = self.folder / f".{name}"
            unfinished.write_bytes(mail.octets)
            os.replace(unfinished, self.folder / f"{name}.eml")
        except OSError as ex:
            raise MailNotSent() from ex

    def answers(self, seconds: float) -> bool:
        return True

    def confirm(self) -> None:
        """Nothing to wait for: the file is there."""


def mailer(smtp_url: str, default_folder: Path) -> Mailer:
    """What Settings.smtp_url names; without one, the folder."""
    parts = urlsplit(smtp_url)
    if parts.scheme == "file":
        return Folder(Path(unquote(parts.path)))
    return Relay(smtp_url) if smtp_url else Folder(default_folder)
