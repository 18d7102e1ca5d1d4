"""One action on the store: snapshot, decide, check, commit; and decide again if it moved."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from gittask.core.change import Act, Change
from gittask.core.codec import encode
from gittask.core.ids import AUTHOR
from gittask.core.record import Record, same
from gittask.core.schema import Schemas
from gittask.core.text import one_line
from gittask.core.units import stamped
from gittask.errors import Contention, Invalid, Moved, NoStore, Problem, Refused
from gittask.kinds import Attempt, kind, readable
from gittask.kinds.actor import PROGRAM
from gittask.store.index.use import Index
from gittask.store.repo import Person, Repo
from gittask.store.snapshot import Snapshot, newer_format

ATTEMPTS = 100
"""How often an action is decided again before it gives up; each time another writer came first."""

_OF_A_STORE = ("gittask.yaml", "tasks", "actors", "projects")
"""The names at the top by one of which a store is known, though the first be lost."""

_MOST_NAMED = 50
"""How many lines of detail a commit in the program's own name has."""


class Outcome(NamedTuple):
    """What an action came to: the change as it was written, and its commit (None: no change)."""

    change: Change
    commit: str | None
    written: tuple[tuple[Record, bytes], ...] = ()
    """The records of the commit, and their files."""


class Writer(NamedTuple):
    """Whose hand writes: the commit's author and committer, and the actor's record if it is new."""

    author: Person
    committer: Person
    introduced: Record | None = None


class Session:
    """A store in a repository, as one process sees it."""

    def __init__(self, repo: Repo, schemas: Schemas) -> None:
        self.repo = repo
        self.schemas = schemas
        self.index = Index(repo, schemas)

    def tip(self) -> str | None:
        """The commit to read: the branch, or in a fresh clone the remote's as last fetched."""
        return self.repo.tip() or self.repo.tracking()

    def reader(self, commit: str | None = None) -> Snapshot:
        """The records at a commit, by default at the tip. Raises NoStore where there is none."""
        if commit is not None:
            return Snapshot(self.repo, self.schemas, commit)
        commit = self.tip()
        if commit is None:
            raise NoStore(
                f"no task store in this repository (no branch {self.repo.branch!r})",
                hint="make one, or adopt the remote's: gittask init",
            )
        found = self.index.reader(commit)
        self._refuse_foreign(found)
        return found

    def _refuse_foreign(self, reader: Snapshot) -> None:
        if reader.commit and readable(reader, "store", "", task=None) is None:
            self.refuse_foreign(reader.commit)

    def refuse_foreign(self, commit: str) -> None:
        """Raise NoStore where a commit holds files, and none of a store's: as a branch of code."""
        names = {entry.name for entry in self.repo.entries(self.repo.tree(commit))}
        if names and names.isdisjoint(_OF_A_STORE):
            raise NoStore(
                f"the branch {self.repo.branch!r} holds something else, and no task store",
                hint="name the one that does: git config gittask.branch NAME; "
                "or make one: gittask init --branch NAME",
            )

    def run(self, decide: Callable[[Snapshot], Change], act: Act, writer: Writer) -> Outcome:
        """Carry out one action as one commit.

        ``decide`` may be called several times, each time with a newer snapshot. Raises Invalid
        with all problems of the records, Refused, or Contention; then nothing was written.
        """
        for _ in range(ATTEMPTS):
            try:
                with self.repo.lock():
                    here = self.repo.tip()
                    onto = here or self.tip()  # in a fresh clone, what the remote has
                    outcome = self.prepare(onto, decide, act, writer)
                    if outcome.commit is not None:
                        self.repo.move(here, outcome.commit, f"gittask: {outcome.change.verb}")
            except Moved:
                continue
            self.follow(onto, outcome)
            return outcome
        raise Contention(
            f"the branch {self.repo.branch!r} moved {ATTEMPTS} times while this was tried",
            hint="nothing was written; try again",
        )

    def prepare(
        self,
        onto: str | None,
        decide: Callable[[Snapshot], Change],
        act: Act,
        writer: Writer,
    ) -> Outcome:
        """Decide on what stands at a commit, and make the commit that follows; nothing moves.

        Raises as ``run`` does.
        """
        reader, change, records = self._decided(onto, decide, act, writer)
        self.index.release(reader)
        if not records:
            return Outcome(change, None)
        written = tuple((record, self._encoded(record)) for record in records)
        files = {self.schemas.path_of(record): content for record, content in written}
        message = change.message(act.actor)
        commit = self.repo.commit(reader.commit, files, writer.author, writer.committer, message)
        main = change.main
        now = (one for one in records if (one.kind, one.id) == (main.kind, main.id))
        return Outcome(change._replace(main=next(now, main)), commit, written)

    def follow(self, onto: str | None, outcome: Outcome) -> None:
        """Let the index know what was written on top of a commit, once the branch is there."""
        if outcome.commit is not None:
            self.index.follow(onto, outcome.commit, outcome.written)

    def rehearse(self, decide: Callable[[Snapshot], Change], act: Act, writer: Writer) -> None:
        """See that an action would be taken now, and write nothing. Raises as ``run`` does."""
        self._decided(self.tip(), decide, act, writer)

    def _decided(
        self,
        onto: str | None,
        decide: Callable[[Snapshot], Change],
        act: Act,
        writer: Writer,
    ) -> tuple[Snapshot, Change, list[Record]]:
        reader = self._standing(onto)
        self._refuse_foreign(reader)
        newer = newer_format(reader)
        if newer:
            raise Refused(
                f"this store has format {newer}, made by a newer version of gittask",
                hint="upgrade gittask to write to it; reading goes on working",
            )
        change = decide(reader)
        return reader, change, self._ready(reader, change, act, writer)

    def _standing(self, commit: str | None) -> Snapshot:
        """The records to decide on: others wait meanwhile, so the whole store is not read."""
        return self.reader() if commit is None else self.index.reader(commit, whole=False)

    def own_commit(
        self,
        parents: Sequence[str],
        tree: str,
        committer: Person,
        what: str,
        lines: Sequence[str] = (),
    ) -> str:
        """A commit in the program's own name, with the first of some lines of detail.

        No reference is moved.
        """
        author = Person(AUTHOR, PROGRAM, committer.time, committer.offset)
        shown = [*lines[:_MOST_NAMED], *(["..."] if len(lines) > _MOST_NAMED else [])]
        message = "\n".join([what, *(["", *map(one_line, shown)] if shown else []), ""])
        return self.repo.create_commit(tree, parents, author, committer, message)

    def unconfirmed(self, execution: Record) -> bool:
        """Whether the remote is not known to have an execution, so that its claim is provisional.

        Where there is no remote nothing is.
        """
        seen = self.repo.tracking()
        if self.repo.remote is None or self.repo.tip() is None:
            return False
        return seen is None or self.repo.lookup(seen, self.schemas.path_of(execution)) is None

    def _ready(self, reader: Snapshot, change: Change, act: Act, writer: Writer) -> list[Record]:
        """The records that really change, complete, stamped and allowed."""
        if not change.records:
            return []
        newcomer = writer.introduced  # unless somebody else just wrote the same
        introduced = [newcomer] if newcomer and newcomer.id not in reader.ids("actor") else []
        new = {(record.kind, record.id): record for record in [*introduced, *change.records]}
        attempts = []
        problems: list[Problem] = []
        there: set[tuple[str, ...]] = set()
        for record in new.values():
            data = record.data
            before = reader.get(
                record.kind, record.id, task=data.get("task"), project=data.get("project")
            )
            data = self.schemas.complete(record.kind, data)
            # What a record of an earlier version does not have is as if it had the default.
            before_data = self.schemas.complete(record.kind, before.data) if before else None
            if before_data is not None and same(before_data, data):
                continue
            if self.schemas.mutable(record.kind):
                data = stamped(
                    self.schemas.rules(record.kind), before_data, data, act.at, act.actor
                )
            after = Record(record.kind, record.id, data)
            path = self._shown_path(before)
            found = self.schemas.check(after.kind, data, path)
            found = found or list(self._dangling(reader, before, after, new, there, path))
            problems += found
            if not found:
                attempts.append(
                    Attempt(reader, before, after, act.actor, act.person, act.execution)
                )
        for attempt in attempts:
            path = self._shown_path(attempt.before)
            rules = kind(attempt.after.kind).may(attempt)
            problems += [Problem(path, p.field, p.message, p.hint) for p in rules]
        if problems:
            raise Invalid(problems, what=f"{change.verb} refused, nothing was written")
        return [attempt.after for attempt in attempts]

    def _shown_path(self, before: Record | None) -> str:
        """The file that a problem is shown with; a new record has none that one could look at."""
        return self.schemas.path_of(before) if before else ""

    def _dangling(
        self,
        reader: Snapshot,
        before: Record | None,
        after: Record,
        new: dict[tuple[str, str], Record],
        there: set[tuple[str, ...]],
        path: str,
    ) -> Iterator[Problem]:
        """References that the change adds and that lead nowhere; ``there`` are those that were
        looked up for others of its records."""
        references = self.schemas.references
        old = set(references(before.kind, before.data)) if before else set()
        old_targets = {(reference.kind, reference.id) for reference in old}
        for reference in references(after.kind, after.data):
            target = (reference.kind, reference.id)
            if target in new or target in old_targets:
                continue
            data = after.data
            owner = {"task": data.get("task", after.task), "project": data.get("project")}
            place = (*target, *(each or "" for each in owner.values()))
            if place in there:
                continue
            try:
                found = reader.get(reference.kind, reference.id, **owner)
            except Invalid:  # it is there, and somebody else's to mend
                continue
            if found is not None:
                there.add(place)
            else:
                yield Problem(
                    path,
                    reference.field,
                    f"names the {reference.kind} {reference.id!r}, which does not exist",
                    "name an existing one",
                )

    def _encoded(self, record: Record) -> bytes:
        return encode(record.data, self.schemas.order(record.kind))
