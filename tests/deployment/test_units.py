"""The shipped systemd units and their settings."""

import dataclasses
import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from reservation.commands import parser
from reservation.commands.serve import Server as Serve
from reservation.commands.worker import ENDING
from reservation.settings import Settings
from tests import engines
from tests.servers import without_settings

pytestmark = engines.on_sqlite
ROOT = Path(__file__).parent.parent.parent
DEPLOY = ROOT / "deploy"
MARIADB = "/lib/systemd/system/mariadb.service"  # as Debian installs it
UNITS = ["reservation.service", "reservation-worker.service"]
VARIABLE = re.compile(r"^#?(RESERVATION_\w+)=(.*)$", re.MULTILINE)
PRODUCTION = Settings(env="production", secret="x" * 32, smtp_url="smtp://relay.example")
FIELDS = {f"RESERVATION_{one.name.upper()}": one for one in dataclasses.fields(Settings)}


def analyze(*words):
    engines.require("systemd-analyze", "systemd")
    done = subprocess.run(["systemd-analyze", *words], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(params=UNITS)
def unit(request, tmp_path):
    """A shipped unit that runs the command of this checkout."""
    text = (DEPLOY / request.param).read_text()
    path = tmp_path / request.param
    path.write_text(text.replace("/opt/reservation/bin/reservation", sys.executable))
    return path


def test_systemd_finds_no_fault_in_a_unit(unit):
    assert analyze("verify", "--man=no", str(unit)) == (0, "")


def test_a_unit_exposes_little(unit):
    status, told = analyze(
        "security", "--no-pager", "--offline=true", "--threshold=30", str(unit)
    )
    assert status == 0, told


def test_systemd_finds_no_fault_in_the_addition_for_the_nodes_of_a_cluster(tmp_path):
    engines.require(MARIADB, "mariadb-server")
    (tmp_path / "mariadb.service").write_text(Path(MARIADB).read_text())
    folder = tmp_path / "mariadb.service.d"
    folder.mkdir()
    (folder / "galera.conf").write_text((DEPLOY / "galera" / "mariadb.conf").read_text())
    status, told = analyze("verify", "--man=no", str(tmp_path / "mariadb.service"))
    assert (status, "galera.conf" in told) == (0, False), told


def test_both_units_are_shut_in_alike():
    shut_in = {(DEPLOY / name).read_text().partition("\n\nCapability")[2] for name in UNITS}
    assert len(shut_in) == 1 and "" not in shut_in


def test_systemd_waits_for_what_is_under_way():
    web, worker = (
        int(re.search(r"^TimeoutStopSec=(\d+)$", (DEPLOY / name).read_text(), re.MULTILINE)[1])
        for name in UNITS
    )
    cfg = Serve(parser().parse_args(["serve", "--no-worker"]), Settings()).cfg
    assert web > cfg.graceful_timeout + 2
    assert worker > ENDING + 2


def test_the_server_tells_systemd_when_it_is_ready(serve, tmp_path):
    """The unit has Type=notify."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.settimeout(20)
        os.environ["NOTIFY_SOCKET"] = str(tmp_path / "notify")
        try:
            serve()
        finally:
            del os.environ["NOTIFY_SOCKET"]
        assert b"READY=1" in systemd.recv(1000)


@pytest.mark.parametrize("command", ["serve", "worker"])
def test_a_setting_that_cannot_be_used_is_status_2_which_systemd_does_not_try_again(command):
    done = subprocess.run(
        [sys.executable, "-m", "reservation", command],
        env={**without_settings(), "RESERVATION_ENV": "nonsense"}, timeout=30,
    )
    assert done.returncode == 2
    assert all("\nRestartPreventExitStatus=2\n" in (DEPLOY / one).read_text() for one in UNITS)


# The settings of both units.


def test_every_setting_stands_in_the_file_of_settings_and_nothing_else():
    written = {name for name, _ in VARIABLE.findall((DEPLOY / "reservation.env").read_text())}
    secrets = {name for name, field in FIELDS.items() if field.metadata["secret"]}
    assert written - set(FIELDS) <= {f"{name}_FILE" for name in secrets}
    assert {name.removesuffix("_FILE") for name in written} == set(FIELDS)


def test_what_is_commented_there_is_the_default():
    for line in (DEPLOY / "reservation.env").read_text().split("\n"):
        found = VARIABLE.fullmatch(line)
        if found and line.startswith("#") and not found[2].startswith("/"):
            field = FIELDS[found[1]]
            assert field.metadata["read"](found[2]) == getattr(PRODUCTION, field.name)


@pytest.fixture
def deployed(tmp_path):
    """Installs the shipped command and settings, with the program of this checkout."""
    words = {
        "/etc/reservation": str(tmp_path),
        "/var/lib/reservation": str(tmp_path),
        "/sbin/runuser -u reservation -- /opt/reservation/bin/reservation": (
            f"{sys.executable} -m reservation"
        ),
    }
    for name in ("reservation.env", "reservation"):
        text = (DEPLOY / name).read_text()
        for shipped, own in words.items():
            text = text.replace(shipped, own)
        (tmp_path / name).write_text(text)
    (tmp_path / "secret").write_text("s" * 64 + "\n")
    return tmp_path


def test_the_command_of_a_deployment_runs_with_its_settings(deployed, post):
    (deployed / "smtp_url").write_text(post.url + "\n")

    def run(*words):
        return subprocess.run(
            ["sh", str(deployed / "reservation"), *words],
            env={**without_settings(), "PYTHONPATH": str(ROOT)},
            capture_output=True, text=True, timeout=30,
        )

    assert "made" in run("init-db").stdout
    checked = run("check")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "RESERVATION_ENV=production" in checked.stdout
    assert f"RESERVATION_SMTP_URL={post.url}" in checked.stdout
    assert (deployed / "reservation.db").stat().st_mode & 0o077 == 0


def test_cron_can_run_the_command_of_a_deployment():
    """For the crontab of a user, cron sets PATH to /usr/bin:/bin."""
    program = re.search(r"^exec (\S+)", (DEPLOY / "reservation").read_text(), re.MULTILINE)[1]
    assert shutil.which(program, path="/usr/bin:/bin")


def test_the_installation_names_only_files_that_are_shipped():
    named = re.findall(r"deploy/([\w.-]*\w)", (ROOT / "docs/deployment.md").read_text())
    assert set(named) >= {"reservation", "reservation.env", "nginx.conf", *UNITS}
    assert set(named) <= {one.name for one in DEPLOY.iterdir()}


def test_an_upgrade_installs_all_that_the_first_installation_installed():
    install, upgrade = (
        (ROOT / "docs" / name).read_text() for name in ("deployment.md", "upgrading.md")
    )
    (command,) = set(re.findall(r"/opt/reservation/bin/pip install .*\]'", install))
    assert set(re.findall(r"/opt/reservation/bin/pip install .*\]'", upgrade)) == {command}
    named = set(re.findall(r"deploy/([\w.-]*\w)", upgrade))
    assert named == {"reservation", "nginx.conf", *UNITS}
    for line in re.findall(r"install -m \d+ deploy/reservation.* /\S+", upgrade):
        assert line in install
