"""The trailers by which a commit of code says for which task, and in which attempt, it is made."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gittask.core import ids

TASK = "Task"
EXECUTION = "Execution"

_OURS = rf"{TASK}: [a-z][0-9a-z]{{9}}[0-9a-f]{{2}}|{EXECUTION}: {ids.EVENT}"
_BULLET = r"^[*-]\s+"
_CUT = "------------------------ >8 ------------------------"


def lines(task: str, execution: str) -> tuple[str, str]:
    """Both trailers, as they stand at the end of a message."""
    return f"{TASK}: {task}", f"{EXECUTION}: {execution}"


def values(message: str, name: str) -> set[str]:
    """What the lines ``NAME: value`` of a message say, indented ones and items of lists too.

    A squash keeps the messages that it joins in its own, git's indented, those of hosts as lists:
    their trailers are then no longer at the end.
    """
    start = f"{name.lower()}: "
    found = (re.sub(_BULLET, "", line.strip(), count=1) for line in message.split("\n"))
    return {line[len(start) :].strip() for line in found if line.lower().startswith(start)}


def said(message: str, comment: str) -> list[str]:
    """The lines that say something in a message that is being written.

    Comments, what git cuts off, blank lines and sign-offs say nothing, as to git itself.
    """
    return list(_said(message, comment))


def ours(line: str) -> bool:
    """Whether a line of a message is one of our trailers; "Task: fix it" is a fine subject."""
    return re.fullmatch(_OURS, line.rstrip()) is not None


def without(message: str) -> str:
    """The message without the lines of our trailers."""
    return "\n".join(line for line in message.split("\n") if not ours(line))


def _said(message: str, comment: str) -> Iterator[str]:
    for line in message.split("\n"):
        if line.rstrip("\r") == f"{comment} {_CUT}":
            return
        if line.strip() and not line.startswith((comment, "Signed-off-by: ")):
            yield line
