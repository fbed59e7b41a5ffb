"""Where the tests put temporary files."""

import os
import tempfile
from types import SimpleNamespace

import pytest

from tests import memory


@pytest.fixture(autouse=True)
def unset(monkeypatch, tmp_path):
    """Removes TMPDIR, and uses a folder of the test instead of the memory."""
    monkeypatch.delenv("TMPDIR", raising=False)
    monkeypatch.setattr(tempfile, "tempdir", "/elsewhere")
    monkeypatch.setattr(memory, "SHARED", tmp_path)
    monkeypatch.setattr(memory, "NEEDED", 1)


def test_temporary_files_of_the_tests_and_their_children_are_in_memory(tmp_path):
    memory.use()
    assert tempfile.gettempdir() == os.environ["TMPDIR"] == str(tmp_path)


def test_a_folder_that_is_set_is_kept(monkeypatch):
    monkeypatch.setenv("TMPDIR", "/elsewhere")
    memory.use()
    assert tempfile.gettempdir() == os.environ["TMPDIR"] == "/elsewhere"


@pytest.mark.parametrize("name", ["too small", "absent", "refusing programs"])
def test_an_unusable_folder_is_not_used(monkeypatch, tmp_path, name):
    if name == "too small":
        monkeypatch.setattr(memory, "NEEDED", 2**62)
    elif name == "absent":
        monkeypatch.setattr(memory, "SHARED", tmp_path / "absent")
    else:
        mount = SimpleNamespace(
            f_flag=os.ST_NOEXEC, f_frsize=4096, f_blocks=9, f_bfree=9, f_bavail=9
        )
        monkeypatch.setattr(os, "statvfs", lambda path: mount)
    memory.use()
    assert "TMPDIR" not in os.environ
