"""gunicorn as configured by `reservation serve` and by deploy/gunicorn.conf.py."""

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from reservation.commands import parser
from reservation.commands.serve import Server as Serve
from reservation.settings import Settings
from tests import engines
from tests.http.wire import CLOSE, Wire, request
from tests.servers import Server

pytestmark = engines.on_sqlite
ROOT = Path(__file__).parent.parent.parent
CONFIGURATION = "deploy/gunicorn.conf.py"
PREFIXED = {"SCRIPT_NAME": "/agenda", **CLOSE}
FORGED = {
    "X-Forwarded-Proto": "https", "X-Forwarded-Ssl": "on", "X-Forwarded-Protocol": "ssl",
    "X-Forwarded-For": "192.0.2.1", "X-Forwarded-Host": "evil.example", "X-Real-IP": "192.0.2.1",
    "Forwarded": "proto=https", "SCRIPT_NAME": "/agenda", "PATH_INFO": "/ready",
}
NOTHING = {
    "wsgi.url_scheme": "http", "SCRIPT_NAME": "", "PATH_INFO": "/agenda/x",
    "REMOTE_ADDR": "127.0.0.1", "HTTP_FORWARDED": None, "HTTP_X_FORWARDED_FOR": None,
}


@pytest.fixture
def gunicorn(environ):
    """gunicorn("app:application") starts gunicorn with the shipped configuration."""
    started = []

    def start(application):
        port = engines.free_port()
        command = [sys.executable, "-m", "gunicorn", "-c", CONFIGURATION, application]
        started.append(Server([*command, f"--bind=127.0.0.1:{port}"], ROOT, environ, port))
        return started[-1]

    yield start
    for server in started:
        server.kill()


def told(wire, headers, source=""):
    """Returns what the server reports about a request for /agenda/x."""
    return wire.send(request("GET", "/agenda/x", {**headers, **CLOSE}), source=source).json


def test_gunicorn_serves_with_the_shipped_configuration(gunicorn):
    server = gunicorn("app:application")
    assert Wire(server).call("GET", "/ready").json == {"status": "ok"}
    assert "Traceback" not in server.output


def test_the_shipped_configuration_is_that_of_the_command():
    given = runpy.run_path(str(ROOT / CONFIGURATION))
    cfg = Serve(parser().parse_args(["serve", "--no-worker"]), Settings()).cfg
    of_command = {name: one.get() for name, one in cfg.settings.items()}
    shipped = type(cfg)()
    for name, value in given.items():
        if not name.startswith("__"):
            shipped.set(name, value)
            assert shipped.settings[name].get() == of_command[name], name
    plain = type(cfg)().settings
    changed = {name for name in of_command if of_command[name] != plain[name].get()}
    hooks = {"when_ready", "post_worker_init", "on_exit"}
    assert changed - hooks <= set(given)


def test_only_a_trusted_proxy_says_the_scheme_and_the_prefix(gunicorn):
    wire = Wire(gunicorn("tests.deployment.environ:application"))
    proxied = {"X-Forwarded-Proto": "https", "SCRIPT_NAME": "/agenda"}
    trusted = {"wsgi.url_scheme": "https", "SCRIPT_NAME": "/agenda", "PATH_INFO": "/x"}
    assert told(wire, proxied) == {**NOTHING, **trusted}
    untrusted = told(wire, FORGED, source="127.0.0.2")
    handed_on = {"HTTP_FORWARDED": "proto=https", "HTTP_X_FORWARDED_FOR": "192.0.2.1"}
    assert untrusted == {**NOTHING, **handed_on, "REMOTE_ADDR": "127.0.0.2"}


def test_even_a_trusted_proxy_gives_no_other_path_and_no_other_address(gunicorn):
    wire = Wire(gunicorn("tests.deployment.environ:application"))
    others = {name: FORGED[name] for name in ("PATH_INFO", "X-Forwarded-For", "X-Forwarded-Ssl")}
    assert told(wire, others) == {**NOTHING, "HTTP_X_FORWARDED_FOR": "192.0.2.1"}


@pytest.mark.parametrize("underscores", ["off", "on"])
def test_through_nginx_a_client_says_nothing_of_itself(gunicorn, nginx, underscores):
    tokens = "server_tokens off;"
    changes = {tokens: f"{tokens} underscores_in_headers {underscores};"}
    wire = nginx(gunicorn("tests.deployment.environ:application"), changes)
    for headers in (FORGED, {}):
        assert told(wire, headers) == {**NOTHING, "HTTP_X_FORWARDED_FOR": "127.0.0.1"}


def test_through_nginx_the_application_is_told_the_clients_own_address(gunicorn, nginx):
    wire = nginx(gunicorn("tests.deployment.environ:forwarded"))
    for source in ("127.0.0.1", "127.0.7.9"):
        for headers in (FORGED, {}):
            assert told(wire, headers, source)["REMOTE_ADDR"] == source


@pytest.mark.parametrize(
    "options, trusted, other",
    [
        ([], "127.0.0.1", "127.0.0.2"),
        (["--trusted-proxies", "127.0.0.2,192.0.2.0/24"], "127.0.0.2", "127.0.0.1"),
    ],
    ids=["by default", "as told"],
)
def test_the_command_trusts_this_machine_or_whom_it_is_told(serve, options, trusted, other):
    wire = Wire(serve(*options))
    for source, status in ((trusted, 200), (other, 404)):
        raw = request("GET", "/agenda/api/villes?q=lyon", PREFIXED)
        assert wire.send(raw, source=source).status == status


def test_a_proxy_that_is_no_address_stops_the_start():
    done = subprocess.run(
        [sys.executable, "-m", "reservation", "serve", "--trusted-proxies", "proxy.example"],
        capture_output=True, text=True, timeout=30,
    )
    assert done.returncode == 2
    assert "--trusted-proxies: 'proxy.example' does not appear to be" in done.stderr
