"""What can go wrong, as facts. `http.errors` alone turns them into statuses.

The texts are those of the interface specification, section 7, where it gives one.
"""


class Refusal(Exception):
    """The request cannot be granted; `str(refusal)` is the sentence for the caller."""

    message = ""
    retry_after: int | None = None  # seconds after which the same request may succeed

    def __init__(self, message: str = "", **details: object) -> None:
        super().__init__(message or self.message)
        self.details = details  # what the answer says beside the message


class InvalidInput(Refusal):
    """What was sent breaks a rule; `champs` says of each wrong field why."""

    def __init__(self, message: str, champs: dict[str, str] | None = None) -> None:
        super().__init__(message, **({"champs": champs} if champs else {}))
        self.champs = champs or {}


class EmailTaken(InvalidInput):
    def __init__(self) -> None:
        super().__init__("Email already exists")


class ResetTokenInvalid(InvalidInput):
    """The link of a forgotten password was used, replaced, never made or is too old."""

    def __init__(self) -> None:
        super().__init__("Invalid or expired reset token")


class InvalidCredentials(Refusal):
    message = "Invalid credentials"


class AccountDisabled(Refusal):
    message = "Account disabled"


class TooManyAttempts(Refusal):
    """The same was asked too often; `retry_after` is in seconds."""

    message = "Too many requests, try again later"

    def __init__(self, retry_after: int) -> None:
        super().__init__()
        self.retry_after = retry_after


class TooManyFailures(TooManyAttempts):
    message = "Too many failed logins, try again later"


class TokenRefused(Refusal):
    """The bearer token does not open the door."""


class TokenMissing(TokenRefused):
    message = "Token is missing"


class TokenExpired(TokenRefused):
    message = "Token has expired"


class TokenInvalid(TokenRefused):
    message = "Invalid token"


class NotPermitted(Refusal):
    message = "Insufficient permission"


class NotFound(Refusal):
    message = "Not Found"


class MailNotSent(Refusal):
    message = "Erreur lors de l'envoi du message"


class DatabaseUnavailable(Refusal):
    """The database does not answer, or did not let a transaction through in time."""

    message = "Service temporarily unavailable"
    retry_after = 5


class WrongSchema(DatabaseUnavailable):
    """This program cannot use the tables of the database; the message says what to do."""


class Overloaded(Refusal):
    """More is asked at once than the process can do without keeping everybody waiting."""

    message = "The service is busy, try again in a moment"
    retry_after = 2


class CalendarNotReady(DatabaseUnavailable):
    """A long calendar is still being made; asking again carries on with it."""

    message = "The calendar is being made, try again"


class Conflict(Refusal):
    """What is asked does not go with the state that the thing is in."""


class SlotTaken(Conflict):
    """The time cannot be had; `motif` says why, as `availability` names it, where it is known.

    The answer also carries `alternatives`, free times near it.
    """

    message = "This time is not available"

    def __init__(self, motif: str | None = None) -> None:
        super().__init__(motif=motif, alternatives=[])


class PlacesNotHeld(Conflict):
    """The slots of a reservation count fewer places than the reservation holds."""

    message = (
        "The calendar does not match this reservation, which cannot be changed until the"
        " operator has repaired it"
    )


class KeyReused(Refusal):
    message = "This Idempotency-Key was used for another request"


class StaleVersion(Refusal):
    message = "The resource has changed since this version"


class DeadlinePassed(NotPermitted):
    message = "It is too late for that: the deadline has passed"
