"""A port that leads to a database server, and whose path can be cut."""

import socket
import threading
from contextlib import suppress

from reservation.storage.database import Database, transaction
from reservation.storage.models import TypeUtilisateur


class Path:
    """Forwards connections to the server at `port`.

    `refuse` closes the port and all connections. `hang` accepts connections and forwards nothing.
    """

    def __init__(self, port: int) -> None:
        self.server = port
        self.port = 0
        self.accepted = 0
        self._open = threading.Event()
        self._connections: list[socket.socket] = []
        self.forward()

    def forward(self) -> None:
        """Begins or resumes forwarding. Connections that were made while hanging resume too."""
        self._open.set()
        if self.port and self._listener.fileno() != -1:
            return
        self._listener = socket.create_server(("127.0.0.1", self.port))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, args=[self._listener], daemon=True).start()

    def hang(self) -> None:
        self._open.clear()

    def refuse(self) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # wakes accept()
        self._listener.close()
        self.cut()

    def cut(self) -> None:
        """Closes all connections."""
        for connection in self._connections:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()
        self._connections.clear()

    def _accept(self, listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                near, _ = listener.accept()
                self.accepted += 1
                far = socket.create_connection(("127.0.0.1", self.server))
                self._connections += [near, far]
                for ends in ((near, far), (far, near)):
                    threading.Thread(target=self._copy, args=ends, daemon=True).start()

    def _copy(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while part := source.recv(65536):
                self._open.wait()
                target.sendall(part)
            target.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        self._open.set()
        self.refuse()


def port_of(db: Database) -> int:
    """Returns the port to which a new transaction writes."""
    return int(transaction(db, lambda: (update(db), db.connection().port)[1]))


def update(db: Database) -> None:
    TypeUtilisateur.update(nom="student").where(TypeUtilisateur.id == 1).execute(db)
