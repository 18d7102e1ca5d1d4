"""What git calls to show a record, twice for each file of a diff: so as little as can be is loaded.

It never fails: git would end the whole diff.
"""

from __future__ import annotations

import sys
from pathlib import Path

from gittask.core.text import one_line
from gittask.views.textconv import lines


def main() -> int:
    """Print the file that the first argument names as lines for people."""
    try:
        shown = lines(Path(sys.argv[1]).read_bytes())
    except OSError as error:
        shown = iter([one_line(f"gittask cannot read this file: {error.strerror}")])
    sys.stdout.buffer.write("".join(f"{line}\n" for line in shown).encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
