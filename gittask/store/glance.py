"""Where a repository is and what a reference says, by a look at git's own files.

Loading the library of git costs more than most questions. So what is plain to see is read here:
a repository of the ordinary kind around a directory, and a reference that is a file or packed.
Whatever is not plain (another owner, another format, configuration that moves things) is None,
and the library is asked, which knows all the rules.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from pathlib import Path
from typing import NamedTuple

_USUAL = (b"bare=false", b"formatversion=0")
_UNUSUAL = (b"extensions", b"worktree", b"include", b"bare", b"formatversion")
"""What in a configuration may mean that the repository is of another kind than it looks."""
_ID = re.compile(rb"[0-9a-f]{40}\n?")
_HEAD = re.compile(rb"ref:\s*refs/|[0-9a-f]{40}")
_LARGEST = 4 << 20


class Place(NamedTuple):
    """Git's folder of a work tree, the folder that all work trees share, and the tree's top."""

    git_dir: Path
    common_dir: Path
    worktree: Path | None


def place(start: Path) -> Place | None:
    """The repository around a directory, if all about it is as usual."""
    if os.environ.get("GIT_CEILING_DIRECTORIES") or not hasattr(os, "geteuid"):
        return None
    try:
        return _place(start.resolve())
    except OSError:
        return None


def _place(start: Path) -> Place | None:
    device = start.stat().st_dev
    for folder in (start, *start.parents):
        if folder.stat().st_dev != device or (folder / "HEAD").exists():
            return None  # beyond a mount, or maybe in a bare repository
        try:
            found = (folder / ".git").lstat()
        except FileNotFoundError:
            continue
        if not _is_own(folder.stat()) or not _is_own(found):
            return None
        return _around(folder, found.st_mode)
    return None


def _around(top: Path, mode: int) -> Place | None:
    git_dir = common_dir = top / ".git"
    if stat.S_ISREG(mode):
        said = git_dir.read_bytes()
        if not said.startswith(b"gitdir: /") or len(said) > 4096:
            return None
        git_dir = Path(os.fsdecode(said[8:].strip()))
        common_dir = (git_dir / os.fsdecode((git_dir / "commondir").read_bytes().strip())).resolve()
        if git_dir.parent.name != "worktrees" or git_dir.parent.parent != common_dir:
            return None
    elif not stat.S_ISDIR(mode):
        return None
    if _is_unusual((common_dir / "config").read_bytes()) or not _is_own(common_dir.stat()):
        return None
    if not (is_head(git_dir) and (common_dir / "objects").is_dir()):
        return None
    return Place(git_dir, common_dir, top) if (common_dir / "refs").is_dir() else None


def _is_unusual(config: bytes) -> bool:
    said = b"".join(config.lower().split())
    for usual in _USUAL:
        said = said.replace(usual, b" ")
    return any(word in said for word in _UNUSUAL)


def is_head(git_dir: Path) -> bool:
    """Whether HEAD is one that git knows a repository by; otherwise it looks further up for one."""
    return bool(_HEAD.match((git_dir / "HEAD").read_bytes()))


def _is_own(found: os.stat_result) -> bool:
    return found.st_uid == os.geteuid()


def reference(common_dir: Path, name: str) -> str | None:
    """The id that a reference which all work trees share (``refs/heads/...``) stands for.

    None if it is none, or not plain to see.
    """
    try:
        said = (common_dir / name).read_bytes()
    except FileNotFoundError:
        said = _packed(common_dir, name)
    except OSError:
        return None
    return said.decode().strip() if _ID.fullmatch(said) else None


def below(common_dir: Path, folder: str) -> list[str] | None:
    """The names of the references in a folder of them (``refs/gittask/seen/origin/``), in order.

    None if any is not plain to see.
    """
    names: set[str] = set()
    for place, _, files in os.walk(common_dir / folder):
        here = Path(place).relative_to(common_dir).as_posix()
        names.update(f"{here}/{file}" for file in files if not file.endswith(".lock"))
    if not all(reference(common_dir, name) for name in names):
        return None
    try:
        packed = _packed_refs(common_dir)
    except FileNotFoundError:
        packed = b""
    except OSError:
        return None
    start = rb"^[0-9a-f]{40} (" + re.escape(os.fsencode(folder))
    names.update(map(os.fsdecode, re.findall(start + rb".+)$", packed, re.MULTILINE)))
    return sorted(names)


def head(git_dir: Path, common_dir: Path) -> str | None:
    """The commit that a work tree's HEAD stands for; None if there is none, or it is not plain."""
    try:
        said = (git_dir / "HEAD").read_bytes()
    except OSError:
        return None
    if said.startswith(b"ref: refs/heads/"):
        return reference(common_dir, os.fsdecode(said[5:].rstrip(b"\n")))
    return said.decode().strip() if _ID.fullmatch(said) else None


def _packed(common_dir: Path, name: str) -> bytes:
    try:
        packed = _packed_refs(common_dir)
    except OSError:
        return b""
    found = re.search(rb"^([0-9a-f]{40}) " + re.escape(os.fsencode(name)) + rb"$", packed, re.M)
    return found[1] if found else b""


def _packed_refs(common_dir: Path) -> bytes:
    """The file of packed references; OSError if it is none, or is too large to look at."""
    file = common_dir / "packed-refs"
    if file.stat().st_size > _LARGEST:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    return file.read_bytes()
