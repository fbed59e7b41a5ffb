"""Connections that arrive together spread over the processes of the server."""

import socket
from contextlib import ExitStack
from statistics import median

import psutil

from tests import engines, outboxes
from tests.http.wire import request
from tests.servers import Gunicorn

pytestmark = engines.on_sqlite
TOGETHER, TIMES = 32, 9
# A process without connections is slow to accept one. A process with a connection pauses longer.
_LONG_PAUSES = """
import sys, time
from reservation.commands import connections, main
connections.YIELD = connections.LONGEST_YIELD = 3.0
accept = connections.Worker.accept
def late(self, listener):
    time.sleep(0 if self.nr_conns else 0.5)
    accept(self, listener)
connections.Worker.accept = late
sys.exit(main(sys.argv[1:]))
"""


def open_together(port, processes):
    """Opens connections, and returns how many of them the emptiest process accepted."""
    with ExitStack() as stack:
        made = [socket.create_connection(("127.0.0.1", port), 10) for _ in range(TOGETHER)]
        for one in made:
            stack.enter_context(one)
            one.sendall(request("GET", "/health", {}))
        for one in made:
            assert one.recv(65536).startswith(b"HTTP/1.1 200")
        return min(len(open_in(process)) for process in processes)


def open_in(process):
    return [one for one in process.net_connections("tcp") if one.status != psutil.CONN_LISTEN]


def processes_of(server):
    children = psutil.Process(server.process.pid).children
    outboxes.wait_for(lambda: len(children()) == 2)
    return children()


def test_no_process_accepts_nearly_all_connections_that_arrive_together(serve):
    server = serve("--workers", "2")
    processes = processes_of(server)
    fewest = []
    for _ in range(TIMES):
        fewest.append(open_together(server.port, processes))
        outboxes.wait_for(lambda: not any(map(open_in, processes)))
    assert median(fewest) > TOGETHER / 3


def test_the_process_with_the_fewest_connections_accepts_first(serve, monkeypatch):
    monkeypatch.setattr(Gunicorn, "program", ("-c", _LONG_PAUSES))
    server = serve("--workers", "2", fresh=True)
    processes = processes_of(server)
    address = ("127.0.0.1", server.port)
    for busy, idle in (processes, processes[::-1]):
        outboxes.wait_for(lambda: not any(map(open_in, processes)))
        idle.suspend()
        with socket.create_connection(address, 10):
            outboxes.wait_for(lambda: open_in(busy))  # noqa: B023
            idle.resume()
            with socket.create_connection(address, 10):
                outboxes.wait_for(lambda: sum(map(len, map(open_in, processes))) == 2)
                assert [len(open_in(one)) for one in processes] == [1, 1]
