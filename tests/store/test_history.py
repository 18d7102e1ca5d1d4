from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gittask.errors import GittaskError, NotFound
from gittask.store import history
from gittask.store.repo import Person, Repo
from tests.branch import commit_to

Git = Callable[..., str]
ANN = Person("Ann", "ann@example.org", 1_767_225_600)


class Line:
    """Commits by short names, made without moving anything."""

    def __init__(self, repo: Repo) -> None:
        self.repo = repo
        self.ids: dict[str, str] = {}

    def add(
        self,
        name: str,
        parents: str | list[str] = "",
        files: dict[str, bytes | None] | None = None,
    ) -> str:
        above = [self.ids[parent] for parent in parents]
        base = self.repo.tree(above[0]) if above else None
        tree = self.repo.write_tree(base, files or {})
        earlier = ANN._replace(time=ANN.time - len(self.ids))  # clocks run as they like
        self.ids[name] = self.repo.create_commit(tree, above, earlier, earlier, name)
        return self.ids[name]

    def names(self, ids: list[str]) -> set[str]:
        return {name for name, commit in self.ids.items() if commit in ids}


@pytest.fixture
def line(found: Repo) -> Line:
    return Line(found)


def test_revision_expressions_are_gits_own(found: Repo, repo: Path, git: Git) -> None:
    first = git(repo, "rev-parse", "HEAD")
    git(repo, "tag", "-a", "-m", "t", "v1")
    git(repo, "commit", "-q", "--allow-empty", "-m", "second")
    second = git(repo, "rev-parse", "HEAD")
    for rev in ("HEAD~1", "v1", "main^", first[:7], first, ":/first", "main@{1}"):
        assert found.resolve(rev) == first
    assert found.resolve("HEAD") == found.head() == second
    tree = git(repo, "rev-parse", "HEAD^{tree}")
    for rev in (
        "",
        "nothing",
        "-h",
        "--all",
        "HEAD HEAD",
        "v1..main",
        "^main",
        tree,
        "a\0",
        "a\ud800",
    ):
        with pytest.raises(NotFound, match="no commit is called"):
            found.resolve(rev)


def test_replacements_are_seen_by_neither_side(found: Repo, repo: Path, git: Git) -> None:
    first = git(repo, "rev-parse", "HEAD")
    git(repo, "commit", "-q", "--allow-empty", "-m", "second")
    second = git(repo, "rev-parse", "HEAD")
    git(repo, "replace", "--graft", second)
    assert found.parents(second) == (first,)
    assert [commit.id for commit in found.log(second)] == [second, first]


def test_all_merge_bases_are_found(found: Repo, line: Line) -> None:
    line.add("0")
    for name, parents in (("a", "0"), ("b", "0"), ("x", "ab"), ("y", "ba"), ("z", "x")):
        line.add(name, parents)
    line.add("alone")

    def bases(one: str, other: str) -> set[str]:
        there = found.merge_bases(line.ids[one], line.ids[other])
        assert there == found.merge_bases(line.ids[other], line.ids[one])
        return line.names(there)

    assert bases("z", "y") == {"a", "b"}
    assert bases("a", "b") == {"0"}
    assert bases("a", "x") == bases("a", "a") == {"a"}
    assert bases("a", "alone") == set()
    with pytest.raises(GittaskError):
        found.merge_bases(line.ids["a"], "1" * 40)


def test_walk_gives_what_is_new_children_first(found: Repo, line: Line) -> None:
    for name, parents in (("0", ""), ("a", "0"), ("b", "0"), ("m", "ab"), ("n", "m")):
        line.add(name, parents)
    walked = [commit.message for commit in found.walk(line.ids["a"], line.ids["n"])]
    assert walked == ["n", "m", "b"]
    whole = [commit.message for commit in found.walk(None, line.ids["n"])]
    assert (whole[:2], sorted(whole[2:4]), whole[4:]) == (["n", "m"], ["a", "b"], ["0"])
    assert list(found.walk(line.ids["n"], line.ids["a"])) == []


def test_log_of_a_path_follows_every_side_of_a_merge(found: Repo, line: Line) -> None:
    line.add("0", files={"d/x": b"0", "d/*": b"0"})
    line.add("a", "0", {"d/x": b"1"})
    line.add("b", "0", {"d/x": b"2"})
    line.add("other", "a", {"d/y": b"1"})
    line.add("m", "ab")  # takes one side as it is
    tip = line.add("n", "m", {"d/x": b"3"})
    messages = [c.message for c in found.log(tip, "d/x")]
    assert messages[0] == "n"
    assert {*messages} - {"m"} == {"0", "a", "b", "n"}
    assert [c.message for c in found.log(tip, "d/*")] == ["0"]
    assert list(found.log(tip, "-n")) == []


def test_merges_of_a_folder_are_those_in_which_it_is_unlike_in_a_parent(
    found: Repo, line: Line
) -> None:
    line.add("0", files={"d/x": b"0", "e/x": b"0", "d*/x": b"0"})
    line.add("a", "0", {"d/x": b"1"})
    line.add("b", "0", {"e/x": b"1"})
    line.add("c", "0", {"d/y": b"1"})
    line.add("m", "ab", {"e/x": b"1"})
    line.add("n", "mc", {"d/y": b"1"})
    line.add("e", "n", {"e/x": b"2"})
    line.add("f", "n", {"e/y": b"2"})
    tip = line.add("o", "ef", {"e/y": b"2"})
    names = {commit: name for name, commit in line.ids.items()}

    def merges(tip: str, path: str) -> str:
        return "".join(names[commit] for commit in history.merges(found.git, tip, path))

    assert merges(tip, "d") == "nm"
    assert merges(tip, "e") == "onm"
    assert merges(tip, "d*") == merges(tip, "nothing") == ""
    assert merges(line.ids["a"], "d") == ""


def test_the_versions_of_a_file_and_what_each_comes_of(found: Repo, line: Line) -> None:
    line.add("0", files={"d/x": b"0"})
    line.add("a", "0", {"d/x": b"1"})
    line.add("b", "0", {"d/x": b"2"})
    line.add("other", "a", {"d/y": b"1"})
    line.add("m", ["other", "b"], {"d/x": b"2"})  # takes one side
    line.add("c", "m", {"d/x": b"3"})
    line.add("d", "m", {"d/y": b"2"})
    line.add("n", "cd", {"d/x": b"4"})
    tip = line.add("last", "n", {"d/y": b"9"})
    names = {commit: name for name, commit in line.ids.items()}
    versions = history.versions(found.git, tip, "d/x")
    shown = {names[c]: "".join(names[parent] for parent in above) for c, above in versions.items()}
    assert shown == {"n": "c", "c": "m", "m": "ab", "a": "0", "b": "0", "0": ""}
    assert names[next(iter(versions))] == "n"
    assert history.versions(found.git, tip, "d/nothing") == {}


def test_what_stands_at_a_path(found: Repo, line: Line) -> None:
    line.add("0", files={"d/x": b"0"})
    line.add("a", "0", {"d/x": b"1"})
    line.add("b", "a", {"d/x": None})
    ids = [line.ids[name] for name in "0ab"]
    stood = history.contents(found.git, ids, "d/x")
    assert [found.blob(id) if id else None for id in stood] == [b"0", b"1", None]
    folders = [entry and entry.id for entry in (found.lookup(id, "d") for id in ids)]
    assert history.contents(found.git, ids, "d") == folders
    assert history.contents(found.git, [], "d") == []


def test_a_shallow_clone_ends_at_its_edge(
    found: Repo, repo: Path, tmp_path: Path, git: Git
) -> None:
    tip = None
    for number in range(4):
        tip = commit_to(found, tip, {"a": b"%d" % number}, ANN, ANN, str(number))
    shallow = tmp_path / "shallow"
    git(tmp_path, "clone", "-q", "--depth=2", "-b", "gittask", f"file://{repo}", str(shallow))
    there = Repo.discover(shallow)
    assert tip is not None
    assert [commit.message for commit in there.log(tip)] == ["3", "2"]
    edge = there.parents(tip)[0]
    assert there.parents(edge) == ()
    made = commit_to(there, tip, {"a": b"new"}, ANN, ANN, "new")
    assert there.merge_bases(made, edge) == [edge]
    git(shallow, "fetch", "-q", "--unshallow")
    assert len(there.parents(edge)) == 1
