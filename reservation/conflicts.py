"""Refusals of requests that conflict with the current state of the data."""

from typing import Any

from reservation.errors import Refusal


class Conflict(Refusal):
    """The request conflicts with the current state of the resource."""


class ImpossibleTransition(Conflict):
    message = "A booking cannot change from {from} to {to}"

    def __init__(self, before: str, after: str) -> None:
        super().__init__(**{"from": before, "to": after})


class CorrectionTooLate(Conflict):
    message = "The state can be corrected up to {max} days after the visit"


class VisitNotBegun(Conflict):
    message = "The visit has not begun yet"


class ServiceChanged(Conflict):
    message = "The service has changed since the customer saw it"


class NotMovable(Conflict):
    message = "A booking in state {state} cannot be moved"


class TooManyUpcoming(Conflict):
    message = "A customer can have at most {max} upcoming bookings at this business"


class BusinessOpen(Conflict):
    message = "Close your businesses and cancel their upcoming bookings first"


class CustomerHasUpcoming(Conflict):
    message = (
        "Cancel the upcoming bookings of this customer first, and wait until the message about the"
        " cancellation has been sent"
    )


class CustomerKnown(Conflict):
    message = "The business already has a record of this customer"


class DifferentAccounts(Conflict):
    message = "Two customers who both have accounts cannot be merged"


class OwnAccount(Conflict):
    message = "An admin cannot disable their own account"


class LastPerson(Conflict):
    message = "A business needs at least one active person"


class LastRoom(Conflict):
    message = "The last active room cannot be removed while a service needs a room"


class TooManyRessources(Conflict):
    message = "A business has at most {max} active persons and rooms"


class TooManyCustomers(Conflict):
    message = "A business has at most {max} customers"


class TooManyPhotos(Conflict):
    message = "A business has at most {max} photos"


class MessageBeingSent(Conflict):
    message = "A message that is being sent cannot be sent again"


class NoAddress(Conflict):
    message = "This customer has no e-mail address"


class SlotTaken(Conflict):
    """The requested time is unavailable.

    - `motif` is a constant of the module `reasons`. It is None if the reason is unknown.
    - `alternatives` are free times near the requested time.
    - `fuseau` is the time zone of the business.
    """

    message = "This time is unavailable"

    def __init__(self, motif: str | None = None) -> None:
        super().__init__()
        self.motif = motif
        self.alternatives: list[Any] = []
        self.fuseau = ""


class PlacesNotHeld(Conflict):
    """The calendar is inconsistent: a slot has fewer taken places than a booking holds."""

    message = "The calendar does not match this booking: an operator must repair the calendar"
