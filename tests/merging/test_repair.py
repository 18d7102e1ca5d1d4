"""What other programs do to the data branch in a merge is put right by the next sync."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gittask.actions.conflicts import resolve
from gittask.core.codec import decode
from gittask.core.record import Data
from gittask.errors import Invalid
from gittask.judging.verify import verify
from gittask.merging.repair import repair
from tests.clones import Clone, at

WHO = ("-c", "user.name=Host", "-c", "user.email=host@example.org")


class Forked:
    """A clone and what another pushed meanwhile; ``tree`` is a work tree on the data branch.

    ``right`` is the folder that a sync would have made of both, ``task`` the task in it, and
    ``lost`` the conflict.
    """

    def __init__(self, one: Clone, two: Clone, folder: Path) -> None:
        self.one, self.two = one, two
        self.tree = Clone(folder / "tree", one.actor)
        one.init()
        one.git("config", "--remove-section", "merge.gittask")
        self.id = one.new("task", why="because\nof this")
        self.other = one.new("other")
        one.sync()
        two.sync()
        self.base = one.git("rev-parse", "gittask")
        two.set(self.id, title="first", labels=["x"], why="because\nof this\nand that")
        self.note = two.note(self.id, "seen")
        two.set(self.other, priority=4)
        two.sync()
        one.set(self.id, title="second", priority=0, labels=["y"])
        one.set(self.other, due="2026-12-24", labels=["late"])
        one.git("fetch", "-q", "origin")
        one.git("worktree", "add", "-q", str(self.tree.folder), "gittask")
        one.git("config", "user.name", "Host")
        one.git("config", "user.email", "host@example.org")
        self.right, self.task, self.lost = self._right(folder / "twin")

    def _right(self, folder: Path) -> tuple[str, Data, str]:
        self.one.git("clone", "-q", "--no-local", str(self.one.folder), str(folder))
        twin = Clone(folder, "bob")
        twin.git("branch", "-q", "gittask", "origin/gittask")
        twin.git("remote", "set-url", "origin", self.one.git("remote", "get-url", "origin"))
        twin.git("fetch", "-q")
        (lost,) = twin.sync_here().conflicts
        return twin.tree, twin.task(self.id), lost.id

    def git(self, *args: str, check: bool = True) -> str:
        return self.tree.git(*args, check=check)

    def file(self, id: str) -> Path:
        return self.tree.folder / self.one.path(id)


@pytest.fixture
def forked(clones: Callable[[int], list[Path]], tmp_path: Path) -> Forked:
    one, two = (Clone(folder, by) for folder, by in zip(clones(2), ("bob", "ann"), strict=True))
    return Forked(one, two, tmp_path)


def by_strategy(*options: str) -> Callable[[Forked], None]:
    def merge(forked: Forked) -> None:
        forked.git("merge", "-q", "--no-edit", *options, "origin/gittask")

    return merge


def with_our_side_where_both_changed(forked: Forked) -> None:
    """As after a driver that could not be found: our side without markers, and ``git add``."""
    forked.git("merge", "-q", "origin/gittask", check=False)
    forked.git("checkout", "--ours", "--", "tasks")
    forked.git("add", "-A")
    forked.git("commit", "-q", "--no-edit")


def with_markers(forked: Forked) -> None:
    forked.git("merge", "-q", "origin/gittask", check=False)
    assert "<<<<<<<" in forked.file(forked.id).read_text()
    forked.git("add", "-A")
    forked.git("commit", "-q", "--no-edit")


def by_union(forked: Forked) -> None:
    """Both sides' lines, one after another: keys that stand twice."""
    info = Path(forked.one.folder, ".git", "info", "attributes")
    info.write_text("*.yaml merge=union\n")
    forked.git("merge", "-q", "--no-edit", "origin/gittask")
    with pytest.raises(Invalid, match="stands twice"):
        decode(forked.file(forked.id).read_bytes())
    info.unlink()


def with_a_record_left_out(forked: Forked) -> None:
    forked.git("merge", "-q", "--no-commit", "-X", "ours", "origin/gittask")
    forked.git("rm", "-q", "-r", "-f", f"{Path(forked.one.path(forked.id)).parent}/notes")
    forked.git("commit", "-q", "--no-edit")


def with_a_folder_moved(forked: Forked) -> None:
    """As directory renames are guessed: what the other side added lands in another folder."""
    forked.git("merge", "-q", "--no-commit", "-X", "ours", "origin/gittask")
    folder = str(Path(forked.one.path(forked.id)).parent)
    (forked.tree.folder / "archive").mkdir()
    forked.git("mv", f"{folder}/notes", "archive/notes")
    forked.git("commit", "-q", "--no-edit")
    forked.git("rm", "-rq", "archive")
    forked.git("commit", "-q", "-m", "tidy")


@pytest.mark.parametrize(
    "merge",
    [
        by_strategy("-X", "ours"),
        by_strategy("-X", "theirs"),
        by_strategy("-s", "ours"),
        with_our_side_where_both_changed,
        with_markers,
        by_union,
        with_a_record_left_out,
        with_a_folder_moved,
    ],
    ids=["X-ours", "X-theirs", "s-ours", "no-driver", "markers", "union", "left-out", "moved"],
)
@pytest.mark.parametrize("pushed", [False, True], ids=["here", "pushed"])
def test_a_foreign_merge_comes_right(
    forked: Forked, merge: Callable[[Forked], None], pushed: bool
) -> None:
    merge(forked)
    assert forked.one.tree != forked.right
    if pushed:
        forked.git("push", "-q", "origin", "gittask")
    done = forked.one.sync()
    assert forked.one.tree == forked.right
    assert done.restored
    assert [one.id for one in done.conflicts] == [forked.lost]
    assert verify(forked.one.session, f"{forked.one.tip}~1..", at(0)).errors == []
    forked.two.sync()
    assert forked.two.tip == forked.one.tip


@pytest.mark.parametrize("merge", [by_strategy("-X", "ours"), by_union])
def test_it_is_repaired_once(forked: Forked, merge: Callable[[Forked], None]) -> None:
    merge(forked)
    forked.one.sync()
    tip = forked.one.tip
    assert forked.one.sync().restored == []
    assert forked.two.sync().restored == []
    assert forked.one.tip == forked.two.tip == tip


def test_who_meets_it_by_a_plain_pull_repairs_it_too(forked: Forked) -> None:
    by_strategy("-s", "ours")(forked)
    forked.git("push", "-q", "origin", "gittask")
    forked.two.git("fetch", "-q", "origin", "gittask:gittask")
    assert forked.two.sync().restored
    assert forked.two.tree == forked.right


def by_rebase(*options: str) -> Callable[[Forked], None]:
    def rebase(forked: Forked) -> None:
        forked.git("rebase", "-q", *options, "origin/gittask")

    return rebase


def by_rebase_with_markers(forked: Forked) -> None:
    forked.git("rebase", "-q", "origin/gittask", check=False)
    assert "<<<<<<<" in forked.file(forked.id).read_text()
    while "rebase in progress" in forked.git("status"):
        forked.git("add", "-A")
        forked.git("-c", "core.editor=:", "rebase", "--continue", check=False)


def by_cherry_pick(forked: Forked) -> None:
    forked.git("branch", "here")
    forked.git("reset", "-q", "--hard", "origin/gittask")
    forked.git("cherry-pick", "-X", "theirs", f"{forked.base}..here")


def by_squash(forked: Forked) -> None:
    forked.git("branch", "here")
    forked.git("reset", "-q", "--hard", "origin/gittask")
    forked.git("merge", "-q", "--squash", "-X", "theirs", "here")
    forked.git("commit", "-q", "-m", "all at once")


def by_mail(forked: Forked) -> None:
    mails = forked.git("format-patch", "-o", str(forked.tree.folder.parent), forked.base)
    forked.git("reset", "-q", "--hard", "origin/gittask")
    forked.git("am", "-q", "-3", *mails.split(), check=False)
    while (forked.one.folder / ".git/worktrees/tree/rebase-apply").exists():
        forked.git("add", "-A")
        forked.git("am", "--continue", check=False)


PICKS = [by_rebase("-X", "theirs"), by_rebase_with_markers, by_cherry_pick, by_squash, by_mail]
NAMES = ["rebase", "rebase-markers", "cherry-pick", "squash", "am"]


@pytest.mark.parametrize("pick", PICKS, ids=NAMES)
@pytest.mark.parametrize("pushed", [False, True], ids=["here", "pushed"])
def test_what_was_brought_from_elsewhere_comes_right(
    forked: Forked, pick: Callable[[Forked], None], pushed: bool
) -> None:
    """As a merge would have it, the value that lost and its conflict included."""
    pick(forked)
    assert forked.one.tree != forked.right
    if pushed:
        forked.git("push", "-q", "origin", "gittask")
    done = forked.one.sync()
    assert [one.id for one in done.conflicts] == [forked.lost]
    assert forked.one.tree == forked.right
    tip = forked.one.tip
    assert forked.one.sync().restored == forked.two.sync().restored == []
    assert forked.one.tip == forked.two.tip == tip


@pytest.mark.parametrize("pick", PICKS, ids=NAMES)
def test_whoever_repairs_it_makes_the_same_records(
    forked: Forked, pick: Callable[[Forked], None]
) -> None:
    pick(forked)
    forked.git("push", "-q", "origin", "gittask")
    forked.two.git("fetch", "-q", "origin", "gittask:gittask")
    forked.one.sync_here()
    forked.two.sync_here()
    assert forked.one.tree == forked.two.tree
    forked.one.sync()
    forked.two.sync()
    forked.one.sync()
    assert forked.one.tip == forked.two.tip
    assert [one["id"] for one in forked.one.conflicts()].count(forked.lost) == 1


def test_lines_that_cannot_be_told_apart_are_kept(forked: Forked) -> None:
    """After a rebase by union the only copy of what was done here is the mixed text."""
    info = Path(forked.one.folder, ".git", "info", "attributes")
    info.write_text("*.yaml merge=union\n")
    forked.git("rebase", "-q", "origin/gittask")
    info.unlink()
    forked.one.sync()
    assert forked.one.task(forked.id)["title"] == "first"
    (kept,) = [one for one in forked.one.conflicts() if "title: first" in one["lost"]]
    assert "title: second" in kept["lost"]


def test_a_settled_conflict_is_not_asked_again(forked: Forked) -> None:
    by_rebase("-X", "theirs")(forked)
    forked.one.sync()
    session = forked.one.session
    schemas = session.schemas
    (lost,) = [one for one in session.reader().all("conflict") if one.id == forked.lost]
    forked.one.act(lambda reader, act: resolve(reader, act, schemas, lost, "kept", "it is right"))
    assert repair(session.repo, schemas, None, forked.one.tip or "", broken=True).files == {}


def test_a_rebase_that_loses_nothing_is_left_alone(forked: Forked) -> None:
    forked.git("reset", "-q", "--hard", forked.base)
    new = forked.one.new("third")
    forked.one.set(new, title="again")
    forked.one.note(forked.id, "more")
    forked.git("rebase", "-q", "origin/gittask")
    tree = forked.one.tree
    assert forked.one.sync().restored == []
    assert forked.one.tree == tree


@pytest.mark.parametrize("how", [("-X", "ours"), ("-s", "ours")], ids=" ".join)
def test_what_a_rebase_dropped_is_said_once_with_the_way_back(
    forked: Forked, how: tuple[str, ...]
) -> None:
    before = forked.git("rev-parse", "HEAD")
    forked.git("rebase", "-q", *how, "origin/gittask")
    done = forked.one.sync()
    assert (done.left_at, forked.one.path(forked.id) in done.left) == (before, True)
    assert forked.one.sync().left == []
    forked.git("reset", "-q", "--hard")
    forked.git("merge", "-q", "--no-edit", "-s", "ours", before)
    forked.one.sync()
    assert forked.one.task(forked.id) == forked.task


def test_a_value_that_would_have_lost_is_said_too(forked: Forked) -> None:
    forked.git("reset", "-q", "--hard", forked.base)
    forked.two.set(forked.other, title="b")
    forked.two.sync()
    forked.one.set(forked.other, title="a", labels=["late"])
    forked.one.set(forked.other, title="c")
    forked.git("fetch", "-q", "origin")
    forked.git("reset", "-q", "--hard")
    forked.git("rebase", "-q", "-X", "ours", "origin/gittask")
    assert forked.one.sync().left == [forked.one.path(forked.other)]


def test_a_rebase_that_dropped_nothing_says_nothing(forked: Forked) -> None:
    by_rebase("-X", "theirs")(forked)
    assert forked.one.sync().left == []


def test_a_revert_is_an_edit_and_stays(forked: Forked) -> None:
    forked.git("reset", "-q", "--hard", "origin/gittask")
    forked.git(*WHO, "revert", "--no-edit", "HEAD")
    forked.one.sync()
    assert forked.one.task(forked.other)["priority"] == 2
    forked.two.sync()
    assert forked.two.task(forked.other)["priority"] == 2


def test_what_was_done_since_the_merge_stays(forked: Forked) -> None:
    by_strategy("-s", "ours")(forked)
    forked.one.set(forked.id, title="third", type="bug")
    forked.one.note(forked.id, "more")
    forked.one.sync()
    task = forked.one.task(forked.id)
    assert (task["title"], task["type"], task["labels"]) == ("third", "bug", ["x", "y"])
    assert len(forked.one.reader.ids("note", task=forked.id)) == 2


def test_an_edit_by_hand_within_a_merge_stays(forked: Forked) -> None:
    forked.git("merge", "-q", "--no-commit", "-X", "ours", "origin/gittask")
    file = forked.file(forked.other)
    file.write_text(file.read_text().replace("title: other", "title: by hand"))
    forked.git("commit", "-qam", "merge")
    forked.one.sync()
    kept = forked.one.task(forked.other)["title"] == "by hand"
    aside = [one["lost"] for one in forked.one.conflicts()]
    assert kept or "by hand" in aside


def test_what_somebody_broke_alone_is_left_for_them(forked: Forked) -> None:
    forked.one.sync()
    forked.git("reset", "-q", "--hard")
    forked.file(forked.other).write_text("title: [\n")
    forked.git("commit", "-qam", "oops")
    forked.one.sync()
    assert "title: [" in forked.one.git("show", f"gittask:{forked.one.path(forked.other)}")
