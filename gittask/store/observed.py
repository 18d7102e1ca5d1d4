"""What this machine has noticed of executions, and since when they are silent.

**Time is counted by the observer's clock alone.** A beat of this clone carries the clocks of this
machine, so that its age is known exactly. Of all others only the moment counts at which this clone
first saw something new of them; it is kept in ``gittask/observed.json`` in git's common folder.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, NamedTuple

from gittask.core.beat import LEASE, Beat, Signs, Watched
from gittask.errors import Usage
from gittask.store.beats import Beats, Seen, gone
from gittask.store.local import replace_file
from gittask.store.machine import Machine
from gittask.store.repo import Repo


class _Note(NamedTuple):
    """When this machine last noticed something new of an execution, by its own clocks."""

    task: str
    sign: str
    boot: str | None
    uptime: float
    wall: float


class Observer:
    """One machine that watches the executions of one repository."""

    def __init__(self, repo: Repo, machine: Machine, beats: Beats) -> None:
        self._repo = repo
        self._machine = machine
        self._beats = beats
        self._file = repo.common_dir / "gittask" / "observed.json"

    def observe(self, watched: Iterable[Watched], lease: float = LEASE) -> dict[str, Signs]:
        """What is known of the life of executions, by id; what is new of them is noted.

        One of which nothing was noted before counts as heard now, or when it last beat here.
        """
        before = self._notes()
        notes = dict(before)
        found = {one.id: self._signs(one, notes, lease) for one in watched}
        self._write(notes, before)
        return found

    def tidy(self, is_over: Callable[[str, str], bool]) -> None:
        """Forget executions that are over (see ``Beats.prune``)."""
        before = self._notes()
        self._write({id: n for id, n in before.items() if not is_over(id, n.task)}, before)

    def _signs(self, one: Watched, notes: dict[str, _Note], lease: float) -> Signs:
        kept = self._beats.local(one.id)
        mine = kept if kept and kept.runtime not in one.former else None
        age = self._age(mine) if mine else None
        theirs = self._elsewhere(one, kept)
        sign = _sign(one, kept, theirs, stale=None if age is not None else mine)
        note = notes.get(one.id)
        since = self._age(note) if note and note.sign == sign else None
        if since is None:  # something new of it, or a clock that was set back
            known = mine if note is None and age is not None else None
            notes[one.id] = self._note(one, sign, known)
            since = age if known and age is not None else 0.0
        if mine and age is not None and age <= since:
            return Signs(age, gone(self._machine, mine, kept=True), lease)
        return Signs(since, gone(self._machine, theirs.beat) if theirs else None, lease)

    def _elsewhere(self, one: Watched, kept: Beat | None) -> Seen | None:
        """The beat of an execution at the remote, if it comes from another clone than this."""
        try:
            remote = self._repo.remote
        except Usage:
            return None
        seen = self._beats.seen(remote, one.id) if remote else None
        if seen is None or seen.beat.runtime in one.former:
            return None
        return None if kept and kept.source == seen.beat.source else seen

    def _note(self, one: Watched, sign: str, beat: Beat | None) -> _Note:
        here = self._machine
        if beat:
            return _Note(one.task, sign, beat.boot, beat.uptime, beat.wall)
        return _Note(one.task, sign, here.boot, here.uptime(), here.wall())

    def _age(self, of: Beat | _Note) -> float | None:
        """The seconds since something was written, if it was by a clock of this machine."""
        here = self._machine
        if isinstance(of, Beat) and of.host != here.host:
            return None
        same_run = of.boot is not None and of.boot == here.boot
        age = here.uptime() - of.uptime if same_run else here.wall() - of.wall
        return age if age >= 0 else None

    # -- the notes, by host: a repository may be shared by several machines ---------------------

    def _notes(self) -> dict[str, _Note]:
        try:
            found = self._noted()[self._machine.host]
            return {id: _note(note) for id, note in found.items()}
        except (KeyError, TypeError, ValueError, AttributeError):
            return {}

    def _noted(self) -> dict[str, Any]:
        try:
            found = json.loads(self._file.read_bytes())
        except (OSError, ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}

    def _write(self, notes: dict[str, _Note], before: dict[str, _Note]) -> None:
        if notes == before:
            return
        mine = {id: note._asdict() for id, note in notes.items()}
        text = json.dumps({**self._noted(), self._machine.host: mine}, indent=0)
        with suppress(OSError):  # a repository that may only be read
            replace_file(self._file, text.encode())


def _sign(one: Watched, kept: Beat | None, theirs: Seen | None, stale: Beat | None) -> str:
    """What changes whenever an execution gives a sign of life that no clock here has timed.

    That is a beat from elsewhere, a record that was written elsewhere, a runtime that was begun
    elsewhere, or a beat of this clone whose time cannot be told (``stale``).
    """
    beat = theirs.commit if theirs else "-"
    records = one.written - (kept.written if kept else 0)
    runtimes = 0 if kept and kept.runtime not in one.former else len(one.former)
    return f"{beat} {records} {runtimes} {stale.count if stale else '-'}"


def _note(data: Any) -> _Note:
    """A note as it was read; raises what a file that others wrote gives cause for."""
    uptime, wall = float(data["uptime"]), float(data["wall"])
    return _Note(str(data["task"]), str(data["sign"]), data["boot"], uptime, wall)
