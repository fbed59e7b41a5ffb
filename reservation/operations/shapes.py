"""The JSON objects in answers. A shape converts a row to a JSON object, and is the JSON Schema
of the object.

Property names are in snake_case here and in camelCase in the JSON.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from json.encoder import encode_basestring
from operator import attrgetter
from typing import Any, NamedTuple

from reservation.http.replies import as_list, camel, json_text, to_json
from reservation.lib.instants import to_iso, zone_or_utc
from reservation.operations.schemas import Json, Named, Schema


class Property(NamedTuple):
    """A JSON property that is read from a row.

    - `source` is the attribute path to the value. None stands for the name of the property, and ""
      for the row itself.
    - `zone` is the attribute path to the time zone in which an instant is shown.
    - An `optional` property is omitted if its value is None.
    """

    schema: Schema
    show: Callable[[Any], Any] | None = None
    source: str | None = None
    optional: bool = False
    zone: str = ""

    def reader(self, name: str) -> Callable[[Any], Any]:
        """Returns a function that converts a row to the JSON value of this property."""
        source, show = name if self.source is None else self.source, self.show
        get = attrgetter(source) if source else lambda row: row
        if self.zone:
            zone = attrgetter(self.zone)
            return lambda row: _instant(get(row), zone(row))
        if show is None:
            return get
        return lambda row: None if (value := get(row)) is None else show(value)

    @property
    def can_be_absent(self) -> bool:
        return self.optional and self.source != ""

    def column(self, name: str) -> Callable[[Sequence[Any]], Iterable[Any]]:
        """Returns a function that converts rows to the JSON texts of this property."""
        read = self.reader(name)
        if self.can_be_absent:
            key = _key(name)
            if isinstance(self.schema, Shape):
                return _column_of_some(key, self.schema, attrgetter(self.source or name))
            return lambda rows: ["" if x is None else key + json_text(x) for x in map(read, rows)]
        if isinstance(self.schema, Shape):
            texts, inner = self.schema.texts, attrgetter(self.source or name)
            return lambda rows: texts([*map(inner, rows)])
        kind = self.schema.get("type")
        write: Callable[[Any], str] = encode_basestring if kind == "string" else json_text
        if self.zone:
            get, zone = attrgetter(self.source or name), attrgetter(self.zone)
            return lambda rows: map(write, map(_instant, map(get, rows), map(zone, rows)))
        if kind == "integer":
            return lambda rows: map(read, rows)
        if kind == ["integer", "null"]:
            return lambda rows: ["null" if x is None else x for x in map(read, rows)]
        return lambda rows: map(write, map(read, rows))


def _column_of_some(
    key: str, shape: "Shape", inner: Callable[[Any], Any]
) -> Callable[[Sequence[Any]], Iterable[str]]:
    def texts(rows: Sequence[Any]) -> list[str]:
        found = [*map(inner, rows)]
        shown = iter([*shape.texts([one for one in found if one is not None])])
        return ["" if one is None else key + next(shown) for one in found]

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
        self._columns: list[Callable[[Sequence[Any]], Iterable[Any]]] = []
        texts = []
        for key, one in self.properties.items():
            if isinstance(one.schema, Shape) and one.source == "":
                self._columns += one.schema._columns
                texts.append(_key(key) + one.schema._text)
            else:
                self._columns.append(one.column(key))
                texts.append("%s" if one.can_be_absent else _key(key) + "%s")
        self._text: str = "{" + "".join(texts).removeprefix(", ") + "}"

    def texts(self, rows: Sequence[Any]) -> Iterable[str]:
        """Returns the JSON text of each row. Converts property by property, because creating a
        dictionary for each row takes three times as long."""
        return map(self._text.__mod__, zip(*(column(rows) for column in self._columns)))

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
def _instant(value: int | None, zone: str) -> str | None:
    return None if value is None else to_iso(value, zone_or_utc(zone))
