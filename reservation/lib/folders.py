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
    """Returns `os.access` for the effective user, where the system supports that.

    The real user, whom `os.access` checks by default, may be another user.
    """
    return os.access(path, mode, effective_ids=os.access in os.supports_effective_ids)
