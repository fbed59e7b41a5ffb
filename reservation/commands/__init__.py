"""The command `reservation`, for operators. Each subcommand is a function."""

import argparse
import errno
import os
import sys
from collections.abc import Sequence
from importlib import import_module

import reservation
from reservation.commands.arguments import Parser

# The module of each command. Only the module of the given command is imported.
MODULES = {
    "serve": "serve",
    "worker": "worker",
    "init-db": "database",
    "migrate": "database",
    "check": "database",
    "backup": "backup",
    "restore": "backup",
    "user": "users",
    "demo": "demo",
}


def main(argv: Sequence[str] | None = None) -> int:
    argv = sys.argv[1:] if argv is None else argv
    try:
        os.getcwd()
    except FileNotFoundError:
        problem = "the working directory does not exist: change to another folder"
        print(f"reservation: {problem}", file=sys.stderr)
        return 2
    try:
        options = parser(*argv[:1]).parse_args(argv)
        from reservation.commands import running  # slow to import; not needed for --version

        return running.run(options)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the program that read standard output has ended
        _discard_output()
        return 141  # 128 + 13, the status that a shell reports for SIGPIPE
    except OSError as ex:
        if ex.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        _discard_output()
        problem = f"standard output or a file cannot be written: {ex.strerror}"
        print(f"reservation: {problem}; free disk space, and try again", file=sys.stderr)
        return 1


def _discard_output() -> None:
    """Prevents a second error at exit, when Python flushes the rest of standard output."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def parser(first: str = "") -> argparse.ArgumentParser:
    """Returns the parser for a command line whose first argument is `first`.

    If `first` is a command, the parser has only the commands from the same module (see MODULES).
    For `--help` or a mistyped command, the parser has all commands.
    """
    top = Parser(
        prog="reservation",
        description=reservation.__doc__.splitlines()[0],
        epilog="RESERVATION_… variables set everything else: `reservation check` lists them.",
    )
    top.add_argument("--version", action="version", version=reservation.__version__)
    if first == "--version":
        return top
    commands = top.add_subparsers(metavar="COMMAND", required=True)
    names = [MODULES[first]] if first in MODULES else dict.fromkeys(MODULES.values())
    for name in names:
        import_module(f"reservation.commands.{name}").add_to(commands)
    return top
