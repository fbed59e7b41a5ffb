"""The JSON objects in answers. A shape converts a row to a JSON object, and is the JSON Schema
of the object.

Property names are in snake_case here and in camelCase in the JSON.

In a list, a shape converts all rows at once. The shape has a template for the JSON text of an
object, such as `{"id": %s, "nom": %s}`. Each property converts its values in all rows to texts. A
property that can be absent has a text such as `, "lieu": {…}` or "", so the template has no key
for this property.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from json.encoder import encode_basestring
from operator import attrgetter
from typing import Any, NamedTuple

from reservation.http.replies import as_list, camel, json_text, to_json
from reservation.lib.instants import shown
from reservation.operations.schemas import Json, Named, Schema

Column = Callable[[Sequence[Any]], Iterable[Any]]  # converts rows to texts for a template
Writer = Callable[[Iterable[Any]], Iterable[Any]]  # converts values to JSON texts


class Property(NamedTuple):
    """A JSON property that is read from a row.

    - `source` is the attribute path to the value. None stands for the name of the property, and ""
      for the row itself.
    - `zone` is the attribute path to the time zone in which an instant is shown.
    - An `optional` property is omitted if its value is None.
    - `presence` is an attribute path. The property is omitted if this attribute is None or empty.
    """

    schema: Schema
    show: Callable[[Any], Any] | None = None
    source: str | None = None
    optional: bool = False
    zone: str = ""
    presence: str = ""

    def reader(self, name: str) -> Callable[[Any], Any]:
        """Returns a function that converts a row to the JSON value of this property."""
        get, show = self._getter(name), self.show
        if self.zone:
            zone = attrgetter(self.zone)
            return lambda row: shown(get(row), zone(row))
        if show is None:
            return get
        return lambda row: None if (value := get(row)) is None else show(value)

    def _getter(self, name: str) -> Callable[[Any], Any]:
        source = name if self.source is None else self.source
        get = attrgetter(source) if source else lambda row: row
        if not self.presence:
            return get
        present = attrgetter(self.presence)
        return lambda row: get(row) if present(row) else None

    @property
    def can_be_absent(self) -> bool:
        """True if the value can be None. The row itself is never None."""
        return bool(self.presence) or self.optional and self.source != ""

    def column(self, name: str) -> Column:
        """Returns a function that converts rows to the texts of this property in the template."""
        write = _writer(self.schema, bool(self.zone))
        if self.can_be_absent:
            write = _or_nothing(_key(name), write)
        if self.zone:
            get, zone = self._getter(name), attrgetter(self.zone)
            return lambda rows: write(map(_instant_text, map(get, rows), map(zone, rows)))
        read = self._getter(name) if isinstance(self.schema, Shape) else self.reader(name)
        return lambda rows: write(map(read, rows))


def _writer(schema: Schema, are_texts: bool) -> Writer:
    """Returns a function that converts values of this schema to JSON texts. With `are_texts`, the
    values are already JSON texts or None."""
    if isinstance(schema, Shape):
        return lambda rows: schema.texts([*rows])
    kind = schema.get("type", "")
    if are_texts or kind in ("integer", ["integer", "null"]):  # the template converts integers
        if "null" not in kind:
            return iter
        return lambda values: ["null" if x is None else x for x in values]
    return partial(map, encode_basestring if kind == "string" else json_text)


def _or_nothing(key: str, write: Writer) -> Writer:
    """Returns a function like `write` whose texts begin with `key`. The text of None is empty."""

    def texts(values: Iterable[Any]) -> list[str]:
        found = [*values]
        shown = map(f"{key}%s".__mod__, write([one for one in found if one is not None]))
        return ["" if one is None else next(shown) for one in found]

    return texts


def _key(name: str) -> str:
    return f', "{camel(name)}": '


Properties = Mapping[str, Property | Schema]


class Shape(Named):
    """Converts rows to JSON objects. A shape is also the JSON Schema of these objects."""

    def __init__(self, name: str, properties: Properties) -> None:
        self.properties = {
            name: one if isinstance(one, Property) else Property(one)
            for name, one in properties.items()
        }
        required = [camel(key) for key, one in self.properties.items() if not one.optional]
        schemas = {camel(key): one.schema for key, one in self.properties.items()}
        super().__init__(name, {"type": "object", "properties": schemas, "required": required})
        self._readers = [
            (camel(key), one.reader(key), one.optional)
            for key, one in self.properties.items()
        ]
        self._columns: list[Column] = []
        template = ""
        for key, one in self.properties.items():
            if isinstance(one.schema, Shape) and one.source == "" and not one.presence:
                self._columns += one.schema._columns
                template += _key(key) + one.schema._template
            else:
                self._columns.append(one.column(key))
                template += "%s" if one.can_be_absent else _key(key) + "%s"
        self._template: str = "{" + template.removeprefix(", ") + "}"

    def texts(self, rows: Sequence[Any]) -> Iterable[str]:
        """Returns the JSON text of each row. Converts property by property, because creating a
        dictionary for each row takes three times as long."""
        return map(self._template.__mod__, zip(*(column(rows) for column in self._columns)))

    def show(self, row: Any) -> Json:
        """Returns the JSON object of a row. If `row` is a dict, returns the dict unchanged."""
        if type(row) is dict:
            return row
        shown = {}
        for name, read, optional in self._readers:
            value = read(row)
            if value is not None or not optional:
                shown[name] = value
        return shown


def plain(name: str, optional: tuple[str, ...] = (), /, **properties: Schema) -> Named:
    """Returns the schema of an object that responders return as a dict.

    The keys of `properties` are JSON names. The properties in `optional` may be absent.
    """
    required = [key for key in properties if key not in optional]
    return Named(name, {"type": "object", "properties": properties, "required": required})


class Many(dict[str, Any]):
    """The schema of a list."""

    def __init__(self, items: Schema) -> None:
        super().__init__({"type": "array", "items": items})

    def show(self, rows: Any) -> list[Any]:
        items = self["items"]
        return [items.show(row) for row in rows] if isinstance(items, Shape) else list(rows)

    def to_json(self, rows: Sequence[Any]) -> bytes:
        items = self["items"]
        if not isinstance(items, Shape) or any(type(row) is dict for row in rows):
            return to_json(self.show(rows))
        return as_list(items.texts(rows))


@lru_cache(maxsize=16384)  # many answers contain the same instants
def _instant_text(value: int | None, zone: str) -> str | None:
    return None if value is None else json_text(shown(value, zone))
