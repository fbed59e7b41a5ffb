"""Validation rules (`Kind`) for the fields of accounts, such as passwords and roles."""

from datetime import date
from typing import Any

from reservation.domain.people import accounts, passwords, sessions
from reservation.errors import Fault
from reservation.http.codes import RequestRefused
from reservation.operations.fields import Kind
from reservation.operations.kinds import EMAIL, NOT_BLANK, read_date

_BIRTHDAY = "(19|20)[0-9]{2}(-[0-9]{2}){2}"


def password(shortest: int = accounts.SHORTEST_PASSWORD) -> Kind[str]:
    """Returns the rule for passwords. `check` limits the bytes, because bcrypt accepts at most 72.
    JSON Schema can only limit the characters."""

    def check(value: str) -> str:
        accounts.check_password(value, shortest)
        return value

    lengths = {"minLength": shortest, "maxLength": passwords.LONGEST}
    return Kind(check, {"type": "string", "format": "password", "pattern": NOT_BLANK, **lengths})


def _address(code: str) -> Kind[str]:
    def check(value: str) -> str:
        try:
            return EMAIL.check(value)
        except Fault:
            raise RequestRefused(code) from None

    return Kind(check, EMAIL.schema)


def _birthday(value: Any) -> date:
    day = read_date(value, _BIRTHDAY, "2001-05-17")
    if day > date.today():
        raise Fault("date_not_past", "must not be in the future")
    return day


def _role(value: str) -> str:
    if value not in sessions.ROLES:
        raise RequestRefused("invalid_role")
    return value


BIRTHDAY = Kind(
    _birthday,
    {"type": "string", "format": "date", "pattern": f"^{_BIRTHDAY}$"},
    show=date.isoformat,
)
ACCOUNT_EMAIL = _address("invalid_email")
CONTACT_EMAIL = _address("contact_email_invalid")
ROLE = Kind(_role, {"type": "string", "enum": list(sessions.ROLES)})
