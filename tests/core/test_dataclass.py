"""A dataclass that is made with its first object is one like any other."""

from __future__ import annotations

import dataclasses
import threading
from typing import Any

import pytest

from gittask.core.dataclass import dataclass


def classes() -> tuple[Any, Any, Any, Any]:
    """Classes of which there is no object yet."""

    @dataclass(frozen=True, order=True)
    class Base:
        """A base."""

        one: int
        two: str = "b"

    @dataclass(frozen=True, order=True)
    class Derived(Base):
        """With one field more."""

        three: list[int] = dataclasses.field(default_factory=list)
        kind: str = "any"

    class Plain(Base):
        def __init__(self) -> None:
            super().__init__(7)

    @dataclass
    class Open:
        """That can be changed."""

        value: int

    return Base, Derived, Plain, Open


def test_its_fields_may_have_any_name() -> None:
    @dataclass
    class Named:
        kind: str
        cls: str

    made = Named(kind="task", cls="a")
    assert (made.kind, made.cls) == ("task", "a")


def test_it_is_a_dataclass_once_there_is_an_object() -> None:
    base, derived, plain, open_ = classes()
    assert derived(1) == derived(1, "b", [], kind="any")  # the base has no object, and is made too
    assert repr(base(1)).endswith("Base(one=1, two='b')")
    assert base(1) < base(2)
    assert {base(1), base(1)} == {base(1)}
    assert dataclasses.replace(base(1), two="c") == base(1, "c")
    assert dataclasses.asdict(derived(1)) == {"one": 1, "two": "b", "three": [], "kind": "any"}
    assert plain().one == 7
    with pytest.raises(dataclasses.FrozenInstanceError):
        base(1).one = 2
    with pytest.raises(TypeError, match="too"):
        base(1, two="b", too=1)
    changed = open_(1)
    changed.value = 2
    assert changed == open_(2)
    with pytest.raises(TypeError, match="unhashable"):
        hash(changed)


def test_many_may_want_the_first_object_at_once() -> None:
    for _ in range(20):
        base, *_others = classes()
        start = threading.Barrier(4)
        made: list[Any] = []

        def make(start: threading.Barrier, base: Any, made: list[Any]) -> None:
            start.wait()
            made.append(base(1, "c"))

        threads = [threading.Thread(target=make, args=(start, base, made)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert made == [base(1, "c")] * 4


def test_the_names_of_fields_are_free() -> None:
    @dataclass(frozen=True)
    class Named:
        kind: str
        cls: str

    assert dataclasses.replace(Named(kind="a", cls="b"), kind="c") == Named("c", "b")
