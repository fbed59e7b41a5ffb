"""The counters, the mailer and the secret, for the application and the worker."""

import os
import secrets
from contextlib import suppress
from pathlib import Path

from reservation.domain.messages.mailers import Folder, Mailer, mailer
from reservation.errors import Refusal
from reservation.lib import folders
from reservation.lib.environment import BadSetting
from reservation.metrics import OFF, Counters
from reservation.settings import SECRET_BYTES, Settings
from reservation.storage.database import folder_of


def counters_in(folder: str) -> Counters:
    """Returns counters that are stored in `folder`, or OFF if `folder` is "".

    Raises BadSetting if the folder cannot be used.
    """
    if not folder:
        return OFF
    # Imported here, because `prometheus` needs `fcntl`, which Windows lacks.
    from reservation.prometheus import Shared

    if fault := folders.fault(Path(folder), "metrics"):
        raise BadSetting(f"{fault}, or name another folder in RESERVATION_METRICS")
    return Shared(Path(folder))


def mailer_of(settings: Settings) -> Mailer:
    """Returns the SMTP relay or the mail folder of these settings.

    Raises BadSetting if the folder cannot be created or written to.
    """
    made = mailer(settings.smtp_url, mail_folder(settings))
    if isinstance(made, Folder) and (fault := folders.fault(made.there(), "mail")):
        raise BadSetting(f"{fault}, or name another folder in RESERVATION_SMTP_URL")
    return made


def mail_folder(settings: Settings) -> Path:
    """Returns the folder to which messages are written if RESERVATION_SMTP_URL is empty."""
    return folder_of(settings.database_url) / "mails"


def secret_of(settings: Settings) -> str:
    """Returns the configured secret, or else a random secret that is stored in a file.

    Raises BadSetting if the secret in the file is too short or is not text. Raises Refusal or
    OSError if the file cannot be written.
    """
    if settings.secret:
        return settings.secret
    path = folder_of(settings.database_url) / "reservation.secret"
    if not path.exists():
        _make_secret(path)
    advice = "delete the file, and the next start creates another"
    try:
        stored = path.read_text()
    except UnicodeDecodeError:
        raise BadSetting(f"the secret in {path} is not text: {advice}") from None
    if len(stored.encode()) < SECRET_BYTES:
        raise BadSetting(f"the secret in {path} is shorter than {SECRET_BYTES} bytes: {advice}")
    return stored


def _make_secret(path: Path) -> None:
    if fault := folders.fault(path.parent, "secret"):
        raise BadSetting(f"{fault}, correct RESERVATION_DATABASE_URL, or set RESERVATION_SECRET")
    made = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    made.touch(mode=0o600, exist_ok=False)
    try:
        made.write_text(secrets.token_urlsafe(SECRET_BYTES))
        # Linking the complete file prevents other processes from reading a partial secret. If
        # another process was faster, its secret is used.
        with suppress(FileExistsError):
            os.link(made, path)
    except OSError as ex:  # for example, the disk is full
        raise Refusal(f"{path} cannot be written: {ex.strerror}") from ex
    finally:
        made.unlink()
