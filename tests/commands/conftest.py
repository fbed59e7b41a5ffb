import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from resource import RLIM_INFINITY, RLIMIT_FSIZE, setrlimit
from typing import Any

import pytest

from reservation.commands import main
from reservation.storage.sqlite import SQLite
from tests.servers import completed, variables, without_settings

Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def reservation(environ: dict[str, str], tmp_path: Path) -> Command:
    """reservation("user", "list", status=0) runs the command in a new process, which cannot write
    a file of more than `most` bytes. With `fresh`, the process starts with the interpreter."""

    def run(
        *words: str, status: int = 0, stdin: str = "", most: int = RLIM_INFINITY,
        fresh: bool = False, **changes: str,
    ) -> subprocess.CompletedProcess[str]:
        environment = {**without_settings(), **environ, **variables(changes)}
        limit = partial(setrlimit, RLIMIT_FSIZE, (most, most))
        if fresh:
            done = subprocess.run(
                [sys.executable, "-m", "reservation", *words],
                cwd=tmp_path,
                env=environment,
                input=stdin,
                capture_output=True,
                text=True,
                timeout=60,
                preexec_fn=limit,
            )
        else:
            done = completed(words, tmp_path, environment, limit, stdin)
        assert done.returncode == status, done.stdout + done.stderr
        return done

    return run


@pytest.fixture
def production(post: Any) -> dict[str, str]:
    """Returns the settings of a production in which `reservation check` finds no fault."""
    return {
        "ENV": "production", "PUBLIC_URL": "https://agenda.example",
        "MAIL_FROM": "robot@agenda.example", "CONTACT_TO": "contact@agenda.example",
        "SMTP_URL": f"smtp://127.0.0.1:{post.port}",
    }


@pytest.fixture
def run(
    environ: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> Callable[..., str]:
    """run("restore", "FILE", url="sqlite:///…", status=2) runs a command in this process.

    Returns the output.
    """

    def run(*words: object, url: str = "", status: int = 0) -> str:
        for name, value in environ.items():
            monkeypatch.setenv(name, value)
        if url:
            monkeypatch.setenv("RESERVATION_DATABASE_URL", url)
        capfd.readouterr()
        returned = main([str(word) for word in words])
        said = capfd.readouterr()
        assert returned == status, said
        assert said.err.count("\n") <= 1, "more than one sentence"
        return said.out + said.err

    return run


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "a.backup"


@pytest.fixture
def small_disk(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """small_disk(pages) makes SQLite report a full disk when a file would need more pages."""
    connect = SQLite._connect

    def small_disk(pages: int) -> None:
        def limited(db: SQLite) -> Any:
            connection = connect(db)
            connection.execute(f"PRAGMA max_page_count = {pages}")
            return connection

        monkeypatch.setattr(SQLite, "_connect", limited)

    return small_disk


@pytest.fixture
def elsewhere(make_database: Callable[[str], str]) -> str:
    """Returns the URL of another database, without tables."""
    return make_database("elsewhere")


@pytest.fixture
def dying(environ: dict[str, str]) -> Callable[..., list[str]]:
    """dying("restore", "FILE", "sqlite:///…", 5) returns what tests.commands.dying prints."""

    def run(command: str, file: Path, url: str, stride: int) -> list[str]:
        done = subprocess.run(
            [sys.executable, "-m", "tests.commands.dying", command, file, url, str(stride)],
            cwd=Path(__file__).parents[2],
            env={**without_settings(), **environ, "RESERVATION_DATABASE_URL": url},
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    return run
