"""The code at its present commit: the age of other commits, and files of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from gittask.store.head import LARGEST_TEXT, Head
from gittask.store.repo import Repo
from tests.conftest import Git


def commit(git: Git, folder: Path, text: str) -> str:
    (folder / "code.txt").write_text(text)
    git(folder, "commit", "-q", "--allow-empty", "-am", text)
    return git(folder, "rev-parse", "HEAD")


def head(folder: Path) -> Head:
    return Head(Repo.discover(folder))


def test_age(repo: Path, git: Git) -> None:
    first = commit(git, repo, "one")
    second = commit(git, repo, "two")
    again = commit(git, repo, "one")
    blob = git(repo, "rev-parse", "HEAD:code.txt")
    assert head(repo).age(first) == head(repo).age(again) == "present"
    assert head(repo).age(second) == "stale"
    assert {head(repo).age(each) for each in ("0" * 40, "1" * 64, blob)} == {"unknown"}


def test_nothing_is_known_before_the_first_commit(tmp_path: Path, git: Git) -> None:
    git(tmp_path, "init", "-q")
    assert head(tmp_path).age("0" * 40) == "unknown"
    assert head(tmp_path).read("a.md") == ("there is no commit yet", None)


def test_a_file_is_read_as_it_was_committed(repo: Path, git: Git) -> None:
    (repo / "docs").mkdir()
    (repo / "docs" / "a.md").write_text("committed\n")
    git(repo, "add", "docs")
    git(repo, "commit", "-q", "-m", "docs")
    (repo / "docs" / "a.md").write_text("changed\n")
    (repo / "docs" / "new.md").write_text("new\n")
    assert head(repo).read("docs/a.md") == ("there", "committed\n")
    assert head(repo).read("docs/new.md") == ("no such file there", None)
    assert head(repo).read("docs") == ("no plain file, so not read", None)


@pytest.mark.parametrize(
    "path",
    ["../secret.md", "docs/../a.md", "/etc/passwd.md", "a//b.md", "", ".", "C:\\a.md", "a:b.md"],
)
def test_no_path_leads_out(repo: Path, path: str) -> None:
    (repo.parent / "secret.md").write_text("secret")
    found, text = head(repo).read(path)
    assert found == "no path in the repository, so not looked for"
    assert text is None


def test_links_are_not_followed(repo: Path, git: Git) -> None:
    (repo.parent / "secret.md").write_text("secret")
    (repo / "link.md").symlink_to("../secret.md")
    (repo / "up").symlink_to("..")
    git(repo, "add", "link.md", "up")
    git(repo, "commit", "-q", "-m", "links")
    assert head(repo).read("link.md") == ("no plain file, so not read", None)
    assert head(repo).read("up/secret.md") == ("no such file there", None)


def test_what_is_no_text_or_too_large_is_not_shown(repo: Path, git: Git) -> None:
    (repo / "bytes.md").write_bytes(b"\xff\xfe")
    (repo / "large.md").write_text("x" * (LARGEST_TEXT + 1))
    git(repo, "add", ".")
    git(repo, "commit", "-q", "-m", "more")
    assert head(repo).read("bytes.md") == ("there, but no text", None)
    assert head(repo).read("large.md") == ("there, but too large to show", None)
