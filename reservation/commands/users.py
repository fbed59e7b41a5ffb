"""`reservation user …`: the operator's part in accounts."""

import argparse
import getpass
import sys
from typing import Any

from reservation.contract.accounts import REGISTRATION
from reservation.domain.people import accounts, credentials
from reservation.errors import Refusal
from reservation.http import fields
from reservation.settings import Settings
from reservation.storage.database import connect


def add_to(commands: Any) -> None:
    user = commands.add_parser(
        "user",
        help="add, disable, enable and list accounts; set a password",
        description="Accounts. A password is asked for, or read as one line of standard input.",
    )
    actions = user.add_subparsers(metavar="ACTION", required=True)
    adding = _action(actions, "add", "add an account; its password is asked for", add)
    adding.add_argument("--role", choices=list(accounts.ROLES), default="student")
    adding.add_argument("--first-name", required=True)
    adding.add_argument("--last-name", required=True)
    _action(actions, "disable", "shut an account out, from the next request on", disable)
    _action(actions, "enable", "let a disabled account in again", enable)
    _action(actions, "password", "set a password; older tokens end", password)
    listing = actions.add_parser("list", help="list all accounts")
    listing.set_defaults(run=show)


def _action(actions: Any, name: str, doc: str, run: Any) -> argparse.ArgumentParser:
    action: argparse.ArgumentParser = actions.add_parser(name, help=doc, description=doc)
    action.add_argument("email", metavar="EMAIL")
    action.set_defaults(run=run)
    return action


def add(options: argparse.Namespace, settings: Settings) -> None:
    given = {
        "email": options.email,
        "password": _asked_password(settings),
        "first_name": options.first_name,
        "last_name": options.last_name,
        "role": options.role,
    }
    user_id = accounts.register(
        connect(settings.database_url),
        settings.bcrypt_rounds,
        fields.read_in_turn(REGISTRATION, given),
    )
    print(f"added {options.email} as {options.role}, id {user_id}")


def disable(options: argparse.Namespace, settings: Settings) -> None:
    accounts.disable(connect(settings.database_url), options.email)
    print(f"disabled {options.email}")


def enable(options: argparse.Namespace, settings: Settings) -> None:
    accounts.enable(connect(settings.database_url), options.email)
    print(f"enabled {options.email}")


def password(options: argparse.Namespace, settings: Settings) -> None:
    db = connect(settings.database_url)
    given = _asked_password(settings)
    credentials.change_password(db, options.email, given, settings.bcrypt_rounds)
    print(f"changed the password of {options.email}; its tokens have ended")


def show(_options: argparse.Namespace, settings: Settings) -> None:
    for account in accounts.everyone(connect(settings.database_url)):
        state = "" if account.actif else "  disabled"
        role = accounts.ROLE_NAMES[account.type_id]
        print(f"{account.id:>6}  {role:<8}  {account.email}{state}")


def _asked_password(settings: Settings) -> str:
    if not sys.stdin.isatty():
        given = sys.stdin.readline().rstrip("\n")
    else:
        given = getpass.getpass("Password: ")
        if getpass.getpass("Again: ") != given:
            raise Refusal("the two passwords differ")
    if settings.production:
        accounts.refuse_common(given)
    return given
