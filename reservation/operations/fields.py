"""Fields of bodies and queries. One declaration gives the type, the validation and the JSON Schema
of a field."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Generic, Self, TypeVar, overload

from reservation.errors import Fault
from reservation.http.codes import InvalidQuery

REQUIRED: Any = object()
UNKNOWN = Fault("unknown_field", "unknown field")
IS_REQUIRED = Fault("required", "is required")
T = TypeVar("T")


class Kind(Generic[T]):
    """A rule for values.

    `check` returns the converted value, or raises Fault or a Refusal. `schema` is a JSON Schema
    with the same rule. `show` converts the value back to JSON.
    """

    def __init__(
        self,
        check: Callable[[Any], T],
        schema: Mapping[str, Any],
        show: Callable[[Any], Any] | None = None,
    ) -> None:
        self.check, self.schema, self.show = check, schema, show


class Field(Generic[T]):
    """A field of a body or a query. `example` and `doc` appear in the OpenAPI document."""

    @overload
    def __init__(
        self: "Field[T | None]", kind: Kind[T], default: None, *, nullable: bool = ...,
        example: Any = ..., doc: str = ...,
    ) -> None: ...

    @overload
    def __init__(
        self, kind: Kind[T], default: T = ..., *, nullable: bool = ..., example: Any = ...,
        doc: str = ...,
    ) -> None: ...

    def __init__(
        self, kind: Any, default: Any = REQUIRED, *, nullable: bool = False,
        example: Any = None, doc: str = "",
    ) -> None:
        self.kind, self.default, self.nullable = kind, default, nullable
        self.example, self.doc = example, doc

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type) -> T: ...

    def __get__(self, instance: object | None, owner: type) -> Any:
        """Returns the default of a field that was omitted. For a field that was sent, Python does
        not call this method, because the value is in the `__dict__` of the instance."""
        return self if instance is None else self.default


class Fields:
    """Validated input, with an attribute for each field."""

    fields: ClassVar[dict[str, tuple[str, Field[Any]]]] = {}  # {JSON name: (attribute, field)}
    closed = False  # if True, unknown names are refused
    partial = False  # if True, every field is optional; a Body has only the given fields

    def __init_subclass__(cls) -> None:
        inherited = [item for base in reversed(cls.__mro__) for item in vars(base).items()]
        cls.fields = {
            cls.json_name(name): (name, field)
            for name, field in inherited if isinstance(field, Field)
        }

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.__dict__.update(values)

    @staticmethod
    def json_name(attribute: str) -> str:
        return attribute

    @property
    def values(self) -> dict[str, Any]:
        """Returns {attribute name: value}."""
        return vars(self)


class Query(Fields):
    """Query parameters, all optional. Unknown parameters are ignored."""

    @classmethod
    def read(cls, params: Mapping[str, Any]) -> Self:
        """Returns the validated query. Raises InvalidQuery with the fault of each invalid
        parameter."""
        values: dict[str, Any] = {}
        faults: dict[str, Fault] = {}
        for name, field in cls.fields.values():
            if name in params:
                try:  # faster than `with collecting(…)`
                    values[name] = field.kind.check(params[name])
                except Fault as fault:
                    faults[name] = fault
        if faults:
            raise InvalidQuery(faults)
        return cls(values)


def wrong_type(expected: str) -> Fault:
    return Fault("wrong_type", f"must be of type {expected}", expected=expected)
