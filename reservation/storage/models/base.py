"""The base class of the models."""

import secrets
from typing import TYPE_CHECKING, Any

from peewee import Model


class BaseModel(Model):
    """Declares for mypy the attributes that Peewee adds, such as `id`."""

    id: Any

    class Meta:
        legacy_table_names = True  # a table has the model's name in lower case

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...


def first_feed_version() -> int:
    """Returns a random number, because an id is not enough to tell feeds apart: after a restore, a
    new row may get the id of a row that the backup lacks."""
    return secrets.randbelow(2**30)
