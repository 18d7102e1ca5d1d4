"""What becomes of two histories: rewritten, shallow, edited by hand, or made by another program."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gittask.core.stamp import stamps
from gittask.errors import Refused, RemoteError
from gittask.store.local import Local
from gittask.store.repo import Repo
from tests.clones import Clone, meet, shared
from tests.conftest import Git

Make = Callable[[int], list[Clone]]
HAND = "hand@hand.example"
"""The address under which ``Clone.by_hand`` commits."""


@pytest.fixture
def make(clones: Callable[[int], list[Path]]) -> Make:
    """``make(n)``: n clones of one remote that have a store."""
    return lambda count: shared(clones(count))


@pytest.fixture
def pair(make: Make) -> tuple[Clone, Clone]:
    one, two = make(2)
    return one, two


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
    one.by_hand("actors/actor0.yaml", lambda text: text.replace("actor0@example.org", HAND))
    one.sync()
    one.by_hand(one.path(id), lambda text: text.replace("title: task", "title: by hand"))
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
