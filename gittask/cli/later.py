"""Modules that a call may need, and mostly does not: loaded when something of them is asked for.

A call of this program takes less time than these modules take to load. They are imported at the
top of files as any other, by the libraries that this program uses too; ``hold_back`` puts an empty
module in the place of each, which fills itself when it is first used. A library that uses one at
once loads it at once, and a name that is not there any more is passed over.
"""

from __future__ import annotations

import os
import sys
from _thread import RLock
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from types import ModuleType
from typing import Any

HELD_BACK = (
    *("ast", "difflib", "gettext", "hashlib", "hmac", "inspect", "ipaddress", "jsonschema_rs"),
    *("platform", "random", "secrets", "shlex", "shutil", "signal", "socket", "subprocess"),
    *("tempfile", "textwrap", "tokenize", "traceback", "yaml"),
    *("gittask.core.filemerge", "gittask.store.commitgraph", "gittask.store.history"),
    *("gittask.store.lock", "gittask.store.packing", "gittask.store.signing"),
    "gittask.store.worktrees",
)
"""What is held back, by its full name."""


def _cleandoc(text: str) -> str:
    """``inspect.cleandoc``, all that click wants of the module for each option that it makes."""
    if "\n" not in text and "\t" not in text:
        return text.lstrip()
    inspect: Any = sys.modules["inspect"]
    inspect.signature  # noqa: B018 - loads the module, in which the real one stands then
    cleaned: str = inspect.cleandoc(text)
    return cleaned


def _translated(name: str) -> Any:
    """A function of ``gettext``, which click takes for words that few calls say."""

    def say(*said: Any) -> str:
        gettext: Any = sys.modules["gettext"]
        gettext.bindtextdomain  # noqa: B018 - as above
        words: str = getattr(gettext, name)(*said)
        return words

    return say


_GIVEN: dict[str, dict[str, Any]] = {
    "inspect": {"cleandoc": _cleandoc},
    "gettext": {name: _translated(name) for name in ("gettext", "ngettext")},
}
"""What a module can do before it is loaded."""
if hasattr(os, "uname"):
    _GIVEN["platform"] = {"system": lambda: os.uname().sysname}  # all that ``uuid`` wants of it

_LOADER = "held back by"
_LOCK = RLock()


class _Held(ModuleType):
    """A module that has not been loaded yet, unless one of its names was looked up."""

    def __getattr__(self, name: str) -> Any:
        if name == "__path__":  # asked by each import; the packages among them have one already
            raise AttributeError(name)
        with _LOCK:  # who comes second waits until all of it is there
            loader = self.__dict__.pop(_LOADER, None)
            if loader is not None:
                loader.exec_module(self)
        return super().__getattribute__(name)


def hold_back() -> None:
    """Let the modules in ``HELD_BACK`` that are not loaded yet wait until they are used."""
    for name in HELD_BACK:
        within, _, last = name.rpartition(".")
        folder = import_module(within) if within else None
        place = folder.__path__ if folder else None
        spec = None if name in sys.modules else PathFinder.find_spec(name, place)
        if spec and spec.loader:
            module = sys.modules[name] = module_from_spec(spec)
            module.__class__ = _Held
            vars(module).update(_GIVEN.get(name, {}), **{_LOADER: spec.loader})
            if folder:
                setattr(folder, last, module)


def loaded() -> set[str]:
    """The modules that are loaded, without those that still wait."""
    return {name for name, module in sys.modules.items() if _LOADER not in vars(module)}
