"""`reservation serve`: the application under gunicorn."""

import argparse
import errno
import gc
import os
import signal
import socket
from collections.abc import Callable
from typing import Any

from gunicorn import systemd
from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.config import validate_string_to_addr_list

from reservation import logs
from reservation.application import create_app, mail_folder
from reservation.commands.companion import Companion
from reservation.commands.connections import CONNECTIONS, ENDING
from reservation.domain.booking import invariant
from reservation.domain.messages.messages import Templates
from reservation.lib.proxies import THIS_MACHINE, Forwarded
from reservation.settings import BadSetting, Settings, whole, without_password
from reservation.storage.database import UNAVAILABLE, connect, forget

SPARE = 2  # threads for what needs no database, while the others wait for it
MOST = 1000  # processes, or threads of each


def add_to(commands: Any) -> None:
    command = commands.add_parser(
        "serve",
        help="serve the API under gunicorn",
        description="Serve the API under gunicorn until it is interrupted.",
    )
    command.add_argument("--host", default="127.0.0.1", help="address to bind (%(default)s)")
    command.add_argument(
        "--port",
        type=_read_by(whole(0, 65535)),
        default=8000,
        help="port to bind, 0 for any free one (%(default)s)",
    )
    command.add_argument(
        "--workers",
        type=_read_by(whole(1, MOST)),
        default=2,
        help="processes that answer (%(default)s)",
    )
    command.add_argument(
        "--threads",
        type=_read_by(whole(1, MOST)),
        default=8,
        help="requests that use the database at a time, in each process (%(default)s)",
    )
    command.add_argument(
        "--trusted-proxies",
        type=_read_by(_addresses),
        default=THIS_MACHINE,
        metavar="ADDRESSES",
        help="addresses and networks, with commas between, whose X-Forwarded-For,"
        " X-Forwarded-Proto and SCRIPT_NAME count; * for all (%(default)s)",
    )
    command.add_argument(
        "--no-worker",
        action="store_true",
        help="send no messages: a `reservation worker` of its own does",
    )
    command.set_defaults(run=run)


def _read_by(read: Callable[[str], Any]) -> Callable[[str], Any]:
    """`read` as the type of an argument, whose ValueError says what is wrong."""

    def convert(text: str) -> Any:
        try:
            return read(text)
        except ValueError as ex:
            raise argparse.ArgumentTypeError(f"{text!r} {ex}") from None

    return convert


def _addresses(text: str) -> str:
    try:
        validate_string_to_addr_list(text)
    except ValueError as ex:
        raise ValueError(str(ex).removeprefix(f"{text!r} ")) from None
    return text


def run(options: argparse.Namespace, settings: Settings) -> None:
    logs.set_up(settings.log)
    if not options.no_worker:
        Templates(settings.mail_templates)  # a wrong one would end each worker as it starts
    os.register_at_fork(before=_keep_endings, after_in_parent=_take_endings)
    Server(options, settings).run()


def _listener(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as ex:
        if ex.errno == errno.EADDRINUSE:
            raise BadSetting(
                f"port {port} of {host} is taken: end the program that has it, or choose"
                " another port with --port"
            ) from None
        reason = (ex.strerror or "").partition(" (while")[0]
        raise BadSetting(
            f"port {port} of {host} cannot be bound ({reason}): choose another with --host"
            " and --port"
        ) from None


def _address(listener: socket.socket) -> str:
    """The URL under which a browser of this machine reaches the server."""
    host, port = listener.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


_ENDINGS = {signal.SIGTERM, signal.SIGINT, signal.SIGQUIT}


def _keep_endings() -> None:
    """What tells a worker to end waits until it listens: with the handlers of its parent it
    would not hear it, and the server would kill it in the end."""
    signal.pthread_sigmask(signal.SIG_BLOCK, _ENDINGS)


def _take_endings() -> None:
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDINGS)


class Server(BaseApplication):
    """gunicorn with our application, which is made once and shared by its workers."""

    def __init__(self, options: argparse.Namespace, settings: Settings) -> None:
        self.options, self.settings = options, settings
        self.companion = Companion()
        host = f"[{options.host}]" if ":" in options.host else options.host
        self._bind = f"{host}:{options.port}"
        super().__init__()

    def run(self) -> None:
        inherited = "GUNICORN_FD" in self.cfg.env_orig
        if not (inherited or systemd.listen_fds(unset_environment=False)):
            self._listen()
        Master(self).run()

    def _listen(self) -> None:
        """At once: gunicorn would load the application first, and try a taken port for 5 s."""
        listener = _listener(self.options.host, self.options.port)
        if not self.settings.production:
            self.settings = Settings.from_environ(public_url=_address(listener))
        self._bind = f"fd://{listener.detach()}"
        self.cfg.set("bind", self._bind)

    def load_config(self) -> None:
        config: dict[str, Any] = {
            "bind": self._bind,
            "workers": self.options.workers,
            "threads": self.options.threads + SPARE,
            "worker_class": "reservation.commands.connections.Worker",
            "worker_connections": CONNECTIONS,
            "keepalive": 5,
            "timeout": 15,  # a worker that has stopped is replaced
            "graceful_timeout": ENDING,
            "preload_app": True,
            "control_socket_disable": True,
            "loglevel": "error",  # its warnings quote what malformed requests hold
            "forwarded_allow_ips": self.options.trusted_proxies,
            "secure_scheme_headers": {"X-FORWARDED-PROTO": "https"},
            "forwarder_headers": "SCRIPT_NAME",
            "when_ready": self.begin,
            "post_worker_init": lambda _worker: _take_endings(),
            "on_exit": lambda _server: self.companion.stop(),
        }
        for name, value in config.items():
            self.cfg.set(name, value)

    def load(self) -> Forwarded:
        application = create_app(self.settings, places=self.options.threads)
        gc.freeze()  # what is loaded stays: no collection need look at the lists again
        return Forwarded(application, self.options.trusted_proxies)

    def begin(self, server: Any) -> None:
        if not self.options.no_worker:
            self.companion.start(self.settings.public_url)
        self.announce(server)

    def announce(self, server: Any) -> None:
        for line in start_up_lines(self.settings, [str(one) for one in server.LISTENERS]):
            print(line, flush=True)


class Master(Arbiter):
    """gunicorn's first process, which tells all the others to end at the same time."""

    handle_int = Arbiter.handle_term  # a second SIGINT does not wait for requests

    def stop(self, graceful: bool = True) -> None:
        self.app.companion.tell()
        super().stop(graceful)


def is_empty(settings: Settings) -> bool:
    """Whether a development database answers and holds no business."""
    db = connect(settings.database_url)
    try:
        return not settings.production and not invariant.businesses(db)
    except UNAVAILABLE:
        return False
    finally:
        forget(db)  # no connection may cross the fork of the workers


def start_up_lines(settings: Settings, addresses: list[str]) -> list[str]:
    """What somebody who starts a server should know."""
    lines = [f"Serving on {', '.join(addresses)} ({settings.env} profile)"]
    lines.append(f"  database: {without_password(settings.database_url)}")
    if not settings.smtp_url:
        lines.append(f"  mail: kept in {os.path.abspath(mail_folder(settings))}")
    else:
        lines.append(f"  mail: {without_password(settings.smtp_url)}")
    if is_empty(settings):
        lines.append("  no business yet: `reservation demo` fills the database with a small town")
    lines.extend(f"  open door: {door}" for door in settings.open_doors)
    if settings.open_doors and not settings.production:
        lines.append("  RESERVATION_ENV=production shuts them.")
    return lines
