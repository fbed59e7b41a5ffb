"""Finds faults of a deployment outside its tables, for `reservation check`."""

import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import peewee

from reservation.domain.catalogue import completion
from reservation.domain.messages.claims import MARGIN
from reservation.domain.messages.mailers import Folder, mailer
from reservation.domain.messages.messages import Templates
from reservation.domain.messages.senders import reason
from reservation.errors import MailNotSent
from reservation.installation import counters_in, mail_folder
from reservation.lib import folders
from reservation.lib.environment import BadSetting
from reservation.lib.hosts import is_this_machine
from reservation.lib.readers import without_password
from reservation.lib.smtp import Relay
from reservation.settings import DATA, Settings
from reservation.storage.database import Database, SQLite

# Minimum free disk space, in bytes: enough for 10,000 bookings. A booking takes 2 kB in the
# database and 8 kB as message files.
ROOM = 100 * 1024 * 1024


def faults(settings: Settings, db: Database) -> Iterator[str]:
    """Yields a sentence for each fault of the deployment. Reads no table of the database."""
    mail = mailer(settings.smtp_url, mail_folder(settings))
    if settings.production:
        yield from _addresses(settings)
    if isinstance(db, SQLite):
        yield from _folder(Path(db.real_path()).parent, "database")
    if isinstance(mail, Folder):
        yield from _folder(mail.there(), "mail")
    if isinstance(mail, Relay):
        yield from _relay(mail, settings.smtp_url)
    yield from _files_of_settings(settings)
    if settings.mail_templates:
        yield from _unused_templates(Path(settings.mail_templates))
    # If the database fails here, the check of the tables reports the failure.
    with suppress(peewee.PeeweeException, OSError):
        yield from _clock(db)
        if not isinstance(db, SQLite):
            yield from _foreign_keys(db)


def _files_of_settings(settings: Settings) -> Iterator[str]:
    """Yields a sentence for each fault of the files that the service needs at its start."""
    from reservation.resources import pages  # slow to import; not needed for --help

    for read, path in (
        (Templates, settings.mail_templates),
        (pages.read, settings.pages),
        (completion.of_file, settings.cities),
        (completion.of_file, settings.services),
        (counters_in, settings.metrics),
    ):
        try:
            read(path)
        except BadSetting as ex:
            yield str(ex)
        except OSError as ex:
            yield f"{ex.filename} cannot be read: {ex.strerror}; let this user read it"


def _unused_templates(folder: Path) -> Iterator[str]:
    """Yields a sentence for each template that is ignored, because no shipped template has this
    name."""
    shipped = DATA / "mails"
    for pattern in ("*.txt", "*.html", "*/*.txt", "*/*.html"):
        for path in sorted(folder.glob(pattern)):
            if not (shipped / path.relative_to(folder)).is_file():
                yield f"the mail template {path} is ignored: name it like a file of {shipped}"


def _addresses(settings: Settings) -> Iterator[str]:
    url, sender, contact = settings.public_url, settings.mail_from, settings.contact_to
    if not settings.has_public_url:
        yield f"RESERVATION_PUBLIC_URL is {url}, an address of this machine: change it"
    if is_this_machine(sender.rpartition("@")[2]):
        yield f"RESERVATION_MAIL_FROM is {sender}, to which nobody can reply: change it"
    if is_this_machine(contact.rpartition("@")[2]):
        yield f"RESERVATION_CONTACT_TO is {contact}, an address of this machine: change it"


def _folder(folder: Path, purpose: str) -> Iterator[str]:
    if fault := folders.fault(folder, purpose):
        yield fault
    elif (room := shutil.disk_usage(folder).free) < ROOM:
        needed = f"{room // 2**20} MB and needs {ROOM // 2**20} MB: free disk space"
        yield f"the {purpose} folder {folder} has room for {needed}"


def _relay(relay: Relay, url: str) -> Iterator[str]:
    try:
        relay.greet()
    except MailNotSent as ex:
        problem = f"cannot be used ({reason(ex.__cause__ or ex)})"
        remedy = "start it, or correct RESERVATION_SMTP_URL"
        yield f"the mail relay {without_password(url)} {problem}: {remedy}"


def _clock(db: Database) -> Iterator[str]:
    """Yields a fault if the clocks of this machine and of the database server differ by more than
    MARGIN seconds. For SQLite, compares the clock with the time of the last write."""
    fault = _written_later(db) if isinstance(db, SQLite) else _differs(db)
    if fault:
        yield f"{fault}: set the clocks, preferably by NTP"


def _foreign_keys(db: Database) -> Iterator[str]:
    """Yields a fault if the server is a MySQL that does not check all foreign keys. Without the
    setting, MySQL 9.7 ignores a foreign key if a later column of its index is NULL."""
    found = db.rows("SHOW VARIABLES LIKE 'innodb_native_foreign_keys'")
    if ("innodb_native_foreign_keys", "OFF") in found:
        yield "MySQL does not check all references: start it with innodb_native_foreign_keys=ON"


def _written_later(db: SQLite) -> str:
    path = Path(db.real_path())
    files = (path, Path(f"{path}-wal"))
    written = max((file.stat().st_mtime for file in files if file.exists()), default=0.0)
    ahead = written - time.time()
    return f"{path} was written {ahead:.0f} s in the future" if ahead > MARGIN else ""


def _differs(db: Database) -> str:
    before = time.time()
    ((theirs,),) = db.rows("SELECT UNIX_TIMESTAMP()")
    ahead = (before + time.time()) / 2 - float(theirs)
    if abs(ahead) <= MARGIN:
        return ""
    where = "ahead of" if ahead > 0 else "behind"
    return f"this machine's clock is {abs(ahead):.0f} s {where} the database server's"
