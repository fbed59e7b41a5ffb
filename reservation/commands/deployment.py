"""What is wrong with a deployment beside its tables: `reservation check` reports it."""

import ipaddress
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import peewee

from reservation.application import mail_folder
from reservation.domain.messages.claims import MARGIN
from reservation.domain.messages.mailers import Folder, mailer
from reservation.domain.messages.senders import reason
from reservation.errors import MailNotSent
from reservation.lib.smtp import Relay
from reservation.settings import Settings, without_password
from reservation.storage.database import Database, SQLite
from reservation.storage.remedies import may_write

# Measured: a booking takes 2 kB of the database, and its messages 8 kB as files of a folder. So
# this is room for 10,000 bookings, for a backup of a small database, and for SQLite's log.
ROOM = 100 * 1024 * 1024


def faults(settings: Settings, db: Database) -> Iterator[str]:
    """Yields a sentence for each. The database is asked for its time and for nothing else."""
    mail = mailer(settings.smtp_url, mail_folder(settings))
    if settings.production:
        yield from _addresses(settings)
    if isinstance(db, SQLite):
        yield from _folder(Path(db.database).absolute().parent, "database")
    if isinstance(mail, Folder):
        yield from _folder(mail.there(), "mail")
    if isinstance(mail, Relay):
        yield from _relay(mail, settings.smtp_url)
    yield from _clock(db)


def _addresses(settings: Settings) -> Iterator[str]:
    if _is_this_machine(urlsplit(settings.public_url).hostname or ""):
        yield (
            f"RESERVATION_PUBLIC_URL is {settings.public_url}, which leads nobody here: links in"
            " messages begin with it"
        )
    if _is_this_machine(settings.mail_from.rpartition("@")[2]):
        yield f"RESERVATION_MAIL_FROM is {settings.mail_from}, to which nobody can reply"


def _is_this_machine(host: str) -> bool:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host.lower().rstrip(".").rpartition(".")[2] == "localhost"
    return address.is_loopback or address.is_unspecified


def _folder(folder: Path, what: str) -> Iterator[str]:
    if not folder.is_dir():
        yield f"the {what} folder {folder} is no folder: make it"
    elif not may_write(folder):
        yield f"this user may not write to the {what} folder {folder}: allow it"
    elif (room := shutil.disk_usage(folder).free) < ROOM:
        yield (
            f"the {what} folder {folder} has room for {room // 2**20} MB, and should have"
            f" {ROOM // 2**20} MB: make room on its disk"
        )


def _relay(relay: Relay, url: str) -> Iterator[str]:
    try:
        relay.greet()
    except MailNotSent as ex:
        yield (
            f"the mail relay {without_password(url)} does not answer"
            f" ({reason(ex.__cause__ or ex)}): start it, or correct RESERVATION_SMTP_URL"
        )


def _clock(db: Database) -> Iterator[str]:
    """Claims on messages bear a difference of MARGIN seconds between two machines."""
    try:
        said = _file_of_the_future(Path(db.database)) if isinstance(db, SQLite) else _server(db)
    except (peewee.PeeweeException, OSError):
        return  # the check of the tables says why
    if said:
        yield f"{said}: set the clocks right, best by NTP"


def _file_of_the_future(path: Path) -> str:
    """SQLite has this machine's own clock, which was ahead when it wrote such a file, or has
    fallen back since."""
    files = (path, path.with_name(f"{path.name}-wal"))
    written = max((one.stat().st_mtime for one in files if one.exists()), default=0.0)
    ahead = written - time.time()
    return f"{path} was written {ahead:.0f} s in the future" if ahead > MARGIN else ""


def _server(db: Database) -> str:
    before = time.time()
    ((theirs,),) = db.rows("SELECT UNIX_TIMESTAMP()")
    ahead = (before + time.time()) / 2 - float(theirs)
    where = "ahead of" if ahead > 0 else "behind"
    said = f"this machine's clock is {abs(ahead):.0f} s {where} the database server's"
    return said if abs(ahead) > MARGIN else ""
