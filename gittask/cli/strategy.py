"""The program ``git-merge-gittask``, which git runs for ``git merge -s gittask``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from gittask.cli.output import Output
from gittask.errors import GittaskError, Usage
from gittask.merging.strategy import merge_into_worktree
from gittask.store import packaged
from gittask.store.repo import Repo

CANNOT = 2
"""The exit code by which a strategy tells git that it cannot do a merge, and did nothing."""


def main(args: Sequence[str] | None = None) -> int:
    """Merge as git asks for it: ``BASE ... -- HEAD REMOTE``. 0 if it is done, 2 if it is not."""
    words = list(sys.argv[1:] if args is None else args)
    output = Output(json=False)
    try:
        if words.count("--") != 1 or len(words) < words.index("--") + 2:
            raise Usage("this is for git to call", hint="git merge -s gittask BRANCH")
        at = words.index("--")
        bases, ours, theirs = words[:at], words[at + 1], words[at + 2 :]
        repo = Repo.discover(Path.cwd())
        merged = merge_into_worktree(repo, packaged.schemas(), bases, ours, theirs)
    except GittaskError as error:
        output.error(error)
        return CANNOT
    except OSError as error:
        output.error(GittaskError(f"the system refused: {error}", hint="mend it, try again"))
        return CANNOT
    for conflict in merged.conflicts:
        what = f"{conflict.data['record']} {conflict.data['field']}".strip()
        output.message(f"conflict: of {what} one value is kept aside, as {conflict.id}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
