"""schemathesis over the whole document, with all its checks.

`make fuzz` sets FUZZ to the minimum number of random cases for each role. Without FUZZ, only the
boundary values of each parameter are sent: always the same, so once is enough.
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
# For each operation and kind of value
EXAMPLES = max(CASES // 70, 1)


@pytest.fixture
def server(serve, salon, chloe, dora, tuesday) -> Gunicorn:
    """Starts a server with a salon and a booking of Chloé, whose ids are small."""
    salon.book(chloe, salon.at(tuesday, "10:00"))
    return serve("--workers", "2", "--threads", "4")


def run(server: Gunicorn, token: str, folder: Path, *options: str) -> int:
    """Runs schemathesis. Returns the number of cases. Fails if a check failed."""
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
    # The token must still be valid: otherwise every answer could have been 401
    with urlopen(asked, timeout=20) as answer:
        assert answer.status == 200
    return int(json.loads(report.read_text())["test_cases"]["generated"])


@pytest.mark.skipif(CASES > 0, reason="is a part of the long run")
@engines.on_mariadb  # MariaDB is stricter
@pytest.mark.parametrize(
    ("who", "tags", "least"),
    [("alice", (), 2000), ("dora", ("comptes", "installation", "quota"), 100)],
    ids=["all", "for an admin"],
)
def test_the_boundaries_of_every_parameter_get_promised_answers(
    request, server, tmp_path, who, tags, least
):
    token = request.getfixturevalue(who).token
    only = [option for tag in tags for option in ("--include-tag", tag)]
    assert run(server, token, tmp_path, "--phases", "examples,coverage", *only) > least


@pytest.mark.skipif(CASES == 0, reason="takes long: make fuzz")
@pytest.mark.parametrize("who", ["chloe", "alice", "dora"])
def test_nothing_that_is_sent_gets_an_answer_that_is_not_promised(
    request, server, who, tmp_path
):
    token, tried = request.getfixturevalue(who).token, 0
    random = ("--phases", "fuzzing,stateful", "--max-examples", str(EXAMPLES))
    while tried < CASES:
        tried += run(server, token, tmp_path, *random)
    print(f"{who}: {tried} cases")
