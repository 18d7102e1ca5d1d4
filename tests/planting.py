"""Putting on the data branch what no honest program writes: raw folders, links, odd names."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from gittask.store.repo import Person, Repo

FILE, LINK, MODULE, FOLDER = 0o100644, 0o120000, 0o160000, 0o040000
_BLOB, _TREE = 3, 2  # git's numbers of the object types
_SOMEONE = Person("Mallory", "m@example.org", 1_800_000_000)


class Planted(NamedTuple):
    """What is to stand at a path: the mode that its folder says, and the bytes or the object."""

    path: bytes
    mode: int
    content: bytes | str


def plant(folder: Path, *planted: Planted, drop: bytes = b"") -> str:
    """Commit these on top of the data branch, byte for byte as said; returns the commit.

    ``drop`` is a path that is taken away before. Nothing is checked: names may be anything that
    holds no slash, and an object (as text) need not be there.
    """
    repo = Repo.discover(folder)
    tip = repo.tip()
    assert tip is not None
    commit = planted_on(repo, tip, *planted, drop=drop)
    repo.move(tip, commit, "test")
    return commit


def planted_on(repo: Repo, commit: str, *planted: Planted, drop: bytes = b"") -> str:
    """As ``plant``, on top of a commit; nothing moves."""
    tree = repo.tree(commit)
    if drop:
        tree = _with(repo, tree, drop.split(b"/"), None)
    for each in planted:
        tree = _with(repo, tree, each.path.split(b"/"), each)
    return raw_commit(repo, tree, commit)


def raw_commit(repo: Repo, tree: str, parent: str) -> str:
    """A commit of a folder that may not be there, written as git's own plumbing would."""
    who = f"{_SOMEONE.name} <{_SOMEONE.email}> {_SOMEONE.time} +0000"
    text = f"tree {tree}\nparent {parent}\nauthor {who}\ncommitter {who}\n\npushed\n"
    return repo.write_object(1, text.encode())


def _with(repo: Repo, tree: str | None, parts: list[bytes], planted: Planted | None) -> str:
    """The id of a folder in which something else stands at a path."""
    name, *rest = parts
    entries = [(e.name.encode("utf-8", "surrogateescape"), e.mode, e.id) for e in _open(repo, tree)]
    below = next((id for other, mode, id in entries if other == name and mode == FOLDER), None)
    kept = [entry for entry in entries if entry[0] != name]
    if rest:
        kept.append((name, FOLDER, _with(repo, below, rest, planted)))
    elif planted:
        content = planted.content
        id = repo.write_object(_BLOB, content) if isinstance(content, bytes) else content
        kept.append((name, planted.mode, id))
    kept.sort(key=lambda entry: entry[0] + (b"/" if entry[1] == FOLDER else b""))
    return repo.write_object(
        _TREE, b"".join(b"%o %s\0%s" % (mode, name, bytes.fromhex(id)) for name, mode, id in kept)
    )


def _open(repo: Repo, tree: str | None) -> list:  # type: ignore[type-arg]
    return repo.entries(tree) if tree else []
