"""Git's merge driver for one file of the data branch: a thin wrapper around the merge of records.

Git calls it from ``merge``, ``rebase``, ``cherry-pick`` and the like, once for each file that
both sides changed. It starts often, so it loads neither the library of git nor the commands.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from gittask.core.codec import encode
from gittask.core.filemerge import merge_record, read
from gittask.core.record import Data
from gittask.core.schema import Schemas
from gittask.errors import GittaskError, Invalid
from gittask.store import git, glance
from gittask.store.local import Local

LABELS = ("-L", "ours", "-L", "base", "-L", "theirs")


def merge_file(
    schemas: Schemas,
    base: Path,
    ours: Path,
    theirs: Path,
    path: str,
    keep: Callable[[str, bytes], None],
) -> bool:
    """Merge three versions of the file at ``path`` into ``ours``; whether that left no conflict.

    An empty ``base`` says that there was none. What loses in a record is given to ``keep``, as
    a file's name and content, before anything is written: the record itself never holds a
    conflict. Anything but a record merges as git would, with markers. Raises Invalid for a side
    that cannot be read as the record of this path, OSError or GittaskError for other faults;
    then ``ours`` is as it was.
    """
    if schemas.locate(path) is None:
        return _merge_text(base, ours, theirs, path)
    versions = [read(schemas, path, side.read_bytes()) for side in (ours, theirs)]
    content, conflicts = merge_record(schemas, path, _ancestor(schemas, path, base), *versions)
    for conflict in conflicts:
        keep(f"{conflict.id}.yaml", encode(conflict.data, schemas.order("conflict")))
    _replace(ours, content)
    return True


def keeper(folder: Path, git_dir: str | None) -> Callable[[str, bytes], None]:
    """Keeps conflicts for the next sync to commit, in the repository that git works on.

    ``git_dir`` is what git exported as GIT_DIR, relative to ``folder``, where git runs us.
    """

    def keep(name: str, content: bytes) -> None:
        seen = None if git_dir else glance.place(folder)
        common_dir = seen.common_dir if seen else _common_dir(folder, git_dir)
        Local(common_dir).add_pending(name, content)

    return keep


def _common_dir(folder: Path, git_dir: str | None) -> Path:
    """Git's folder that all work trees share, as git says."""
    env = {"GIT_DIR": git_dir} if git_dir else {}
    found = git.run(folder, "rev-parse", "--git-common-dir", env_extra=env).stdout
    return (folder / os.fsdecode(found.rstrip(b"\n"))).resolve()


def _ancestor(schemas: Schemas, path: str, base: Path) -> Data | None:
    """The base's record; None if there is none, or none that can be read."""
    content = base.read_bytes()
    try:
        return read(schemas, path, content) if content else None
    except Invalid:
        return None


def _merge_text(base: Path, ours: Path, theirs: Path, path: str) -> bool:
    files = [str(file.resolve()) for file in (ours, base, theirs)]
    done = git.run(ours.parent, "merge-file", *LABELS, "--", *files, check=False)
    if not 0 <= done.code < 128:  # git ends with 255 for an error, else counts the conflicts
        raise GittaskError(f"{path} cannot be merged: {done.stderr.strip()}")
    return done.code == 0


def _replace(file: Path, content: bytes) -> None:
    """Give a file this content at once or not at all; its mode stays."""
    mode = file.stat().st_mode
    fd, name = tempfile.mkstemp(prefix=".gittask-", dir=file.parent)
    temporary = Path(name)
    try:
        with os.fdopen(fd, "wb") as stream:
            stream.write(content)
        temporary.chmod(mode)
        temporary.replace(file)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
