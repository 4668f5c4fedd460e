"""Records and named tuples without `dataclasses` and `typing`.

A judgement is started before every tool call of a coding assistant, and the two modules take a
third of the time that importing the guard may take. Type checkers see the real ones. What differs
at run time: `frozen` is not enforced, and `asdict` and its like are imported when they are used.
"""

# ruff: noqa: ANN001, ANN003, ANN201, ANN202, ANN204

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dataclasses import dataclass as record
    from dataclasses import field, replace
    from typing import NamedTuple
else:
    from collections import namedtuple

    class field:  # noqa: N801
        """How the value is made that stands where none is given."""

        __slots__ = ("default_factory",)

        def __init__(self, *, default_factory):
            self.default_factory = default_factory

    def record(cls=None, /, *, frozen=False, slots=True):
        """Make a class of its annotated fields, as `dataclass(slots=True)` does."""
        if cls is None:
            return lambda one: _made(one, frozen, slots)
        return _made(cls, frozen, slots)

    def replace(one, /, **changes):
        """The same with other values in some fields."""
        return type(one)(**{name: getattr(one, name) for name in one.__match_args__} | changes)

    def _made(cls, frozen, slots):
        own = dict(cls.__dict__)
        names = tuple(cls.__annotations__)
        defaults = {name: own.pop(name) for name in names if name in own}
        known = {f"_{name}": value for name, value in defaults.items()}
        head, body = [], []
        for name in names:
            value = name
            if isinstance(defaults.get(name), field):
                known[f"_{name}"] = defaults[name].default_factory
                value = f"_{name}() if {name} is _missing else {name}"
                head.append(f"{name}=_missing")
            else:
                head.append(f"{name}=_{name}" if name in defaults else name)
            body.append(f" self.{name} = {value}")
        known["_missing"] = _MISSING
        exec(f"def __init__(self, {', '.join(head)}):\n" + "\n".join(body), known)
        own["__init__"] = known["__init__"]
        own["__match_args__"] = names
        own["__eq__"] = _equal
        own["__hash__"] = _hash if frozen else None
        own["__repr__"] = _repr
        own["__dataclass_fields__"] = _Fields()
        own.pop("__dict__", None)
        own.pop("__weakref__", None)
        if slots:
            own["__slots__"] = names
        made = type(cls)(cls.__name__, cls.__bases__, own)
        made.__qualname__ = cls.__qualname__
        return made

    _MISSING = object()

    def _values(one):
        return tuple([getattr(one, name) for name in one.__match_args__])

    def _equal(self, other):
        if type(self) is not type(other):
            return NotImplemented
        return _values(self) == _values(other)

    def _hash(self):
        return hash(_values(self))

    def _repr(self):
        told = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
        return f"{type(self).__qualname__}({told})"

    class _Fields:
        """What `dataclasses` looks for in a class, made when it looks."""

        __slots__ = ()

        def __get__(self, one, cls):
            from dataclasses import make_dataclass

            return make_dataclass(cls.__name__, cls.__match_args__).__dataclass_fields__

    class _Named(type):
        def __new__(cls, name, bases, own):
            if not bases:
                return type.__new__(cls, name, bases, own)
            fields = tuple(type(name, (), dict(own)).__annotations__)
            defaults = [own.pop(one) for one in fields if one in own]
            own.pop("__annotations__", None)
            base = namedtuple(name, fields, defaults=defaults)
            return type(name, (base,), {**own, "__slots__": ()})

    class NamedTuple(metaclass=_Named):
        """A base that makes a named tuple of the class."""


__all__ = ["NamedTuple", "field", "record", "replace"]
