from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gittask.errors import GittaskError
from gittask.store import trees
from gittask.store.repo import Repo
from gittask.store.writing import MANY


def contents(repo: Repo, tree: str) -> dict[str, bytes]:
    return {path: repo.blob(entry.id) for path, entry in repo.files(tree)}


def clash(files: dict[str, bytes | None], model: dict[str, bytes]) -> bool:
    """Whether a file would stand where another path needs a folder."""
    names = {*files, *(path for path in model if files.get(path, b"") is not None)}
    return any(other.startswith(name + "/") for name in names for other in names)


paths = st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=3).map("/".join)


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    st.lists(st.dictionaries(paths, st.sampled_from([b"1", b"2", None]), max_size=4), max_size=4)
)
def test_written_files_are_read_again(found: Repo, steps: list[dict[str, bytes | None]]) -> None:
    """Against a model: a dictionary of paths, in which no file is also a folder."""
    tree, model = found.write_tree(None, {}), dict[str, bytes]()
    for files in steps:
        after = {
            path: content
            for path, content in model.items()
            if not any(path == gone or path.startswith(gone + "/") for gone in files)
        }
        after |= {path: content for path, content in files.items() if content is not None}
        try:
            tree = found.write_tree(tree, files)
        except GittaskError:
            assert clash(files, model)
            continue
        assert contents(found, tree) == after
        model = after
    assert tree == found.write_tree(None, model)
    found.git("fsck", "--strict")


def test_only_what_git_allows_is_written(found: Repo) -> None:
    for path in ("", "/a", "a//b", "a/", "../a", ".", "a/.git/b", "a\0b", "a\udcff"):
        with pytest.raises(GittaskError):
            found.write_tree(None, {path: b"x"})


def test_a_file_and_a_folder_never_replace_each_other(found: Repo) -> None:
    tree = found.write_tree(None, {"a": b"file", "d/b": b"in folder"})
    bad: list[dict[str, bytes | None]] = [
        {"a/x": b""},
        {"d": b""},
        {"n": b"", "n/x": b""},
        {"n/x": b"", "n": b""},
        {"n": None, "n/x": b""},
    ]
    for files in bad:
        with pytest.raises(GittaskError, match=r"folder|file"):
            found.write_tree(tree, files)
    assert contents(found, found.write_tree(tree, {"d": None})) == {"a": b"file"}


def test_a_folder_with_a_name_twice_is_written_with_the_first(found: Repo) -> None:
    ids = [found.write_object(3, text) for text in (b"one", b"two", b"new")]
    lines = [trees.line(trees.Entry("b", trees.FILE, id)) for id in ids[:2]]
    tree = found.write_object(2, b"".join([*lines, trees.line(trees.Entry("a", 0o100644, ids[2]))]))
    after = found.write_tree(tree, {"c": b"new"})
    assert contents(found, after) == {"a": b"new", "b": b"one", "c": b"new"}
    assert contents(found, found.write_tree(tree, {"b": None})) == {"a": b"new"}


@pytest.mark.parametrize("count", [MANY - 1, MANY])
def test_many_files_are_one_pack(found: Repo, count: int) -> None:
    files: dict[str, bytes | None] = {f"{n % 10}/{n}": f"{n % 90}\n".encode() for n in range(count)}
    before = found.write_tree(None, {"0/0": b"old", "x": b"z"})
    tree = found.write_tree(found.write_tree(before, files), {"x": None})
    assert contents(found, tree) == files
    packs = list((found.common_dir / "objects" / "pack").glob("*.idx"))
    assert len(packs) == (count == MANY)
    assert found.write_tree(None, files) == tree
    found.git("fsck", "--strict")
