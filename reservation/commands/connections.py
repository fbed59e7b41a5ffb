"""gunicorn's threads, kept for requests that have arrived.

gunicorn gives a connection to a thread before it has said a word, and lets the thread read:
as many idle or slow clients as there are threads stop a worker. Here the main loop waits for
them, with a buffer of the kernel for each.
"""

import re
import resource
import selectors
import signal
import socket
import time
from contextlib import suppress
from functools import partial
from typing import Any

from gunicorn.http.errors import ConfigurationProblem, InvalidHeader
from gunicorn.workers.gthread import TConn, ThreadWorker

from reservation.storage import deadline

CONNECTIONS = 4096  # of each process, as far as its limit of open files allows
OTHER_FILES = 256  # that a process may need
ARRIVE = 10.0  # seconds for a request to arrive whole
ENDING = 4  # seconds for the requests of a process that is told to end
WAITS = 3.0  # seconds of these for the database
ANSWER = 30.0  # seconds for a thread to read the rest, to answer, and to be listened to
LARGEST = 128 * 1024  # bytes: what is larger is not waited for; the application refuses it
_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d{1,9})[ \t]*\r\n", re.IGNORECASE)
_EXPECT = re.compile(rb"\r\nexpect:", re.IGNORECASE)


class Worker(ThreadWorker):
    """A request goes to a thread once its head, and a body of a declared length, are there.

    With no room for another connection, the one that has been silent for longest is closed.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._busy: dict[TConn, float] = {}  # since when a thread has it

    def init_process(self) -> None:
        most = _open_files() - OTHER_FILES
        self.worker_connections: int = min(self.cfg.worker_connections, most)
        self.max_keepalived = self.worker_connections
        super().init_process()

    def init_signals(self) -> None:
        """Ctrl-C reaches every process of the terminal: requests are answered then, too."""
        super().init_signals()
        signal.signal(signal.SIGINT, self.handle_exit)
        signal.siginterrupt(signal.SIGINT, False)

    def handle_exit(self, sig: int, frame: Any) -> None:
        deadline.close(WAITS)
        super().handle_exit(sig, frame)

    def _cap_keepalive(self, until: float) -> None:
        """Of a process that ends: for connections whose request has not arrived, too."""
        super()._cap_keepalive(until)
        for conn in self.pending_conns:
            conn.timeout = min(conn.timeout, until)

    def enqueue_req(self, conn: TConn) -> None:
        if self.cfg.is_ssl or conn.initialized or conn.data_ready:
            self._busy[conn] = time.monotonic()
            super().enqueue_req(conn)
        else:
            self._wait_for(conn)

    def _wait_for(self, conn: TConn) -> None:
        if self.nr_conns >= self.worker_connections:
            self._close_oldest(self.pending_conns or self.keepalived_conns)
        conn.sock.setblocking(False)
        conn.timeout = time.monotonic() + ARRIVE
        conn.arrived = 0
        self.pending_conns.append(conn)
        self._register(conn)

    def _register(self, conn: TConn) -> None:
        ready = partial(self.on_pending_socket_readable, conn)
        self.poller.register(conn.sock, selectors.EVENT_READ, ready)

    def _close_oldest(self, conns: Any) -> None:
        if conns:
            conn = conns.popleft()
            self.poller.unregister(conn.sock)
            self.nr_conns -= 1
            conn.close()

    def on_client_socket_readable(self, conn: TConn, client: socket.socket) -> None:
        """The next request on a connection that was kept alive."""
        if self.cfg.is_ssl or self._is_complete(conn, client, arrived=0):
            super().on_client_socket_readable(conn, client)
        else:
            self.poller.unregister(client)
            self.keepalived_conns.remove(conn)
            conn.timeout = time.monotonic() + ARRIVE
            self.pending_conns.append(conn)
            self._register(conn)

    def on_pending_socket_readable(self, conn: TConn, client: socket.socket) -> None:
        if self._is_complete(conn, client, conn.arrived):
            super().on_pending_socket_readable(conn, client)

    def _is_complete(self, conn: TConn, client: socket.socket, arrived: int) -> bool:
        """Whether there is nothing to wait for; else the kernel tells when there is more."""
        with suppress(OSError):
            there = client.recv(LARGEST, socket.MSG_PEEK)
            needed = _needed(there)
            if len(there) > arrived and len(there) < needed <= LARGEST:
                conn.arrived = len(there)
                client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, needed)
                return False
            if conn.arrived:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, 1)
        conn.arrived = 0
        return True

    def finish_request(self, conn: TConn, fs: Any) -> None:
        self._busy.pop(conn, None)
        super().finish_request(conn, fs)

    def handle_error(self, req: Any, client: Any, addr: Any, exc: Exception) -> None:
        """A path that does not begin with the proxy's SCRIPT_NAME is the request's fault."""
        if isinstance(exc, ConfigurationProblem):
            exc = InvalidHeader("SCRIPT_NAME")
        super().handle_error(req, client, addr, exc)

    def murder_pending(self) -> None:
        super().murder_pending()
        too_long = time.monotonic() - ANSWER
        for conn in [conn for conn, since in self._busy.items() if since < too_long]:
            with suppress(OSError):  # its thread finds it closed
                conn.sock.shutdown(socket.SHUT_RDWR)


def _needed(there: bytes) -> int:
    """How many bytes to wait for before a thread begins to read: one more until the head is
    there, then all of the body."""
    head, end, _ = there.partition(b"\r\n\r\n")
    if not end:
        return len(there) + 1
    if _EXPECT.search(there, 0, len(head) + 2):
        return len(there)  # the client waits for a word before it sends the body
    length = _LENGTH.search(there, 0, len(head) + 2)
    return len(head) + 4 + (int(length[1]) if length else 0)


def _open_files() -> int:
    """The limit of open files of this process, raised as far as it may be."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS + OTHER_FILES
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    return wanted if soft == resource.RLIM_INFINITY else soft
