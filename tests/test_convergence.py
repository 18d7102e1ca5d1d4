"""However clones exchange their work, they end with the same records, and with all of them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import gittask
from gittask.core.codec import decode, encode
from gittask.core.record import Data
from gittask.core.stamp import stamps
from gittask.core.units import stamped
from gittask.exchange.join import join
from gittask.session import Session
from gittask.setup.initialise import driver_command
from gittask.store import packaged
from gittask.store.repo import Person, Repo
from tests.clones import SECONDS, Clone, everything
from tests.conftest import Git
from tests.store.test_treemerge import BASE, PATH, task

ROOT = Path(__file__).parent.parent
DRIVER = driver_command(sys.executable, Path(gittask.__file__).parent)
SCHEMAS = packaged.schemas()


@pytest.fixture
def three(clones: Callable[[int], list[Path]]) -> tuple[list[Clone], str]:
    """Three clones that share one task, each with a driver for git's own merges."""
    found = [Clone(folder, f"actor{i}") for i, folder in enumerate(clones(3))]
    found[0].init(settings={"merge.gittask.driver": DRIVER})
    id = found[0].new("task", why="1\n2\n3\n4\n5")
    found[0].sync()
    for clone in found[1:]:
        clone.init(settings={"merge.gittask.driver": DRIVER})
    return found, id


def diverge(clones: list[Clone], id: str) -> None:
    """Each does something to the task that nobody else knows of."""
    one, two, three = clones
    one.set(id, title="one", labels=["a", "b"], why="one\n2\n3\n4\n5")
    one.note(id, "from one")
    two.set(id, title="two", labels=["b"], why="1\n2\n3\n4\ntwo")
    two.set(id, title="two again", labels=[])
    two.new("of two")
    three.set(id, priority=0, labels=["c"], why="1\n2\nthree\n4\n5")
    three.by_hand(three.path(id), lambda text: text.replace("title: task", "title: by hand"))


def records(clone: Clone) -> dict[str, Data]:
    """All records of a clone without what depends on who met whom first: conflicts, and the
    stamp of a text that was merged line by line."""
    found: dict[str, Data] = {}
    for path, content in everything(clone):
        if path.endswith(".yaml") and "conflicts/" not in path:
            found[path] = decode(content)
            found[path].get("changed", {}).pop("why", None)
    return found


def test_three_clones_end_equal_whatever_the_order_of_syncing(
    three: tuple[list[Clone], str], bare: Path, tmp_path: Path
) -> None:
    clones, id = three
    diverge(clones, id)
    results = []
    for number, order in enumerate(permutations(range(3))):
        world = tmp_path / f"world{number}"
        world.mkdir()
        remote = shutil.copytree(bare, world / "bare.git", symlinks=True)
        copies = [
            Clone(shutil.copytree(clone.folder, world / clone.actor), clone.actor)
            for clone in clones
        ]
        for clone in copies:
            clone.git("remote", "set-url", "origin", str(remote))
        for index in (*order, *order):
            copies[index].sync()
        assert len({clone.tip for clone in copies}) == 1
        assert {"one", "two again"} <= {c["lost"] for c in copies[0].conflicts()}
        results.append(records(copies[0]))
    assert all(result == results[0] for result in results)
    merged = results[0][clones[0].path(id)]
    # The edit by hand is stamped before it meets the others, as the second of its record.
    assert (merged["title"], merged["labels"], merged["priority"]) == ("by hand", ["a", "c"], 0)
    assert merged["why"] == "one\n2\nthree\n4\ntwo"


def test_crossed_merges_by_git_end_like_syncs(
    three: tuple[list[Clone], str], tmp_path: Path
) -> None:
    (one, two, _), id = three
    one.set(id, title="one")
    two.set(id, title="two", priority=0)
    for clone, other in ((one, two), (two, one)):  # each merges what the other had before
        clone.git("fetch", "-q", str(other.folder), f"{other.tip}:refs/heads/other")
    for clone in (one, two):
        tree = Clone(tmp_path / f"tree-{clone.actor}", clone.actor)
        clone.git("worktree", "add", "-q", str(tree.folder), "gittask")
        tree.git("merge", "-q", "--no-edit", "other")
        clone.set(id, why=f"after the merge, by {clone.actor}")
    assert len(one.git("merge-base", "--all", "gittask", "other").split()) == 1
    two.sync()
    one.git("fetch", "-q", "origin")
    assert len(one.git("merge-base", "--all", "gittask", "origin/gittask").split()) == 2
    one.sync()
    two.sync()
    assert one.tip == two.tip
    found = one.task(id)
    assert (found["title"], found["priority"]) == ("two", 0)
    assert found["why"] == "after the merge, by actor1"
    # Both drivers met the same two titles, so there is one conflict of them.
    assert sorted(c["field"] for c in one.conflicts()) == ["title", "why"]


def test_a_team_that_types_only_git_commands_has_everything(
    three: tuple[list[Clone], str], tmp_path: Path
) -> None:
    clones, id = three
    diverge(clones, id)
    trees = []
    for clone in clones:
        trees.append(Clone(tmp_path / f"tree-{clone.actor}", clone.actor))
        clone.git("worktree", "add", "-q", str(trees[-1].folder), "gittask")
    for tree in (*trees, *trees):
        tree.git("fetch", "-q", "origin")
        tree.git("merge", "-q", "--no-edit", "origin/gittask")
        tree.git("push", "-q", "origin", "gittask")
    trees[0].git("fetch", "-q", "origin")
    trees[0].git("merge", "-q", "--ff-only", "origin/gittask")
    trees[1].git("fetch", "-q", "origin")
    trees[1].git("merge", "-q", "--ff-only", "origin/gittask")
    assert len({clone.tip for clone in clones}) == 1
    found = clones[0].task(id)
    # Git stamps nothing: an edit by hand comes after no edit that is stamped.
    assert (found["title"], found["labels"], found["priority"]) == ("two again", ["a", "c"], 0)
    assert found["why"] == "one\n2\nthree\n4\ntwo"
    for clone in (*clones, *clones):
        clone.sync()
    assert {"one", "by hand"} <= {c["lost"] for c in clones[0].conflicts()}
    assert len({clone.tip for clone in clones}) == 1


def test_long_divergence_merges_as_one(three: tuple[list[Clone], str]) -> None:
    (one, two, _), id = three
    for number in range(40):
        one.set(id, title=f"one {number}")
        two.set(id, priority=number % 5)
        two.note(id, str(number))
    one.sync()
    assert two.sync().conflicts == []
    one.sync()
    assert one.tree == two.tree
    assert (one.task(id)["title"], one.task(id)["priority"]) == ("one 39", 4)
    assert len(one.reader.ids("note", task=id)) == 40


def test_six_clones_at_work_at_once_lose_nothing(
    clones: Callable[[int], list[Path]], git: Git
) -> None:
    workers = [Clone(folder, f"actor{i}") for i, folder in enumerate(clones(6))]
    workers[0].init()
    shared = workers[0].new("shared")
    workers[0].sync()
    for clone in workers[1:]:
        clone.init()
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.worker", clone.folder, clone.actor, "20", shared],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        for clone in workers
    ]
    made = [process.communicate()[0].split() for process in running]
    assert [process.returncode for process in running] == [0] * 6
    for clone in (*workers, *workers):
        clone.sync()
    assert len({clone.tree for clone in workers}) == 1
    reader = workers[0].reader
    known = {*reader.ids("task"), *reader.ids("note", task=shared)}
    wanted = {id for ids in made for id in ids}
    assert len(wanted) == sum(map(len, made)) > 40
    assert wanted <= known
    assert git(workers[0].folder, "fsck", "--strict", "--no-dangling") == ""


# -- laws ---------------------------------------------------------------------------------------

REPLICAS = 4
STEP = st.tuples(
    st.integers(0, REPLICAS - 1),
    st.one_of(
        st.sampled_from([("title", v) for v in "pqr"]),
        st.sampled_from([("labels", v) for v in ([], ["a"], ["b"], ["a", "b"])]),
        st.sampled_from([("priority", v) for v in (0, 1)]),
        st.integers(0, REPLICAS - 1),
    ),
)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(STEP, max_size=12))
def test_replicas_that_meet_in_any_order_end_equal_with_the_last_word_in_front(
    repo: Path, steps: list[tuple[int, tuple[str, object] | int]]
) -> None:
    session = Session(Repo.discover(repo), SCHEMAS)
    nobody = Person("Ann", "ann@example.org", SECONDS)

    def commit(data: bytes, *parents: str) -> str:
        tree = session.repo.write_tree(None, {PATH: data})
        return session.repo.create_commit(tree, list(parents), nobody, nobody, "m\n")

    def read(tip: str) -> Data:
        entry = session.repo.lookup(tip, PATH)
        assert entry is not None
        found: Data = decode(session.repo.blob(entry.id))
        return found

    def meet(one: int, two: int) -> None:
        tips[one] = join(session, "origin", lambda: nobody, tips[one], tips[two]).tip
        tips[two] = join(session, "origin", lambda: nobody, tips[two], tips[one]).tip

    tips = [commit(BASE)] * REPLICAS
    titles = {(0, ""): task()["title"]}
    rules, order = SCHEMAS.rules("task"), SCHEMAS.order("task")
    for replica, step in steps:
        if isinstance(step, int):
            meet(replica, step)
            continue
        before = read(tips[replica])
        actor = f"actor{replica}"
        after = stamped(rules, before, before | dict([step]), "2026-11-30T12:00:00.000Z", actor)
        tips[replica] = commit(encode(after, order), tips[replica])
        if before["title"] != after["title"]:
            stamp = stamps(after)["title"]
            titles[stamp.counter, stamp.by] = after["title"]
    for _ in range(2):
        for replica in range(1, REPLICAS):
            meet(0, replica)
    assert len({session.repo.tree(tip) for tip in tips}) == 1
    assert read(tips[0])["title"] == titles[max(titles)]
