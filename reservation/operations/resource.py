"""The base class of resources, and the objects that all resources share."""

from collections.abc import Sequence
from typing import NamedTuple

import falcon

from reservation.domain.booking.feeds import Feeds
from reservation.domain.catalogue.completion import Completion
from reservation.domain.messages import messages
from reservation.domain.messages.mailers import Mailer
from reservation.domain.people.codes import Codes
from reservation.domain.people.links import Links
from reservation.domain.people.sessions import Tokens
from reservation.lib.languages import preferred
from reservation.settings import Settings
from reservation.storage.database import Database

Routes = Sequence[tuple[str, "type[Resource]"]]


class Parts(NamedTuple):
    settings: Settings
    db: Database
    tokens: Tokens
    codes: Codes
    feeds: Feeds
    links: Links
    mailer: Mailer
    services: Completion
    cities: Completion
    routes: Routes


class Resource:
    """A resource of the API. Its responders, such as `on_get`, are operations."""

    def __init__(self, parts: Parts) -> None:
        self.parts, self.settings, self.db = parts, parts.settings, parts.db
        self.tokens = parts.tokens

    def language(self, req: falcon.Request) -> str:
        """Returns the language of the messages that the caller prefers."""
        return preferred(req.get_header("Accept-Language", default=""), messages.LANGUAGES)

    def __init_subclass__(cls) -> None:
        if hasattr(cls, "on_get"):
            cls.on_head = cls.on_get  # type: ignore[attr-defined]
