"""``python -m gittask.store.past FOLDER``: what a command lets run behind it."""

from __future__ import annotations

import sys
from pathlib import Path

from gittask.errors import GittaskError
from gittask.store.past.asked import fill
from gittask.store.repo import Repo

if __name__ == "__main__":
    try:
        fill(Repo.discover(Path(sys.argv[1])))
    except GittaskError as error:
        sys.exit(error.message)
