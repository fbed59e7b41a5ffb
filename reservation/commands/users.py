"""`reservation user …`: manages accounts."""

import argparse
import getpass
import sys
import time
from typing import Any

from reservation.commands.arguments import command, read_by
from reservation.domain.people import accounts, credentials, directory, passwords, sessions
from reservation.errors import Refusal
from reservation.lib import readers
from reservation.lib.environment import BadSetting
from reservation.resources.people.accounts import Registration
from reservation.settings import Settings
from reservation.storage import schema
from reservation.storage.database import Database, connect

TEXT = read_by(readers.text)


def add_to(commands: Any) -> None:
    user = commands.add_parser(
        "user",
        help="add, disable, enable, prove and list accounts; set a password",
        description="Manage accounts. Passwords are read from the terminal, or from one line of"
        " standard input.",
    )
    actions = user.add_subparsers(metavar="ACTION", required=True)
    adding = command(actions, add)
    adding.add_argument("--role", choices=list(sessions.ROLES), default="student")
    adding.add_argument("--first-name", type=TEXT, required=True)
    adding.add_argument("--last-name", type=TEXT, required=True)
    for action in (adding, *(command(actions, run) for run in (disable, enable, password))):
        action.add_argument("email", type=TEXT, metavar="EMAIL")
    proof = command(actions, prove)
    proof.add_argument("email", type=TEXT, metavar="EMAIL", nargs="?")
    proof.add_argument("--owners", action="store_true", help="all owners of businesses")
    command(actions, show, "list")


def add(options: argparse.Namespace, settings: Settings) -> None:
    """Add an account, and ask for the password. The e-mail address counts as proven."""
    given = {name: getattr(options, name) for name in ("email", "first_name", "last_name", "role")}
    db = _connected(settings)
    given["password"] = _read_password(settings)
    fields, now = Registration.read(given).values, int(time.time())
    user_id = accounts.register(db, settings.bcrypt_rounds, fields, now)
    directory.prove(db, user_id, now)
    print(f"added {options.email} as {options.role}, id {user_id}")


def disable(options: argparse.Namespace, settings: Settings) -> None:
    """Disable an account and revoke its tokens, with immediate effect."""
    accounts.disable(_connected(settings), options.email, now=int(time.time()))
    print(f"disabled {options.email}")


def enable(options: argparse.Namespace, settings: Settings) -> None:
    """Enable a disabled account."""
    accounts.enable(_connected(settings), options.email)
    print(f"enabled {options.email}")


def prove(options: argparse.Namespace, settings: Settings) -> None:
    """Record the e-mail address of an account as proven, as if its holder had entered a code."""
    if bool(options.email) == options.owners:
        raise BadSetting("prove needs an EMAIL, or --owners alone")
    db = _connected(settings)
    owners = options.owners
    found = directory.unproven_owners(db) if owners else [accounts.known(db, options.email)]
    for account in found:
        directory.prove(db, account.id, int(time.time()))
        print(f"proved {account.email}")


def password(options: argparse.Namespace, settings: Settings) -> None:
    """Set a password and revoke the account's tokens."""
    db = _connected(settings)
    given = _read_password(settings)
    credentials.change_password(
        db, options.email, given, settings.bcrypt_rounds, now=int(time.time())
    )
    print(f"changed the password of {options.email} and revoked its tokens")


def show(_options: argparse.Namespace, settings: Settings) -> None:
    """List all accounts."""
    for account in accounts.everyone(_connected(settings)):
        state = "" if account.actif else "  disabled"
        role = sessions.ROLE_NAMES[account.type_id]
        print(f"{account.id:>6}  {role:<8}  {account.email}{state}")


def _connected(settings: Settings) -> Database:
    """Returns the database. Raises WrongSchema if this program cannot use the database.

    Also raises WrongSchema after an interrupted restore, because a change made now would be lost
    when the operator repeats the restore.
    """
    db = connect(settings.database_url)
    schema.require(db)
    return db


def _read_password(settings: Settings) -> str:
    try:
        given: str = readers.text(_typed())
    except EOFError:  # Ctrl-D
        given = ""
    except ValueError:
        raise Refusal("the password is not text in UTF-8") from None
    if not given.strip():
        raise Refusal("the password is blank")  # a login refuses a blank password
    passwords.refuse_common(given, settings.production)
    return given


def _typed() -> str:
    """Returns the password that the operator types or that standard input has.

    Raises EOFError if the operator types Ctrl-D, and UnicodeDecodeError if the password is not in
    UTF-8.
    """
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    given = getpass.getpass("Password: ")
    if getpass.getpass("Again: ") != given:
        raise Refusal("the two passwords differ")
    return given
