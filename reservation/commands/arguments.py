"""Functions with which the modules of the commands declare commands and arguments."""

import argparse
from collections.abc import Callable
from typing import Any, NoReturn

from reservation.lib.readers import Reader


class Parser(argparse.ArgumentParser):
    """An argument parser that reports a mistake in one line, without the usual usage text."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}; see `{self.prog} --help`\n")


def command(commands: Any, run: Callable[..., Any], name: str = "") -> argparse.ArgumentParser:
    """Adds a command that calls `run` with the parsed options and the settings.

    The name of the command is `name`, or by default the name of `run`. The docstring of `run` is
    the description of the command. Its first sentence is the short description in the list of
    commands.
    """
    text = " ".join((run.__doc__ or "").split())
    brief = text.partition(". ")[0].rstrip(".")
    added: argparse.ArgumentParser = commands.add_parser(
        name or run.__name__, help=brief[:1].lower() + brief[1:], description=text
    )
    added.set_defaults(run=run)
    return added


def read_by(read: Reader) -> Reader:
    """Wraps `read` for the parameter `type` of `add_argument`: replaces a ValueError by an
    ArgumentTypeError, because argparse shows the message of an ArgumentTypeError to the user."""

    def convert(text: str) -> Any:
        try:
            return read(text)
        except ValueError as ex:
            raise argparse.ArgumentTypeError(f"{text!r} {ex}") from None

    return convert
