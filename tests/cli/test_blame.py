"""``blame``: who set what of a record, in which commit, whichever way it got here."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gittask.store.repo import Repo
from tests.cli.acting import Actor
from tests.clones import Clone, meet, shared
from tests.conftest import Git
from tests.program import Program, path_of

Lines = dict[str, dict[str, Any]]
EXECUTION = "20261130t100411z-k3m9q2"


def lines(program: Program, record: str, *args: str) -> Lines:
    """What is said of each unit."""
    document = program.json("blame", record, *args)["blame"]
    return {line["field"]: line for line in document["fields"]}


def subject(line: dict[str, Any]) -> str:
    """What the commit of a unit was about: its verb."""
    return str(line["commit"]["subject"]).split()[0]


@pytest.fixture
def pair(clones: Callable[[int], list[Path]]) -> list[Clone]:
    return shared(clones(2))


# -- one line of history ------------------------------------------------------------------------


def test_two_actors_under_executions(gittask: Program, ann: Actor, codex: Actor) -> None:
    task = ann("new", "Fix it", "--why", "It fails", "--accept", "it works", "--label", "old").id
    execution = codex.json("start", task)["execution"]["id"]
    codex("set", task, "priority=0", "--execution", execution)
    ann("set", task, "labels=new", "title=Fix it all")
    (item,) = gittask.task(task)["acceptance"]
    item_met = f"acceptance.{item['id']}.met"
    codex("set", task, f"{item_met}=true", "--execution", execution)
    found = lines(gittask, task)
    theirs = {unit for unit, line in found.items() if line["by"] == "codex-1"}
    assert theirs == {"state", "priority", item_met}
    assert {line["by"] for unit, line in found.items() if unit not in theirs} == {"ann"}
    assert (found[item_met]["execution"], found[item_met]["value"]) == (execution, True)
    assert (found["state"]["execution"], subject(found["state"])) == (execution, "start")
    assert (found["priority"]["execution"], subject(found["priority"])) == (execution, "set")
    assert found["title"]["execution"] is None
    assert (found["title"]["value"], subject(found["title"])) == ("Fix it all", "set")
    assert (found["labels.new"]["value"], subject(found["labels.new"])) == ("new", "set")
    assert (found["labels.old"]["removed"], subject(found["labels.old"])) == (True, "set")
    assert found["why"]["commit"]["author"]["actor"] == "ann"
    assert subject(found["why"]) == subject(found[f"acceptance.{item['id']}"]) == "new"
    assert not any(line["by_hand"] or line["boundary"] for line in found.values())


def test_the_table_for_people(gittask: Program, ann: Actor, codex: Actor) -> None:
    task = ann("new", "Fix it", "--why", "It fails", "--accept", "it works").id
    execution = codex("start", task).id
    shown = gittask("blame", task)
    rows = {line.split()[0]: line.split() for line in shown.out.splitlines()}
    assert {"title", "why", "state", "responsible"} <= rows.keys()
    assert not {"due", "provider", "labels"} & rows.keys()  # nobody ever set them
    end = execution.partition("-")[2]
    assert rows["state"][1:3] == ["codex-1", end]
    assert rows["state"][7:] == ["active,", "epoch", "1,", "held", "by", end]
    assert rows["title"][-2:] == ["Fix", "it"]
    commit = lines(gittask, task)["title"]["commit"]["id"]
    assert rows["title"][-3] == commit[:12]
    (item,) = (name for name in rows if name.startswith("acceptance"))
    assert rows[item][-2:] == ["it", "works"]
    assert "due" in gittask("blame", task, "--field", "due").out


def test_what_was_set_again_is_of_the_last_who_set_it(
    gittask: Program, ann: Actor, codex: Actor
) -> None:
    task = ann("new", "Fix it", "--why", "It fails").id
    ann("set", task, "provider=codex")
    ann("set", task, "provider=")
    codex("set", task, "provider=codex")
    tip = Repo.discover(gittask.folder).tip()
    line = lines(gittask, task)["provider"]
    assert (line["by"], line["commit"]["id"], line["value"]) == ("codex-1", tip, "codex")


@pytest.mark.parametrize(("name", "count"), [("labels", 2), ("labels.a", 1), ("title", 1)])
def test_choosing_fields(gittask: Program, name: str, count: int) -> None:
    task = gittask.new("Fix it", "--label", "a", "--label", "b")
    assert len(lines(gittask, task, "--field", name)) == count
    assert len(lines(gittask, task, "--field", name, "--field", "type")) == count + 1


def test_choices_that_mean_nothing(gittask: Program) -> None:
    task = gittask.new("Fix it", "--label", "ab")
    note = gittask("note", task, "seen").id
    for args, said in [((task, "--field", "labels.a"), "gittask blame"), ((note,), "show")]:
        assert said in gittask("blame", *args, "--json", code=2).error["hint"]


def test_any_record_that_may_change(gittask: Program, ann: Actor) -> None:
    ann("project", "add", "shop")
    ann("project", "set", "shop", "name=The shop")
    found = lines(gittask, "shop")
    assert (subject(found["name"]), found["name"]["value"]) == ("set", "The shop")
    assert "name" in lines(gittask, "ann")


def test_the_cost_is_one_walk_whatever_the_number_of_commits(
    gittask: Program, ann: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = gittask.new()
    calls: list[str] = []
    git = Repo.git

    def counted(self: Repo, *args: str, **named: Any) -> Any:
        calls.append(args[0])
        return git(self, *args, **named)

    def cost() -> int:
        calls.clear()
        gittask("blame", task)
        return len(calls)

    monkeypatch.setattr(Repo, "git", counted)
    first = cost()
    for number in range(10):
        ann("set", task, f"title={number}", f"priority={number % 5}")
    assert cost() == first <= 2


# -- merges -------------------------------------------------------------------------------------


def test_merges_by_sync_are_passed_through(pair: list[Clone]) -> None:
    first, second = pair
    task = first.new("Fix it", why="It fails")
    meet(first, second)
    for number in range(2):  # crossed, and once more
        first.set(task, title=f"Title {number}")
        second.set(task, priority=number)
        meet(first, second)
    found, other = (lines(Program(clone.folder), task) for clone in pair)
    assert found == other
    assert (found["title"]["by"], found["priority"]["by"]) == ("actor0", "actor1")
    for unit, line in found.items():
        commit = line["commit"]["id"]
        assert len(first.git("rev-parse", f"{commit}^@").split()) == 1, unit
    assert first.git("log", "-1", "--format=%an", found["priority"]["commit"]["id"]) == "actor1"


def test_a_value_that_lost_is_named(pair: list[Clone]) -> None:
    first, second = pair
    task = first.new("Fix it", why="It fails")
    meet(first, second)
    first.set(task, title="Mine")
    second.set(task, title="Yours")
    meet(first, second)
    (conflict,) = first.conflicts()
    program = Program(first.folder)
    found = lines(program, task)
    ((told,), stands) = (found["title"]["conflicts"], found["title"]["by"])
    assert (told["id"], told["lost"]) == (conflict["id"], conflict["lost"])
    assert {told["by"], stands} == {"actor0", "actor1"}
    assert not any(line["conflicts"] for unit, line in found.items() if unit != "title")
    said = f"title: another value lost, set by {told['by']} (open): gittask show {told['id']}"
    assert said in program("blame", task).out.splitlines()


class ByHand:
    """The data branch in a work tree of its own, for work with git alone."""

    def __init__(self, git: Git, folder: Path) -> None:
        self._git = git
        self.tree = folder.parent / "tree"
        git(folder, "worktree", "add", "-q", str(self.tree), "gittask")
        git(folder, "config", "--remove-section", "merge.gittask")

    def __call__(self, *args: str) -> str:
        return self._git(self.tree, *args)

    def edit(self, path: str, old: str, new: str) -> None:
        file = self.tree / path
        file.write_text(file.read_text().replace(old, new))
        self("commit", "-qam", "by hand")


@pytest.fixture
def by_hand(gittask: Program, git: Git) -> Callable[[], ByHand]:
    return lambda: ByHand(git, gittask.folder)


def test_a_plain_merge_by_git(
    gittask: Program, ann: Actor, codex: Actor, by_hand: Callable[[], ByHand]
) -> None:
    task = gittask.new()
    ann("set", task, "title=A", "type=bug", "priority=1", "provider=codex", "due=2026-12-01")
    tree = by_hand()
    base = tree("rev-parse", "HEAD")
    ann("set", task, "title=Other")
    one = tree("rev-parse", "gittask")
    tree("reset", "-q", "--hard", base)
    codex("set", task, "due=2026-12-24")
    two = tree("rev-parse", "gittask")
    tree("reset", "-q", "--hard")
    tree("merge", "-q", "--no-edit", one)
    assert len(tree("rev-parse", "HEAD^@").split()) == 2
    found = lines(gittask, task)
    assert (found["title"]["commit"]["id"], found["title"]["by"]) == (one, "ann")
    assert (found["due"]["commit"]["id"], found["due"]["by"]) == (two, "codex-1")
    assert found["type"]["commit"]["id"] == base
    assert not any(line["by_hand"] for line in found.values())


def test_after_a_squash_the_squash_is_named_and_who_set_it_too(
    gittask: Program, ann: Actor, codex: Actor, by_hand: Callable[[], ByHand]
) -> None:
    task = gittask.new()
    tree = by_hand()
    base = tree("rev-parse", "HEAD")
    ann("set", task, "title=Other")
    codex("set", task, "priority=0")
    tip = tree("rev-parse", "gittask")
    tree("reset", "-q", "--hard", base)
    tree("merge", "-q", "--squash", tip)
    tree("commit", "-qm", f"squashed\n\nTask: {task}\nExecution: {EXECUTION}\nActor: ann")
    found = lines(gittask, task)
    assert found["title"]["commit"]["subject"] == "squashed"
    assert (found["title"]["by"], found["priority"]["by"]) == ("ann", "codex-1")
    assert (found["title"]["execution"], found["priority"]["execution"]) == (EXECUTION, None)
    assert not found["priority"]["by_hand"]
    squash = tree("rev-parse", "HEAD")[:12]
    assert f"priority: set by codex-1, in commit {squash} of ann" in gittask("blame", task).out
    assert subject(found["why"]) == "new"


# -- by hand ------------------------------------------------------------------------------------


def test_an_edit_by_hand_is_its_authors(
    gittask: Program, codex: Actor, by_hand: Callable[[], ByHand]
) -> None:
    task = codex("new", "Fix it", "--why", "It fails").id
    codex("set", task, "title=Other", "priority=1")
    by_hand().edit(path_of(task), "title: Other", "title: By hand")
    by_hand_commit = Repo.discover(gittask.folder).tip()
    line = lines(gittask, task)["title"]
    assert (line["by"], line["by_hand"], line["stamped_in"]) == ("ann", True, None)
    assert (line["stamp"]["by"], line["commit"]["id"]) == ("codex-1", by_hand_commit)
    assert not lines(gittask, task)["priority"]["by_hand"]
    said = "title: set by hand, under a stamp that is not its own (codex-1, 20"
    assert said in gittask("blame", task).out


def test_an_edit_by_hand_that_sync_stamped(pair: list[Clone]) -> None:
    first, _ = pair
    task = first.new("Fix it", why="It fails")
    first.sync()
    first.by_hand(first.path(task), lambda text: text.replace("priority: 2", "priority: 0"))
    edited = first.tip
    program = Program(first.folder)
    assert "priority: set by hand, without a stamp" in program("blame", task).out.splitlines()
    first.sync()
    line = lines(program, task)["priority"]
    assert (line["by"], line["commit"]["id"], line["by_hand"]) == ("hand", edited, True)
    assert line["stamped_in"] == first.tip
    assert f"priority: set by hand, and stamped in {first.tip[:12]}" in program("blame", task).out  # type: ignore[index]


# -- less than all of history -------------------------------------------------------------------


def test_a_shallow_clone_names_where_its_history_begins(
    pair: list[Clone], bare: Path, tmp_path: Path, git: Git
) -> None:
    first, _ = pair
    task = first.new("Fix it", why="It fails")
    first.set(task, title="Other")
    first.sync()
    shallow = tmp_path / "shallow"
    git(tmp_path, "clone", "-q", "--depth", "1", "-b", "gittask", f"file://{bare}", str(shallow))
    program = Program(shallow)
    found = lines(program, task)
    tip = git(shallow, "rev-parse", "HEAD")
    assert {line["commit"]["id"] for line in found.values()} == {tip}
    assert all(line["boundary"] for line in found.values())
    assert (found["title"]["by"], found["title"]["stamp"]["counter"]) == ("actor0", 1)
    assert f"^{tip[:12]}" in program("blame", task).out
    assert not any(line["boundary"] for line in lines(Program(first.folder), task).values())


def test_a_fresh_clone_without_the_branch_blames_what_it_fetched(
    pair: list[Clone], bare: Path, tmp_path: Path, git: Git
) -> None:
    first, _ = pair
    task = first.new("Fix it", why="It fails")
    first.sync()
    fresh = tmp_path / "fresh"
    git(tmp_path, "clone", "-q", str(bare), str(fresh))
    assert lines(Program(fresh), task) == lines(Program(first.folder), task)


def test_a_file_that_was_bad_for_a_while_is_looked_through(gittask: Program, ann: Actor) -> None:
    task = gittask.new()
    ann("set", task, "title=Other")
    before, good = lines(gittask, task), gittask.stored(path_of(task))
    gittask.push({path_of(task): b"<<<<<<< ours\n"})
    gittask.push({path_of(task): None})
    gittask.push({path_of(task): good})
    assert lines(gittask, task) == before
