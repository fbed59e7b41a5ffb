"""Checks the path of a new backup."""

from pathlib import Path

from reservation.lib.environment import BadSetting
from reservation.storage.database import Database, SQLite


def check(db: Database, path: Path) -> None:
    """Raises BadSetting if a backup at `path` would replace a file of the database, a device or a
    folder."""
    if path.exists() and not path.is_file():
        raise BadSetting(f"{path} is not a regular file: name another file")
    if not isinstance(db, SQLite):
        return
    main = Path(db.database).resolve()
    live = [Path(f"{main}{end}") for end in ("", "-wal", "-shm")]
    # A backup also writes two temporary files beside `path`.
    written = [Path(f"{path}{end}") for end in ("", ".partial", ".partial-copy")]
    if any(_is_same(one, other) for one in live for other in written):
        raise BadSetting(f"a backup at {path} would replace the database: name another file")


def _is_same(one: Path, other: Path) -> bool:
    if one.exists() and other.exists():
        return one.samefile(other)
    return one == other.resolve()
