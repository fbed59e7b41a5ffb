"""Reads a frozen dataclass from environment variables, and shows its values without secrets."""

import dataclasses
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Self

from reservation.lib import readers


class BadSetting(ValueError):
    """A setting is invalid; the message names the setting, its value and the reason."""


def setting(default: Any, doc: str, read: readers.Reader = str, secret: bool = False) -> Any:
    """Declares a setting: returns the dataclass field for it. `read` converts the text of the
    environment variable."""
    metadata = {"doc": doc, "read": read, "secret": secret}
    return dataclasses.field(default=default, repr=not secret, metadata=metadata)


@dataclasses.dataclass(frozen=True)
class FromEnviron:
    """Base class of settings. The environment variable of a field is named PREFIX followed by the
    name of the field in upper case."""

    PREFIX: ClassVar[str]

    def in_force(self) -> dict[str, str]:
        """Maps the name of each environment variable to the value in use. Secrets are hidden."""
        shown = {}
        for variable, field in self._fields().items():
            value = getattr(self, field.name)
            if isinstance(value, bool):
                value = "on" if value else "off"
            if field.metadata["secret"] and value:
                is_url = field.name.endswith("_url")
                value = readers.without_password(value) if is_url else "(hidden)"
            shown[variable] = str(value)
        return shown

    @classmethod
    def from_environ(cls, environ: Mapping[str, str] = os.environ, **defaults: Any) -> Self:
        """Reads the variables in `environ`; `defaults` replace the defaults of the fields.

        The variable of a secret may have the suffix `_FILE`, and then names a file that contains
        the secret. Raises BadSetting for an unknown name or an invalid value.
        """
        fields, values = cls._fields(), dict(defaults)
        for variable, text in sorted(environ.items()):
            if not variable.startswith(cls.PREFIX):
                continue
            field = fields.get(variable.upper())
            name = variable.upper().removesuffix("_FILE")
            if field is None and name in fields and fields[name].metadata["secret"]:
                if name in environ:
                    raise BadSetting(f"{variable} and {name} are both set: keep one")
                field, text = fields[name], _content(variable, text)
            if field is None:
                import difflib  # imported here, because the import is slow

                (nearest,) = difflib.get_close_matches(variable, fields, n=1, cutoff=0.0)
                raise BadSetting(f"{variable} is not a setting; the nearest is {nearest}")
            try:
                values[field.name] = field.metadata["read"](text)
            except ValueError as ex:
                shown = "" if field.metadata["secret"] else f"={readers.without_password(text)!r}"
                raise BadSetting(f"{variable}{shown} {ex}") from None
        return cls(**values)

    @classmethod
    def _fields(cls) -> dict[str, dataclasses.Field[Any]]:
        """Maps the name of each environment variable to its field."""
        return {cls.PREFIX + field.name.upper(): field for field in dataclasses.fields(cls)}


def _content(variable: str, path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as ex:
        reason = ex.strerror if isinstance(ex, OSError) else "it is not text"
        shown = readers.without_password(path)  # `path` may be a URL with a password
        raise BadSetting(f"{variable}={shown!r} cannot be read: {reason}") from None
