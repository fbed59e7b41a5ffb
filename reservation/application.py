"""Creates the WSGI application from the settings."""

from contextlib import suppress

import falcon

from reservation.conflicts import SlotTaken
from reservation.domain.booking.feeds import Feeds
from reservation.domain.catalogue import completion
from reservation.domain.catalogue.completion import Completion
from reservation.domain.people.codes import Codes
from reservation.domain.people.links import Links
from reservation.domain.people.sessions import Tokens
from reservation.http.errors import ErrorHandlers
from reservation.http.middleware import Admission, Door
from reservation.installation import counters_in, mailer_of, secret_of
from reservation.operations.queries import Identifier, ShortAddressConverter
from reservation.operations.resource import Parts, Resource, Routes
from reservation.resources.business.starts import show_taken
from reservation.resources.health import Metrics
from reservation.resources.pages import LegalPage
from reservation.resources.site import SitePage
from reservation.routes import DOCS, PAGES, ROUTES
from reservation.settings import Settings
from reservation.storage.database import UNAVAILABLE, Database, connect
from reservation.storage.preparing import prepare
from reservation.storage.sqlite import SQLite


def create_app(settings: Settings, places: int = 0) -> falcon.App:
    """Returns the WSGI application for these settings, and calls `prepare` for the database.

    At most `places` requests use the database at a time; 0 means no limit. Raises WrongSchema or
    BadSetting if an operator must first solve a problem, such as an unreadable file. Raises
    Refusal if the secret cannot be stored, and DatabaseUnavailable if another process keeps the
    tables locked.
    """
    db = connect(settings.database_url, counters_in(settings.metrics))
    with suppress(*UNAVAILABLE):  # the application also starts if the database does not answer
        prepare(db, settings.production)
    admission = Admission(places, takes_turns=isinstance(db, SQLite))
    app: falcon.App = falcon.App(middleware=Door(admission, db.counters))
    app.router_options.converters.update({"id": Identifier, "short": ShortAddressConverter})
    app.resp_options.xml_error_serialization = False
    made = parts(settings, db)
    routes = [*made.routes, *DOCS, *(PAGES if settings.site else ())]
    resources = {cls: cls(made) for cls in {cls for _, cls in routes}}
    for path, cls in routes:
        app.add_route(path, resources[cls])
    page = resources.get(SitePage)
    ErrorHandlers(
        settings.expired_status, {SlotTaken: show_taken},
        page=page.refuse if isinstance(page, SitePage) else None,
        pages=[path for path, cls in PAGES if issubclass(cls, SitePage)],
    ).install(app)
    return app


def parts(settings: Settings, db: Database) -> Parts:
    secret = secret_of(settings)
    services, cities = completions(settings)
    return Parts(
        settings,
        db,
        Tokens(secret, settings.token_lifetime),
        Codes(secret, settings.limits),
        Feeds(secret, settings.public_url, settings.mail_from),
        Links(secret, settings.public_url),
        mailer_of(settings),
        services,
        cities,
        routes=operations(settings),
    )


def completions(settings: Settings) -> tuple[Completion, Completion]:
    """Returns the services and the cities for autocompletion. Their files are read once per
    process."""
    services = completion.of_file(settings.services, inside=True)
    return services, completion.of_file(settings.cities)


def operations(settings: Settings) -> Routes:
    """Returns the API routes that these settings enable."""
    enabled: dict[type[Resource], object] = {Metrics: settings.metrics, LegalPage: settings.pages}
    return [route for route in ROUTES if enabled.get(route[1], True)]
