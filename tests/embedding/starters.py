"""WSGI servers, each with a minimal configuration."""

import os
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests import engines
from tests.servers import Server

ROOT = Path(__file__).parent.parent.parent
DEBIAN_PYTHON = "/usr/bin/python3"  # the interpreter of Debian's WSGI servers
MODULES = Path("/usr/lib/apache2/modules")
_EMBEDDED = """\
from reservation import Settings, create_app

application = create_app(Settings.from_environ({environ!r}))
"""
_BELOW = """\
from embedded import application as agenda


def application(environ, start_response):
    # Somebody else's, which has ours below {prefix}.
    if not environ["PATH_INFO"].startswith("{prefix}/"):
        start_response("200 OK", [("Content-Type", "text/plain")])
        return [b"home"]
    environ["SCRIPT_NAME"] += "{prefix}"
    environ["PATH_INFO"] = environ["PATH_INFO"].removeprefix("{prefix}")
    return agenda(environ, start_response)
"""
_APACHE = """\
ServerName localhost
Listen 127.0.0.1:{port}
PidFile {folder}/httpd.pid
DefaultRuntimeDir {folder}
ErrorLog /dev/stderr
LoadModule mpm_event_module {modules}/mod_mpm_event.so
LoadModule authz_core_module {modules}/mod_authz_core.so
LoadModule wsgi_module {modules}/mod_wsgi.so
WSGIPassAuthorization On
WSGIChunkedRequest On
WSGIApplicationGroup %{{GLOBAL}}
WSGIScriptAlias {mount} {folder}/embedded.py
<Directory {folder}>
    Require all granted
</Directory>
"""
_IN_APACHE = "WSGIPythonHome {home}\nWSGIPythonPath {folder}\n"
_BESIDE_APACHE = """\
WSGISocketPrefix {folder}/socket
WSGIDaemonProcess agenda threads=4 python-home={home} python-path={folder}
WSGIProcessGroup agenda
"""


@dataclass
class Site:
    """The folder, port and settings of a served application."""

    folder: Path
    environ: dict[str, str]
    prefix: str
    port: int

    @property
    def module(self) -> str:
        """The name of the module that defines `application`, with the prefix applied."""
        return "below" if self.prefix else "embedded"

    def write(self) -> None:
        (self.folder / "embedded.py").write_text(_EMBEDDED.format(environ=self.environ))
        (self.folder / "below.py").write_text(_BELOW.format(prefix=self.prefix))

    def start(self, command: Sequence[str], **environ: str) -> Server:
        path = os.pathsep.join([str(ROOT), str(self.folder)])
        return Server(command, self.folder, {"PYTHONPATH": path, **environ}, self.port)


def waitress(site: Site) -> Server:
    listen = f"--listen=127.0.0.1:{site.port}"
    return site.start([sys.executable, "-m", "waitress", listen, f"{site.module}:application"])


def gunicorn(worker_class: str) -> Callable[[Site], Server]:
    def start(site: Site) -> Server:
        command = [
            sys.executable, "-m", "gunicorn", "--workers=2", "--threads=4",
            f"--worker-class={worker_class}", f"--bind=127.0.0.1:{site.port}",
            "--no-control-socket",
        ]
        module = site.module if site.prefix else "app"
        return site.start([*command, f"{module}:application"], **site.environ)

    return start


def uwsgi(site: Site) -> Server:
    engines.require("uwsgi", "uwsgi-core")
    engines.require("/usr/lib/uwsgi/plugins/python3_plugin.so", "uwsgi-plugin-python3")
    mount = f"--mount={site.prefix or '/'}=embedded:application"
    return site.start([
        "uwsgi", "--plugin=python3", f"--http-socket=127.0.0.1:{site.port}", "--threads=4",
        f"--virtualenv={debian_venv(site.folder)}", f"--pythonpath={site.folder}",
        mount, "--manage-script-name", "--need-app", "--die-on-term",
    ])


def apache(within: str) -> Callable[[Site], Server]:
    """Returns a function that starts mod_wsgi, embedded in httpd or as a daemon process."""

    def start(site: Site) -> Server:
        engines.require("apache2", "apache2-bin")
        engines.require(f"{MODULES}/mod_wsgi.so", "libapache2-mod-wsgi-py3")
        home = debian_venv(site.folder)
        configuration = site.folder / "httpd.conf"
        configuration.write_text((_APACHE + within).format(
            port=site.port, folder=site.folder, mount=site.prefix or "/", home=home,
            modules=MODULES,
        ))
        httpd = ["apache2", "-D", "FOREGROUND", "-d", str(site.folder), "-f", str(configuration)]
        return site.start([*_as_somebody(), *httpd])

    return start


def _as_somebody() -> list[str]:
    """Returns a command prefix that, for root, changes to www-data with access to all files.

    Apache refuses to run as root, and www-data may be unable to read the checkout.
    """
    if os.geteuid() != 0:
        return []
    return [
        "setpriv", "--reuid=www-data", "--regid=www-data", "--clear-groups",
        "--inh-caps=+dac_override", "--ambient-caps=+dac_override",
    ]


def debian_venv(folder: Path) -> Path:
    """Creates a virtual environment of Debian's Python with the packages of this environment.

    The servers embed Debian's interpreter. Another environment would give this interpreter a
    standard library with incompatible compiled modules.
    """
    engines.require(DEBIAN_PYTHON, "python3")
    home = folder / "venv"
    subprocess.run([DEBIAN_PYTHON, "-m", "venv", "--without-pip", home], check=True)
    (packages,) = home.glob("lib/python3*/site-packages")
    (packages / "tests.pth").write_text(f"{ROOT}\n{sysconfig.get_path('purelib')}\n")
    return home


STARTERS: dict[str, Callable[[Site], Server]] = {
    "waitress": waitress,
    "gunicorn gthread": gunicorn("gthread"),
    "gunicorn gevent": gunicorn("gevent"),
    "uWSGI": uwsgi,
    "mod_wsgi": apache(_IN_APACHE),
    "mod_wsgi daemon": apache(_BESIDE_APACHE),
}
