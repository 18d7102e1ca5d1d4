"""The branch here and the remote's become one commit that contains both.

Before anything is merged, what the merge driver left over is committed and edits by hand are
stamped, on either side. If only one side has something new there is nothing to merge. All of it
is decided from commits; the branch itself is not moved.

A remote whose history was rewritten is not merged with: that would bring back what somebody
took out of it. What was done here since is applied to the new history instead.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import field

from gittask.core.codec import decode
from gittask.core.dataclass import dataclass
from gittask.core.record import Record
from gittask.core.schema import Schemas
from gittask.errors import Invalid, NeedsDecision, Refused
from gittask.merging.handedits import stamped_edits
from gittask.merging.repair import repair
from gittask.session import Session
from gittask.store.local import Local
from gittask.store.repo import Person
from gittask.store.snapshot import Snapshot, newer_format
from gittask.store.treemerge import MergedTree, merge_commits, merge_trees


@dataclass
class Joined:
    """The commit that contains both sides, and what was done to get there.

    ``merged`` and ``dropped`` are paths; ``settled`` are the names of left-over files
    (``Local.pending``) that are committed now. ``rewritten`` is the remote's former tip,
    ``restored`` the paths of records that somebody had removed or altered by hand.
    """

    tip: str
    merged: tuple[str, ...] = ()
    conflicts: list[Record] = field(default_factory=list)
    stamped: int = 0
    settled: list[str] = field(default_factory=list)
    rewritten: str | None = None
    dropped: list[str] = field(default_factory=list)
    restored: list[str] = field(default_factory=list)


def join(
    session: Session,
    name: str,
    committer: Callable[[], Person],
    local: str,
    remote: str | None,
    former: Sequence[str] = (),
) -> Joined:
    """Join the branch's tip with the tip of the remote ``name`` (None: it has none).

    ``former`` are commits at which the remote's branch was seen before; ``committer`` is asked
    only when there is a commit to make. Raises NeedsDecision if the remote was rewritten in a
    way that only a person can judge, Refused if it takes a newer program to merge.
    """
    return _Join(session, name, committer).run(local, remote, former)


class _Join:
    def __init__(self, session: Session, name: str, committer: Callable[[], Person]) -> None:
        self._session = session
        self._repo = session.repo
        self._schemas = session.schemas
        self._name = name
        self._committer = committer
        self._done = Joined("")

    def run(self, local: str, remote: str | None, former: Sequence[str]) -> Joined:
        done = self._done
        left = Local(self._repo.common_dir).pending()
        if local == remote and not left and {local}.issuperset(former):
            done.tip = local
            return done
        newer = self._newer(local) or (self._newer(remote) if remote else None)
        ours = local if newer else self._with_left_over(local, left)
        if remote is None or ours == remote:
            since = next((tip for tip in former if tip != ours and self._contains(ours, tip)), None)
            done.tip = self._mended(since, ours) if since and not newer else ours
            return done
        old = self._rewritten(ours, remote, former)
        bases = self._repo.merge_bases(ours, remote)
        if newer and (old or not {ours, remote} & {*bases}):
            raise Refused(
                f"the store has format {newer}: it takes a newer gittask to merge it",
                hint="upgrade gittask and sync again; reading goes on working",
            )
        if old:
            done.rewritten = old
            done.tip = self._reapplied(old, ours, remote)
        elif bases == [remote]:
            done.tip = ours if newer else self._mended(remote, ours)
        elif bases == [ours]:
            done.tip = remote if newer else self._mended(ours, remote)
        else:
            done.tip = self._merged(bases, ours, remote)
        return done

    # -- what comes before a merge ------------------------------------------------------------

    def _newer(self, commit: str) -> int | None:
        """The format of the store at a commit, if this program must not write it."""
        try:
            return newer_format(self._reader(commit))
        except Invalid:
            return None

    def _with_left_over(self, tip: str, left: Sequence[tuple[str, bytes]]) -> str:
        """The tip with the conflicts that the merge driver found in merges by git."""
        files: dict[str, bytes | None] = {}
        for name, content in left:
            record = _conflict(self._schemas, content)
            if record is None:
                continue
            self._done.settled.append(name)
            path = self._schemas.path_of(record)
            if self._repo.lookup(tip, path) is None:
                files[path] = content
                self._done.conflicts.append(record)
        if not files:
            return tip
        what = f"conflict: {_count(len(files), 'value')} lost in a merge by git"
        return self._commit([tip], self._repo.write_tree(self._repo.tree(tip), files), what)

    def _mended(self, base: str, tip: str) -> str:
        """The tip with what was done to it by hand or other programs since ``base`` put right."""
        return self._repaired(base, self._stamped(base, tip))

    def _repaired(self, base: str, tip: str) -> str:
        """The tip with what others removed, altered, or lost in a merge."""
        found = repair(self._repo, self._schemas, base, tip)
        if not found.files:
            return tip
        self._done.restored += sorted(found.files)
        self._done.conflicts += found.conflicts
        what = f"restore: {_count(len(found.files), 'record')} removed, altered, or lost in a merge"
        tree = self._repo.write_tree(self._repo.tree(tip), dict(found.files))
        return self._commit([tip], tree, what, sorted(found.files))

    def _stamped(self, base: str, tip: str) -> str:
        """The tip with stamps for what was edited by hand since ``base``."""
        files = stamped_edits(self._repo, self._schemas, base, tip)
        if not files:
            return tip
        self._done.stamped += len(files)
        what = f"stamp: {_count(len(files), 'record')} edited by hand"
        return self._commit([tip], self._repo.write_tree(self._repo.tree(tip), files), what)

    # -- merging ------------------------------------------------------------------------------

    def _merged(self, bases: Sequence[str], ours: str, theirs: str) -> str:
        """A merge commit of both sides, ours its first parent."""
        if bases:
            ours, theirs = (self._mended(bases[0], side) for side in (ours, theirs))
        merged = merge_commits(self._repo, self._schemas, ours, theirs)
        self._note(merged)
        arrived = len(list(self._repo.diff(self._repo.tree(ours), merged.tree)))
        what = f"merge: {_count(arrived - len(merged.conflicts), 'record')} of {self._name}"
        return self._commit([ours, theirs], merged.tree, what, _named(merged.conflicts))

    def _reapplied(self, old: str, ours: str, remote: str) -> str:
        """What was done here since the former tip, as one commit on the rewritten history.

        What the remote took out stays out, with what was done to it here; so the commit has no
        parent but the remote's tip.
        """
        ours = self._stamped(old, ours)
        was, mine, theirs = (self._repo.tree(commit) for commit in (old, ours, remote))
        merged = merge_trees(self._repo, self._schemas, was, mine, theirs)
        purged = {path for path, _, after in self._repo.diff(was, theirs) if after is None}
        folders = tuple(path.removesuffix("task.yaml") for path in purged if _is_task(path))
        out: dict[str, bytes | None] = {
            path: None
            for path, before, _ in self._repo.diff(theirs, merged.tree)
            if before is None and (path in purged or path.startswith(folders))
        }
        tree = self._repo.write_tree(merged.tree, out)
        self._note(merged, without=out)
        touched = {path for path, _, _ in self._repo.diff(was, mine)}
        self._done.dropped = sorted(touched & out.keys())
        if tree == theirs:
            return remote
        changed = len(list(self._repo.diff(theirs, tree)))
        what = f"reapply: {_count(changed, 'record')} on the rewritten history of {self._name}"
        commits = [commit for commit in self._repo.walk(old, ours) if len(commit.parents) < 2]
        lines = [f"{commit.author.name}: {commit.subject}" for commit in reversed(commits)]
        return self._commit([remote], tree, what, lines)

    def _note(self, merged: MergedTree, without: Collection[str] = ()) -> None:
        """Remember what a merge came to, save for paths that are not part of the result."""
        self._done.merged = merged.merged
        self._done.conflicts += [
            record for record in merged.conflicts if self._schemas.path_of(record) not in without
        ]

    # -- a rewritten remote -------------------------------------------------------------------

    def _rewritten(self, ours: str, remote: str, former: Sequence[str]) -> str | None:
        """The former tip of the remote, if the branch here holds something of it that is gone."""
        held = [tip for tip in former if tip != remote and self._lacks(remote, ours, tip)]
        if not held:
            return None
        whole = [tip for tip in held if self._contains(ours, tip)]
        old = next((t for t in whole if all(self._contains(t, other) for other in whole)), None)
        if old is None:
            raise self._unclear(f"its history was rewritten, and since {held[0]} the one here too")
        if self._contains(old, remote):
            raise self._unclear(f"it went back from {old} to the earlier {remote}")
        if self._store(old) != self._store(remote):
            raise self._unclear(f"it holds another store than at {old}")
        return old

    def _lacks(self, remote: str, ours: str, former: str) -> bool:
        """Whether the remote has no longer all that the branch here shares with a former tip."""
        shared = self._repo.merge_bases(ours, former)
        return not all(self._contains(remote, base) for base in shared)

    def _contains(self, commit: str, ancestor: str) -> bool:
        return self._repo.merge_bases(commit, ancestor) == [ancestor]

    def _unclear(self, what: str) -> NeedsDecision:
        branch = self._repo.branch
        return NeedsDecision(
            f"{self._name}/{branch} is not a continuation of what it was: {what}; nothing was done",
            hint=f"to publish what is here: git push {self._name} {branch}; to take what is "
            f"there instead: git branch -f {branch} {self._name}/{branch}",
        )

    def _store(self, commit: str) -> str | None:
        """The id of the store at a commit, None where it cannot be read."""
        try:
            found = self._reader(commit).get("store", "")
        except Invalid:
            return None
        return str(found.data["id"]) if found else None

    # -- reading and writing ------------------------------------------------------------------

    def _reader(self, commit: str) -> Snapshot:
        return Snapshot(self._repo, self._schemas, commit)

    def _commit(
        self, parents: Sequence[str], tree: str, what: str, lines: Sequence[str] = ()
    ) -> str:
        return self._session.own_commit(parents, tree, self._committer(), what, lines)


def _conflict(schemas: Schemas, content: bytes) -> Record | None:
    """The conflict in a left-over file; None if it holds none."""
    try:
        data = decode(content)
    except Invalid:
        return None
    return Record("conflict", data["id"], data) if schemas.valid("conflict", data) else None


def _is_task(path: str) -> bool:
    return path.startswith("tasks/") and path.endswith("/task.yaml")


def _named(conflicts: Sequence[Record]) -> list[str]:
    return [f"Conflict: {c.data['record']} {c.data['field']}".strip() for c in conflicts]


def _count(number: int, name: str) -> str:
    return f"{number} {name}{'' if number == 1 else 's'}"
