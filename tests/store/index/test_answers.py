"""Whatever is asked, the index answers as the folders do: after any writes, resets and damage."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pygit2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gittask.core.queue import Query
from gittask.core.record import Reader, Record, canonical
from gittask.errors import GittaskError, Invalid
from gittask.store.index.reader import Indexed
from gittask.store.index.use import Index
from gittask.store.index.words import words_of
from gittask.store.packaged import schemas
from gittask.store.repo import Repo
from gittask.store.snapshot import Snapshot
from gittask.views.graph import all_circles
from gittask.views.inbox import inbox
from gittask.views.listing import Filter, count, listed
from tests.memory import NOW, actor, event, project, store, task, task_id
from tests.planting import FILE, FOLDER, LINK, MODULE, Planted, plant, planted_on
from tests.store.index.searching import finds_the_same, knows_the_same, routes_the_same
from tests.stored import AUTHOR, content, path, write

TASKS = ("a", "b", "c")
STATUSES = ("open", "active", "review", "done", "cancelled")
BAD = b"title: [\n"

Files = dict[str, bytes | None]


@st.composite
def tasks(draw: st.DrawFn) -> Files:
    name = draw(st.sampled_from(TASKS))
    found = task(
        name,
        status=draw(st.sampled_from(STATUSES)),
        epoch=draw(st.integers(0, 2)),
        holder=draw(st.sampled_from([None, event("execution", name, 0, epoch=1).id])),
        priority=draw(st.integers(0, 2)),
        labels=draw(st.lists(st.sampled_from("xy"), unique=True)),
        due=draw(st.sampled_from([None, "2026-12-01"])),
        parent=draw(st.sampled_from([None, *TASKS])),
        depends_on=draw(st.lists(st.sampled_from([*TASKS, "d"]), unique=True)),
        project=draw(st.sampled_from([None, "p"])),
    )
    return {path(found): content(found)}


@st.composite
def events(draw: st.DrawFn) -> Files:
    kinds = ["note", "wait", "approval", "conflict", "message", "execution", "handoff", "review"]
    kind = draw(st.sampled_from(kinds))
    of, minute = draw(st.sampled_from(TASKS)), draw(st.integers(0, 2))
    fields: dict[str, Any] = {}
    if kind == "wait" and draw(st.booleans()):
        fields = {"on": "task", "subject": task_id(draw(st.sampled_from(TASKS)))}
    elif kind in ("note", "handoff"):
        fields = {"execution": draw(executions(of)).id}
    elif kind == "review":
        fields = {"handoff": event("handoff", of, 2, execution=draw(executions(of)).id).id}
    found = draw(executions(of)) if kind == "execution" else event(kind, of, minute, **fields)
    return {path(found): content(found)}


@st.composite
def executions(draw: st.DrawFn, of: str) -> Record:
    """Claims of a task, of which some say what they had seen."""
    minute, epoch = draw(st.integers(0, 1)), draw(st.integers(1, 2))
    if minute and draw(st.booleans()):
        seen = {"execution": event("execution", of, 0, epoch=1).id, "reports": draw(REPORTS)}
        return event("execution", of, minute, epoch=epoch, overtakes=seen)
    return event("execution", of, minute, epoch=epoch)


REPORTS = st.integers(0, 2)


@st.composite
def others(draw: st.DrawFn) -> Files:
    people = [actor("alice"), actor("bob", draw(st.sampled_from(["person", "agent"])))]
    found = draw(st.sampled_from([*people, project("p"), project("q"), store()]))
    return {path(found): content(found)}


def odd() -> st.SearchStrategy[Files]:
    """What should not be there, and what makes it hard to say what is."""
    folder = path(task("a")).rpartition("/")[0]
    places = [
        *(path(task(name)) for name in TASKS),
        *(f"{folder}/notes/{name}" for name in ("x.yaml", "X.YAML", "y.yaml/z", "readme.md")),
        *(f"{folder}/approvals", f"{folder}/later/new.yaml", "actors/zoe.yaml", "actors/Zoe.Yaml"),
        *("projects/r/decisions/x.yaml", "tasks/zz/nothing.yaml", "conflicts/x", "README.md"),
    ]
    contents = st.sampled_from([BAD, b"", None])
    return st.builds(lambda place, what: {place: what}, st.sampled_from(places), contents)


def raw() -> st.SearchStrategy[Planted]:
    """What git allows, and no honest program writes."""
    folder = path(task("a")).rpartition("/")[0].encode()
    shard = folder.rpartition(b"/")[0]
    names = [
        *(folder + end for end in (b"", b"/task.yaml", b"/notes", b"/notes/x.yaml")),
        *(folder + end for end in (b"/notes/\xff.yaml", b"/notes/.yaml", b"/task.yaml/z")),
        *(shard, shard + b"/\xff" + shard[-2:] + b"/notes/x.yaml", b"tasks/zz/xzz/notes/x.yaml"),
        *(b"tasks", b"projects", b"projects/p", b"projects/\xff/decisions/x.yaml", b"actors"),
        *(b"actors/\xff.yaml", b"gittask.yaml", b"/".join([b"d"] * 40)),
    ]
    what = st.sampled_from([(FILE, BAD), (LINK, b"x"), (FOLDER, GONE), (MODULE, GONE)])
    return st.builds(lambda name, what: Planted(name, *what), st.sampled_from(names), what)


GONE = "2" * 40
"""An object that is nowhere."""

step = st.one_of(tasks(), tasks(), events(), others(), odd(), raw())


def answers(reader: Snapshot, known: Callable[[str], list[str]]) -> Iterator[Any]:
    """What a reader says to every question there is, and what it found wrong meanwhile."""
    owners: list[dict[str, str]] = [{}, *({"task": task_id(each)} for each in TASKS)]
    for kind in schemas().kinds:
        for owner in [*owners, {"project": "p"}]:
            templates = schemas().document(kind)["x-folder"]
            if owner and not any(f"{{{next(iter(owner))}" in each for each in templates):
                continue
            yield kind, owner, reader.ids(kind, **owner)
            yield kind, owner, [shown(one) for one in reader.all(kind, **owner)]
        for id in known(kind):
            yield kind, id, reader.owner(kind, id), got(reader, kind, id)
            yield kind, id, reader.near(kind, id[:1]), reader.near(kind, id)
        for field in schemas().indexed(kind):
            values = ("x", "y", "p", "0", "2", "open", "person", "agent", *map(task_id, "abcd"))
            yield field, [shown(one) for one in reader.having(kind, field, values)]
    for statuses in (STATUSES, STATUSES[:3], ("done",)):
        for having in ((), (("labels", "x"),), (("labels", "x"), ("project", "p"))):
            for only in (
                (False,) * 3,
                (True, False, False),
                (False, True, False),
                (False, False, True),
            ):
                query = Query(statuses, having, *only)
                yield query, [shown(one) for one in reader.tasks(query)], reader.count(query)
        for after in map(task_id, "abcd"):
            query = Query(statuses, after=after)
            yield query, behind(reader, query), reader.count(query)
        for kind in ("message", "handoff", "approval"):
            yield kind, statuses, [shown(one) for one in reader.within(kind, statuses)]
        asked = reader.within("message", statuses, "from", ("codex-1", "alice"))
        yield statuses, [shown(one) for one in asked]
    yield all_circles(reader, NOW)
    yield inbox(reader, None, NOW)
    yield inbox(reader, "codex-1", NOW)
    for wanted in (Filter(ready=True), Filter(waiting=True), Filter(blocked=True, labels=("x",))):
        tasks = list(listed(reader, wanted, NOW))
        assert count(reader, wanted, NOW) == len(tasks)
        yield wanted, [shown(one) for one in tasks]
    yield sorted(map(str, reader.problems))
    reader.survey()
    yield sorted(map(str, reader.problems))


def behind(reader: Reader, query: Query) -> list[str] | str:
    """The tasks behind one; of one that cannot be read, what is wrong with it."""
    try:
        return [shown(one) for one in reader.tasks(query)]
    except Invalid as error:
        return str(error.problems)


def shown(record: Any) -> str:
    return f"{record.kind} {record.id} {canonical(record.data)} {list(record.data)}"


def got(reader: Reader, kind: str, id: str) -> str:
    try:
        found = reader.get(kind, id)
    except Invalid as error:
        return str(error.problems)
    return shown(found) if found else "none"


def same(repo: Repo, commit: str) -> None:
    """See that the index answers for a commit as the folders do."""
    plain = Snapshot(repo, schemas(), commit)
    known = {kind: plain.ids(kind) for kind in schemas().kinds}
    found = Index(repo, schemas()).reader(commit)
    assert isinstance(found, Indexed)
    expected = list(answers(plain, lambda kind: known[kind]))
    assert list(answers(found, lambda kind: known[kind])) == expected
    kept = words_of(repo, schemas(), found)
    assert (kept is None) == (not isinstance(found, Indexed))
    if kept is not None:
        finds_the_same(kept, found, plain)
        knows_the_same(kept, plain)
        routes_the_same(kept, found, plain)


@pytest.fixture(scope="module")
def module_repo() -> Iterator[Repo]:
    with TemporaryDirectory() as folder:
        pygit2.init_repository(folder)
        yield Repo.discover(Path(folder))


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 3), st.lists(step, max_size=4)), min_size=1, max_size=5))
def test_as_without_it(module_repo: Repo, commits: list[tuple[int, list[Files | Planted]]]) -> None:
    """Each commit stands on any of those before; the branch jumps from one to the next."""
    repo = module_repo
    made = [repo.root()]
    for back, steps in commits:
        commit = made[-1 - back % len(made)]
        for files in steps:
            with suppress(GittaskError):  # a folder would take the place of a file, or one is lost
                if isinstance(files, Planted):
                    commit = planted_on(repo, commit, files)
                else:
                    commit = repo.commit(commit, files, AUTHOR, AUTHOR, "test\n")
        made.append(commit)
        same(repo, commit)


def test_who_names_a_task_in_full_hears_nothing_of_others(repo: Path) -> None:
    write(repo, task("a"), task("b"))
    found = Repo.discover(repo)
    path = schemas().path_of(task("b")).encode()
    commit = plant(repo, Planted(path + b"/within", FILE, b"x"))
    indexed = Index(found, schemas()).reader(commit)
    assert isinstance(indexed, Indexed)
    for reader in (Snapshot(found, schemas(), commit), indexed):
        assert reader.near("task", task_id("a")) == [task_id("a")]
        assert reader.problems == []


def test_what_may_hide_a_circle_is_said(repo: Path) -> None:
    write(repo, task("a"), task("b"))
    found = Repo.discover(repo)
    wait = schemas().path("wait", "20261130t100000z-000000", task=task_id("b")).encode()
    commit = plant(repo, Planted(wait, FILE, b"["))
    indexed = Index(found, schemas()).reader(commit)
    assert isinstance(indexed, Indexed)
    for reader in (Snapshot(found, schemas(), commit), indexed):
        assert all_circles(reader, NOW) == []
        assert [each.file for each in reader.problems] == [wait.decode()]
