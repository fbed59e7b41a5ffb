"""Clients generated from the OpenAPI document by third-party tools."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import contract, engines

HERE = Path(__file__).parent
BIN = Path(sys.executable).parent
NODE = BIN.parent / "node"  # `make test` installs the packages of package.json here

pytestmark = engines.on_sqlite  # the document does not depend on the database


@pytest.fixture
def described(tmp_path) -> Path:
    path = tmp_path / "openapi.json"
    path.write_text(json.dumps(contract.promised()))
    return path


def test_a_generated_python_client_books_and_cancels(serve, salon, described, tmp_path):
    generate = [BIN / "openapi-python-client", "generate", "--meta", "none"]
    options = ["--path", described, "--output-path", tmp_path / "generated", "--fail-on-warning"]
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    made = subprocess.run(
        [*generate, *options], env={**os.environ, "PATH": path}, capture_output=True, text=True
    )
    assert made.returncode == 0, made.stdout + made.stderr
    done = subprocess.run(
        [sys.executable, HERE / "session.py", serve().url, "zoe@example.fr", "Coupe"],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.stdout == "cancelled\n", done.stderr


@pytest.mark.parametrize("refused", [False, True])
def test_generated_types_accept_what_is_right_and_refuse_what_is_wrong(
    described, tmp_path, refused
):
    if not (NODE / "node_modules").is_dir():
        engines.give_up(f"openapi-typescript is missing: npm install --prefix {NODE}")
    tools = NODE / "node_modules" / ".bin"
    generate = [tools / "openapi-typescript", described, "--default-non-nullable=false"]
    subprocess.run(
        [*generate, "--output", tmp_path / "api.d.ts"], check=True, capture_output=True
    )
    program = (HERE / "session.ts").read_text()
    if refused:  # without the markers, tsc must report the mistakes
        program = program.replace("@ts-expect-error", "")
    (tmp_path / "session.ts").write_text(program)
    check = [tools / "tsc", "--noEmit", "--strict", "--skipLibCheck", "--target", "es2022"]
    done = subprocess.run(
        [*check, "--module", "preserve", tmp_path / "session.ts"], capture_output=True, text=True
    )
    assert (done.stdout.count("error TS"), done.returncode) == ((3, 2) if refused else (0, 0)), (
        done.stdout
    )
