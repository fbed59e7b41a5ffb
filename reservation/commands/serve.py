"""`reservation serve`: the application under gunicorn."""

import argparse
import gc
import os
import signal
import sys
from typing import Any

from gunicorn import systemd
from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.config import validate_string_to_addr_list

from reservation import logs
from reservation.application import completions, create_app
from reservation.commands.arguments import command, read_by
from reservation.commands.companion import Companion
from reservation.commands.connections import CONNECTIONS, ENDING
from reservation.commands.listener import listen, url_of
from reservation.domain.booking import invariant
from reservation.domain.messages.messages import Templates
from reservation.installation import mail_folder
from reservation.lib.proxies import THIS_MACHINE, Forwarded
from reservation.lib.readers import whole, without_password
from reservation.lib.terminal import Terminal
from reservation.settings import Settings
from reservation.storage.database import UNAVAILABLE, connect, forget

SPARE = 2  # threads in addition to --threads, for requests that need no database
MOST = 1000  # upper bound of --workers, and of --threads
_ENDINGS = {signal.SIGTERM, signal.SIGINT, signal.SIGQUIT}


def add_to(commands: Any) -> None:
    serve = command(commands, run, "serve")
    serve.add_argument("--host", default="127.0.0.1", help="address to bind (%(default)s)")
    for name, low, most, default, meaning in (
        ("port", 0, 65535, 8000, "port to bind, 0 for any free port"),
        ("workers", 1, MOST, 2, "processes that answer requests"),
        ("threads", 1, MOST, 8, "requests per process that use the database at the same time"),
    ):
        serve.add_argument(
            f"--{name}",
            type=read_by(whole(low, most)),
            default=default,
            help=f"{meaning} (%(default)s)",
        )
    serve.add_argument(
        "--trusted-proxies",
        type=read_by(_addresses),
        default=THIS_MACHINE,
        metavar="ADDRESSES",
        help="comma-separated addresses and networks whose X-Forwarded-For, X-Forwarded-Proto and"
        " SCRIPT_NAME are used; * for all (%(default)s)",
    )
    serve.add_argument(
        "--no-worker",
        action="store_true",
        help="send no messages: run `reservation worker` separately",
    )


def _addresses(text: str) -> str:
    try:
        validate_string_to_addr_list(text)
    except ValueError as ex:
        raise ValueError(str(ex).removeprefix(f"{text!r} ")) from None
    return text


def run(options: argparse.Namespace, settings: Settings) -> None:
    """Serve the API and the booking site under gunicorn."""
    _unblock_endings()  # after SIGUSR2, the new server inherits blocked signals
    logs.set_up(settings.log)
    if not options.no_worker:
        Templates(settings.mail_templates)  # raises BadSetting if a template is wrong
    os.register_at_fork(before=_block_endings, after_in_parent=_unblock_endings)
    Server(options, settings).run()


def _block_endings() -> None:
    """Blocks SIGTERM, SIGINT and SIGQUIT before a fork. At first, a new web process has copies of
    the master's signal handlers, which would lose a signal. The web process unblocks the signals
    after it has set its own handlers."""
    signal.pthread_sigmask(signal.SIG_BLOCK, _ENDINGS)


def _unblock_endings() -> None:
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDINGS)


class Server(BaseApplication):
    """gunicorn with this application, which is loaded once and shared by the web processes."""

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
        """Binds the port before the application is loaded, so that a taken port is reported
        immediately."""
        listener = listen(self.options.host, self.options.port)
        self.settings = Settings.from_environ(public_url=url_of(listener))
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
            "timeout": 15,  # seconds after which a web process that hangs is replaced
            "graceful_timeout": ENDING,
            "preload_app": True,
            "control_socket_disable": True,
            "loglevel": "error",  # a warning would copy a malformed request to the log
            "forwarded_allow_ips": self.options.trusted_proxies,
            "secure_scheme_headers": {"X-FORWARDED-PROTO": "https"},
            "forwarder_headers": "SCRIPT_NAME",
            "when_ready": self.begin,
            "post_worker_init": lambda _worker: _unblock_endings(),
            "on_exit": lambda _server: self.companion.stop(),
        }
        for name, value in config.items():
            self.cfg.set(name, value)

    def load(self) -> Forwarded:
        application = create_app(self.settings, places=self.options.threads)
        for names in completions(self.settings):
            _ = names.index  # builds the index before the fork, so that processes share its memory
        gc.freeze()  # otherwise, garbage collection would copy shared memory
        return Forwarded(application, self.options.trusted_proxies)

    def begin(self, server: Any) -> None:
        for line in start_up_lines(self.settings, [str(one) for one in server.LISTENERS]):
            print(line, flush=True)
        if not self.options.no_worker:
            self.companion.start(self.settings.public_url)


class Master(Arbiter):
    """gunicorn's master process. On shutdown, ends `reservation worker` as well."""

    # Like SIGTERM, the first SIGINT lets running requests finish. The second SIGINT aborts the
    # requests.
    handle_int = Arbiter.handle_term

    def __init__(self, app: Server) -> None:
        super().__init__(app)
        # By default, SIGUSR2 would run `reservation/__main__.py` as a file. Then reservation/http
        # would hide the standard module `http`. So repeat the original command line.
        self.START_CTX["args"] = [sys.executable, *sys.orig_argv[1:]]
        self.terminal = Terminal()

    def handle_hup(self) -> None:
        """Restarts the web processes, or ends the server if its terminal was closed."""
        self.handle_term() if self.terminal.is_closed() else super().handle_hup()

    def stop(self, graceful: bool = True) -> None:
        self.app.companion.terminate()
        super().stop(graceful)


def start_up_lines(settings: Settings, addresses: list[str]) -> list[str]:
    relay = without_password(settings.smtp_url)
    lines = [
        f"Serving on {', '.join(addresses)} ({settings.env} profile)",
        f"  database: {without_password(settings.database_url)}",
        f"  mail: {relay or f'kept in {mail_folder(settings).absolute()}'}",
    ]
    if _has_no_business(settings):
        lines.append("  no business yet: `reservation demo` fills the database with a small town")
    lines.extend(f"  open door: {door}" for door in settings.open_doors.values())
    if settings.open_doors and not settings.production:
        lines.append("  RESERVATION_ENV=production closes the doors that no setting opens.")
    return lines


def _has_no_business(settings: Settings) -> bool:
    db = connect(settings.database_url)
    try:
        return not settings.production and not invariant.businesses(db)
    except UNAVAILABLE:
        return False
    finally:
        forget(db)  # gunicorn forks next, and processes must not share a connection
