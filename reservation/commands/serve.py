"""`reservation serve`: the application under gunicorn."""

import argparse
import gc
import os
import signal
import subprocess
import sys
import threading
from typing import Any

from gunicorn.app.base import BaseApplication
from gunicorn.config import validate_string_to_addr_list

from reservation import logs
from reservation.application import create_app, mail_folder
from reservation.commands.connections import CONNECTIONS
from reservation.domain import invariant
from reservation.domain.mail import TIME_LIMIT
from reservation.domain.messages import Templates
from reservation.http.proxies import THIS_MACHINE, Forwarded
from reservation.settings import Settings, without_password
from reservation.storage.database import UNAVAILABLE, connect, forget

SPARE = 2  # threads for what needs no database, while the others wait for it


def add_to(commands: Any) -> None:
    command = commands.add_parser(
        "serve",
        help="serve the API under gunicorn",
        description="Serve the API under gunicorn until it is interrupted.",
    )
    command.add_argument("--host", default="127.0.0.1", help="address to bind (%(default)s)")
    command.add_argument(
        "--port", type=int, default=8000, help="port to bind, 0 for any free one (%(default)s)"
    )
    command.add_argument(
        "--workers", type=int, default=2, help="processes that answer (%(default)s)"
    )
    command.add_argument(
        "--threads",
        type=int,
        default=8,
        help="requests that use the database at a time, in each process (%(default)s)",
    )
    command.add_argument(
        "--trusted-proxies",
        type=_addresses,
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


def _addresses(text: str) -> str:
    try:
        validate_string_to_addr_list(text)
    except ValueError as ex:
        raise argparse.ArgumentTypeError(str(ex)) from None
    return text


def run(options: argparse.Namespace, settings: Settings) -> None:
    logs.set_up(settings.log)
    if not options.no_worker:
        Templates(settings.mail_templates)  # a wrong one would end each worker as it starts
    os.register_at_fork(before=_keep_endings, after_in_parent=_take_endings)
    Server(options, settings).run()


_ENDINGS = {signal.SIGTERM, signal.SIGINT, signal.SIGQUIT}


def _keep_endings() -> None:
    """What tells a worker to end waits until it listens: with the handlers of its parent it
    would not hear it, and the server would wait for it half a minute."""
    signal.pthread_sigmask(signal.SIG_BLOCK, _ENDINGS)


def _take_endings() -> None:
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDINGS)


class Server(BaseApplication):
    """gunicorn with our application, which is made once and shared by its workers."""

    def __init__(self, options: argparse.Namespace, settings: Settings) -> None:
        self.options, self.settings = options, settings
        self.companion = Companion()
        super().__init__()

    def load_config(self) -> None:
        host = f"[{self.options.host}]" if ":" in self.options.host else self.options.host
        config: dict[str, Any] = {
            "bind": f"{host}:{self.options.port}",
            "workers": self.options.workers,
            "threads": self.options.threads + SPARE,
            "worker_class": "reservation.commands.connections.Worker",
            "worker_connections": CONNECTIONS,
            "keepalive": 5,
            "timeout": 15,  # a worker that has stopped is replaced
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
            self.companion.start()
        self.announce(server)

    def announce(self, server: Any) -> None:
        for line in start_up_lines(self.settings, [str(one) for one in server.LISTENERS]):
            print(line, flush=True)


class Companion:
    """A `reservation worker` beside the web workers, started anew when it dies."""

    AGAIN = 1.0  # seconds
    FAREWELL = TIME_LIMIT + 2  # seconds for the message that is being sent

    def __init__(self) -> None:
        self._stopping = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._keeper = threading.Thread(target=self._keep_running, daemon=True)

    def start(self) -> None:
        self._process = _new_worker()
        self._keeper.start()

    def stop(self) -> None:
        """End it, and wait for it: where the server ends a container, all else is killed."""
        self._stopping.set()
        if self._process is not None:
            self._process.terminate()
            self._keeper.join(self.FAREWELL)

    def _keep_running(self) -> None:
        assert self._process is not None
        self._process.wait()
        while not self._stopping.wait(self.AGAIN):
            self._process = _new_worker()
            if self._stopping.is_set():  # since, and stop() ended the one before
                self._process.terminate()
            self._process.wait()


def _new_worker() -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "reservation", "worker", "--beside", str(os.getpid())]
    return subprocess.Popen(command)


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
