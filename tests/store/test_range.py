"""What a range brings, as git has it: also where history is cut off."""

from __future__ import annotations

from pathlib import Path

import pytest

from gittask.errors import NotFound, Usage
from gittask.store.range import default_branch, first_of, look, placed
from gittask.store.repo import Repo
from tests.conftest import Git


def commit(git: Git, folder: Path, name: str, *args: str) -> str:
    (folder / name).write_text(name)
    git(folder, "add", name)
    git(folder, "commit", "-q", "-m", name, *args)
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def topic(repo: Path, git: Git) -> list[str]:
    """Two commits on a branch, beside one on ``main``."""
    git(repo, "switch", "-q", "-c", "topic")
    commits = [commit(git, repo, name) for name in ("a", "b")]
    git(repo, "switch", "-q", "main")
    commit(git, repo, "m")
    git(repo, "switch", "-q", "topic")
    return commits


def test_the_commits_of_the_head_that_the_base_has_not(
    repo: Path, git: Git, topic: list[str]
) -> None:
    found = look(Repo.discover(repo), None, None, None)
    assert [seen.sha for seen in found.commits] == topic[::-1]
    assert found.base == git(repo, "rev-parse", "main~1")
    assert found.branches == ("topic",)
    assert all(seen.patch_id for seen in found.commits)
    assert (found.cut, found.whole) == (False, True)
    assert found.parents[topic[1]] == (topic[0],)


def test_a_merge_is_among_them_and_has_no_patch(repo: Path, git: Git, topic: list[str]) -> None:
    git(repo, "merge", "-q", "--no-edit", "main")
    found = look(Repo.discover(repo), "main", "topic", None)
    merge, *others = found.commits
    assert len(found.parents[merge.sha]) == 2
    assert merge.patch_id is None
    assert [seen.sha for seen in others] == topic[::-1]


@pytest.mark.parametrize(
    ("head", "said", "names"),
    [
        (None, None, ("topic",)),
        ("topic", None, ("topic",)),
        ("topic", "other", ("other",)),
        ("topic~0", None, ("topic",)),
        ("topic~1", None, ()),
        ("main", None, ()),
    ],
)
def test_names_of_the_branch(
    repo: Path, topic: list[str], head: str | None, said: str | None, names: tuple[str, ...]
) -> None:
    assert topic
    assert look(Repo.discover(repo), "main~1", head, said).branches == names


def test_the_default_branch_is_the_remotes(
    repo: Path, bare: Path, git: Git, tmp_path: Path
) -> None:
    assert default_branch(Repo.discover(repo)) == "refs/heads/main"
    git(bare, "branch", "-m", "main", "trunk")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(bare), str(clone))
    assert default_branch(Repo.discover(clone)) == "refs/remotes/origin/trunk"
    git(repo, "branch", "-m", "main", "odd")
    opened = Repo.discover(repo)
    assert default_branch(opened) is None
    with pytest.raises(Usage, match="no default branch"):
        look(opened, None, None, None)


def test_what_is_not_here_is_said(repo: Path, topic: list[str]) -> None:
    opened = Repo.discover(repo)
    for base, head in (("gone", None), (None, "gone"), ("--all", None), (topic[0], "-x")):
        with pytest.raises(NotFound):
            look(opened, base, head, None)


def test_earlier_commits_that_are_taken_back(repo: Path, git: Git, topic: list[str]) -> None:
    git(repo, "switch", "-q", "main")
    git(repo, "merge", "-q", "--no-edit", "topic")
    git(repo, "switch", "-q", "-c", "back")
    git(repo, "revert", "--no-edit", topic[1])
    found = look(Repo.discover(repo), None, None, None)
    assert [seen.sha for seen in found.earlier] == [topic[1]]


def test_where_commits_stand(repo: Path, git: Git, topic: list[str]) -> None:
    git(repo, "commit", "-q", "--allow-empty", "-m", "the same files")
    head, main = git(repo, "rev-parse", "HEAD"), git(repo, "rev-parse", "main")
    found = placed(Repo.discover(repo), head, [*topic, main, "0" * 40])
    assert found.kept == {*topic, main, head}
    assert found.reached == {*topic, head}
    assert found.same == {topic[1], head}
    assert found.sure


def test_a_shallow_clone_says_that_it_is_cut_off(
    repo: Path, bare: Path, git: Git, tmp_path: Path, topic: list[str]
) -> None:
    git(repo, "push", "-q", str(bare), "topic", "main")
    clone = tmp_path / "shallow"
    options = ("--depth", "1", "--no-single-branch")
    git(tmp_path, "clone", "-q", *options, bare.as_uri(), str(clone))
    opened = Repo.discover(clone)
    found = look(opened, None, "origin/topic", None)
    assert (found.base, found.cut) == (None, True)
    assert [seen.sha for seen in found.commits] == topic[1:]
    assert found.commits[0].patch_id is None  # it would be that of all files
    assert not placed(opened, found.head, topic).sure
    assert placed(opened, found.head, topic).reached == {topic[1]}
    assert look(opened, "0" * 40, "origin/topic", None).cut
    assert first_of(opened, found.head, ["b"]) is None


def test_the_commit_before_the_first_that_touched_a_path(
    repo: Path, git: Git, topic: list[str]
) -> None:
    git(repo, "rm", "-q", "b")
    git(repo, "commit", "-q", "-m", "gone")
    head = git(repo, "rev-parse", "HEAD")
    opened = Repo.discover(repo)
    assert first_of(opened, head, ["b"]) == topic[0]
    assert first_of(opened, head, ["code.txt", "b"]) is None  # from the beginning on
    assert first_of(opened, head, ["nowhere"]) is None


def test_of_the_newest_merges_alone_it_is_known_what_came_by_them(
    repo: Path, found: Repo, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(repo, "switch", "-q", "-c", "topic")
    brought = [commit(git, repo, "b"), commit(git, repo, "a")][::-1]
    git(repo, "switch", "-q", "main")
    git(repo, "merge", "-q", "--no-ff", "--no-edit", "topic")
    merge = git(repo, "rev-parse", "HEAD")
    git(repo, "switch", "-q", "-c", "back")
    git(repo, "revert", "--no-edit", "-m", "1", merge)
    seen = look(found, "main", "back", None)
    assert (seen.brought, seen.whole) == ({merge: tuple(brought)}, True)
    assert {each.sha for each in seen.earlier} == {merge, *brought}
    monkeypatch.setattr("gittask.store.range.MOST_MERGES", 0)
    seen = look(found, "main", "back", None)
    assert (seen.brought, seen.whole) == ({}, False)
