"""Actions, exact or as patterns: the text of a command that somebody may be allowed."""

from __future__ import annotations

import re

PATTERN = "glob:"
"""What an action begins with if it is a pattern; of the rest only ``*`` has a meaning."""

_ANY = r"[^\n;&|<>()$`]*"
"""What a ``*`` stands for: nothing by which a shell would run a second command."""


def matches(action: str, wanted: str) -> bool:
    """Whether an action, as it is allowed or not, covers an exact one: the same, or its pattern.

    The text between two stars is found as early as possible, which decides as well as trying all
    places would, and cannot take long.
    """
    if not action.startswith(PATTERN):
        return action == wanted
    first, *rest = map(re.escape, action.removeprefix(PATTERN).split("*"))
    middle = "".join(f"(?>{_ANY}?{piece})" for piece in rest[:-1])
    last = f"{_ANY}{rest[-1]}" if rest else ""
    return re.fullmatch(f"{first}{middle}{last}", wanted) is not None


def names_nothing(action: str) -> bool:
    """Whether an action is a pattern that does not say of which command it speaks."""
    return action.startswith(PATTERN) and not re.search(r"\w", action.removeprefix(PATTERN))
