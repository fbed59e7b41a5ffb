"""schemathesis over the whole document, with all its checks.

`make fuzz` sets FUZZ to how many cases each role's token gets at least. Without it only the
boundaries of each parameter are tried, with the owner's.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from tests import engines
from tests.servers import Gunicorn

ROOT = Path(__file__).parent.parent.parent
CASES = int(os.environ.get("FUZZ", "0"))
EXAMPLES = max(CASES // 70, 1)  # of each operation and kind of value, besides the boundaries


@pytest.fixture
def server(serve, salon, chloe, dora, tuesday) -> Gunicorn:
    """With a salon, and a booking of Chloé's, whose ids are small."""
    salon.book(chloe, salon.at(tuesday, "10:00"))
    return serve("--workers", "2", "--threads", "4")


def run(server: Gunicorn, token: str, folder: Path, *options: str) -> int:
    """How many cases schemathesis sent; the test fails where one of its checks did."""
    report = folder / "report.json"
    command = [
        Path(sys.executable).parent / "schemathesis",
        *("--config-file", "tests/fuzz/schemathesis.toml"),
        *("run", server.url + "/openapi.json"),
        *("--header", f"Authorization: Bearer {token}"),
        *("--report", "json", "--report-json-path", str(report)),
        *options,
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    asked = Request(server.url + "/api/reservations", headers={"Authorization": f"Bearer {token}"})
    with urlopen(asked, timeout=20) as answer:  # still let in: 401 was not all that it saw
        assert answer.status == 200
    return int(json.loads(report.read_text())["test_cases"]["generated"])


@pytest.mark.skipif(CASES > 0, reason="is a part of the long run")
@engines.on_mariadb  # which is the stricter one
def test_the_boundaries_of_every_parameter_get_promised_answers(server, alice, tmp_path):
    assert run(server, alice.token, tmp_path, "--phases", "examples,coverage") > 2000


@pytest.mark.skipif(CASES == 0, reason="takes long: make fuzz")
@pytest.mark.parametrize("who", ["chloe", "alice", "dora"])
def test_nothing_that_is_sent_gets_an_answer_that_is_not_promised(
    request, server, who, tmp_path
):
    token, tried = request.getfixturevalue(who).token, 0
    while tried < CASES:
        tried += run(server, token, tmp_path, "--max-examples", str(EXAMPLES))
    print(f"{who}: {tried} cases")
