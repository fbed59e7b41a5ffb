"""Connections that arrive together spread over the processes of the server."""

import socket
from contextlib import ExitStack
from statistics import median

import psutil

from tests import engines, outboxes
from tests.http.wire import request

pytestmark = engines.on_sqlite
TOGETHER, TIMES = 32, 9


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
    return [one for one in process.net_connections("tcp") if one.status == psutil.CONN_ESTABLISHED]


def test_no_process_accepts_nearly_all_connections_that_arrive_together(serve):
    server = serve("--workers", "2")
    children = psutil.Process(server.process.pid).children
    outboxes.wait_for(lambda: len(children()) == 2)
    processes = children()
    fewest = []
    for _ in range(TIMES):
        fewest.append(open_together(server.port, processes))
        outboxes.wait_for(lambda: not any(map(open_in, processes)))
    assert median(fewest) > TOGETHER / 3
