"""What is made late is what the standard library makes, and nothing of it is made before it is used."""

from __future__ import annotations

import copy
import dataclasses as standard
import importlib
import pickle
import pkgutil
import re as standard_re
import sys
from functools import cached_property
from types import FunctionType
from typing import ClassVar

import pytest

import memtui
from memtui.late import dataclasses, making, re

KINDS = [{"frozen": True, "slots": True}, {"frozen": True}, {"slots": True}, {}]


def classes(decorate, field):
    """The shapes that memtui has."""

    class Point:
        """A place."""

        KIND: ClassVar[str] = "point"

        x: int
        y: int = 2
        names: list[str] = field(default_factory=list)
        note: str = field(default="", compare=False, repr=False)

        @property
        def total(self):
            return self.x + self.y

    class Empty:
        pass

    class Own:
        x: int

        def __eq__(self, other):
            return isinstance(other, Own)

        def __repr__(self):
            return "own"

    class Post:
        x: int

        def __post_init__(self):
            if self.x < 0:
                raise ValueError("below zero")

    return [decorate(cls) for cls in (Point, Empty, Own, Post)]


def tried(work, *given):
    """What some work gives, or the kind of what it raises."""
    try:
        return work(*given)
    except Exception as error:
        return type(error)


@pytest.mark.parametrize("many", [1, 1_000])
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_they_are_the_standard_ones(kind, many, monkeypatch):
    monkeypatch.setattr(making, "_MANY", many)
    late = classes(lambda cls: dataclasses.dataclass(cls, **kind), dataclasses.field)
    real = classes(lambda cls: standard.dataclass(cls, **kind), standard.field)
    asked = [
        lambda Point, Empty, Own, Post: repr(Point(1)),
        lambda Point, Empty, Own, Post: repr(Point(names=["a"], y=3, x=1)),
        lambda Point, Empty, Own, Post: Point(),
        lambda Point, Empty, Own, Post: Point(1, z=1),
        lambda Point, Empty, Own, Post: Point(1, x=1),
        lambda Point, Empty, Own, Post: Point(1, 2, [], "", 5),
        lambda Point, Empty, Own, Post: Empty(1),
        lambda Point, Empty, Own, Post: Point(1).names is Point(1).names,
        lambda Point, Empty, Own, Post: (Point(1) == Point(1, note="b"), Point(1) == Point(2), Point(1) == 1),
        lambda Point, Empty, Own, Post: hash(Point(1, names=())) == hash(Point(1, names=(), note="c")),
        lambda Point, Empty, Own, Post: hash(Point(1)),
        lambda Point, Empty, Own, Post: Point(1).total,
        lambda Point, Empty, Own, Post: (Point.KIND, Point.__doc__, Point.__match_args__, Point.__qualname__),
        lambda Point, Empty, Own, Post: setattr(Point(1), "x", 2),
        lambda Point, Empty, Own, Post: delattr(Point(1), "x"),
        lambda Point, Empty, Own, Post: isinstance(tried(setattr, Point(1), "other", 2), type),
        lambda Point, Empty, Own, Post: repr(copy.copy(Point(1, names=["c"]))),
        lambda Point, Empty, Own, Post: repr(copy.deepcopy(Point(1, names=["c"]))),
        lambda Point, Empty, Own, Post: (
            repr(Empty()),
            Empty() == Empty(),
            tried(lambda: hash(Empty())) is not None,
        ),
        lambda Point, Empty, Own, Post: (
            repr(Own(1)),
            Own(1) == Own(2),
            tried(lambda: hash(Own(1)) == hash(Own(1))),
        ),
        lambda Point, Empty, Own, Post: Post(-1),
        lambda Point, Empty, Own, Post: repr(Post(1)),
    ]
    for number, ask in enumerate(asked):
        assert tried(ask, *late) == tried(ask, *real), number
    point = late[0](5, names=["n"])
    assert dataclasses.replace(point, y=6) == late[0](5, 6, ["n"]) == standard.replace(point, y=6)
    names = ["x", "y", "names", "note"]
    assert [item.name for item in dataclasses.fields(point)] == names
    assert [item.name for item in standard.fields(point)] == [item.name for item in standard.fields(real[0])]
    assert dataclasses.asdict(point) == standard.asdict(point) == {"x": 5, "y": 2, "names": ["n"], "note": ""}


@dataclasses.dataclass(frozen=True, slots=True)
class Kept:
    x: int
    y: tuple[int, ...] = ()


@dataclasses.dataclass(frozen=True)
class Counted:
    x: int

    @cached_property
    def twice(self):
        return 2 * self.x


def test_they_are_kept_and_remember():
    assert pickle.loads(pickle.dumps(Kept(1, (2,)))) == Kept(1, (2,))
    assert not hasattr(Kept(1), "__dict__")
    assert Counted(4).twice == 8


def test_what_is_not_built_is_refused():
    with pytest.raises(TypeError, match="inherits"):
        dataclasses.dataclass(type("Below", (Kept,), {}))
    with pytest.raises(ValueError, match="share"):
        dataclasses.dataclass(type("Shared", (), {"__annotations__": {"x": "list[int]"}, "x": []}))


def test_nothing_is_compiled_before_it_is_used(monkeypatch):
    compiled = []
    write = making._compiled_init
    monkeypatch.setattr(making, "_compiled_init", lambda *a, **k: compiled.append(a[0]) or write(*a, **k))

    @dataclasses.dataclass(frozen=True, slots=True)
    class Fresh:
        x: int

    made = [Fresh(number) for number in range(making._MANY - 1)]
    assert compiled == []
    made += [Fresh(number) for number in range(making._MANY)]
    assert compiled == [Fresh] and len(set(made)) == making._MANY
    asked = []
    monkeypatch.setattr(making.re, "compile", lambda *a: asked.append(a) or standard_re._compile(*a))
    pattern = re.compile("(a)(b)?", re.IGNORECASE)
    assert pattern.pattern == "(a)(b)?" and asked == []
    assert pattern.match("A").groups() == ("A", None) and pattern.groups == 2 and pattern.sub("", "xa") == "x"
    assert len(asked) == 1 + 1  # what is no method is asked anew
    assert pattern.flags & re.IGNORECASE and repr(pattern) == repr(
        standard_re.compile("(a)(b)?", re.IGNORECASE)
    )


def every_module():
    for info in pkgutil.walk_packages(memtui.__path__, "memtui."):
        if not info.name.endswith("__main__"):
            yield importlib.import_module(info.name)


def test_every_class_and_every_pattern_can_be_made():
    seen = 0
    for module in every_module():
        for value in list(vars(module).values()):
            if isinstance(value, making.LatePattern):
                assert value.flags is not None
                seen += 1
            elif isinstance(value, type) and value.__module__ == module.__name__:
                fields = vars(value).get("__late_fields__")
                if fields is not None and isinstance(value.__init__, FunctionType):
                    making._compiled_init(value, fields, frozen=True, slots=hasattr(value, "__slots__"))
                    assert sys.modules["dataclasses"].is_dataclass(value)
                    seen += 1
    assert seen > 400
