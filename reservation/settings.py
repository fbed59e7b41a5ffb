"""The settings, read from environment variables.

A test compares the fields with the table in the README.
"""

import dataclasses
from pathlib import Path
from urllib.parse import urlsplit

from reservation.lib import readers
from reservation.lib.environment import BadSetting, FromEnviron, setting
from reservation.lib.hosts import is_this_machine

SECRET_BYTES = 32  # the minimum for HS256: RFC 7518, section 3.2
DATA = Path(__file__).parent / "data"

DOORS = {
    "login_form": "/login_form answers with the password that was sent",
    "teste": "/teste shows the data and the password hash of any account",
    "register_admin": "/auth/register lets anybody become admin",
    "register_form": "/register_form accepts passwords under 8 characters",
    "common_passwords": "the most common passwords are accepted",
    "unproven_addresses": "accounts book, and businesses send mail, without a proven address",
    "no_limits": "registrations, codes, contact messages and messages of businesses are not"
    " limited",
    "mail_kept": "mail is kept in a folder and never sent",
}


@dataclasses.dataclass(frozen=True)
class Settings(FromEnviron):
    """What an operator can configure. The field `env`, for example, is read from the environment
    variable RESERVATION_ENV."""

    PREFIX = "RESERVATION_"
    env: str = setting(
        "development", "Profile: `development` (open doors) or `production`.",
        readers.one_of("development", "production"),
    )
    database_url: str = setting(
        "sqlite:///reservation.db",
        "Database: `sqlite:///file` or `mysql://user:password@host:port/name`, with several hosts"
        " for a cluster.",
        readers.database_url, secret=True,
    )
    secret: str = setting(
        "", "Key that signs tokens, at least 32 bytes. Development generates its own.",
        readers.text, secret=True,
    )
    token_lifetime: int = setting(
        86400, "Lifetime of a token, in seconds.", readers.whole(1, 366 * 86400)
    )
    expired_status: int = setting(
        401, "Status of the answer to an expired token: 401 or 419.",
        readers.one_of("401", "419", convert=int),
    )
    bcrypt_rounds: int = setting(12, "Cost of a password hash, 4 to 31.", readers.whole(4, 31))
    smtp_url: str = setting(
        "", "Mail relay: `smtp://user:password@host:port?starttls=1`, `smtps://…`, or"
        " `file:///folder` to keep messages as files (the default in development: the folder"
        " `mails`).",
        readers.smtp_url, secret=True,
    )
    mail_from: str = setting("reservation@localhost", "Sender of all messages.", readers.address)
    mail_templates: str = setting(
        "", "Folder whose files replace the shipped templates of messages.", readers.folder
    )
    contact_to: str = setting(
        "contact@localhost", "Recipient of the contact form.", readers.address
    )
    retention_days: int = setting(
        1095, "Days after which the texts of sent messages, the messages about accounts and the"
        " past slots that nobody booked are removed; 0 keeps them.",
        readers.whole(0, 36500),
    )
    customer_retention_months: int = setting(
        36, "Months after which unused personal data are erased: customers without a booking, and"
        " accounts of students without a booking or a login. 0 keeps them. The CNIL recommends"
        " three years.",
        readers.whole(0, 1200),
    )
    public_url: str = setting(
        "http://127.0.0.1:8000", "Public address of the service. `serve` uses its own address by"
        " default.",
        readers.http_url,
    )
    unsafe_forms: bool = setting(
        False, "`on` opens `/login_form` and `/teste` in production. The first answers with the"
        " password, the second with the password hash.",
        readers.switch,
    )
    verify_email: bool = setting(
        None, "`on` requires a proof of the e-mail address before an account books, and before a"
        " business sends mail to others.",
        readers.switch,
    )
    limits: bool = setting(
        None, "`on` limits registrations, codes, contact messages and new businesses"
        " (`docs/limits.md`). It also limits the messages that a business sends, and that an"
        " address receives, in a day.",
        readers.switch,
    )
    pages: str = setting(
        "", "Folder with the legal notice and the privacy page, filled in from `deploy/pages`;"
        " without it the site has neither.",
        readers.folder,
    )
    cities: str = setting(
        str(DATA / "cities.txt"), "File of the cities to autocomplete, one on each line.",
        readers.readable_file,
    )
    services: str = setting(
        str(DATA / "services.txt"), "File of the services to autocomplete, one on each line.",
        readers.readable_file,
    )
    site: bool = setting(
        True, "`on` serves the booking site at `/`; `off` serves the API alone.", readers.switch
    )
    log: str = setting(
        "text", "Format of the log: `text` or `json`.", readers.one_of("text", "json")
    )
    metrics: str = setting(
        "", "Folder in which the processes of a machine share the counts for `/metrics`; without"
        " it nothing is counted.",
    )

    def __post_init__(self) -> None:
        for name in ("verify_email", "limits"):
            if getattr(self, name) is None:
                object.__setattr__(self, name, self.production)
        if self.secret and len(self.secret.encode()) < SECRET_BYTES:
            raise BadSetting(f"RESERVATION_SECRET is shorter than {SECRET_BYTES} bytes")
        if self.production and not self.secret:
            raise BadSetting(
                "RESERVATION_SECRET (or RESERVATION_SECRET_FILE) is required in production:"
                f" at least {SECRET_BYTES} random bytes"
            )
        if self.production and not self.smtp_url:
            raise BadSetting(
                "RESERVATION_SMTP_URL (or RESERVATION_SMTP_URL_FILE) is required in production:"
                " the URL of the mail relay"
            )

    @property
    def production(self) -> bool:
        return self.env == "production"

    @property
    def has_public_url(self) -> bool:
        """Returns whether the host of `public_url` is another name than this machine's."""
        return not is_this_machine(urlsplit(self.public_url).hostname or "")

    @property
    def forms_are_open(self) -> bool:
        """Returns whether `/login_form` and `/teste` are enabled."""
        return self.unsafe_forms or not self.production

    @property
    def open_doors(self) -> dict[str, str]:
        """Returns {name: description} for each unsafe feature that is enabled."""
        development = not self.production
        conditions = {
            "login_form": self.forms_are_open,
            "teste": self.forms_are_open,
            "register_admin": development,
            "register_form": development,
            "common_passwords": development,
            "unproven_addresses": not self.verify_email,
            "no_limits": not self.limits,
            "mail_kept": urlsplit(self.smtp_url).scheme in ("", "file"),
        }
        return {name: DOORS[name] for name, is_open in conditions.items() if is_open}
