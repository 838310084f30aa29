"""Makes dataclasses of JSON objects.

A class lists the fields of its object, with their types. A field that the class does not list is not lost: the object
that was read is kept, and `to_dict()` gives it back.
"""

import copy
import dataclasses
import json
import types
import typing
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar

T = TypeVar("T", bound="JsonObject")

#: The objects that were made so far, by the identity of their JSON object. A JSON object that occurs at several places
#: becomes one object.
Made = dict[int, Any]

#: Makes a value from a JSON value that is not null.
Maker = Callable[[Any, Made], Any]


class Answer(Protocol):
    """What the program writes about one question."""

    def json(self) -> str:
        """The JSON object."""

    def text(self) -> str:
        """The text for people."""


class Texts(NamedTuple):
    """An answer that is written."""

    of_json: str
    of_text: str

    def json(self) -> str:
        """The JSON object."""
        return self.of_json

    def text(self) -> str:
        """The text for people."""
        return self.of_text


class JsonObject:
    """A dataclass that was made from a JSON object. Fields that contain a time are not compared.

    An object that is made of an `Answer` is empty until one of its fields is asked for: of thousands of results many
    users read a field or two, or none.
    """

    _fields: ClassVar[list[tuple[str, str, "Maker | None"]] | None] = None
    #: What the program has written, if the object was made of it.
    _answer: ClassVar[Answer | None] = None

    def __init_subclass__(cls) -> None:
        # Else the class would get a hash of all its fields, some of which are lists.
        cls.__hash__ = JsonObject.__hash__  # type: ignore[method-assign]

    def __hash__(self) -> int:
        """The hash of the texts and numbers among the fields that are compared."""
        fields = dataclasses.fields(self)  # type: ignore[arg-type]
        values = (getattr(self, field.name) for field in fields if field.compare)
        return hash((type(self), *(value for value in values if not isinstance(value, (list, dict, JsonObject)))))

    def __str__(self) -> str:
        """What the program prints."""
        return repr(self) if self._answer is None else self._answer.text().rstrip("\n")

    @classmethod
    def from_dict(cls: type[T], value: dict[str, Any]) -> T:
        """Makes an object from the JSON object that describes it."""
        return cls._make(value, {})

    @classmethod
    def _of_answer(cls: type[T], answer: Answer) -> T:
        """Makes an object that is read when one of its fields is asked for."""
        if cls.__dict__.get("_fields") is None:
            cls._fields = _fields_of(cls)
            # Only what an object does not have is asked of `__getattr__`, also a field with a default.
            for name in [name for name, _, _ in cls._fields if name in cls.__dict__]:
                delattr(cls, name)
        made = object.__new__(cls)
        made.__dict__["_answer"] = answer
        return made

    def __getattr__(self, name: str) -> Any:
        """Reads the answer, if this has not been done."""
        if self._answer is None or "_value" in self.__dict__ or name.startswith("__"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
        read = self.from_dict(json.loads(self._answer.json())).__dict__
        self.__dict__.update(read | self.__dict__)
        return getattr(self, name)

    def __getstate__(self) -> dict[str, Any]:
        """Replaces an object of the compiled part, which cannot be copied, by its texts."""
        texts = {} if self._answer is None else {"_answer": Texts(self._answer.json(), self._answer.text())}
        return self.__dict__ | texts

    @classmethod
    def _make(cls: type[T], value: dict[str, Any], made: Made) -> T:
        if id(value) in made:
            known: T = made[id(value)]
            return known
        fields = cls.__dict__.get("_fields")
        if fields is None:
            fields = cls._fields = _fields_of(cls)
        arguments = {}
        for attribute, name, make in fields:
            if name in value:
                given = value[name]
                arguments[attribute] = given if make is None or given is None else make(given, made)
        new = cls(**arguments)
        object.__setattr__(new, "_value", value)
        made[id(value)] = new
        return new

    def to_dict(self) -> dict[str, Any]:
        """Returns the JSON object as the program writes it. It is a copy. An object that `dataclasses.replace` or a call
        has made gives its fields."""
        value: dict[str, Any] | None = getattr(self, "_value", None)
        if value is not None:
            return copy.deepcopy(value)
        fields = dataclasses.fields(self)  # type: ignore[arg-type]
        return {field.name.removesuffix("_"): _plain(getattr(self, field.name)) for field in fields if field.init}


def _plain(value: Any) -> Any:
    """Turns a value back into a JSON value."""
    if isinstance(value, JsonObject):
        return value.to_dict()
    return [_plain(one) for one in value] if isinstance(value, list) else value


def _fields_of(cls: type[JsonObject]) -> list[tuple[str, str, Maker | None]]:
    """Returns the attributes of a class, each with its name in JSON and what makes its value. This is looked up once a
    class, because a batch makes objects for thousands of results."""
    hints = typing.get_type_hints(cls)
    names = [field.name for field in dataclasses.fields(cls)]  # type: ignore[arg-type]
    # `from` is a word of Python, so its attribute is `from_`.
    return [(name, name.removesuffix("_"), _maker(hints[name])) for name in names]


def _maker(hint: Any) -> Maker | None:
    """Returns what turns a JSON value into a value of this type. None: the JSON value is the value."""
    origin = typing.get_origin(hint)
    if origin is types.UnionType or origin is typing.Union:
        choices = [choice for choice in typing.get_args(hint) if choice is not type(None)]
        # A list of objects, or one object: the value says which.
        makers = []
        for is_list in (False, True):
            fitting = [choice for choice in choices if (typing.get_origin(choice) is list) == is_list]
            makers.append(_maker(fitting[0]) if len(fitting) == 1 else None)
        return _either(*makers) if any(makers) else None
    if origin is list:
        (element,) = typing.get_args(hint)
        make = _maker(element)
        return None if make is None else _each(make)
    return hint._make if isinstance(hint, type) and issubclass(hint, JsonObject) else None


def _either(one: Maker | None, many: Maker | None) -> Maker:
    """Makes a value that may be a list or not."""

    def make(value: Any, made: Made) -> Any:
        maker = many if isinstance(value, list) else one
        return value if maker is None else maker(value, made)

    return make


def _each(make: Maker) -> Maker:
    """Makes the values of a list."""
    def each(values: Any, made: Made) -> Any:
        if not isinstance(values, list):
            return values
        return [None if value is None else make(value, made) for value in values]

    return each
