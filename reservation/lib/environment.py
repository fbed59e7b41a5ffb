"""Settings: a frozen dataclass that is read from environment variables."""

import dataclasses
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Self

from reservation.lib import readers

TEXT = "utf-8-sig"  # the encoding of text files: UTF-8, with or without a byte order mark


class BadSetting(ValueError):
    """Raised for an invalid setting. The message contains the reason."""


def setting(default: Any, doc: str, read: readers.Reader = str, secret: bool = False) -> Any:
    """Returns a dataclass field for a setting. `read` converts the text of the environment
    variable."""
    metadata = {"doc": doc, "read": read, "secret": secret}
    return dataclasses.field(default=default, repr=not secret, metadata=metadata)


@dataclasses.dataclass(frozen=True)
class FromEnviron:
    """Base class of settings. If PREFIX is "X_", the variable `X_PORT` sets the field `port`."""

    PREFIX: ClassVar[str]

    def in_force(self) -> dict[str, str]:
        """Returns {environment variable: value in use}. Hides secrets."""
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
        """Reads the settings from `environ`. `defaults` override the defaults of the fields.

        For a secret `X`, the variable `X_FILE` may name a file that contains the value. Raises
        BadSetting for an unknown variable or an invalid value.
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
                import difflib  # slow to import

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
        return {cls.PREFIX + field.name.upper(): field for field in dataclasses.fields(cls)}


def _content(variable: str, path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as ex:
        reason = ex.strerror if isinstance(ex, OSError) else "it is not text"
        shown = readers.without_password(path)  # `path` may be a URL by mistake
        raise BadSetting(f"{variable}={shown!r} cannot be read: {reason}") from None
