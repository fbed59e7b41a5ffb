"""The assembly: one table of routes, and `create_app` that puts the parts together."""

import logging
import os
import secrets
from pathlib import Path
from typing import Any

import falcon

from reservation.domain.booking.feeds import Feeds
from reservation.domain.catalogue import completion
from reservation.domain.messages.mailers import Folder, Mailer, mailer
from reservation.domain.people.tokens import Tokens
from reservation.errors import SlotTaken
from reservation.http import errors, serialisers
from reservation.http.conditional import Conditional
from reservation.http.middleware import Admission, CrossOrigin, Door, Meter
from reservation.http.queries import Identifier
from reservation.metrics import OFF, Counters
from reservation.prometheus import Shared
from reservation.resources import site
from reservation.resources.accounts import Login, Refresh, Register
from reservation.resources.businesses import Entreprises, EntreprisesOfAccount, OneEntreprise
from reservation.resources.calendars import Creneaux
from reservation.resources.completion import Services, Villes
from reservation.resources.contact import Contact
from reservation.resources.docs import Docs, DocsFile
from reservation.resources.document import Document
from reservation.resources.emails import Emails, EmailsOfEntreprise, SendAgain
from reservation.resources.events import (
    Evenements,
    EvenementsOfEntreprise,
    Feries,
    OneEvenement,
)
from reservation.resources.feeds import Flux, FluxOfAccount, FluxOfEntreprise, ReservationFile
from reservation.resources.forms import LoginForm, RegisterForm, Teste
from reservation.resources.health import Health, Ready
from reservation.resources.metrics import Metrics
from reservation.resources.occupation import Occupation
from reservation.resources.passwords import Forgotten, Password, Reset
from reservation.resources.profile import Compte
from reservation.resources.reservations import OneReservation, Reservations
from reservation.resources.services import OnePrestation, Prestations, PrestationsOfEntreprise
from reservation.resources.weeks import Week
from reservation.settings import SECRET_BYTES, BadSetting, Settings
from reservation.storage import migrating, schema
from reservation.storage.database import (
    UNAVAILABLE,
    Database,
    SQLite,
    connect,
    folder_of,
    forget,
)
from reservation.storage.remedies import may_write, remedy

logger = logging.getLogger("reservation")


def create_app(settings: Settings, places: int = 0) -> falcon.App:
    """The WSGI application of these settings; it reads nothing from the environment.

    In development it makes the tables of an empty database and migrates an older SQLite file;
    otherwise it raises WrongSchema, which names the command, or BadSetting for a file or a folder
    that cannot be used. A database that does not answer is no obstacle: the requests that need it
    are answered 503 until it does. With `places`, at most that many requests use the database at
    a time; the other threads of the server stay free.
    """
    db = connect(settings.database_url, counters_in(settings.metrics))
    prepare(db, settings)
    middleware: list[Any] = [Door(), Admission(places), CrossOrigin(), Conditional()]
    if settings.metrics:
        middleware.insert(0, Meter(db.counters))  # the first one sees the answer last
    app: falcon.App = falcon.App(middleware=middleware)
    app.router_options.converters["id"] = Identifier
    app.resp_options.xml_error_serialization = False
    errors.install(app, settings.expired_status, {SlotTaken: serialisers.slot_taken})
    for path, resource in routes(settings, db) + pages(settings):
        if hasattr(resource, "on_get"):
            resource.on_head = resource.on_get
        app.add_route(path, resource)
    return app


def routes(settings: Settings, db: Database) -> list[tuple[str, Any]]:
    """The whole API, in the order of the specification."""
    secret = secret_of(settings)
    tokens = Tokens(secret, settings.token_lifetime)
    private = Feeds(secret, settings.public_url, settings.mail_from)
    mail = mailer_of(settings)
    register = Register(settings, db, tokens)
    login = Login(settings, db, tokens)
    refresh = Refresh(db, tokens)
    password = Password(settings, db, tokens)
    forgotten = Forgotten(db)
    reset = Reset(settings, db)
    services = completion.of_file(settings.services, inside=True)
    cities = completion.of_file(settings.cities)
    found: list[tuple[str, Any]] = [
        ("/auth/register", register),
        ("/api/auth/register", register),
        ("/auth/login", login),
        ("/api/auth/login", login),
        ("/auth/refresh", refresh),
        ("/api/auth/refresh", refresh),
        ("/auth/password", password),
        ("/api/auth/password", password),
        ("/auth/password/forgot", forgotten),
        ("/api/auth/password/forgot", forgotten),
        ("/auth/password/reset", reset),
        ("/api/auth/password/reset", reset),
        ("/register_form", RegisterForm(settings, db)),
        ("/login_form", LoginForm(settings)),
        ("/teste", Teste(settings, db)),
        ("/contact", Contact(settings, mail)),
        ("/api/services", Services(services, unfiltered=None, most=20)),
        ("/api/villes", Villes(cities, unfiltered=100, most=15)),
        ("/api/compte", Compte(db, tokens)),
        ("/api/compte/entreprises", EntreprisesOfAccount(db, tokens)),
        ("/api/entreprises", Entreprises(db, tokens)),
        ("/api/entreprises/{id:id}", OneEntreprise(db, tokens)),
        ("/api/entreprises/{id:id}/prestations", PrestationsOfEntreprise(db, tokens)),
        ("/api/entreprises/{id:id}/semainetype", Week(db, tokens)),
        ("/api/entreprises/{id:id}/creneaux", Creneaux(db)),
        ("/api/entreprises/{id:id}/evenements", EvenementsOfEntreprise(db, tokens)),
        ("/api/entreprises/{id:id}/evenements/feries", Feries(db, tokens)),
        ("/api/entreprises/{id:id}/occupation", Occupation(db, tokens)),
        ("/api/entreprises/{id:id}/emails", EmailsOfEntreprise(db, tokens)),
        ("/api/emails", Emails(db, tokens)),
        ("/api/emails/{id:id}/renvoi", SendAgain(db, tokens)),
        ("/api/entreprises/{id:id}/flux", FluxOfEntreprise(db, tokens, private)),
        ("/api/prestations", Prestations(db)),
        ("/api/prestations/{id:id}", OnePrestation(db, tokens)),
        ("/api/evenements", Evenements(db)),
        ("/api/evenements/{id:id}", OneEvenement(db, tokens)),
        ("/api/reservations", Reservations(db, tokens)),
        ("/api/reservations/{id:id}", OneReservation(db, tokens)),
        ("/api/reservations/{id:id}.ics", ReservationFile(db, tokens, private)),
        ("/api/flux", FluxOfAccount(db, tokens, private)),
        ("/flux/{jeton}.ics", Flux(db, private)),
        ("/health", Health()),
        ("/ready", Ready(db)),
        *([("/metrics", Metrics(db))] if settings.metrics else []),
    ]
    return [*found, (Document.PATH, Document(found))]


def pages(settings: Settings) -> list[tuple[str, Any]]:
    """What is for people with a browser, and no part of the API."""
    docs = [("/docs", Docs()), ("/docs/{name:path}", DocsFile())]
    return docs + (site.pages() if settings.site else [])


def prepare(db: Database, settings: Settings) -> None:
    """Makes the tables, or migrates an SQLite file, where that is safe: in development.

    Raises WrongSchema or BadSetting if an operator must do something before the database can be
    used. A database that does not answer is no obstacle.
    """
    try:
        if settings.production:
            schema.require(db)
        elif schema.is_empty(db):
            schema.create(db)
        elif isinstance(db, SQLite) and schema.needs_migration(db):
            migrating.migrate(db, lambda step: logger.warning("migrate: %s", step.title))
        else:
            schema.require(db)
    except UNAVAILABLE as ex:
        said = remedy(db, ex)
        if said:
            raise BadSetting(said) from None
    finally:
        forget(db)  # a connection must not cross the fork of a server


def counters_in(folder: str) -> Counters:
    """Those that the processes of a machine share in a folder; OFF without one.

    Raises BadSetting for a folder that cannot be used.
    """
    if not folder:
        return OFF
    if not (Path(folder).is_dir() and may_write(Path(folder))):
        raise BadSetting(f"RESERVATION_METRICS={folder!r} is no folder that can be written to")
    return Shared(Path(folder))


def mailer_of(settings: Settings) -> Mailer:
    """The relay, or the folder that stands in for one.

    Raises BadSetting for a folder that can neither be written to nor made.
    """
    made = mailer(settings.smtp_url, mail_folder(settings))
    if isinstance(made, Folder) and (fault := made.fault()):
        raise BadSetting(f"{fault}: allow it, or name another folder in RESERVATION_SMTP_URL")
    return made


def mail_folder(settings: Settings) -> Path:
    """Where development keeps messages when no relay is set."""
    return folder_of(settings.database_url) / "mails"


def secret_of(settings: Settings) -> str:
    """The set secret; else development's own, made once beside the SQLite file."""
    if settings.secret:
        return settings.secret
    path = folder_of(settings.database_url) / "reservation.secret"
    if not path.exists():
        made = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
        made.touch(mode=0o600, exist_ok=False)
        made.write_text(secrets.token_urlsafe(SECRET_BYTES))
        try:
            os.link(made, path)  # whoever is first decides; nobody reads half a secret
        except FileExistsError:
            pass
        made.unlink()
    return path.read_text()
