"""Reads and writes backup files: JSON lines, compressed with gzip. See docs/backup-format.md."""

import gzip
import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator
from hashlib import sha256
from itertools import islice
from typing import Any, BinaryIO, NamedTuple

from reservation.errors import Refusal

FORMAT, FORMAT_VERSION = "reservation backup", 1
LEVEL = 3  # gzip level; level 6 takes twice as long, for a file only 10 % smaller
_HEADER = {"formatVersion": int, "schemaVersion": int, "madeAt": str, "program": str}
# At most this many bytes of the first line are read. A file that is not a backup may be one very
# long line.
_LONGEST_HEADER = 10_000
_TABLE = b'{"table"'  # begins the header line of each table
_BROKEN = (OSError, EOFError, zlib.error, ValueError, KeyError, TypeError)

Types = dict[str, dict[str, str]]  # {table: {column: type in schema.sql}}
Rows = list[Any]  # each row is a sequence of values


class BadArchive(Refusal):
    """Raised for a file that cannot be restored. The text begins with a verb, for example
    "is not a backup of this program". The caller puts the name of the file before the text."""


class TableHead(NamedTuple):
    """The header line of a table in a backup.

    `last_id` is the highest id that was ever used in the table, even by a deleted row.
    """

    table: str
    columns: dict[str, str]
    last_id: int

    @property
    def files(self) -> list[int]:
        """Returns the positions of the BLOB columns, which contain files."""
        return [at for at, kind in enumerate(self.columns.values()) if kind.endswith("BLOB")]


def _text(value: Any) -> str:
    """Converts a value for JSON: bytes to base64, and a `date` to ISO 8601."""
    return b64encode(value).decode() if isinstance(value, bytes) else str(value)


class Writer:
    """Writes a backup. Call `begin` and then `rows` for each table. Then call `end` once."""

    def __init__(self, file: BinaryIO, schema_version: int, made_at: str, program: str) -> None:
        self._zip = gzip.GzipFile("", "wb", LEVEL, file)
        self._digest = sha256()
        self._rows: dict[str, int] = {}
        self._table = ""
        values = (FORMAT_VERSION, schema_version, made_at, program)
        self._line({"format": FORMAT, **dict(zip(_HEADER, values, strict=True))})

    def begin(self, part: TableHead) -> None:
        self._table = part.table
        self._rows[part.table] = 0
        self._line({"table": part.table, "columns": part.columns, "lastId": part.last_id})

    def rows(self, rows: Rows) -> None:
        self._rows[self._table] += len(rows)
        self._line(rows)

    def end(self) -> int:
        """Completes the backup. Returns its total number of rows."""
        self._line({"rows": self._rows, "sha256": self._digest.hexdigest()})
        self._zip.close()
        return sum(self._rows.values())

    def _line(self, value: Any) -> None:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_text)
        line = text.encode() + b"\n"
        self._digest.update(line)
        self._zip.write(line)


class Archive:
    """Reads a backup. Raises BadArchive if the file is not a backup, has a newer format, or is a
    pipe."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.rows: dict[str, int] = {}  # {table: number of rows}; set by `verify`
        if not file.seekable():
            raise BadArchive("is a pipe, which can be read only once: save it as a file first")
        try:
            with self._opened() as lines:
                header = json.loads(lines.readline(_LONGEST_HEADER))
            known = header["format"] == FORMAT
            newer = header["formatVersion"] > FORMAT_VERSION
            self.schema_version, self.made_at, self.program = (
                kind(header.get(name, 0)) for name, kind in islice(_HEADER.items(), 1, None)
            )
        except _BROKEN:
            known = False
        if not known:
            raise BadArchive("is not a backup of this program")
        if newer:
            raise BadArchive("was written by a newer version of this program: use that version")

    def verify(self, schema_version: int, tables: Types) -> None:
        """Reads the whole file. Raises BadArchive if the file is damaged, or if its schema
        version, tables or columns differ from the arguments."""
        if self.schema_version != schema_version:
            raise BadArchive(
                f"has schema version {self.schema_version}, this program needs version"
                f" {schema_version}: restore it with version {self.program} of this program"
                + (", then migrate" if self.schema_version < schema_version else "")
            )
        digest, last, found = sha256(), b"", []
        try:
            with self._opened() as lines:
                for line in lines:
                    digest.update(last)
                    last = line
                    if line.startswith(_TABLE):
                        found.append(TableHead(*json.loads(line).values()))
            trailer = json.loads(last)
            self.rows = trailer["rows"]
            whole = trailer["sha256"] == digest.hexdigest()
        except _BROKEN:
            whole = False
        if not whole:
            raise BadArchive("is cut short or damaged: it does not match its checksum")
        wanted = [(name, list(columns.items())) for name, columns in tables.items()]
        if [(part.table, list(part.columns.items())) for part in found] != wanted:
            raise BadArchive("holds other tables or columns than this program has")

    def parts(self) -> Iterator[tuple[TableHead, Iterator[Rows]]]:
        """Yields each table with its rows in batches. Read all batches of a table before the next
        table."""
        with self._opened() as lines:
            line = next(islice(lines, 1, None))

            def batches() -> Iterator[Rows]:
                nonlocal line
                for line in lines:
                    if not line.startswith(b"["):
                        break
                    rows = json.loads(line)
                    for row in rows if part.files else ():
                        for at in part.files:
                            row[at] = b64decode(row[at])
                    yield rows

            while line.startswith(_TABLE):
                part = TableHead(*json.loads(line).values())
                yield part, batches()

    def _opened(self) -> gzip.GzipFile:
        self._file.seek(0)
        return gzip.GzipFile(fileobj=self._file)
