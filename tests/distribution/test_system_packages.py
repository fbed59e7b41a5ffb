"""scripts/install_test_packages, run with a fake apt-get."""

import os
import re
import subprocess

import pytest

from tests import engines
from tests.distribution.conftest import ROOT

pytestmark = engines.on_sqlite
SCRIPT = (ROOT / "scripts" / "install_test_packages").read_text()
TABLE = "sh dash\nno-such-program alpha\n/no/such/file beta\nno-such-tool beta\n"
_APT = """#!/bin/sh
echo "$*" >> {log}
case " $* " in *" {broken} "*) echo "E: Unable to locate package" >&2; exit 100;; esac
"""


@pytest.fixture
def install(tmp_path):
    """Runs the script with this package table; returns the process and the apt-get calls."""

    def run(table=TABLE, broken="nothing", user=0):
        text = re.sub(r"(?s)(?<=paste -sd ' '\n).*(?=^TABLE$)", table, SCRIPT, flags=re.M)
        script = tmp_path / "script"
        script.write_text(text.replace("/usr/sbin/policy", str(tmp_path / "policy")))
        log, tools = tmp_path / "log", tmp_path / "tools"
        log.touch()
        tools.mkdir()
        fakes = {"apt-get": _APT.format(log=log, broken=broken), "id": f"#!/bin/sh\necho {user}\n"}
        for name, fake in fakes.items():
            (tools / name).write_text(fake)
            (tools / name).chmod(0o755)
        done = subprocess.run(
            ["sh", script], env={"PATH": f"{tools}:{os.environ['PATH']}"},
            capture_output=True, text=True,
        )
        return done, log.read_text().splitlines()

    return run


def test_the_packages_are_named_before_they_are_installed(install):
    done, calls = install()
    assert done.returncode == 0
    assert done.stdout == "Installing the system packages that the tests need: alpha beta\n"
    assert [call.partition(" --no-remove ")[2] for call in calls] == ["", "alpha beta"]


def test_a_package_that_cannot_be_installed_is_a_failure_and_the_others_are_installed(install):
    done, calls = install(broken="alpha")
    assert done.returncode == 1
    said = "The tests need system packages that could not be installed: alpha.\n"
    assert done.stderr.endswith(said)
    assert calls[-1].endswith(" --no-remove beta")


def test_a_failed_update_is_no_failure_if_the_packages_can_be_installed(install):
    assert install(broken="update")[0].returncode == 0


def test_nothing_is_installed_if_nothing_is_missing(install):
    done, calls = install(table="sh dash\n/bin/sh dash\n")
    assert (done.returncode, done.stdout, calls) == (0, "", [])


def test_without_root_the_command_to_run_is_named(install):
    done, calls = install(user=1000)
    assert (done.returncode, calls) == (1, [])
    said = "The tests need system packages: run `sudo apt-get install alpha beta`.\n"
    assert done.stderr == said


def test_make_runs_the_script_before_it_records_that_the_tests_can_run():
    makefile = (ROOT / "Makefile").read_text()
    assert makefile.partition("\n$(TESTED): ")[2].startswith("$(SYSTEM) ")
    rule = makefile.partition("\n$(SYSTEM):")[2].partition("\n\n")[0]
    assert [line.strip() for line in rule.splitlines()[1:]] == [
        "scripts/install_test_packages", "@touch $@",
    ]
