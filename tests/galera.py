"""A private MariaDB Galera cluster: three local nodes with the shipped configuration."""

import os
import random
import re
import shutil
import socket
import subprocess
import tempfile
import time
import uuid
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from reservation.storage.database import UNAVAILABLE, connect, forget
from tests.database_servers import make_data
from tests.engines import require

SHIPPED = Path(__file__).parent.parent / "deploy" / "galera"
PROVIDER = "/usr/lib/galera/libgalera_smm.so"
NODES = 3
_UNKNOWN = "-1"  # the position of a killed node until its recovery
# Galera 4.23 asks for the priority of a thread that it has just started. If the thread has ended
# already, the node does not start. This is rare, so `_wait` starts the node again.
_ENDED_THREAD = "Failed to read thread schedparams: System error: 3"


class Galera:
    """Starts and stops the cluster repeatedly; kills and restarts single nodes.

    The nodes start with copies of one data folder and with a saved view of the whole cluster, as
    after a power cut. So no node needs a state transfer: the first start takes 5 s, not 12 s.
    With `durable`, the disk of a node is as safe as with the shipped configuration.
    """

    def __init__(self, durable: bool = False) -> None:
        require("mariadbd", "mariadb-server")
        require(PROVIDER, "galera-4")
        require("rsync", "rsync")
        self.folder = Path(tempfile.mkdtemp(prefix="reservation-galera-"))
        self._durable = durable
        # mariadbd refuses to run as root
        self._user = ["--user=mysql"] if os.geteuid() == 0 else []
        ports = iter(_free_ports(4 * NODES))
        self.sql, self._gcomm, self._ist, self._sst = (
            [next(ports) for _ in range(NODES)] for _ in range(4)
        )
        self.processes: list[subprocess.Popen[bytes] | None] = [None] * NODES
        self._second_starts = 3  # how often `_wait` may start a node again

    def _make_data(self) -> None:
        """Creates a data folder with a position in the cluster's history, and its copies."""
        self._home(0).mkdir()
        self._own()
        make_data("--no-defaults", *self._places(0))
        self._launch(0, "--wsrep-new-cluster")
        self._wait(0)
        self.stop()
        left_out = shutil.ignore_patterns("galera.cache", "log", "node.cnf")
        for node in range(1, NODES):
            shutil.copytree(self._home(0), self._home(node), ignore=left_out)
        self._own()

    def _own(self) -> None:
        if self._user:
            subprocess.run(["chown", "--recursive", "mysql", self.folder], check=True)

    def _home(self, node: int) -> Path:
        return self.folder / f"node{node}"

    def start(self) -> "Galera":
        if not self._home(0).exists():
            self._make_data()
        members = sorted(str(uuid.uuid1()) for _ in range(NODES))
        view = [f"view_id: 3 {members[0]} 1", "bootstrap: 0", *(f"member: {m} 0" for m in members)]
        for node, member in enumerate(members):
            lines = [f"my_uuid: {member}", "#vwbeg", *view, "#vwend", ""]
            (self._home(node) / "data" / "gvwstate.dat").write_text("\n".join(lines))
        self._own()
        for node in range(NODES):
            self._launch(node)
        for node in range(NODES):
            self._wait(node)
        return self

    def _launch(self, node: int, *options: str) -> None:
        assert self.processes[node] is None, "the node is already running"
        (self._home(node) / "node.cnf").write_text(self._configuration(node))
        self._run(node, ["mariadbd", *self._options(node), *self._position(node), *options])

    def _run(self, node: int, command: Any) -> None:
        log = (self._home(node) / "log").open("ab")
        self.processes[node] = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=log)

    def _places(self, node: int) -> list[str]:
        home = self._home(node)
        # A starting server removes the temporary tables of other servers in its tmpdir.
        return [*self._user, f"--datadir={home}/data", f"--tmpdir={home}"]

    def _options(self, node: int) -> list[str]:
        return [
            f"--defaults-file={self._home(node)}/node.cnf",
            *self._places(node),
            f"--socket={self._home(node)}/socket",
            f"--pid-file={self._home(node)}/pid",
            f"--port={self.sql[node]}",
            "--innodb-buffer-pool-size=64M",
            "--innodb-log-file-size=16M",
            f"--innodb-doublewrite={int(self._durable)}",
            f"--server-id={node + 1}",
            f"--wsrep-node-incoming-address=127.0.0.1:{self.sql[node]}",
            f"--wsrep-sst-receive-address=127.0.0.1:{self._sst[node]}",
        ]

    def _configuration(self, node: int) -> str:
        """Returns the shipped configuration with the addresses of this machine."""
        gcomm, ist = self._gcomm[node], f"127.0.0.1:{self._ist[node]}"
        cluster = ",".join(f"127.0.0.1:{port}" for port in self._gcomm)
        provider = {
            "base_host": "127.0.0.1",
            "base_port": gcomm,
            "gmcast.listen_addr": f"tcp://127.0.0.1:{gcomm}",
            "ist.recv_addr": ist,
            "ist.recv_bind": ist,
            "gcache.size": "16M",
        }
        text = (SHIPPED / "node.cnf").read_text()
        for shipped, private in {
            "bind-address = 0.0.0.0": "bind-address = 127.0.0.1",
            "gcomm://192.0.2.1,192.0.2.2,192.0.2.3": f"gcomm://{cluster}",
            "wsrep_node_name = node1": f"wsrep_node_name = node{node + 1}",
            "wsrep_node_address = 192.0.2.1": f"wsrep_node_address = 127.0.0.1:{gcomm}",
            "gcache.size=512M": "; ".join(f"{key}={value}" for key, value in provider.items()),
        }.items():
            assert text.count(shipped) == 1, shipped
            text = text.replace(shipped, private)
        return text

    def _position(self, node: int) -> list[str]:
        """Returns the option that names the node's last transaction.

        A stopped node has saved this position; a killed node recovers the position from its
        tables. With the position, the node receives only newer transactions.
        """
        noted = self._home(node) / "data" / "grastate.dat"
        if not noted.exists():
            return []
        position = ":".join(re.findall(r"^(?:uuid|seqno): +(\S+)", noted.read_text(), re.M))
        if position.endswith(f":{_UNKNOWN}"):
            position = self._recovered(node)
        return [f"--wsrep-start-position={position}"]

    def _recovered(self, node: int) -> str:
        done = subprocess.run(
            ["mariadbd", *self._options(node), "--wsrep-recover"],
            check=True,
            capture_output=True,
            text=True,
        )
        (position,) = re.findall(r"Recovered position: (\S+)", done.stderr)
        return str(position)

    def _wait(self, node: int, patience: float = 60) -> None:
        """Waits until the node has joined all other running nodes."""
        size = str(sum(process is not None for process in self.processes))
        until = time.monotonic() + patience
        while (self._status(node, "local_state_comment"), self._status(node, "cluster_size")) != (
            "Synced",
            size,
        ):
            ended = [at for at, one in enumerate(self.processes) if one and one.poll() is not None]
            if ended or time.monotonic() > until:
                at = ended[0] if ended else node
                log, process = (self._home(at) / "log").read_text()[-5000:], self.processes[at]
                if not (ended and process and _ENDED_THREAD in log and self._second_starts):
                    raise RuntimeError(log)
                self._second_starts -= 1
                self._run(at, process.args)
            time.sleep(0.05)

    def _status(self, node: int, name: str) -> str:
        db = connect(self.url(node, "mysql"))
        try:
            return str(db.rows(f"SHOW STATUS LIKE 'wsrep_{name}'")[0][1])
        except UNAVAILABLE:
            return ""
        finally:
            forget(db)

    def url(self, node: int, name: str) -> str:
        return f"mysql://root@127.0.0.1:{self.sql[node]}/{name}"

    def failover_url(self, name: str) -> str:
        """Returns the URL that lists all nodes."""
        hosts = ",".join(f"127.0.0.1:{port}" for port in self.sql)
        return f"mysql://root@{hosts}/{name}"

    def create(self, name: str) -> list[str]:
        """Creates a database unless it exists. Returns its URL on each node."""
        for node in range(NODES):
            db = connect(self.url(node, "mysql"))
            # Galera executes DDL in the same order on all nodes.
            db.execute_sql(f"CREATE DATABASE IF NOT EXISTS {name}")
            forget(db)
        return [self.url(node, name) for node in range(NODES)]

    def kill(self, node: int) -> None:
        process = self.processes[node]
        assert process is not None, "the node is not running"
        process.kill()
        process.wait(timeout=30)
        self.processes[node] = None

    def restart(self, node: int) -> None:
        """Starts a stopped or killed node. Returns when the node is synchronized."""
        self._launch(node)
        self._wait(node)

    def stop(self) -> None:
        for node in reversed(range(NODES)):
            process = self.processes[node]
            if process is not None:
                process.terminate()
                process.wait(timeout=60)
                self.processes[node] = None

    def remove(self) -> None:
        for node in range(NODES):
            if self.processes[node] is not None:
                self.kill(node)
        shutil.rmtree(self.folder, ignore_errors=True)


def _free_ports(number: int) -> list[int]:
    """Returns consecutive free ports below the ephemeral range.

    So no outgoing connection takes a port before a node restarts.
    """
    while True:
        first = random.SystemRandom().randrange(20000, 32000, number)
        ports = list(range(first, first + number))
        with ExitStack() as stack, suppress(OSError):
            for port in ports:
                stack.enter_context(socket.socket()).bind(("127.0.0.1", port))
            return ports
