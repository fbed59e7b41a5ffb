"""Checks whether this process may use a folder."""

import os
from pathlib import Path


def fault(folder: Path, purpose: str) -> str:
    """Returns "" if this process can create files in the folder, otherwise the problem and what
    to do."""
    if not folder.is_dir():
        problem = "is not a folder" if folder.exists() else "does not exist"
        return f"the {purpose} folder {folder} {problem}: create it"
    if not may(folder, os.W_OK | os.X_OK):
        return f"this user may not write to the {purpose} folder {folder}: allow it"
    return ""


def may(path: Path, mode: int) -> bool:
    """Returns whether this process has the access `mode`, such as `os.W_OK`, to a path.

    Checks the effective user of the process if the system supports this. By default, `os.access`
    checks the real user, who may have other permissions.
    """
    return os.access(path, mode, effective_ids=os.access in os.supports_effective_ids)
