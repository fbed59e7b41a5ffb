"""Checks access to files and folders."""

import os
from pathlib import Path


def fault(folder: Path, purpose: str) -> str:
    """Returns an error message if this process cannot create files in the folder, otherwise ""."""
    if not os.path.isdir(folder):  # unlike Path.is_dir, raises nothing if a parent is unreadable
        there = os.path.exists(folder)
        problem = "is not a folder" if there else "does not exist, or this user may not see it"
        return f"the {purpose} folder {folder} {problem}: create it"
    if not may(folder, os.W_OK | os.X_OK):
        return f"this user may not write to the {purpose} folder {folder}: allow it"
    return ""


def may(path: Path, mode: int) -> bool:
    """Calls `os.access`, with the effective user id instead of the real user id if possible."""
    return os.access(path, mode, effective_ids=os.access in os.supports_effective_ids)
