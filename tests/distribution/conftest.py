"""Runs commands, and generates the files that a build makes from the argument parser."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")


def run(*words, **how):
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, **how)
    assert done.returncode == 0, f"{words}\n{done.stdout}{done.stderr}"
    return done.stdout


def in_backend(statement):
    environ = {**os.environ, "PYTHONPATH": str(ROOT / "scripts")}
    script = f"import pathlib, build_backend; {statement}"
    return run(sys.executable, "-c", script, cwd=ROOT, env=environ)


@pytest.fixture(scope="package")
def share(tmp_path_factory):
    """Returns a folder with the generated files, which another process made."""
    folder = tmp_path_factory.mktemp("share")
    in_backend(f"build_backend.make_files(pathlib.Path('{folder}'))")
    return folder
