"""A private HAProxy with the shipped configuration, on other ports."""

from pathlib import Path

from tests import engines
from tests.galera import SHIPPED, Galera
from tests.servers import Server


class HAProxy(Server):
    """HAProxy in front of the nodes of a cluster."""

    def __init__(self, folder: Path, cluster: Galera) -> None:
        engines.require("haproxy", "haproxy")
        port = engines.free_port()
        text = (SHIPPED / "haproxy.cfg").read_text()
        nodes = {f"192.0.2.{n + 1}:3306": f"127.0.0.1:{cluster.sql[n]}" for n in range(3)}
        for shipped, private in {"bind 127.0.0.1:3306": f"bind 127.0.0.1:{port}", **nodes}.items():
            assert text.count(shipped) == 1, shipped
            text = text.replace(shipped, private)
        (folder / "haproxy.cfg").write_text(text)
        command = ["haproxy", "-db", "-f", str(folder / "haproxy.cfg")]
        super().__init__(command, folder, {}, port)
