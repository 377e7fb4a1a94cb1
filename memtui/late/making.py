"""Dataclasses and patterns that cost next to nothing until they are used.

`dataclass` of the standard library writes six functions of a class as text and compiles them, when its module
is imported; here `__init__` is compiled once some objects are made, and the others are shared. What it makes
looks the same to `dataclasses.fields`, `replace` and `is_dataclass`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, NoReturn, TypeVar

T = TypeVar("T")

_MISSING: Any = object()
_FIELDS = "__late_fields__"
_MANY = 6
"""Compiling takes as long as making twenty objects in the slow way; of many classes there is but one."""


# Dataclasses


class field:
    """As `dataclasses.field`, and what `fields` gives."""

    __slots__ = ("compare", "default", "default_factory", "name", "repr")

    def __init__(
        self,
        *,
        default: Any = _MISSING,
        default_factory: Any = _MISSING,
        compare: bool = True,
        repr: bool = True,
    ) -> None:
        self.name = ""
        self.default, self.default_factory = default, default_factory
        self.compare, self.repr = compare, repr


def dataclass(cls: Any = None, /, *, frozen: bool = False, slots: bool = False) -> Any:
    """As `dataclasses.dataclass`, for classes that inherit from none of these."""

    def make(cls: type) -> type:
        return _make(cls, frozen=frozen, slots=slots)

    return make if cls is None else make(cls)


def replace(item: T, /, **changes: Any) -> T:
    """As `dataclasses.replace`."""
    values = {name: getattr(item, name) for name in getattr(type(item), _FIELDS)}
    values.update(changes)
    return type(item)(**values)


def fields(item: Any) -> tuple[Any, ...]:
    """As `dataclasses.fields`, of a class or an object."""
    return tuple(getattr(item, _FIELDS).values())


def asdict(item: Any) -> dict[str, Any]:
    """As `dataclasses.asdict`."""
    import dataclasses

    return dataclasses.asdict(item)


def _make(cls: type, *, frozen: bool, slots: bool) -> type:
    own = dict(cls.__dict__)
    if any(_FIELDS in base.__dict__ for base in cls.__mro__[1:]):
        raise TypeError(f"{cls.__qualname__} inherits from a dataclass; that is not built")
    specs: dict[str, field] = {}
    for name, annotation in cls.__annotations__.items():
        if not annotation.startswith("ClassVar["):
            given = own.get(name, _MISSING)
            specs[name] = given if isinstance(given, field) else field(default=given)
            specs[name].name = name
            if specs[name].default.__class__.__hash__ is None:
                raise ValueError(f"{cls.__qualname__}.{name}: all objects would share this default")
    added = _methods(own, specs, frozen=frozen)
    if slots:
        own = {name: value for name, value in own.items() if name not in (*specs, "__dict__", "__weakref__")}
        made: type = type(cls)(cls.__name__, cls.__bases__, {**own, **added, "__slots__": tuple(specs)})
        made.__qualname__ = cls.__qualname__
    else:
        made = cls
        for name, value in added.items():
            setattr(cls, name, value)
        for name, spec in specs.items():
            if spec.default is not _MISSING:
                setattr(cls, name, spec.default)
            elif name in own:
                delattr(cls, name)
    if "__init__" not in own:
        made.__init__ = _late_init(made, specs, frozen=frozen, slots=slots)  # type: ignore[misc]
    return made


def _methods(own: Mapping[str, Any], specs: Mapping[str, field], *, frozen: bool) -> dict[str, Any]:
    """What a class gets beside `__init__`."""
    compared = [name for name, spec in specs.items() if spec.compare]
    values: Callable[[Any], Any] = attrgetter(*compared) if compared else _nothing

    def __eq__(self: Any, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return bool(values(self) == values(other))

    def __hash__(self: Any) -> int:
        return hash(values(self))

    added: dict[str, Any] = {
        _FIELDS: specs,
        "__dataclass_fields__": _RealFields(),
        "__match_args__": tuple(specs),
        "__eq__": __eq__,
        "__repr__": _repr,
        "__hash__": __hash__ if frozen else None,
    }
    if frozen:
        added |= {
            "__setattr__": _refuse,
            "__delattr__": _refuse,
            "__getstate__": _get_state,
            "__setstate__": _set_state,
        }
    # what the class has itself stays; an `__eq__` of its own leaves None for a hash there
    kept = {name for name in added if own.get(name) is not None and not name.startswith("__late")}
    return {name: value for name, value in added.items() if name not in kept}


def _late_init(made: type, specs: Mapping[str, field], *, frozen: bool, slots: bool) -> Callable[..., None]:
    uses = 0

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        nonlocal uses
        uses += 1
        if uses < _MANY:
            _fill(self, specs, args, kwargs)
            return
        init = _compiled_init(made, specs, frozen=frozen, slots=slots)
        made.__init__ = init  # type: ignore[misc]
        init(self, *args, **kwargs)

    return __init__


def _fill(item: Any, specs: Mapping[str, field], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """What `__init__` does, without compiling anything."""
    if len(args) > len(specs):
        raise TypeError(f"{type(item).__name__} takes {len(specs)} values, {len(args)} were given")
    put = object.__setattr__
    names = iter(specs)
    for value, name in zip(args, names, strict=False):
        put(item, name, value)
    for name in names:
        if name in kwargs:
            put(item, name, kwargs.pop(name))
        elif specs[name].default is not _MISSING:
            put(item, name, specs[name].default)
        elif specs[name].default_factory is not _MISSING:
            put(item, name, specs[name].default_factory())
        else:
            raise TypeError(f"{type(item).__name__} needs {name}")
    if kwargs:
        raise TypeError(f"{type(item).__name__} does not take {', '.join(kwargs)}, or not twice")
    if hasattr(type(item), "__post_init__"):
        item.__post_init__()


def _compiled_init(made: type, specs: Mapping[str, field], *, frozen: bool, slots: bool) -> Callable[..., None]:
    """`__init__` as the standard library writes it, but that slots are filled directly."""
    known: dict[str, Any] = {"_MISSING": _MISSING, "_set": object.__setattr__}
    arguments, lines = ["_self"], []
    for name, spec in specs.items():
        value = name
        if spec.default_factory is not _MISSING:
            known[f"_make_{name}"] = spec.default_factory
            arguments.append(f"{name}=_MISSING")
            value = f"_make_{name}() if {name} is _MISSING else {name}"
        elif spec.default is not _MISSING:
            known[f"_default_{name}"] = spec.default
            arguments.append(f"{name}=_default_{name}")
        else:
            arguments.append(name)
        if not frozen:
            lines.append(f"_self.{name} = {value}")
        elif slots:
            known[f"_set_{name}"] = getattr(made, name).__set__
            lines.append(f"_set_{name}(_self, {value})")
        else:
            lines.append(f"_set(_self, {name!r}, {value})")
    if hasattr(made, "__post_init__"):
        lines.append("_self.__post_init__()")
    body = "\n    ".join(lines or ["pass"])
    exec(f"def __init__({', '.join(arguments)}):\n    {body}", known)
    init: Any = known["__init__"]
    init.__qualname__ = f"{made.__qualname__}.__init__"
    return init  # type: ignore[no-any-return]


class _RealFields:
    """The fields as the standard library has them, for its own functions; made when one of them asks."""

    def __get__(self, item: object, cls: Any) -> dict[str, Any]:
        import dataclasses

        found = {}
        for name, spec in getattr(cls, _FIELDS).items():
            given: dict[str, Any] = {} if spec.default is _MISSING else {"default": spec.default}
            if spec.default_factory is not _MISSING:
                given["default_factory"] = spec.default_factory
            made: Any = dataclasses.field(**given, compare=spec.compare, repr=spec.repr)
            made.name, made.type = name, cls.__annotations__[name]
            made._field_type = dataclasses._FIELD  # type: ignore[attr-defined]
            found[name] = made
        cls.__dataclass_fields__ = found
        return found


def _repr(self: Any) -> str:
    shown = [name for name, spec in getattr(type(self), _FIELDS).items() if spec.repr]
    return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in shown)})"


def _refuse(self: Any, name: str, *_value: Any) -> NoReturn:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _get_state(self: Any) -> list[Any]:
    return [getattr(self, name) for name in getattr(type(self), _FIELDS)]


def _set_state(self: Any, values: list[Any]) -> None:
    for name, value in zip(getattr(type(self), _FIELDS), values, strict=True):
        object.__setattr__(self, name, value)


def _nothing(_item: object) -> None:
    return None


# Patterns

_OF_A_PATTERN = ("match", "fullmatch", "search", "findall", "finditer", "split", "sub", "subn")


class LatePattern:
    """A pattern that is compiled at the first question, and is as fast as any from then on."""

    def __init__(self, pattern: str | bytes, flags: int = 0) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        made = re.compile(self.pattern, self._flags)
        for method in _OF_A_PATTERN:
            setattr(self, method, getattr(made, method))
        return getattr(made, name)

    def __repr__(self) -> str:
        return repr(re.compile(self.pattern, self._flags))
