"""Makes dataclasses of JSON objects.

A class lists the fields of its object, with their types. A field that the class does not list is not lost: the object
that was read is kept, and `to_dict()` gives it back.
"""

import copy
import dataclasses
import types
import typing
from typing import Any, ClassVar, TypeVar

T = TypeVar("T", bound="JsonObject")

#: The objects that were made so far, by the identity of their JSON object. A JSON object that occurs at several places
#: becomes one object.
Made = dict[int, Any]


class JsonObject:
    """A dataclass that was made from a JSON object."""

    _hints: ClassVar[dict[str, Any] | None] = None

    @classmethod
    def from_dict(cls: type[T], value: dict[str, Any]) -> T:
        """Makes an object from the JSON object that describes it."""
        return cls._make(value, {})

    @classmethod
    def _make(cls: type[T], value: dict[str, Any], made: Made) -> T:
        if id(value) in made:
            known: T = made[id(value)]
            return known
        if cls.__dict__.get("_hints") is None:
            cls._hints = typing.get_type_hints(cls)
        hints = cls._hints or {}
        arguments = {}
        for field in dataclasses.fields(cls):  # type: ignore[arg-type]
            # `from` is a word of Python, so its attribute is `from_`.
            name = field.name.removesuffix("_")
            if name in value:
                arguments[field.name] = _typed(hints[field.name], value[name], made)
        new = cls(**arguments)
        object.__setattr__(new, "_value", value)
        made[id(value)] = new
        return new

    def to_dict(self) -> dict[str, Any]:
        """Returns the JSON object as the program writes it. It is a copy. An object that `dataclasses.replace` or a call
        has made gives its fields."""
        if "_value" in self.__dict__:
            value: dict[str, Any] = copy.deepcopy(self.__dict__["_value"])
            return value
        fields = dataclasses.fields(self)  # type: ignore[arg-type]
        return {field.name.removesuffix("_"): _plain(getattr(self, field.name)) for field in fields if field.init}


def _plain(value: Any) -> Any:
    """Turns a value back into a JSON value."""
    if isinstance(value, JsonObject):
        return value.to_dict()
    return [_plain(one) for one in value] if isinstance(value, list) else value


def _typed(hint: Any, value: Any, made: Made) -> Any:
    """Turns a JSON value into a value of this type."""
    if value is None:
        return None
    origin = typing.get_origin(hint)
    if origin is types.UnionType or origin is typing.Union:
        choices = [choice for choice in typing.get_args(hint) if choice is not type(None)]
        # A list of objects, or one object: the value says which.
        fitting = [choice for choice in choices if (typing.get_origin(choice) is list) == isinstance(value, list)]
        return _typed(fitting[0], value, made) if len(fitting) == 1 else value
    if origin is list and isinstance(value, list):
        (element,) = typing.get_args(hint)
        return [_typed(element, one, made) for one in value]
    if isinstance(hint, type) and issubclass(hint, JsonObject):
        return hint._make(value, made)
    return value
