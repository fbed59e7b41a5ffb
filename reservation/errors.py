"""Exceptions that refuse a request. `http.codes` maps the code of each exception to a status."""

import re
from typing import Any


class Fault(ValueError):
    """The reason why a field was refused. `bounds` are the limits of the field, such as `max`."""

    def __init__(self, code: str, message: str, **bounds: Any) -> None:
        super().__init__(message)
        self.code, self.message, self.bounds = code, message, bounds

    def as_json(self) -> dict[str, Any]:
        return {"code": self.code, "message": self.message, **self.bounds}


class Refusal(Exception):
    """The request is refused. `message` may contain placeholders for `bounds`, such as `{max}`.

    The default code is the class name in snake_case.
    """

    code = "refusal"
    message = ""
    retry_after: int | None = None  # seconds, for the Retry-After header

    def __init_subclass__(cls) -> None:
        if "code" not in vars(cls):
            cls.code = re.sub(r"\B[A-Z]", r"_\g<0>", cls.__name__).lower()

    def __init__(self, message: str = "", **bounds: Any) -> None:
        self.message = message or self.message.format(**bounds)
        self.bounds = bounds
        super().__init__(self.message)


class InvalidInput(Refusal):
    """The input breaks a rule. If `faults` is empty, `message` gives the reason.

    `faults` maps the column name of each refused field, such as `nom`, to its fault. In a list,
    the index precedes the name: `0.pas_minutes`.
    """

    message = "Invalid input"

    def __init__(self, faults: dict[str, Fault] | None = None, **how: Any) -> None:
        super().__init__(**how)
        self.faults = faults or {}

    def __str__(self) -> str:
        if not self.faults or self.message != type(self).message:
            return self.message
        return f"{self.message}: " + "; ".join(f"{key}: {why}" for key, why in self.faults.items())


class EmailTaken(InvalidInput):
    message = "Email already exists"


class PasswordTooShort(InvalidInput):
    message = "Password must be at least {min} characters"


class PasswordTooLong(InvalidInput):
    message = "Password must be at most {max} bytes"


class PasswordTooCommon(InvalidInput):
    message = "Password is too common"


class ResetTokenInvalid(InvalidInput):
    message = "Invalid or expired reset token"


class NameRequired(InvalidInput):
    message = "This address has no account yet: send last_name to create the account"


class PictureInvalid(InvalidInput):
    message = "The file is not a JPEG, PNG or WebP picture"


class PictureTooLarge(InvalidInput):
    message = "The picture has more than {max} million pixels"


class TooManySlots(InvalidInput):
    message = "A day can have at most {max} slots, and {date} would have more"


class CalendarTooLarge(InvalidInput):
    message = (
        "The calendar can have at most {max} slots: make the slots longer or the horizon shorter"
    )


class InvalidCredentials(Refusal):
    message = "Invalid credentials"


class CodeInvalid(InvalidCredentials):
    message = "Invalid or expired code"


class AccountDisabled(Refusal):
    message = "Account disabled"


class TooManyAttempts(Refusal):
    message = "Too many requests, try again later"

    def __init__(self, retry_after: int) -> None:
        super().__init__()
        self.retry_after = retry_after


class TooManyFailures(TooManyAttempts):
    message = "Too many wrong passwords, try again later"


class TokenMissing(Refusal):
    message = "Token is missing"


class TokenExpired(Refusal):
    message = "Token has expired"


class TokenInvalid(Refusal):
    message = "Invalid token"


class NotPermitted(Refusal):
    message = "Insufficient permission"


class DeadlinePassed(NotPermitted):
    message = "The deadline for changes has passed"


class CustomerBlocked(NotPermitted):
    message = "You can book at this business by telephone only"


class AddressUnproven(NotPermitted):
    message = "Prove your e-mail address first: request a code"


class NotFound(Refusal):
    message = "Not found"


class UserNotFound(NotFound):
    message = "User not found"


class MailNotSent(Refusal):
    message = "Erreur lors de l'envoi du message"


class DatabaseUnavailable(Refusal):
    """The database does not answer, or a transaction did not end in time."""

    message = "The service is temporarily unavailable"
    retry_after = 5


class PhotosUnavailable(Refusal):
    message = "This installation accepts no pictures"


class WrongSchema(DatabaseUnavailable):
    """The tables or rows of the database do not fit this program.

    The text of each exception contains the remedy, such as "run `reservation migrate`".
    """

    message = "The schema version of the database does not match this program"


class CalendarNotReady(DatabaseUnavailable):
    """Some slots of a long calendar do not exist yet. Each retry creates more slots."""

    message = "The calendar is being prepared, try again"


class Overloaded(Refusal):
    message = "The service is busy, try again in a moment"
    retry_after = 2


class KeyReused(Refusal):
    message = "This Idempotency-Key was used for another request"


class StaleVersion(Refusal):
    message = "The resource has changed since this version"
