"""A gunicorn worker whose threads do not wait for slow clients.

gunicorn's own worker gives each connection to a thread immediately, so slow clients could occupy
all threads. Here, a request gets a thread once it has arrived. Requests that are long, chunked or
wait for "100 Continue" get a thread earlier, but never more than a third of the threads.
"""

import selectors
import signal
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from gunicorn.http.errors import ConfigurationProblem, InvalidHeader
from gunicorn.workers.gthread import TConn, ThreadWorker

from reservation.lib import open_files
from reservation.lib.arrival import LARGEST, needed
from reservation.storage import deadline

CONNECTIONS = 4096  # maximum per process; reduced if the limit of open files is low
OTHER_FILES = 256  # open files reserved for other uses; fewer if the limit of open files is low
# A client may still be sending when it gets the answer. The process reads and ignores at most this
# many further bytes, enough for a photo.
DISCARDED = 8 * 2**20
ARRIVE = 10.0  # seconds for a client to send a whole request
ANSWER = 30.0  # seconds for a thread to read the request and send the answer
YIELD, LONGEST_YIELD = 0.000005, 0.0002  # seconds; see Worker.accept
ENDING = 4  # seconds for requests to end after SIGTERM or SIGINT
WAITS = 3.0  # seconds after SIGTERM or SIGINT until threads stop waiting for the database


class Worker(ThreadWorker):
    """Passes a request to a thread when `needed` bytes of the request have arrived.

    Passes a request earlier if the poller cannot wait for these bytes, and if fewer than
    `_most_early` such requests have a thread. The others wait in `pending_conns`, as `stalled`.

    If there are too many connections, closes the oldest connection whose request is incomplete.
    If no request is incomplete, closes the oldest idle connection.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._busy: dict[TConn, float] = {}  # monotonic time when a thread got the connection
        self._early: set[TConn] = set()  # those that got a thread before the whole request
        self._most_early = max(self.cfg.threads // 3, 1)

    def init_process(self) -> None:
        files = open_files.allow(CONNECTIONS + OTHER_FILES)
        most = max(files - OTHER_FILES, files // 2)
        self.worker_connections: int = min(self.cfg.worker_connections, most)
        self.max_keepalived = self.worker_connections
        super().init_process()

    def init_signals(self) -> None:
        """Handles SIGINT like SIGTERM, so that running requests can end after Ctrl-C."""
        super().init_signals()
        signal.signal(signal.SIGINT, self.handle_exit)
        signal.siginterrupt(signal.SIGINT, False)

    def handle_exit(self, sig: int, frame: Any) -> None:
        deadline.close(WAITS)
        super().handle_exit(sig, frame)

    def _cap_keepalive(self, until: float) -> None:
        """Ends idle connections and incomplete requests by `until`. Called during shutdown."""
        super()._cap_keepalive(until)
        for conn in self.pending_conns:
            conn.timeout = min(conn.timeout, until)

    def accept(self, listener: socket.socket) -> None:
        """Sleeps YIELD seconds per open connection before accepting, but at most LONGEST_YIELD
        seconds in total. So the process with the fewest connections accepts first."""
        if self.cfg.workers > 1:
            time.sleep(min(self.nr_conns * YIELD, LONGEST_YIELD))
        super().accept(listener)

    def enqueue_req(self, conn: TConn) -> None:
        if self.cfg.is_ssl or conn.data_ready:
            self._busy[conn] = time.monotonic()
            super().enqueue_req(conn)
        else:
            self._wait_for(conn)

    def _wait_for(self, conn: TConn) -> None:
        conn.sock.setblocking(False)
        conn.arrived = 0
        self._register(conn, self.on_pending_socket_readable)
        if conn.parser:  # the previous request was read together with the first bytes of this one
            self.on_pending_socket_readable(conn, conn.sock)

    def _register(self, conn: TConn, ready: Callable[[TConn, socket.socket], None]) -> None:
        """Calls `ready` when data arrives. The connection is closed if it is still in
        `pending_conns` after `ARRIVE` seconds."""
        conn.timeout = time.monotonic() + ARRIVE
        conn.stalled = False
        self.pending_conns.append(conn)
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(ready, conn))

    def _close(self, conn: TConn, conns: Any) -> None:
        conns.remove(conn)
        with suppress(KeyError):  # a stalled connection is not registered
            self.poller.unregister(conn.sock)
        self.nr_conns -= 1
        conn.close()

    def on_client_socket_readable(self, conn: TConn, client: socket.socket) -> None:
        """Handles the next request on a kept-alive connection."""
        if self._is_complete(conn, client):
            conn.data_ready = True
            super().on_client_socket_readable(conn, client)
        else:
            self.poller.unregister(client)
            self.keepalived_conns.remove(conn)
            self._register(conn, self.on_pending_socket_readable)

    def on_pending_socket_readable(self, conn: TConn, client: socket.socket) -> None:
        if self._is_complete(conn, client):
            super().on_pending_socket_readable(conn, client)
        elif not conn.arrived:
            self.poller.unregister(client)
            conn.stalled = True
            self._start_stalled()

    def _start_stalled(self) -> None:
        """Passes the oldest stalled request to a thread if there are fewer than `_most_early`."""
        stalled = (conn for conn in self.pending_conns if conn.stalled)
        if len(self._early) < self._most_early and (conn := next(stalled, None)):
            self._early.add(conn)
            self.pending_conns.remove(conn)
            conn.data_ready = True
            self.enqueue_req(conn)

    def _is_complete(self, conn: TConn, client: socket.socket) -> bool:
        """Returns whether the request has arrived, or the client has gone. Sets `conn.arrived` to
        the number of bytes so far if the poller can wait for the missing bytes (SO_RCVLOWAT)."""
        if self.cfg.is_ssl:
            return True
        there = read = conn.parser.unreader.buf.getvalue() if conn.parser else b""
        with suppress(OSError):
            there += client.recv(LARGEST, socket.MSG_PEEK)
        size = needed(there)
        waits = conn.arrived < len(there) < size <= LARGEST
        if waits or conn.arrived:
            missing = int(size) - len(read) if waits else 1
            with suppress(OSError):
                client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, missing)
        conn.arrived = len(there) if waits else 0
        return not there or len(there) >= size

    def finish_request(self, conn: TConn, fs: Any) -> None:
        self._busy.pop(conn, None)
        conn.data_ready = False
        if conn in self._early:
            self._early.remove(conn)
            self._start_stalled()
        is_over = not fs.cancelled() and fs.exception() is None and fs.result() is False
        if is_over and self.alive and not self.cfg.is_ssl:
            self._hang_up(conn)
        else:
            super().finish_request(conn, fs)

    def _hang_up(self, conn: TConn) -> None:
        """Stops sending, but keeps the connection open until the client closes its side. If the
        connection were closed earlier, a client that is still sending could lose the answer."""
        with suppress(OSError):
            conn.sock.shutdown(socket.SHUT_WR)
        conn.sock.setblocking(False)
        conn.arrived = 0
        self._register(conn, self._discard)

    def _discard(self, conn: TConn, client: socket.socket) -> None:
        there = b""
        with suppress(OSError):
            there = client.recv(LARGEST)
        conn.arrived += len(there)
        if not there or conn.arrived > DISCARDED:
            self._close(conn, self.pending_conns)

    def handle_error(self, req: Any, client: Any, addr: Any, exc: Exception) -> None:
        """Answers 400 instead of gunicorn's 500 if the path does not begin with SCRIPT_NAME."""
        if isinstance(exc, ConfigurationProblem):
            exc = InvalidHeader("SCRIPT_NAME")
        super().handle_error(req, client, addr, exc)

    def murder_pending(self) -> None:
        super().murder_pending()
        # Not in `accept`, because the closed connection could have an event that is handled later.
        # The last of `pending_conns` may have just been accepted.
        conns = self.pending_conns if len(self.pending_conns) > 1 else self.keepalived_conns
        if conns and self.nr_conns >= self.worker_connections:
            self._close(conns[0], conns)
        too_long = time.monotonic() - ANSWER
        for conn in [conn for conn, since in self._busy.items() if since < too_long]:
            with suppress(OSError):
                conn.sock.shutdown(socket.SHUT_RDWR)
