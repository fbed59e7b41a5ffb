"""Functions that declare commands and their arguments."""

import argparse
from collections.abc import Callable
from typing import Any, NoReturn

from reservation.lib.readers import Reader


class Parser(argparse.ArgumentParser):
    """Reports a mistake in one line, without the usage text."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Exits with an error if an argument is unknown. The error names the subcommand, not
        only the program."""
        options, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return options, unknown

    def print_help(self, file: Any = None) -> None:
        """Raises OSError if standard output cannot be written. argparse would ignore the error."""
        print(self.format_help(), end="", file=file)

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        print(end="", flush=True)  # flush --help now: at exit, nothing would handle an error
        super().exit(status, message)

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}; see `{self.prog} --help`\n")


def command(
    commands: Any, run: Callable[..., Any], name: str = "", changes_schema: bool = False
) -> argparse.ArgumentParser:
    """Adds a command that calls `run(options, settings)`.

    The docstring of `run` is the description of the command; its first sentence is the short help.
    By default, `name` is the name of `run`. See `remedies.remedy` for `changes_schema`.
    """
    text = " ".join((run.__doc__ or "").split())
    brief = text.partition(". ")[0].rstrip(".")
    added: argparse.ArgumentParser = commands.add_parser(
        name or run.__name__, help=brief[:1].lower() + brief[1:], description=text
    )
    added.set_defaults(run=run, changes_schema=changes_schema)
    return added


def read_by(read: Reader) -> Reader:
    """Wraps `read` for `add_argument(type=…)`. The wrapper raises ArgumentTypeError instead of
    ValueError, because argparse shows only the message of an ArgumentTypeError."""

    def convert(text: str) -> Any:
        try:
            return read(text)
        except ValueError as ex:
            raise argparse.ArgumentTypeError(f"{text!r} {ex}") from None

    return convert
