"""Loading the validator that decides (jsonschema-rs) without what it does not need.

While it loads it reads the day on which it was built as the date of a mail. What Python has for
that brings languages and sockets with it, and takes longer than all the rest, so a stand-in
answers meanwhile (docs/decisions/0023).
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

_MAIL = "email.utils"


class _Mail(ModuleType):
    """Answers for ``email.utils``; for whatever else it is asked, that one is loaded."""

    parsedate_to_datetime = str

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if sys.modules.get(_MAIL) is self:
            del sys.modules[_MAIL]
        return getattr(import_module(_MAIL), name)


def validator() -> Any:
    """The class of validators."""
    stand_in = _Mail(_MAIL)
    sys.modules.setdefault(_MAIL, stand_in)
    try:
        import jsonschema_rs

        return jsonschema_rs.Draft202012Validator
    finally:
        if sys.modules.get(_MAIL) is stand_in:
            del sys.modules[_MAIL]
