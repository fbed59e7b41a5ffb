from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.deployment.nginx import Nginx
from tests.http.wire import Wire
from tests.servers import Server


@pytest.fixture
def nginx(tmp_path: Path) -> Iterator[Callable[..., Wire]]:
    """nginx(serve()) starts nginx in front of a server; nginx(port), in front of a port."""
    started = []

    def start(behind: Server | int, changes: dict[str, str] | None = None) -> Wire:
        folder = tmp_path / "nginx"
        folder.mkdir()
        port = behind if isinstance(behind, int) else behind.port
        started.append(Nginx(folder, port, changes))
        return Wire(started[-1])

    yield start
    for server in started:
        server.stop()
