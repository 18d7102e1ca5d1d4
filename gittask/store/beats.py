"""Heartbeats: a file here, and a reference at the remote; never anything on the data branch.

Here each execution has one small file under ``gittask/beats/`` in git's common folder. At the
remote it has one reference, ``refs/gittask/beats/<execution>``, to a commit without parents or
files that holds the beat as its message; a bare blob would do for git, but some hosts let only
commits be pushed. It is pushed by force: only its execution writes it, and the newest beat is all
that anybody wants. Observers fetch all of them to ``refs/gittask/seen/<remote>/<execution>``.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from gittask.core import beat as beats
from gittask.core.beat import Beat
from gittask.core.text import is_text
from gittask.errors import GittaskError, RemoteError
from gittask.store.commits import Person
from gittask.store.git import failure
from gittask.store.local import replace_file
from gittask.store.machine import Machine, born, runs
from gittask.store.repo import Repo

BEATS = "refs/gittask/beats/"
SEEN = "refs/gittask/seen/"
TIMEOUT = 30.0
"""Seconds for one call to the remote."""
TRIES = 5
"""How often a reference is tried again that another git process holds locked."""

_LARGEST = 4096  # bytes of a beat that anybody may have pushed
_NOBODY = Person("gittask", "gittask@gittask.invalid", 1_767_225_600)  # 2026-01-01T00:00:00Z
_LOCKED = ("cannot lock ref", "failed to update ref", "failed to lock", "unable to lock")
_FETCH = ("--refmap=", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--prune")
_PUSH = ("--porcelain", "--no-verify", "--no-follow-tags", "--recurse-submodules=no")


class Seen(NamedTuple):
    """A beat at a remote, as last fetched, and the commit that holds it."""

    commit: str
    beat: Beat


class Beats:
    """The heartbeats of one repository, on one machine."""

    def __init__(self, repo: Repo, machine: Machine) -> None:
        self._repo = repo
        self._machine = machine
        self._folder = repo.common_dir / "gittask" / "beats"

    # -- what beats here ----------------------------------------------------------------------

    def local(self, execution: str) -> Beat | None:
        """The last beat of an execution in this clone."""
        try:
            return beats.decode(self._file(execution).read_bytes())
        except OSError:
            return None

    def beat(
        self,
        execution: str,
        task: str,
        *,
        runtime: str | None = None,
        process: int | None = None,
        written: int = 0,
    ) -> Beat:
        """Keep a sign of life of an execution, and return it.

        ``runtime`` and ``process`` (its id) say what lives; if they are not given, those of the
        last beat stay, a process only while it runs and its runtime is the same. ``written`` is
        how many records were just written under the execution. Raises OSError.
        """
        last = self.local(execution)
        if last is None:
            last = Beat(0, secrets.token_hex(8), task, None, "", None, None, 0, 0)
        if process is not None:
            last = replace(last, pid=process, born=born(process), ended=None)
        elif runtime not in (None, last.runtime) or gone(self._machine, last, kept=True):
            last = replace(last, pid=None, born=None, ended=None)
        return self._keep(
            execution,
            replace(
                last,
                count=last.count + 1,
                runtime=runtime or last.runtime,
                written=last.written + written,
            ),
        )

    def end(self, execution: str, ended: int) -> None:
        """Keep that the process of an execution has ended (see ``Beat.ended``)."""
        last = self.local(execution)
        if last is not None:
            self._keep(execution, replace(last, count=last.count + 1, ended=ended))

    def running(self, execution: str) -> int | None:
        """The process of an execution, if it is known to run on this machine."""
        last, here = self.local(execution), self._machine
        if last is None or last.pid is None or gone(here, last, kept=True):
            return None
        same = (last.host, last.boot, last.space) == (here.host, here.boot, here.space)
        return last.pid if same and here.boot is not None else None

    def forget(self, execution: str) -> None:
        """Drop what is kept here of an execution that is over."""
        self._file(execution).unlink(missing_ok=True)

    def _file(self, execution: str) -> Path:
        return self._folder / f"{execution}.json"

    def _keep(self, execution: str, beat: Beat) -> Beat:
        here = self._machine
        stamped = replace(
            beat,
            host=here.host,
            boot=here.boot,
            space=here.space,
            uptime=here.uptime(),
            wall=here.wall(),
        )
        replace_file(self._file(execution), beats.encode(stamped).encode())
        return stamped

    # -- across machines ----------------------------------------------------------------------

    def push(self, execution: str, remote: str) -> None:
        """Show the last beat of an execution to those who watch it at the remote.

        Raises RemoteError.
        """
        beat = self.local(execution)
        if beat is None:
            return
        tree = self._repo.write_tree(None, {})
        message = beats.encode(beat)
        commit = self._repo.create_commit(tree, [], _NOBODY, _NOBODY, message, signed=False)
        self._call("push", *_PUSH, "--", remote, f"+{commit}:{BEATS}{execution}")

    def fetch(self, remote: str) -> None:
        """Hear what beats at the remote; what is there no more is forgotten. Raises RemoteError."""
        self._call("fetch", *_FETCH, "--", remote, heard(remote))

    def seen(self, remote: str, execution: str) -> Seen | None:
        """The last beat of an execution at the remote, as last fetched; None if none is there."""
        commit = self._repo.refs.read(f"{SEEN}{remote}/{execution}")
        if commit is None:
            return None
        try:
            if self._repo.size(commit) > _LARGEST:
                return None
            beat = beats.decode(self._repo.commit_info(commit).message)
        except GittaskError:  # no commit: whatever it is, it is not a beat of ours
            return None
        return Seen(commit, beat) if beat else None

    def all_seen(self, remote: str) -> Iterator[tuple[str, Beat]]:
        """All executions that beat at the remote, each with its last beat."""
        prefix = f"{SEEN}{remote}/"
        for execution in (name.removeprefix(prefix) for name in self._repo.refs.below(prefix)):
            seen = self.seen(remote, execution) if is_text(execution) else None
            if seen:
                yield execution, seen.beat

    def prune(self, remote: str, is_over: Callable[[str, str], bool]) -> list[str]:
        """Remove, at the remote and of what is known of it here, what beats for nothing any more.

        ``is_over(execution, task)`` says whether one is. Returns those whose reference was
        removed. Raises RemoteError.
        """
        over = [each for each, beat in self.all_seen(remote) if is_over(each, beat.task)]
        if over:
            self._delete(remote, over)
            deleted = "".join(f"delete {SEEN}{remote}/{each}\n" for each in over)
            self._repo.git("update-ref", "--stdin", input=deleted.encode(), check=False)
        return over

    def _delete(self, remote: str, executions: Iterable[str]) -> None:
        """Delete their references at the remote; another clone may have been faster."""
        try:
            self._call("push", *_PUSH, "--", remote, *(f":{BEATS}{each}" for each in executions))
        except RemoteError as error:
            if "remote ref does not exist" not in str(error.details):
                raise

    def tidy(self, is_over: Callable[[str, str], bool]) -> None:
        """Drop what is kept here of executions that are over (see ``prune``)."""
        for path in self._folder.glob("*.json"):
            beat = self.local(path.stem)
            if beat and is_over(path.stem, beat.task):
                self.forget(path.stem)

    def _call(self, *args: str) -> None:
        """Run git with the remote; again while another git process holds a reference."""
        for _ in range(TRIES):
            try:
                done = self._repo.git(*args, check=False, timeout=TIMEOUT)
            except GittaskError as error:
                raise RemoteError(error.message, hint="call again") from None
            said = done.stderr + done.stdout.decode("utf-8", "replace")
            if done.code == 0 or not any(words in said for words in _LOCKED):
                break
        if done.code != 0:
            said_no = failure(done, *args)
            hint = "beats are kept here; see what git says: git ls-remote"
            raise RemoteError(said_no.message, hint=hint, details=said_no.details)


def heard(remote: str) -> str:
    """The refspec by which git brings here what beats at a remote."""
    return f"+{BEATS}*:{SEEN}{remote}/*"


def gone(here: Machine, beat: Beat, *, kept: bool = False) -> str | None:
    """How the process of a beat is known to have ended; ``kept``: the beat is of this clone.

    A process id means something only on the same machine, in the same run of it.
    """
    if beat.ended is not None:
        exited = beat.ended >= 0
        how = f"ended with exit code {beat.ended}" if exited else f"died by signal {-beat.ended}"
        return f"process {how}"
    known = None not in (here.boot, here.space, beat.boot, beat.space)
    if beat.pid is None or beat.host != here.host or not known:
        return None
    if beat.boot != here.boot:
        return "process died when the machine was restarted" if kept else None
    if beat.space != here.space or runs(beat.pid, beat.born):
        return None
    return "process died"
