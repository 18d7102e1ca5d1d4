"""Dataclasses, each of which is made when its first object is.

Making one takes as long as reading a record (docs/decisions/0020), and a call uses few of those
that it imports. What asks for the fields of a class before there is an object takes the decorator
of ``dataclasses`` itself.
"""

from __future__ import annotations

import dataclasses
from _thread import RLock
from typing import TYPE_CHECKING, Any

_LOCK = RLock()
_WAITING: dict[type, dict[str, Any]] = {}
"""The classes of which there is no object yet, and what their decorator was given."""


def _dataclass(cls: Any = None, /, **settings: Any) -> Any:
    """``dataclasses.dataclass``, which the first object of the class calls."""
    if cls is None:
        return lambda cls: _dataclass(cls, **settings)

    def new(kind: type, /, *_: Any, **__: Any) -> Any:
        if cls in _WAITING:
            _make(cls)
        return object.__new__(kind)

    cls.__new__ = new
    _WAITING[cls] = settings
    return cls


def _make(cls: type) -> None:
    with _LOCK:  # who comes second waits until all of it is there
        for each in reversed(cls.__mro__):
            if each in _WAITING:
                dataclasses.dataclass(**_WAITING[each])(each)
                del _WAITING[each]


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    dataclass = _dataclass
