"""The base class of the models."""

from typing import TYPE_CHECKING, Any

from peewee import Model


class BaseModel(Model):
    """Declares for mypy the attributes that Peewee adds, such as `id`."""

    id: Any

    class Meta:
        legacy_table_names = True  # a table has the model's name in lower case

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...
