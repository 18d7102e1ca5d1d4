"""Syncing with a real remote: what is exchanged, what is refused, and what happens to races."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gittask.core.stamp import stamps
from gittask.errors import Contention, NeedsDecision, NoStore, Refused, RemoteError
from gittask.store.local import Local
from gittask.store.repo import Repo
from gittask.sync import PATIENCE, ROUNDS, Pace, rounds
from tests.clones import Clone
from tests.conftest import Git

Make = Callable[[int], list[Clone]]


@pytest.fixture
def make(clones: Callable[[int], list[Path]]) -> Make:
    """``make(n)``: n clones of one remote that have a store; the first one made it."""

    def build(number: int) -> list[Clone]:
        found = [Clone(folder, f"actor{i}") for i, folder in enumerate(clones(number))]
        for clone in found:
            clone.init()
            clone.sync()
        return found

    return build


@pytest.fixture
def pair(make: Make) -> tuple[Clone, Clone]:
    one, two = make(2)
    return one, two


def meet(*clones: Clone) -> None:
    """Sync until all have everything, and check that they have the same."""
    for clone in (*clones, *clones[:-1]):
        clone.sync()
    assert len({clone.tip for clone in clones}) == 1


def hook(bare: Path, name: str, script: str) -> None:
    path = bare / "hooks" / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


# -- the ordinary exchange ------------------------------------------------------------------------


def test_what_is_new_goes_both_ways(pair: tuple[Clone, Clone]) -> None:
    one, two = pair
    here = one.new("here")
    assert one.sync().pushed == 1
    there = two.new("there")
    done = two.sync()
    assert (done.pulled, done.merged, done.conflicts) == (1, 0, [])
    one.sync()
    assert one.tip == two.tip
    assert one.task(there)["title"] == "there"
    assert two.task(here)["title"] == "here"


def test_a_merge_has_both_sides_as_parents_and_says_what_it_is(pair: tuple[Clone, Clone]) -> None:
    one, two = pair
    one.new("here")
    one.sync()
    two.new("there")
    before = two.tip
    two.sync()
    lines = two.git("log", "-1", "--format=%an <%ae>%n%cn%n%s%n%P", "gittask").split("\n")
    assert lines[0] == "gittask <gittask@gittask.invalid>"
    assert lines[1] == "actor1"
    assert lines[2] == "merge: 1 record of origin"
    assert lines[3] == f"{before} {one.tip}"


def test_edits_of_different_fields_come_together(pair: tuple[Clone, Clone]) -> None:
    one, two = pair
    id = one.new("task")
    meet(one, two)
    one.set(id, title="better", labels=["x"])
    two.set(id, priority=0, labels=["y"])
    meet(one, two)
    task = one.task(id)
    assert (task["title"], task["priority"], task["labels"]) == ("better", 0, ["x", "y"])
    assert one.conflicts() == []


def test_of_two_values_the_later_stands_and_the_other_is_told(pair: tuple[Clone, Clone]) -> None:
    one, two = pair
    id = one.new("task")
    meet(one, two)
    one.set(id, title="first")
    one.sync()
    two.set(id, title="second")
    two.set(id, title="third")
    (conflict,) = two.sync().conflicts
    one.sync()
    assert one.task(id)["title"] == "third"
    assert one.conflicts() == [conflict.data]
    assert (conflict.data["kept"], conflict.data["lost"]) == ("third", "first")
    assert f"Conflict: {one.path(id)} title" in one.git("log", "-1", "--format=%B", "gittask")


def test_notes_of_one_task_are_all_kept(pair: tuple[Clone, Clone]) -> None:
    one, two = pair
    id = one.new("task")
    one.note(id, "0")
    meet(one, two)
    one.note(id, "1")
    one.set(id, title="one")
    two.note(id, "2")
    two.note(id, "3")
    two.set(id, title="two")
    meet(one, two)
    assert [note.data["body"] for note in one.reader.all("note", task=id)] == ["0", "1", "2", "3"]


def test_idle_syncs_write_nothing(pair: tuple[Clone, Clone], bare: Path) -> None:
    one, two = pair
    one.new("task")
    meet(one, two)

    def written() -> list[tuple[Path, int]]:
        folders = [one.folder / ".git", two.folder / ".git", bare]
        files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
        return sorted((path, path.stat().st_mtime_ns) for path in files)

    before = written()
    for _ in range(10):
        for clone in (one, two):
            done = clone.sync()
            assert (done.pulled, done.pushed) == (0, 0)
    assert written() == before


def test_the_work_tree_is_left_alone(pair: tuple[Clone, Clone]) -> None:
    one, two = pair
    id = one.new("task")
    meet(one, two)
    (one.folder / "code.txt").write_text("half an edit\n")
    one.git("add", "code.txt")
    before = (one.git("status", "--porcelain"), one.git("for-each-ref", "refs/heads/main"))
    index = (one.folder / ".git" / "index").read_bytes()
    two.set(id, title="x")
    two.sync()
    one.set(id, title="y")
    one.sync()
    assert (one.git("status", "--porcelain"), one.git("for-each-ref", "refs/heads/main")) == before
    assert (one.folder / ".git" / "index").read_bytes() == index
    assert not (one.folder / ".git" / "FETCH_HEAD").exists()


def test_a_fresh_clone_gets_its_branch_by_syncing(
    pair: tuple[Clone, Clone], tmp_path: Path, bare: Path, git: Git
) -> None:
    id = pair[0].new("task")
    pair[0].sync()
    git(tmp_path, "clone", "-q", str(bare), "fresh")
    fresh = Clone(tmp_path / "fresh", "ann")
    assert fresh.sync().pulled > 2
    assert fresh.task(id)["title"] == "task"


# -- when the remote is not as it should be -------------------------------------------------------


def test_without_a_remote_there_is_nothing_to_sync_with(repo: Path) -> None:
    clone = Clone(repo, "ann")
    clone.init()
    with pytest.raises(NeedsDecision, match="no remote") as caught:
        clone.sync()
    assert "git remote add" in caught.value.hint


def test_a_remote_that_cannot_be_reached_is_not_an_empty_one(
    pair: tuple[Clone, Clone], tmp_path: Path, bare: Path
) -> None:
    one, _ = pair
    one.new("unpushed")
    before, tracking = one.tip, one.git("rev-parse", "origin/gittask")
    bare.rename(tmp_path / "gone.git")
    with pytest.raises(RemoteError, match=r"could not be reached.*still unpushed"):
        one.sync()
    assert (one.tip, one.git("rev-parse", "origin/gittask")) == (before, tracking)
    (tmp_path / "gone.git").rename(bare)
    assert one.sync().pushed == 1


def test_a_store_on_neither_side_is_no_store(clones: Callable[[int], list[Path]]) -> None:
    (folder,) = clones(1)
    with pytest.raises(NoStore, match="no task store"):
        Clone(folder, "ann").sync()


def test_the_branch_never_becomes_the_first_of_an_empty_remote(
    repo: Path, tmp_path: Path, git: Git
) -> None:
    git(tmp_path, "init", "-q", "--bare", "empty.git")
    git(repo, "remote", "add", "origin", str(tmp_path / "empty.git"))
    clone = Clone(repo, "ann")
    clone.init()
    with pytest.raises(NeedsDecision, match="is empty") as caught:
        clone.sync()
    assert caught.value.hint == "push your code first: git push origin main"
    assert git(tmp_path / "empty.git", "for-each-ref") == ""
    git(repo, "push", "-q", "origin", "main")
    clone.sync()
    assert git(tmp_path / "empty.git", "rev-parse", "gittask") == clone.tip


def test_a_branch_that_somebody_removed_is_not_published_again(
    pair: tuple[Clone, Clone], bare: Path, git: Git
) -> None:
    one, _ = pair
    git(bare, "branch", "-D", "gittask")
    with pytest.raises(NeedsDecision, match="is there no more") as caught:
        one.sync()
    assert caught.value.hint == "to publish it again: git push origin gittask"
    one.git("push", "-q", "origin", "gittask")
    assert one.sync().pushed == 0


def test_a_push_that_a_hook_declines_says_so_in_its_words(
    pair: tuple[Clone, Clone], bare: Path
) -> None:
    one, _ = pair
    hook(bare, "pre-receive", "echo 'tasks are closed on Fridays' >&2; exit 1")
    id = one.new("unpushed")
    with pytest.raises(NeedsDecision, match="tasks are closed on Fridays"):
        one.sync()
    assert one.task(id)["title"] == "unpushed"
    assert one.git("rev-list", "--count", "origin/gittask..gittask") == "1"


def test_hooks_of_code_do_not_run(pair: tuple[Clone, Clone]) -> None:
    one, _ = pair
    hook(one.folder / ".git", "pre-push", "exit 1")
    one.new("task")
    assert one.sync().pushed == 1


# -- races ----------------------------------------------------------------------------------------


def test_a_push_that_came_second_is_merged_and_pushed_again(
    pair: tuple[Clone, Clone], bare: Path
) -> None:
    one, two = pair
    two.new("first")
    # When one pushes, two's commit arrives just before: the remote's branch moves meanwhile.
    two.git("push", "-q", "origin", "gittask:refs/heads/waiting")
    move = 'git update-ref refs/heads/gittask refs/heads/waiting; rm "$0"'
    hook(bare, "pre-receive", f"unset GIT_QUARANTINE_PATH; {move}")
    one.new("second")
    slept: list[float] = []
    pace = Pace(clock=lambda: 0.0, sleep=slept.append, chance=lambda: 0.5)
    done = one.sync(pace)
    assert len(slept) == 1
    assert (done.pulled, done.pushed) == (2, 1)
    assert len(one.reader.ids("task")) == 2
    assert one.git("rev-parse", "gittask") == one.git("rev-parse", "origin/gittask")


def test_an_endless_race_ends_and_keeps_what_is_here(pair: tuple[Clone, Clone], bare: Path) -> None:
    one, _ = pair
    hook(bare, "update", "touch $GIT_DIR/refs/heads/gittask.lock")
    id = one.new("unpushed")
    slept: list[float] = []
    pace = Pace(clock=lambda: 25.0 * len(slept), sleep=slept.append, chance=lambda: 0.0)
    with pytest.raises(Contention, match="still unpushed"):
        one.sync(pace)
    assert len(slept) == 3
    assert one.task(id)["title"] == "unpushed"


@pytest.mark.parametrize("chance", [0.0, 0.99])
def test_rounds_are_bounded_in_number_and_time(chance: float) -> None:
    slept: list[float] = []
    pace = Pace(clock=lambda: sum(slept), sleep=slept.append, chance=lambda: chance)
    tried = list(rounds(pace))
    assert slept == sorted(slept)
    assert len(tried) == ROUNDS or PATIENCE < sum(slept) < PATIENCE + slept[-1] + 1


def test_pauses_vary_so_that_two_do_not_meet_again_and_again() -> None:
    pauses: list[list[float]] = [[], []]
    for slept, chance in zip(pauses, (0.0, 0.9), strict=True):
        list(rounds(Pace(lambda: 0.0, slept.append, chance.__float__)))
    assert all(a < b / 2 for a, b in zip(*pauses, strict=True))


# -- a rewritten remote ---------------------------------------------------------------------------


def rewrite(clone: Clone, *purged: str) -> str:
    """Replace the remote's branch by one that never held these paths; returns its tip."""
    repo = Repo.discover(clone.folder)
    clone.git("fetch", "-q", "origin")
    tip = clone.git("rev-parse", "origin/gittask")
    parent = repo.root()
    tree = repo.write_tree(repo.tree(tip), dict.fromkeys(purged))
    person = clone.who(clone.reader).committer
    new = repo.create_commit(tree, [parent], person, person, "rewritten\n")
    clone.git("push", "-q", "--force", "origin", f"{new}:refs/heads/gittask")
    return new


@pytest.mark.parametrize("fetched", [False, True], ids=["", "after git fetch"])
def test_a_rewritten_history_is_followed_and_nothing_purged_comes_back(
    make: Make, fetched: bool
) -> None:
    one, two, admin = make(3)
    secret, other = one.new("secret"), one.new("other")
    meet(one, two, admin)
    new = rewrite(admin, one.path(secret))
    one.set(other, title="edited")
    kept = one.new("unpushed")
    one.set(secret, title="edited too")
    one.note(secret, "about the secret")
    if fetched:
        one.git("fetch", "-q", "origin")
        two.git("fetch", "-q", "origin")
    before = one.tip
    done = one.sync()
    assert done.rewritten
    assert done.before == before
    assert one.reader.ids("task") == sorted([other, kept])
    assert one.task(other)["title"] == "edited"
    assert one.path(secret) in done.dropped
    assert [path for path in done.dropped if "/notes/" in path]
    assert one.git("rev-parse", "gittask^") == new
    assert "actor0: set" in one.git("log", "-1", "--format=%b", "gittask")
    assert two.sync().rewritten
    assert two.tip == one.tip
    assert one.git("log", "--format=%H", "gittask", "--", one.path(secret)) == ""


def test_without_edits_a_rewritten_history_is_taken_as_it_is(make: Make) -> None:
    one, admin = make(2)
    secret = one.new("secret")
    meet(one, admin)
    new = rewrite(admin, one.path(secret))
    assert one.sync().rewritten
    assert one.tip == new
    assert one.sync().rewritten is None


def test_a_remote_that_went_back_is_a_question_for_a_person(pair: tuple[Clone, Clone]) -> None:
    one, two = pair
    earlier = one.tip
    id = one.new("task")
    meet(one, two)
    two.git("push", "-q", "--force", "origin", f"{earlier}:refs/heads/gittask")
    with pytest.raises(RemoteError, match="went back") as caught:
        one.sync()
    assert "git push origin gittask" in caught.value.hint
    assert one.task(id)["title"] == "task"
    one.git("push", "-q", "origin", "gittask")
    assert one.sync().pushed == 0


def test_another_store_in_place_of_the_former_is_a_question_for_a_person(
    pair: tuple[Clone, Clone], tmp_path: Path, git: Git, repo: Path
) -> None:
    one, _ = pair
    git(tmp_path, "clone", "-q", str(repo), "other")
    other = Clone(tmp_path / "other", "zoe")
    other.init(offline=True)
    one.git("remote", "set-url", "origin", str(tmp_path / "other"))
    before = one.tip
    with pytest.raises(RemoteError, match="another store"):
        one.sync()
    assert one.tip == before


# -- shallow and partial clones -------------------------------------------------------------------


def test_a_shallow_clone_fetches_the_history_that_a_merge_needs(
    pair: tuple[Clone, Clone], tmp_path: Path, bare: Path, git: Git
) -> None:
    one, _ = pair
    id = one.new("task")
    one.sync()
    options = ("--depth=1", "--no-single-branch")
    git(tmp_path, "clone", "-q", *options, f"file://{bare}", "shallow")
    shallow = Clone(tmp_path / "shallow", "sam")
    shallow.init()
    for title in ("1", "2", "3"):
        one.set(id, title=title)
    one.sync()
    assert shallow.sync().pulled == 1
    shallow.set(id, priority=0)
    one.set(id, title="4")
    one.sync()
    git(tmp_path / "shallow", "fetch", "-q", "--depth=1", "origin")  # cuts off what they share
    assert shallow.sync().rewritten is None
    assert (shallow.task(id)["title"], shallow.task(id)["priority"]) == ("4", 0)
    assert shallow.conflicts() == []


def test_a_partial_clone_merges_as_well(
    pair: tuple[Clone, Clone], tmp_path: Path, bare: Path, git: Git
) -> None:
    one, _ = pair
    id = one.new("task")
    one.sync()
    git(bare, "config", "uploadpack.allowFilter", "true")
    git(bare, "config", "uploadpack.allowAnySHA1InWant", "true")
    git(tmp_path, "clone", "-q", "--filter=blob:none", f"file://{bare}", "partial")
    partial = Clone(tmp_path / "partial", "pat")
    partial.init()
    one.set(id, title="x")
    one.sync()
    partial.set(id, priority=0)
    partial.sync()
    assert (partial.task(id)["title"], partial.task(id)["priority"]) == ("x", 0)


# -- what others left behind ----------------------------------------------------------------------


def test_edits_by_hand_are_stamped_with_their_commits_author(pair: tuple[Clone, Clone]) -> None:
    one, two = pair
    id = one.new("task")
    meet(one, two)
    one.by_hand(one.path(id), lambda text: text.replace("title: task", "title: by hand"))
    one.set(id, priority=1)
    assert one.sync().stamped == 1
    found = stamps(one.task(id))
    assert (found["title"].by, found["title"].counter) == ("hand", 2)
    assert found["priority"].by == "actor0"
    assert one.git("log", "-1", "--format=%s", "gittask") == "stamp: 1 record edited by hand"
    assert one.sync().pushed == 0


def test_edits_by_hand_that_came_by_git_alone_are_stamped_by_whoever_syncs(
    pair: tuple[Clone, Clone],
) -> None:
    one, two = pair
    id = one.new("task")
    meet(one, two)
    one.by_hand(one.path(id), lambda text: text.replace("title: task", "title: by hand"))
    one.git("push", "-q", "origin", "gittask")
    assert two.sync().stamped == 1
    assert stamps(two.task(id))["title"].by == "hand"
    one.sync()
    assert one.tip == two.tip


def test_an_actor_is_known_by_the_address_of_the_commit(pair: tuple[Clone, Clone]) -> None:
    one, _ = pair
    id = one.new("task")
    one.by_hand("actors/actor0.yaml", lambda text: text.replace("@example.org", "@hand.example"))
    one.sync()
    one.by_hand(
        one.path(id), lambda text: text.replace("title: task", "title: by hand"), name="Actor0"
    )
    one.sync()
    assert stamps(one.task(id))["title"].by == "actor0"


def test_edits_by_hand_on_both_sides_come_out_the_same_in_both(make: Make) -> None:
    one, two, third = make(3)
    id = one.new("task")
    meet(one, two, third)
    one.by_hand(one.path(id), lambda text: text.replace("title: task", "title: one"))
    two.by_hand(two.path(id), lambda text: text.replace("priority: 2", "priority: 0"))
    for clone in (one, two):  # by git alone, so that the remote's side is not stamped either
        clone.git("push", "-q", "origin", "gittask", check=False)
    third.set(id, labels=["x"])
    meet(two, one, third)
    task = third.task(id)
    assert (task["title"], task["priority"], task["labels"]) == ("one", 0, ["x"])
    assert stamps(task).keys() == {"title", "priority", "labels.x"}
    assert third.conflicts() == []


def test_a_reverted_commit_is_an_edit_of_its_own(pair: tuple[Clone, Clone]) -> None:
    one, two = pair
    id = one.new("task")
    one.set(id, title="x")
    meet(one, two)
    old = one.git("show", f"gittask~1:{one.path(id)}") + "\n"
    one.by_hand(one.path(id), lambda _: old)
    meet(one, two)
    assert two.task(id)["title"] == "task"
    assert stamps(two.task(id))["title"].counter == 2


def test_conflicts_that_the_merge_driver_left_are_committed_once(
    pair: tuple[Clone, Clone],
) -> None:
    one, two = pair
    id = one.new("task")
    meet(one, two)
    one.set(id, title="first")
    one.sync()
    two.set(id, title="second")
    (conflict,) = two.sync().conflicts
    path = two.session.schemas.path_of(conflict)
    content = (two.git("show", f"gittask:{path}") + "\n").encode()
    local = Local(one.folder / ".git")
    local.add_pending(f"{conflict.id}.yaml", content)
    local.add_pending("junk.yaml", b"junk: 1\n")
    one.sync()
    assert one.conflicts() == [conflict.data]
    assert local.pending() == [("junk.yaml", b"junk: 1\n")]
    assert one.git("log", "--format=%s", "gittask").count("conflict: 1 value lost") == 1
    local.add_pending(f"{conflict.id}.yaml", content)
    tip = one.tip
    assert one.sync().tip == tip
    assert len(local.pending()) == 1


def test_bad_files_are_carried_and_named(pair: tuple[Clone, Clone]) -> None:
    one, two = pair
    id = one.new("task")
    meet(one, two)
    one.by_hand(one.path(id), lambda _: "title: [\n")
    one.sync()
    (problem,) = two.sync().bad
    assert (problem.file, problem.line) == (two.path(id), 2)
    assert two.tip == one.tip


def test_a_record_deleted_by_hand_comes_back_with_a_merge(pair: tuple[Clone, Clone]) -> None:
    one, two = pair
    id = one.new("task")
    meet(one, two)
    one.by_hand(one.path(id), lambda _: None)
    two.new("other")
    two.sync()
    meet(one, two)
    assert two.task(id)["title"] == "task"


# -- newer programs -------------------------------------------------------------------------------


def test_a_store_of_a_newer_format_is_carried_but_not_merged(pair: tuple[Clone, Clone]) -> None:
    one, two = pair
    one.by_hand("gittask.yaml", lambda text: text.replace("format: 1", "format: 99"))
    one.sync()
    before = two.tip
    assert two.sync().pulled == 1
    assert two.tip == one.tip
    two.git("update-ref", "refs/heads/gittask", str(before))
    two.new("made with the old format")
    tip = two.tip
    with pytest.raises(Refused, match="format 99"):
        two.sync()
    assert two.tip == tip
