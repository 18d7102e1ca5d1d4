"""Exchanging the data branch with the remote: fetch, merge, push, and again if others came first.

Nothing is ever forced. Success is said only when the remote was seen to hold the branch's tip;
whatever fails leaves the data here as it was, or merged, and still unpushed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from gittask.core.dataclass import dataclass
from gittask.errors import (
    Contention,
    Invalid,
    Moved,
    NeedsDecision,
    Problem,
    RemoteError,
    Usage,
)
from gittask.exchange.asked import TIMEOUT, Asked, former, last_synced
from gittask.exchange.join import Joined, join
from gittask.exchange.leftbehind import left_behind
from gittask.exchange.synced import Synced
from gittask.session import Session
from gittask.store.local import Local
from gittask.store.names import branch_fault
from gittask.store.objects import Damaged
from gittask.store.remote import Raced, Remote, Seen
from gittask.store.repo import Entry, Person
from gittask.store.snapshot import read

ROUNDS = 100
"""How often others may come first before a sync gives up; it is mostly time that ends it."""

STILL = 8
"""How often in a row the branch may be held although nothing comes of it."""

PATIENCE = 60.0
"""Seconds after which a sync gives up in the same way, once the round that it is in has ended."""

SHORTEST = 0.1
"""Seconds that a round is taken to last at least."""

SPREAD = 4
"""Over how many rounds' time those who came second spread their next ones, at most."""

SAFE = "the data is safe here and still unpushed"


@dataclass(frozen=True)
class Pace:
    """Time and chance, given from outside: both in seconds, ``chance`` from 0 up to 1."""

    clock: Callable[[], float]
    sleep: Callable[[float], None]
    chance: Callable[[], float]


def sync(
    session: Session,
    committer: Callable[[], Person],
    pace: Pace,
    *,
    progress: Callable[[str], None] = lambda _: None,
    timeout: float = TIMEOUT,
    then: Callable[[str], str] = lambda tip: tip,
    push: bool = True,
    to: str | None = None,
    asked: Asked | None = None,
) -> Synced:
    """Bring the branch here and the remote's to the same tip; without ``push``, only this one.

    With ``to`` the remote's branch stays as it is, and what it lacks is pushed to a branch of that
    name, from which somebody merges it.
    ``then`` may add a commit on top of what both sides have together, before it is pushed; the
    branch here moves only when the remote has taken it. If the remote was faster it is asked
    again, with what stands there now, and may raise. ``committer`` is asked for when there is a
    commit to make. ``asked`` is the remote's first answer, if that is there already. Raises NoStore
    if there is no store on either side, RemoteError if the remote cannot be reached, refuses, or
    needs a person's decision, and Contention if others came first too often.
    """
    if session.repo.remote is None:
        raise NeedsDecision(
            f"there is no remote to sync with: {SAFE}",
            hint="name one: git remote add origin URL, or git config gittask.remote NAME",
        )
    if to is not None and (fault := _unfit(session.repo.branch, to)):
        raise Usage(f"nothing can be pushed to {to!r}: {fault}", hint="choose another name")
    remote = Remote(session.repo, session.repo.remote, timeout)
    try:
        return _Sync(session, remote, committer, progress, then, push, to, asked).run(pace)
    except RemoteError as error:
        message = f"{error.message}: {SAFE}"
        raise type(error)(message, hint=error.hint, details=error.details) from None
    except Damaged as error:
        raise Damaged(f"cannot sync: {error.message}", hint=error.hint) from None


class _Sync:
    """One sync, over all its rounds."""

    def __init__(
        self,
        session: Session,
        remote: Remote,
        committer: Callable[[], Person],
        progress: Callable[[str], None],
        then: Callable[[str], str],
        push: bool,
        to: str | None,
        asked: Asked | None,
    ) -> None:
        self._asked = asked
        self._then = then
        self._push = push and to is None
        self._to = to
        self._session = session
        self._repo = session.repo
        self._remote = remote
        self._committer = committer
        self._progress = progress
        self._last = last_synced(remote, self._repo)
        self._former = asked.former if asked else former(remote, self._repo)
        self._done = Synced(remote.name, self._repo.branch, "", before=self._repo.tip())

    def run(self, pace: Pace) -> Synced:
        stood, still = None, 0
        for _ in rounds(pace):
            try:
                return self._round()
            except Moved:
                continue
            except Raced as raced:
                stands = self._repo.refs.read(self._remote.tracking), self._repo.tip()
                still = still + 1 if stands == stood else 0
                stood = stands
                if still == STILL:
                    raise self._held(raced) from None
        raise Contention(
            f"others wrote to {self._remote.name}/{self._repo.branch} first, every time: {SAFE}",
            hint="sync again in a moment",
        )

    def _held(self, raced: Raced) -> Contention:
        """The error for a reference, at the remote or what is known of it here, that stays held."""
        lock = self._repo.refs.lock(self._remote.tracking)
        left = "a lock was left over by a process that died"
        hint = f"sync again; if it stays, {left}, in the remote's repository: {self._repo.ref}.lock"
        if lock.exists():
            hint = f"sync again; if no git process runs any more, {left}: rm '{lock}'"
        return Contention(
            f"{self._remote.name}/{self._repo.branch} is held, and nobody moves it "
            f"({raced}): {SAFE}",
            hint=hint,
        )

    def _round(self) -> Synced:
        """Fetch, join, push. Raises Raced or Moved if another process came first."""
        seen = self._seen()
        if seen.tip is None:
            self._check_absent(seen)
        else:
            self._complete(seen.tip)
        synced = self._repo.refs.read(self._last)
        joined = self._join(seen.tip)
        self._session.refuse_foreign(joined.tip)
        behind = left_behind(self._repo, self._session.schemas, synced, joined.tip)
        if behind:
            self._done.left_at, self._done.left = behind
        tip = self._then(joined.tip)
        self._done.tip = tip
        if tip != seen.tip and self._push:
            self._send(seen.tip, tip)
        if tip != seen.tip and self._to:
            self._propose(tip, self._to)
        if tip != joined.tip:
            self._accept(joined.tip, tip)
        last = self._repo.refs.read(self._last)
        if last != tip and (self._push or tip == seen.tip):
            self._repo.refs.move(self._last, last, tip, "gittask: sync")
        sent = self._changed(seen.tip, tip) if self._push or self._to else []
        arrived = self._changed(self._done.before, tip)
        self._done.pushed, self._done.pulled = len(sent), len(arrived)
        self._done.bad = list(self._unreadable(dict([*sent, *arrived]).items()))
        return self._done

    def _seen(self) -> Seen:
        """What the remote has; at first as it has answered already."""
        asked, self._asked = self._asked, None
        if asked:
            return asked.answer()
        self._progress(f"fetching from {self._remote.name}")
        return self._remote.fetch()

    def _send(self, seen: str | None, tip: str) -> None:
        """Push; raises Damaged, which names a file, if what is to be sent cannot be read."""
        self._progress(f"pushing to {self._remote.name}")
        try:
            self._remote.push(tip)
        except RemoteError:
            for path, id in self._repo.added(seen, tip):
                if error := self._repo.fault(id):
                    name, branch = self._remote.name, self._repo.branch
                    hint = f"{error.hint}; to give up what is only here: "
                    hint += f"git branch -f {branch} {name}/{branch}"
                    lost = f"{path}: {error.message}, so that nothing can be pushed"
                    raise Damaged(lost, hint=hint) from None
            raise

    def _propose(self, tip: str, to: str) -> None:
        """Push to another branch of the remote, for somebody to merge."""
        self._progress(f"pushing to {self._remote.name}/{to}")
        try:
            self._remote.push(tip, to)
        except Raced:
            name = self._remote.name
            raise NeedsDecision(
                f"{name}/{to} holds what is not here: it is another's, or its request was closed",
                hint=f"choose another name, or remove it: git push {name} --delete {to}",
            ) from None
        self._done.proposed = to

    def _check_absent(self, seen: Seen) -> None:
        """Whether the branch may be created at the remote, which answered that it has none."""
        self._session.reader()
        name, branch = self._remote.name, self._repo.branch
        code = self._repo.head_branch() or "BRANCH"
        if seen.empty:
            emptied = ", where the branch was before," if self._former else ""
            raise NeedsDecision(
                f"the remote {name!r}{emptied} is empty, and its first branch would become its "
                "default",
                hint=f"push your code first: git push {name} {code}",
            )
        if self._former:
            raise NeedsDecision(
                f"the branch {branch!r} was at {name!r} and is there no more",
                hint=f"to publish it again: git push {name} {branch}",
            )

    def _complete(self, remote: str) -> None:
        """In a shallow clone whose branches parted, fetch the history that joins them."""
        local = self._repo.tip()
        if local is None or not (self._repo.common_dir / "shallow").exists():
            return
        if not {local, remote} & {*self._repo.merge_bases(local, remote)}:
            self._progress("fetching the rest of the branch's history")
            self._remote.fetch(whole=True)

    def _join(self, remote: str | None) -> Joined:
        """Make the branch here contain what the remote has."""
        done = self._done
        with self._repo.lock():
            local = self._repo.tip()
            if local is not None:
                name = self._remote.name
                joined = join(self._session, name, self._committer, local, remote, self._former)
            elif remote is not None:
                joined = Joined(remote)
            else:
                raise Moved
            if joined.tip != local:
                self._repo.move(local, joined.tip, f"gittask: sync with {self._remote.name}")
        for left in joined.settled:
            Local(self._repo.common_dir).drop_pending(left)
        done.merged += len(joined.merged)
        done.stamped += joined.stamped
        done.conflicts += joined.conflicts
        done.rewritten = joined.rewritten or done.rewritten
        done.dropped += joined.dropped
        done.restored += joined.restored
        return joined

    def _accept(self, joined: str, tip: str) -> None:
        """Move the branch here to what the remote took; others may have written here meanwhile."""
        try:
            self._repo.move(joined, tip, f"gittask: sync with {self._remote.name}")
        except Moved:
            self._join(tip)

    def _changed(self, old: str | None, new: str) -> list[tuple[str, Entry | None]]:
        """The files that differ between two commits, as they are in the new one."""
        if old == new:
            return []
        before = self._repo.tree(old) if old else None
        changed = self._repo.diff(before, self._repo.tree(new), tolerant=True)
        return [(path, now) for path, _, now in changed]

    def _unreadable(self, files: Iterable[tuple[str, Entry | None]]) -> Iterator[Problem]:
        """What is wrong with the records among these files."""
        schemas = self._session.schemas
        places = [(path, entry, schemas.locate(path)) for path, entry in files if entry]
        self._repo.fetch_missing(entry.id for _, entry, place in places if place and entry.is_file)
        for path, entry, place in places:
            try:
                if place:
                    read(self._repo, schemas, path, entry, place)
            except Invalid as error:
                yield from error.problems


def _unfit(branch: str, to: str) -> str:
    """Why a branch cannot take what is proposed; empty if it can."""
    return "it is the tasks' own branch" if to == branch else branch_fault(to)


def rounds(pace: Pace) -> Iterator[int]:
    """The numbers of the rounds, each but the first after a pause of random length.

    The remote takes one push in the time that a round lasts, whoever sends it, so that is the
    measure of the pauses: the first is short, for mostly only one other was there. They do not
    grow beyond ``SPREAD`` rounds, or whoever waited longest would fall behind those who come new.
    """
    start = before = pace.clock()
    for number in range(ROUNDS):
        if number:
            now = pace.clock()
            left = start + PATIENCE - now
            if left <= 0:
                return
            window = max(SHORTEST, now - before) * min(SPREAD, 2 ** (number - 1))
            pace.sleep(min(window, left) * pace.chance())
            before = pace.clock()
        yield number
