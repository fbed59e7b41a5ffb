"""The base class of the models."""

from typing import TYPE_CHECKING, Any

from peewee import Model


class BaseModel(Model):
    """Declares for mypy what peewee adds: `id`, and `…_id` for each foreign key."""

    id: Any

    class Meta:
        legacy_table_names = True  # a table has the name of its model, in lower case

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...
