"""One process that works in a clone: ``python -m tests.worker FOLDER ACTOR EDITS TASK``.

It prints the ids of the tasks and notes that it made, one a line.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

from gittask.exchange.sync import Pace
from tests.clones import Clone

LABELS = ["a", "b", "c"]


def work(clone: Clone, edits: int, shared: str, chance: random.Random) -> None:
    """Make, edit and annotate tasks at random, and sync now and then."""
    pace = Pace(time.monotonic, time.sleep, chance.random)
    for number in range(edits):
        match chance.choice(["new", "title", "label", "note"]):
            case "new":
                print(clone.new(f"{clone.actor} {number}"))
            case "title":
                clone.set(shared, title=f"{clone.actor} {number}", priority=number % 5)
            case "label":
                clone.set(shared, labels=sorted(chance.sample(LABELS, 2)))
            case "note":
                print(clone.note(shared, f"{clone.actor} {number}"))
        if number % 7 == 6:
            clone.sync(pace)
    clone.sync(pace)


if __name__ == "__main__":
    folder, actor, edits, shared = sys.argv[1:]
    work(Clone(Path(folder), actor), int(edits), shared, random.Random(actor))
