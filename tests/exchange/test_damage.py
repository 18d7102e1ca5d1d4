"""A sync meets lost and damaged objects: it goes on where they are not needed, else names them."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from gittask.errors import GittaskError
from tests.clones import Clone, meet, shared


class Parted:
    """Two clones that both changed one task, and each another; ``one`` has what ``two`` pushed.

    ``tips`` are the commits of the base and of both sides.
    """

    def __init__(self, one: Clone, two: Clone) -> None:
        self.one, self.two = one, two
        self.ids = {name: one.new(name) for name in ("both", "ours", "theirs", "neither")}
        meet(one, two)
        self.tips = {"base": one.tip}
        one.set(self.ids["both"], title="one")
        one.set(self.ids["ours"], title="one")
        two.set(self.ids["both"], title="two")
        two.set(self.ids["theirs"], title="two")
        two.sync()
        one.git("fetch", "-q")
        self.tips |= {"ours": one.tip, "theirs": two.tip}

    def path(self, task: str, what: str) -> str:
        path = self.one.path(self.ids[task])
        return path if what == "file" else path.removesuffix("task.yaml")

    def damage(self, task: str, what: str, side: str, how: str) -> tuple[str, Path]:
        """Damage the file or the folder of a task on one side; its id, and where git keeps it."""
        path = self.path(task, what).removesuffix("/")
        object = self.one.git("rev-parse", f"{self.tips[side]}:{path}")
        kept = self.one.folder / ".git" / "objects" / object[:2] / object[2:]
        kept.chmod(0o600)
        # Its second name would bring it back for an hour.
        shutil.rmtree(self.one.folder / ".git" / "gittask" / "kept", ignore_errors=True)
        if how == "lost":
            kept.unlink()
        else:
            kept.write_bytes(b"no object")
        return object, kept

    def titles(self) -> dict[str, str]:
        return {name: self.two.task(id)["title"] for name, id in self.ids.items()}


MERGED = {"both": "two", "ours": "one", "theirs": "two", "neither": "neither"}


@pytest.fixture
def parted(clones: Callable[[int], list[Path]]) -> Parted:
    one, two = shared(clones(2))
    return Parted(one, two)


@pytest.mark.parametrize("how", ["lost", "damaged"])
@pytest.mark.parametrize(
    ("task", "what", "side"),
    [
        ("neither", "file", "base"),
        ("neither", "folder", "base"),
        ("ours", "file", "base"),
        ("theirs", "file", "base"),
        ("theirs", "file", "theirs"),
    ],
)
def test_what_is_not_needed_is_in_no_ones_way(
    parted: Parted, task: str, what: str, side: str, how: str
) -> None:
    parted.damage(task, what, side, how)
    done = parted.one.sync()
    assert [problem.file for problem in done.bad] == (
        [parted.path(task, what)] if side == "theirs" else []
    )
    parted.two.sync()
    assert parted.two.tree == parted.one.tree
    assert parted.titles() == MERGED


@pytest.mark.parametrize(
    ("task", "what", "side", "how"),
    [
        ("both", "file", "base", "lost"),
        ("both", "file", "ours", "damaged"),
        ("both", "file", "theirs", "lost"),
        ("both", "folder", "base", "damaged"),
        ("both", "folder", "ours", "lost"),
        ("both", "folder", "theirs", "damaged"),
        ("ours", "file", "ours", "lost"),
        ("ours", "file", "ours", "damaged"),
        ("ours", "folder", "ours", "lost"),
        ("ours", "folder", "base", "damaged"),
        ("theirs", "folder", "base", "lost"),
        ("theirs", "folder", "theirs", "damaged"),
    ],
)
def test_what_is_needed_is_named_with_the_way_to_get_it(
    parted: Parted, tmp_path: Path, task: str, what: str, side: str, how: str
) -> None:
    """What the hint says is done: from the remote, or for what only this clone had, from a copy."""
    copy = tmp_path / "copy.git"
    parted.one.git("clone", "-q", "--no-local", "--mirror", str(parted.one.folder), str(copy))
    object, kept = parted.damage(task, what, side, how)
    before = parted.two.git("ls-remote", "origin")
    with pytest.raises(GittaskError) as caught:
        parted.one.sync()
    message, hint = caught.value.message, caught.value.hint
    assert f"{parted.path(task, what)}: object {object} " in message
    assert parted.two.git("ls-remote", "origin") == before
    assert "git fetch --refetch REMOTE" in hint
    assert (f"take the damaged file away: {kept}" in hint) == (how == "damaged")
    kept.unlink(missing_ok=True)
    source = str(copy) if side == "ours" else "origin"
    parted.one.git("fetch", "-q", "--refetch", source, *(["gittask"] if side == "ours" else []))
    parted.one.sync()
    parted.two.sync()
    assert parted.two.tree == parted.one.tree
    assert parted.titles() == MERGED


def test_a_record_that_was_deleted_and_cannot_be_read(parted: Parted) -> None:
    """Whether it was a record nobody can tell, so that it is not let go."""
    parted.two.by_hand(parted.path("neither", "file"), lambda _: None)
    parted.two.git("push", "-q", "origin", "gittask")
    parted.one.git("fetch", "-q")
    object, _ = parted.damage("neither", "file", "base", "lost")
    with pytest.raises(GittaskError, match=object):
        parted.one.sync()


def test_what_only_this_clone_had_can_be_given_up(parted: Parted) -> None:
    parted.damage("ours", "file", "ours", "lost")
    with pytest.raises(GittaskError, match="so that nothing can be pushed") as caught:
        parted.one.sync()
    assert "to give up what is only here: git branch -f gittask origin/gittask" in caught.value.hint
    parted.one.git("branch", "-f", "gittask", "origin/gittask")
    parted.one.sync()
    assert parted.one.tip == parted.tips["theirs"]


def test_damage_within_what_a_foreign_merge_left(parted: Parted, tmp_path: Path) -> None:
    """To see what such a merge lost, its parents are merged once more."""
    parted.one.git("config", "--remove-section", "merge.gittask")
    parted.one.git("worktree", "add", "-q", str(tmp_path / "tree"), "gittask")
    tree = Clone(tmp_path / "tree", "actor0")
    tree.git("merge", "-q", "--no-edit", "-X", "ours", "origin/gittask")
    object, _ = parted.damage("both", "file", "theirs", "lost")
    with pytest.raises(GittaskError, match=object):
        parted.one.sync()
    parted.one.git("fetch", "-q", "--refetch", "origin")
    assert parted.one.sync().restored
    parted.two.sync()
    assert parted.titles() == MERGED
