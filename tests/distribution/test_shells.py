"""Shells load the completions, and groff renders the man page."""

import re
import subprocess

import pytest

import reservation
from tests import engines
from tests.distribution.conftest import run

pytestmark = engines.on_sqlite

BASH = """
source "$1"; shift
complete -p reservation | grep -q -- '-F _shtab_reservation'
COMP_WORDS=(reservation "$@"); COMP_CWORD=$#
_shtab_reservation
printf '%s\\n' "${COMPREPLY[@]}"
"""


def in_bash(share, *words):
    script = share / "bash-completion/completions/reservation"
    return run("bash", "-c", BASH, "bash", script, *words)


def in_fish(share, *words):
    engines.require("fish", "fish")
    script = share / "fish/vendor_completions.d/reservation.fish"
    line = " ".join(["reservation", *words])
    shown = run("fish", "--no-config", "-c", f"source {script}; complete -C '{line}'")
    return re.sub("\t.*", "", shown)


@pytest.mark.parametrize("complete", [in_bash, in_fish])
def test_a_shell_completes_commands_options_and_choices(share, complete):
    assert complete(share, "wor").split() == ["worker"]
    assert complete(share, "user", "dis").split() == ["disable"]
    assert set(complete(share, "serve", "--w").split()) == {"--workers"}
    assert complete(share, "user", "add", "--role", "comp").split() == ["company"]
    assert complete(share, "worker", "--be").strip() == ""


def test_zsh_reads_its_completions(share):
    engines.require("zsh", "zsh")
    script = share / "zsh/site-functions/_reservation"
    run("zsh", "-n", script)
    assert script.read_text().startswith("#compdef reservation\n")


def test_the_man_page_names_every_command_and_option_without_a_warning(share):
    engines.require("groff", "groff-base")
    page = share / "man/man1/reservation.1"
    done = subprocess.run(
        ["groff", "-ww", "-b", "-man", "-Tutf8", "-P-c", page], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    shown = re.sub(".\b", "", done.stdout)
    assert f"reservation {reservation.__version__}" in shown
    for word in ("reservation user add", "--trusted-proxies ADDRESSES", "RESERVATION_…"):
        assert word in shown
    assert "--beside" not in shown
