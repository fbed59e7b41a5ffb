"""The list of guards, read from the .toml files of this folder."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
ROOT = FOLDER.parent.parent


class WrongEntry(Exception):
    """An entry does not match the tree or its tests."""


@dataclass(frozen=True)
class Change:
    """A replacement of a text that occurs `times` times in a file."""

    file: str
    text: str
    instead: str
    times: int = 1

    def applied(self, root: Path) -> str:
        """Returns the changed content of the file. Raises WrongEntry if the text does not occur
        `times` times."""
        source = (root / self.file).read_text(encoding="utf-8")
        found = source.count(self.text)
        if found != self.times:
            raise WrongEntry(f"{self.file} has {self.text!r} {found} times, not {self.times}")
        if self.text == self.instead:
            raise WrongEntry(f"{self.text!r} would stay as it is")
        return source.replace(self.text, self.instead)


@dataclass(frozen=True)
class Guard:
    """A rule, the changes that remove its check, and tests. One of the tests must then fail."""

    name: str
    promise: str
    changes: tuple[Change, ...]
    tests: tuple[str, ...]
    engine: str

    @classmethod
    def of(cls, name: str, entry: dict[str, Any]) -> "Guard":
        """Returns a guard. `also` holds the other changes that remove the same check."""
        entry = dict(entry)
        promise, tests = entry.pop("guard"), entry.pop("tests")
        engine, also = entry.pop("engine", "sqlite"), entry.pop("also", [])
        changes = [Change(**entry)] + [Change(**{"file": entry["file"], **one}) for one in also]
        return cls(name, promise, tuple(changes), tuple(f"tests/{one}" for one in tests), engine)


def read() -> Iterator[Guard]:
    """Yields every guard. Raises WrongEntry for a duplicate name."""
    names: set[str] = set()
    for path in sorted(FOLDER.glob("*.toml")):
        for name, entry in tomllib.loads(path.read_text(encoding="utf-8")).items():
            if name in names:
                raise WrongEntry(f"two guards are named {name}")
            names.add(name)
            yield Guard.of(name, entry)
