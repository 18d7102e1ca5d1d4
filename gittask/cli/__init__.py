"""The command line: parse, call, print. The only reader of environment, clock and randomness."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(args: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code. Nothing that goes wrong shows a traceback.

    The commands are loaded only here: what git calls for each file does not pay for them.
    """
    from gittask.cli import atonce

    if atonce.answer(sys.argv[1:] if args is None else args):
        return 0
    from gittask.cli import later

    later.hold_back()
    from gittask.cli.app import main as run

    return run(args)


__all__ = ["main"]
