"""The example store that comes with the program, as the files of a data branch."""

from __future__ import annotations

from gittask.store import packaged


def files() -> dict[str, bytes]:
    """The content of every file by its path on the data branch, in order."""
    folder = packaged.example()
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(found)}
