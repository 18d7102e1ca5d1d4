"""Rows of the library's own work, beside the same done by git or by pygit2 alone."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from itertools import count
from random import Random
from typing import Any

import pygit2

from gittask.actions import records
from gittask.core.change import Change
from gittask.core.codec import decode, encode
from gittask.core.record import Record
from gittask.store.packaged import schemas
from gittask.store.repo import Repo
from gittask.store.treemerge import merge_commits
from tests.benchmarks.generate import Store
from tests.benchmarks.place import (
    ANN,
    Place,
    ann,
    changed,
    commit,
    opened,
    task_data,
    task_paths,
)
from tests.benchmarks.process import environment, git
from tests.benchmarks.timing import OURS, Row, here, process

LARGE = 100_000
"""From how many tasks on a merge is measured against a limit: of few, git needs no time at all."""

WRITES = 100
"""How many commits are made for one time."""

_BODY = "It fails only after midnight"


def committing(place: Place, tasks: int) -> Iterator[Row]:
    """Notes, one commit each, beside the same objects written by pygit2 and nothing else."""
    ours, bare = place.copy(place.store(tasks)), place.copy(place.store(tasks))
    session, id = opened(ours), ours.picks["open"]
    session.reader()  # the index is there, as wherever anything was ever read

    def note() -> None:
        act, writer = ann()
        session.run(lambda reader: records.note(reader, act, id, _BODY, "progress"), act, writer)

    def write() -> None:
        for _ in range(WRITES):
            note()

    other = f"pygit2, {WRITES} notes"
    costs = {OURS: here(write), other: here(lambda: _write_bare(bare))}
    yield Row(f"library: {WRITES} notes", tasks, costs, {other: 2})


_numbers = count()


def _write_bare(made: Store) -> None:
    """As many notes as ``WRITES``: a blob, the folders above it, a commit, the reference."""
    repository = pygit2.Repository(str(made.folder))
    who = pygit2.Signature(ANN.name, ANN.email, ANN.time, 0)
    id = made.picks["open"]
    for _ in range(WRITES):
        tip = repository.references["refs/heads/gittask"].target
        names = ["tasks", id[-2:], id, "notes"]
        folders: list[Any] = [repository[tip].peel(pygit2.Tree)]
        for name in names:
            folders.append(folders[-1][name])
        names.append(f"20260921t133320z-{next(_numbers):06}.yaml")
        text = encode({"body": _BODY, "id": names[-1], "task": id})
        below, mode = repository.create_blob(text), pygit2.GIT_FILEMODE_BLOB
        for folder, name in zip(reversed(folders), reversed(names), strict=True):
            builder = repository.TreeBuilder(folder)
            builder.insert(name, below, mode)
            below, mode = builder.write(), pygit2.GIT_FILEMODE_TREE
        repository.create_commit("refs/heads/gittask", who, who, "note\n", below, [tip])


def importing(place: Place, tasks: int) -> Iterator[Row]:
    """Tasks brought in by one commit, beside ``git fast-import`` and reading each file once."""
    if tasks != 10_000:
        return
    source = opened(place.store(tasks)).reader()
    free = [one for one in source.all("task") if one.data["state"]["holder"] is None]
    new = [Record("task", one.id, {**one.data, "parent": None, "depends_on": []}) for one in free]
    order = schemas().order("task")
    files = {schemas().path_of(one): encode(one.data, order) for one in new}
    copies: list[Store] = []

    def fresh() -> None:
        copies.append(place.copy(place.store(100)))

    def run() -> None:
        act, writer = ann()
        change = Change(new[0], tuple(new), "import", f"{len(new)} tasks")
        opened(copies[-1]).run(lambda _: change, act, writer)

    def by_git() -> None:
        for text in files.values():
            assert schemas().valid("task", decode(text))
        parts = [b"commit refs/heads/gittask\ncommitter A <a@e.org> 1790000000 +0000\n"]
        parts.append(b"data 7\nimport\n\nfrom refs/heads/gittask^0\n")
        for path, text in files.items():
            parts.append(b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(text), text))
        command = ["git", "fast-import", "--quiet"]
        env = environment()
        subprocess.run(command, cwd=copies[-1].folder, input=b"".join(parts), env=env, check=True)

    other = "fast-import + reading"
    costs = {OURS: here(run, fresh), other: here(by_git, fresh)}
    yield Row(f"library: import of {len(new):,} tasks", tasks, costs, {other: 2})


def merging(place: Place, tasks: int) -> Iterator[Row]:
    """Two sides that changed 1,000 tasks each, a tenth of them the same, become one."""
    made = place.copy(place.store(tasks))
    each = min(1000, tasks // 2)
    ours, theirs = _sides(made, each, each // 10)

    def run() -> None:
        merge_commits(Repo.discover(made.folder), schemas(), ours, theirs)

    other = "git merge-tree"
    by_git = process(["git", "merge-tree", "--write-tree", ours, theirs], made.folder, ok=(0, 1))
    limits = {other: 4.0} if tasks >= LARGE else {}
    costs = {OURS: here(run), other: by_git}
    yield Row(f"library: merge, {each:,} a side", tasks, costs, limits)


def _sides(made: Store, each: int, shared: int) -> tuple[str, str]:
    """Two commits on the tip, each with so many tasks changed, ``shared`` of them in both."""
    repo, paths = opened(made).repo, task_paths(made)
    tip = repo.tip() or ""
    Random(1).shuffle(paths)
    sides: list[Sequence[str]] = [paths[:each], paths[each - shared : 2 * each - shared]]
    fields: list[dict[str, object]] = [{"title": "A new title"}, {"priority": 0, "type": "chore"}]
    first, second = (
        commit(repo, tip, {path: changed(task_data(repo, tip, path), **set_) for path in side})
        for side, set_ in zip(sides, fields, strict=True)
    )
    return first, second


def strategy(place: Place, tasks: int) -> Iterator[Row]:
    """A merge by hand, ``git merge -s gittask``, of two sides that both changed 1,000 tasks."""
    if tasks != 1000:
        return
    made = place.copy(place.store(tasks))
    ours, theirs = _sides(made, tasks, tasks)
    tree = place.scratch / "tree"
    git(made.folder, "worktree", "add", "-q", "--detach", str(tree), ours)

    def back() -> None:
        git(tree, "reset", "-q", "--hard", ours)

    merge = ["git", "merge", "-q", "-s", "gittask", "-m", "merge", theirs]
    reset = "git checkout of the result"
    costs = {
        OURS: process(merge, tree, before=back),
        reset: process(["git", "reset", "-q", "--hard", theirs], tree, before=back),
    }
    yield Row("git merge -s gittask, 1,000 files", tasks, costs)
