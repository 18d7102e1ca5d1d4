"""References: read, and moved by compare-and-swap.

Everything that is written rests on ``Refs.move``. It is small so that a store of references that
the library cannot write may take its place.
"""

from __future__ import annotations

import errno
import os
import random
import re
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gittask.errors import Contention, Moved
from gittask.store import glance, library
from gittask.store.commits import storable
from gittask.store.git import age_of, failure, held
from gittask.store.library import faults
from gittask.store.process import Completed

if TYPE_CHECKING:
    from gittask.store.library import Repository

NOBODY = "0" * 40
_MAKING = ("failed to create locked file", "failed to make directory", "Unable to create")
PATIENCE = 2.0
"""Seconds to wait for a reference that another process holds locked."""
_FAR = 1 << 20  # bytes of a log that are looked through, some thousand moves


class Refs:
    """The references of one repository, by full name (``refs/heads/gittask``, ``HEAD``)."""

    def __init__(
        self, repository: Callable[[], Repository], common_dir: Path, git: Callable[..., Completed]
    ) -> None:
        """``repository`` gives the opened repository, once it is needed."""
        self._repository = repository
        self._common_dir = common_dir
        self._git = git

    def read(self, name: str) -> str | None:
        """The id that a reference stands for, through symbolic ones; None if there is none."""
        seen = glance.reference(self._common_dir, name) if name.startswith("refs/") else None
        if seen is not None:
            return seen
        found = self._find(name)
        return None if found is None else str(found.target)

    def below(self, folder: str) -> list[str]:
        """The names of all references in a folder of them (``refs/gittask/seen/origin/``)."""
        seen = glance.below(self._common_dir, folder)
        if seen is not None:
            return seen
        listed = self._git("for-each-ref", "--format=%(refname)", folder).stdout
        return [*map(os.fsdecode, listed.split())]

    def before(self, name: str, words: str) -> str | None:
        """Where a reference stood before it last moved for a reason with these words.

        None if its log tells of no such move.
        """
        try:
            with (self._common_dir / "logs" / name).open("rb") as log:
                log.seek(max(0, os.fstat(log.fileno()).st_size - _FAR))
                said = log.read()
        except OSError:
            return None
        if words.encode() not in said:
            return None
        reason = rb"[^\t\n]*\t.*" + re.escape(words.encode())
        found = re.findall(rb"^([0-9a-f]{40}) [0-9a-f]{40} " + reason, said, re.MULTILINE)
        return found[-1].decode() if found else None

    def symbolic(self, name: str) -> str | None:
        """The name that a symbolic reference points to, though it may not exist yet."""
        with faults(f"{name} cannot be read"):
            raw = self._repository().lookup_reference(name).raw_target
        return raw.decode("utf-8", "surrogateescape") if isinstance(raw, bytes) else None

    def move(self, name: str, old: str | None, new: str, reason: str) -> None:
        """Set a reference to ``new`` if it still stands at ``old``; None: if it is not there.

        ``reason`` goes into the reflog, if git keeps one. A lock held by another is waited for,
        for two seconds at most, and never broken. Raises Moved, Contention (the lock stays),
        or GittaskError (a full disk, no permission); then nothing was changed.
        """
        reason = " ".join(storable(reason).split())
        until = time.monotonic() + PATIENCE
        pause = 0.002
        attempt = partial(self._update, name, old) if old else partial(self._create, name)
        while not attempt(new, reason):
            if time.monotonic() >= until:
                raise self._contention(name)
            time.sleep(pause * random.uniform(0.5, 1))
            pause = min(pause * 2, 0.1)

    def _find(self, name: str) -> Any:
        with faults(f"{name} cannot be read"):
            try:
                return self._repository().lookup_reference(name).resolve()
            except KeyError:
                return None

    def _update(self, name: str, old: str, new: str, reason: str) -> bool:
        """Move a reference that stands at ``old``; False while it is locked."""
        # The library compares with the value that *this* object was read with: looking the
        # reference up once more between the two steps would lose updates.
        found = self._find(name)
        if found is None or str(found.target) != old:
            raise Moved
        with faults(f"{name} cannot be moved"):
            try:
                found.set_target(new, reason)
            except KeyError:
                raise Moved from None
            except (library.GitError, OSError) as error:
                if "old reference value does not match" in str(error):
                    raise Moved from None
                if not _is_locked(str(error)):
                    raise
                return False
        return True

    def _create(self, name: str, new: str, reason: str) -> bool:
        """Make a reference that does not exist; False while it is locked."""
        # By git, once in a branch's life: the library looks for the reference before it takes
        # the lock, so that two racers may both win.
        done = self._git("update-ref", "-m", reason, name, new, NOBODY, check=False)
        if "reference already exists" in done.stderr:
            raise Moved
        if done.code != 0 and not _is_locked(done.stderr):
            raise failure(done, "update-ref", name)
        return done.code == 0

    def lock(self, name: str) -> Path:
        """The file by which a git process locks a reference."""
        return self._common_dir / f"{name}.lock"

    def _contention(self, name: str) -> Contention:
        lock = self.lock(name)
        if age_of(lock) is None:
            return Contention(f"{name} is written by many at once", hint="call again")
        return held(name, lock)


def _is_locked(text: str) -> bool:
    """Whether a failure to take a lock file means that it is taken, not a fault of the disk."""
    if "failed to lock file" in text:
        return True
    # ENOENT: git pack-refs has just removed a folder, since it was empty
    passing = any(os.strerror(code) in text for code in (errno.EEXIST, errno.ENOENT))
    return passing and any(words in text for words in _MAKING)
