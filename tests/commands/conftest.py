import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def reservation(environ: dict[str, str], tmp_path: Path) -> Command:
    """Run the command as an operator does: reservation("user", "list", status=0)."""

    def run(
        *words: str, status: int = 0, stdin: str = "", **changes: str
    ) -> subprocess.CompletedProcess[str]:
        clean = {k: v for k, v in os.environ.items() if not k.startswith("RESERVATION_")}
        changed = {f"RESERVATION_{name}": value for name, value in changes.items()}
        done = subprocess.run(
            [sys.executable, "-m", "reservation", *words],
            cwd=tmp_path,
            env={**clean, **environ, **changed},
            input=stdin,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done

    return run
