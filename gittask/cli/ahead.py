"""Calls that are mostly over before the commands are loaded, which takes longer than they do.

Whatever goes wrong, and whatever has more to do, is left to the command: it starts again, and can
say what is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence

INTERRUPTED = 130
"""The exit code of a call that was broken off, as that of a program ended by SIGINT."""


def answer(argv: Sequence[str]) -> int | None:
    """The exit code of a call that was carried out; None if it was not, or not to its end."""
    words = [word for word in argv if word != "--json"]
    try:
        if words[:1] == ["merge-driver"] and len(words) == len(argv):
            from gittask.cli import driving

            return driving.answer(words[1:])
        if words == ["sync"]:
            from gittask.cli import syncing

            return syncing.answer(json=len(argv) > 1)
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception:  # the command will find it too
        return None
    return None
