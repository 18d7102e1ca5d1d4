"""The command line: parse, call, print. The only reader of environment, clock and randomness."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["main"]


def main(args: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code. Nothing that goes wrong shows a traceback."""
    from gittask.cli import later

    later.hold_back()
    from gittask.cli import app

    return app.main(args)
