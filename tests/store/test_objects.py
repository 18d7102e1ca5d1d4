from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gittask.errors import GittaskError, RemoteError
from gittask.store.objects import MAX_DEPTH
from gittask.store.repo import Entry, Person, Repo
from tests.branch import commit_to

Git = Callable[..., str]
ANN = Person("Ann", "ann@example.org", 1_767_225_600, 60)


def contents(repo: Repo, tree: str) -> dict[str, bytes]:
    return {path: repo.blob(entry.id) for path, entry in repo.files(tree)}


def commit(repo: Repo, tree: str) -> str:
    return repo.create_commit(tree, [], ANN, ANN, "m")


def test_lookup_and_size(found: Repo) -> None:
    big = b"x" * 100_000
    tree = found.write_tree(None, {"a/b": big, "a/c": b"", "ä": b"umlaut"})
    made = commit(found, tree)
    entry = found.lookup(made, "a/b")
    assert entry is not None
    assert (entry.name, entry.mode, entry.is_file) == ("b", 0o100644, True)
    assert (found.size(entry.id), found.blob(entry.id)) == (100_000, big)
    folder = found.lookup(made, "a")
    assert folder is not None
    assert folder.is_tree
    assert found.lookup(made, "ä") is not None
    for path in ("", "x", "a/x", "a/b/c", "a//b", "/a", "a/", "../a", "a\0", "\udcff"):
        assert found.lookup(made, path) is None


def test_diff_tells_both_sides_and_opens_only_what_differs(
    found: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = found.write_tree(None, {"same/x": b"1", "d/x": b"1", "d/y": b"2", "f": b"3"})
    new = found.write_tree(old, {"d/x": b"9", "d/y": None, "f": None, "e/z": b"4"})
    new = found.write_tree(new, {"f/in": b"5"})
    opened = []
    entries = Repo.entries

    def watched(self: Repo, tree: str) -> list[Entry]:
        opened.append(tree)
        return entries(self, tree)

    monkeypatch.setattr(Repo, "entries", watched)
    changes = list(found.diff(old, new))
    assert [(path, a is not None, b is not None) for path, a, b in changes] == [
        ("d/x", True, True),
        ("d/y", True, False),
        ("e/z", False, True),
        ("f/in", False, True),
        ("f", True, False),
    ]
    assert all(
        isinstance(entry, Entry) and not entry.is_tree
        for _, *both in changes
        for entry in both
        if entry
    )
    same = next(entry.id for entry in entries(found, old) if entry.name == "same")
    assert same not in opened
    opened.clear()
    assert list(found.diff(new, new)) == []
    assert opened == []
    assert [path for path, _, _ in found.diff(None, old)] == [path for path, _ in found.files(old)]


def hostile(git: Git, repo: Path, *lines: str) -> str:
    """A tree with names that git's own commands would refuse to add."""
    return git(repo, "mktree", "-z", "--missing", input="".join(line + "\0" for line in lines))


def test_hostile_names_are_shown_and_never_followed(
    found: Repo, repo: Path, tmp_path: Path, git: Git
) -> None:
    (tmp_path / "secret").write_text("secret")
    blob = git(repo, "hash-object", "-w", "--stdin", input="../../secret")
    names = ["..", ".git", "a\nb", "a\x1b[2J", "CON", "dup", "dup", "x:y"]
    lines = [f"100644 blob {blob}\t{name}" for name in names]
    lines += [f"120000 blob {blob}\tlink", f"160000 commit {'1' * 40}\tsub"]
    tree = hostile(git, repo, *lines)
    entries = found.entries(tree)
    assert sorted(entry.name for entry in entries) == sorted([*names, "link", "sub"])
    assert {e.name for e in entries if not e.is_file} == {"link", "sub"}
    assert len(list(found.files(tree))) == len({*names, "link", "sub"})
    link = found.lookup(commit(found, tree), "link")
    assert link is not None
    assert found.blob(link.id) == b"../../secret"
    with pytest.raises(GittaskError, match="missing"):
        found.blob("1" * 40)
    kept = found.write_tree(tree, {"tasks/new": b"1"})
    assert {"..", ".git", "link", "sub"} < {entry.name for entry in found.entries(kept)}
    replaced = found.write_tree(tree, {"link": b"now a file"})
    assert {path: e.mode for path, e in found.files(replaced)}["link"] == 0o100644


def test_a_name_that_is_not_utf8_survives(found: Repo) -> None:
    blob = found.git("hash-object", "-w", "--stdin", input=b"").stdout.strip()
    listed = b"100644 blob " + blob + b"\tt\xffz\0"
    tree = found.git("mktree", "-z", input=listed).stdout.decode().strip()
    assert [entry.name for entry in found.entries(tree)] == ["t\udcffz"]
    assert found.lookup(commit(found, tree), "t\udcffz") is not None
    kept = found.write_tree(tree, {"a": b""})
    assert [path for path, _ in found.files(kept)] == ["a", "t\udcffz"]


def test_very_deep_folders_are_shown_and_not_entered(found: Repo, repo: Path, git: Git) -> None:
    tree = found.write_tree(None, {"end": b""})
    for _ in range(MAX_DEPTH + 50):
        tree = hostile(git, repo, f"040000 tree {tree}\td")
    shown = list(found.files(tree))
    assert [(path.count("/"), entry.is_tree) for path, entry in shown] == [(MAX_DEPTH, True)]


def test_objects_of_another_kind_or_missing_or_damaged_are_named(found: Repo, repo: Path) -> None:
    head = found.head()
    assert head is not None
    tree = found.tree(head)
    with pytest.raises(GittaskError, match="not a blob"):
        found.blob(tree)
    with pytest.raises(GittaskError, match="not a tree"):
        found.entries(head)
    with pytest.raises(GittaskError, match="not a commit"):
        found.commit_info(tree)
    for bad in ("", "abc", "zz", "refs/heads/main"):
        with pytest.raises(GittaskError, match="cannot be read"):
            found.commit_info(bad)
    with pytest.raises(GittaskError, match="missing") as caught:
        found.size("2" * 40)
    assert "git fsck" in caught.value.hint
    path = repo / ".git" / "objects" / tree[:2] / tree[2:]
    path.chmod(0o600)
    path.write_bytes(b"\0\0\0")
    with pytest.raises(GittaskError, match=f"object {tree} cannot be read"):
        Repo.discover(repo).entries(tree)


@pytest.mark.parametrize("filter", ["blob:none", "tree:0"])
def test_a_partial_clone_fetches_what_it_lacks(
    found: Repo, repo: Path, tmp_path: Path, git: Git, filter: str
) -> None:
    files = {f"d/{number}": b"%d" % number for number in range(5)}
    commit_to(found, None, files, ANN, ANN, "m")
    git(repo, "config", "uploadpack.allowFilter", "true")
    partial = tmp_path / "partial"
    clone = ("clone", "-q", "--no-checkout", f"--filter={filter}", f"file://{repo}")
    git(tmp_path, *clone, str(partial))
    there = Repo.discover(partial)
    tip = there.tracking()
    assert tip is not None
    assert contents(there, there.tree(tip)) == files


def test_a_partial_clone_can_fetch_many_at_once(
    found: Repo, repo: Path, tmp_path: Path, git: Git
) -> None:
    commit_to(found, None, {f"d/{number}": b"%d" % number for number in range(5)}, ANN, ANN, "m")
    git(repo, "config", "uploadpack.allowFilter", "true")
    for name in ("near", "far"):
        clone = ("clone", "-q", "--no-checkout", "--filter=blob:none", f"file://{repo}")
        git(tmp_path, *clone, str(tmp_path / name))
    near, far = Repo.discover(tmp_path / "near"), Repo.discover(tmp_path / "far")
    tip = near.tracking()
    assert tip is not None
    wanted = [entry.id for _, entry in near.files(near.tree(tip))]
    assert not any(map(near.exists, wanted))
    near.fetch_missing(wanted)
    assert all(map(near.exists, wanted))
    repo.rename(tmp_path / "moved")
    near.fetch_missing(wanted)
    with pytest.raises(RemoteError, match="partial clone, and 1 objects") as caught:
        far.blob(wanted[0])
    assert "'origin'" in caught.value.hint


def test_looking_up_many_opens_each_folder_once(
    found: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {f"notes/{number}": b"x" for number in range(40)}
    made = found.commit(None, files, ANN, ANN, "many")
    opened: list[str] = []
    entries = found.entries

    def counted(tree: str) -> list[Entry]:
        opened.append(tree)
        return entries(tree)

    monkeypatch.setattr(found, "entries", counted)
    assert all(found.lookup(made, path) for path in files)
    assert found.lookup(made, "notes/none") is None
    assert len(opened) == 2
