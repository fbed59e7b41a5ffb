"""`reservation demo`: fills an empty database."""

import argparse
import time
from typing import Any

from reservation.commands.arguments import command
from reservation.demo import filling
from reservation.demo.filling import email_of
from reservation.demo.town import town
from reservation.domain.people import accounts
from reservation.errors import Refusal
from reservation.settings import Settings
from reservation.storage import schema
from reservation.storage.database import Database, connect, transaction
from reservation.storage.models import Entreprise


def add_to(commands: Any) -> None:
    command(commands, run, "demo")


def run(_options: argparse.Namespace | None, settings: Settings) -> None:
    """Fill an empty database with invented businesses and bookings. Creates twelve businesses in
    French cities, their services, weekly hours and customers, and a month of bookings around
    today. Prints the passwords of a customer, an owner and an admin. Refused in production."""
    if settings.production:
        raise Refusal("demo is refused in production: it prints the password of an admin")
    db = connect(settings.database_url)
    schema.create(db)
    schema.require(db)
    _require_no_business(db)
    # One transaction: `fill` marks all messages as sent before the commit, so no worker sends a
    # message to an invented person.
    now, rounds = int(time.time()), settings.bcrypt_rounds
    credentials, booked = transaction(db, lambda: filling.fill(db, rounds, now=now))
    shops, customers = len(town().shops), len(town().customers)
    print(f"made {shops} businesses, {customers} customers and {booked} bookings")
    print("accounts to log in with; the passwords are shown only now:")
    for account in credentials:
        print(f"  {account.who:<8}  {account.email:<26}  {account.password}")


def _require_no_business(db: Database) -> None:
    if Entreprise.select().exists(db):
        raise Refusal("the database has businesses already: demo needs a database without them")
    for person in (town().admin, *town().customers, *(shop.gerant for shop in town().shops)):
        email = email_of(person)
        if accounts.find(db, email) is not None:
            raise Refusal(f"the database has the account {email} already, which demo would create")
