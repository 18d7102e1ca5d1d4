"""The command line: parse, call, print. The only reader of environment, clock and randomness."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Sequence
from contextlib import suppress

_YOUNG = 100_000
"""How many objects more than before are looked over for circles; Python itself does it at 700."""


def main(args: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code. Nothing that goes wrong shows a traceback.

    The commands are loaded only here: what git calls for each file does not pay for them.
    """
    from gittask.cli import atonce

    words = sys.argv[1:] if args is None else args
    if atonce.answer(words):
        return 0
    from gittask.cli import ahead, later

    later.hold_back()
    code = ahead.answer(words)
    if code is not None:
        return code
    from gittask.cli.app import main as run

    return run(args)


def program() -> None:
    """The program that is installed: one command, and the end of the process.

    A sixth of a call was spent on looking for circles among what is being loaded, and on taking
    down one by one what goes with the process anyway. What was registered for the end is done.
    """
    gc.set_threshold(_YOUNG)
    code = main()
    atexit._run_exitfuncs()
    with suppress(OSError, ValueError, AttributeError):  # closed, full, or none at all
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


__all__ = ["main", "program"]
