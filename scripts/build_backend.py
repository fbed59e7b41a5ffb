"""The build backend: setuptools, plus shell completions and a man page in wheels.

The completions and the man page are generated from the argument parser of `reservation`. So
building a wheel needs the dependencies of the program. An editable installation needs only
setuptools.
"""

import configparser
import os
import re
import shutil
import sys
from argparse import SUPPRESS, ArgumentParser, _SubParsersAction
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F401, F403

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
SHARE = BUILD / "share"  # setup.cfg includes these files in the wheel
COMPLETIONS = {
    "bash": "bash-completion/completions/reservation",
    "zsh": "zsh/site-functions/_reservation",
    "fish": "fish/vendor_completions.d/reservation.fish",
}
MAN = "man/man1/reservation.1"


def get_requires_for_build_wheel(settings: Any = None) -> list[str]:
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg", encoding="utf-8")
    needed = config["options"]["install_requires"].strip().splitlines()
    return [*build_meta.get_requires_for_build_wheel(settings), *needed, "shtab >= 1.13"]


def build_wheel(folder: str, settings: Any = None, metadata: str | None = None) -> str:
    # setuptools would also pack the files of an earlier build, possibly of another version.
    shutil.rmtree(BUILD, ignore_errors=True)
    make_files(SHARE)
    try:
        return build_meta.build_wheel(folder, settings, metadata)
    finally:
        shutil.rmtree(BUILD)


def make_files(share: Path) -> None:
    """Writes the completions and the man page to subfolders of `share`."""
    import shtab

    sys.path.insert(0, str(ROOT))
    from reservation.commands import parser

    os.environ.update(NO_COLOR="1", COLUMNS="10000")  # argparse prints each usage on one line
    brief = _brief(parser())
    texts = {path: shtab.complete(brief, shell) for shell, path in COMPLETIONS.items()}
    for path, text in {**texts, MAN: man_page(parser())}.items():
        (share / path).parent.mkdir(parents=True, exist_ok=True)
        (share / path).write_text(text, encoding="utf-8")


def man_page(parser: ArgumentParser) -> str:
    """Returns the man page as groff_man(7) source."""
    import reservation

    title = f"{parser.prog} {reservation.__version__}"
    summary = (parser.description or "").rstrip(".")
    lines = [
        f'.TH {parser.prog.upper()} 1 "" "{title}" "User Commands"',
        ".SH NAME",
        f"{parser.prog} \\- {_roff(summary)}",
        ".SH SYNOPSIS",
        *_usage(parser),
        ".SH DESCRIPTION",
        _roff(parser.epilog or ""),
        ".SH OPTIONS",
        *_arguments(parser),
        ".SH COMMANDS",
    ]
    for command in _commands(parser):
        lines += [f".SS {_roff(command.prog)}", *_usage(command)]
        if command.description:
            lines += [".PP", _roff(command.description)]
        lines += _arguments(command)
    return "".join(f"{line}\n" for line in lines)


def _groups(parser: ArgumentParser) -> Iterator["_SubParsersAction[ArgumentParser]"]:
    return (one for one in parser._actions if isinstance(one, _SubParsersAction))


def _commands(parser: ArgumentParser) -> Iterator[ArgumentParser]:
    """Yields the parsers of all commands and subcommands."""
    for group in _groups(parser):
        for command in dict.fromkeys(group.choices.values()):
            yield command
            yield from _commands(command)


def _brief(parser: ArgumentParser) -> ArgumentParser:
    """Replaces the description of each command by its help text, which fits a completion menu."""
    for group in _groups(parser):
        for choice in group._choices_actions:
            group.choices[choice.dest].description = choice.help
            _brief(group.choices[choice.dest])
    return parser


def _usage(parser: ArgumentParser) -> Iterator[str]:
    yield _roff(parser.format_usage().removeprefix("usage: ").strip())


def _arguments(parser: ArgumentParser) -> Iterator[str]:
    """Yields a paragraph for each visible argument that is not a command."""
    formatter = parser._get_formatter()
    for action in parser._actions:
        if action.help != SUPPRESS and not isinstance(action, _SubParsersAction):
            yield ".TP"
            yield f".B {_roff(formatter._format_action_invocation(action))}"
            if action.help:
                yield _roff(formatter._expand_help(action))


def _roff(text: str) -> str:
    """Returns the text escaped for groff, with `backquoted` text in bold."""
    text = text.replace("\\", r"\e").replace("-", r"\-")
    text = re.sub(r"[^ -~]", lambda found: f"\\[u{ord(found[0]):04X}]", text)
    text = re.sub(r"`(.+?)`", r"\\fB\1\\fR", text)
    return re.sub(r"^(?=[.'])", r"\\&", text)
