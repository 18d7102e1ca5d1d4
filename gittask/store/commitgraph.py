"""Git's file of the commits there are, with which paths each changed, kept up behind commands.

By it git finds the history of one file without opening the commits that did not touch it. Git
writes the file whenever it packs everything (``gc.writeCommitGraph``), but which paths changed only
where it finds that there already; so it is asked for that once packs have come (decision 0022).
"""

from __future__ import annotations

from pathlib import Path

from gittask.store import packing
from gittask.store.git import Config, denied

ENOUGH = 6700
"""Objects in packs, at about six a change, from which on a graph pays: as many as git lets lie
loose."""

_MOST = 200_000
"""Commits of which the paths are looked up at once: so much of the code's history may be new."""

_HEADER, _ENTRY = 1072, 28
"""Bytes in the index of a pack: altogether, and for each object."""

_ASKED = ("core.commitgraph", "gc.writecommitgraph", "maintenance.auto")


def due(common_dir: Path, config: Config) -> bool:
    """Whether many objects came in packs since git was last asked to write the graph.

    Not where it is told to leave that be, nor in a clone that lacks folders: git would fetch them.
    """
    return not denied(config, _ASKED) and has_folders(config) and _came(common_dir) > ENOUGH


def has_folders(config: Config) -> bool:
    """Whether all folders are here, though this may be a partial clone."""
    filters = [
        value
        for key, values in config.items()
        if key.startswith("remote.") and key.endswith(".partialclonefilter")
        for value in values
    ]
    return all(each.startswith("blob:") for each in filters)


def start(common_dir: Path, folder: Path) -> None:
    """Let git write the graph in a process of its own; nobody waits for it, and whatever comes of
    it, it is not asked again before more packs come. Where that cannot be noted it is not asked."""
    marker = _marker(common_dir)
    try:
        marker.parent.mkdir(exist_ok=True)
        marker.touch()
    except OSError:
        return
    most = f"--max-new-filters={_MOST}"
    packing.behind(folder, "commit-graph", "write", "--reachable", "--changed-paths", most)


def _came(common_dir: Path) -> int:
    """How many objects are in the packs that are newer than the last asking."""
    try:
        asked = _marker(common_dir).stat().st_mtime_ns
    except OSError:
        asked = 0
    found = 0
    for index in (common_dir / "objects" / "pack").glob("*.idx"):
        try:
            seen = index.stat()
        except OSError:  # packed anew meanwhile
            continue
        if seen.st_mtime_ns >= asked:
            found += max(0, seen.st_size - _HEADER) // _ENTRY
    return found


def _marker(common_dir: Path) -> Path:
    return common_dir / "gittask" / "graph-asked"
