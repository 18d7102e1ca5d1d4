"""What a call loads: a regression of its cost is seen here, without a clock."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gittask.store.packaged import schemas
from tests.cli.acting import HANDOFF
from tests.conftest import Git
from tests.program import Program

PROBE = """
import sys, time
now = time.time_ns
time.time_ns = lambda: now() + 60 * 10**9  # the configuration is not so young that git is asked
from gittask.cli import main
code = main(sys.argv[1:])
held = sys.modules.get("gittask.cli.later")
names = held.loaded() if held else set(sys.modules)
print(code, *sorted(name for name in names if "." not in name or "pygit2" in name), file=sys.stderr)
"""

MAKING = """
import dataclasses, sys
made, make = [], dataclasses.dataclass
def counted(cls=None, /, **settings):
    if cls is None:
        return lambda cls: counted(cls, **settings)
    made.append(cls.__name__)
    return make(cls, **settings)
dataclasses.dataclass = counted
from gittask.cli import main
code = main(sys.argv[1:])
print(code, *made, file=sys.stderr)
"""

UNUSED = {
    *("pygit2", "jsonschema", "rich", "inspect", "ast", "tokenize", "difflib", "traceback"),
    *("platform", "shutil", "socket", "secrets", "textwrap"),
}
"""What no call of every day loads."""
UNREAD = UNUSED | {
    *("pygit2._pygit2", "yaml", "jsonschema_rs", "subprocess", "hashlib", "tempfile", "random"),
}
"""What a call that only reads does not load, if the index knows all of it already."""
AT_ONCE = UNREAD | {"click", "typing", "pathlib", "dataclasses", "sqlite3"}
"""What is not loaded to say what is the same for everybody."""


@pytest.fixture
def loaded(gittask: Program) -> Callable[..., set[str]]:
    """``loaded("show", TASK)``: the modules that a process loads for a call that succeeds."""
    return lambda *args: set(said(gittask, PROBE, *args))


def said(gittask: Program, probe: str, *args: str) -> list[str]:
    """What a probe says of a call that succeeds, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", probe, *args],
        cwd=gittask.folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    code, *names = done.stderr.splitlines()[-1].split()
    assert code in ("0", "4"), done.stderr  # 4: it is not allowed
    return names


def test_what_is_said_at_once_loads_almost_nothing(
    loaded: Callable[..., set[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    for call in (["--version"], ["--help"], ["approve", "check", "--help"]):
        assert loaded(*call) & (AT_ONCE | {"json"}) == set(), call
    assert loaded("--json", "show", "--help") & AT_ONCE == set()
    monkeypatch.setenv("_GITTASK_COMPLETE", "zsh_complete")
    monkeypatch.setenv("COMP_WORDS", "gittask show --j")
    monkeypatch.setenv("COMP_CWORD", "2")
    assert loaded() & AT_ONCE == set()


def test_what_reads_needs_neither_library_nor_yaml(
    gittask: Program, loaded: Callable[..., set[str]]
) -> None:
    task = gittask.new("Fix routing", "--accept", "it works")
    loaded("show", task)  # the index is made by this, and the configuration kept
    calls = [["show", task], ["status", task], ["status"], ["ready"], ["list"]]
    calls += [["approve", "check", task, "commit"], ["show", task, "--json"], ["brief", task]]
    for call in calls:
        assert loaded(*call) & UNREAD == set(), call


def test_what_writes_loads_what_it_writes_with(
    gittask: Program, loaded: Callable[..., set[str]]
) -> None:
    task = gittask.new("Fix routing")
    gittask("start", task)
    for call in (["new", "A", "--why", "b"], ["note", task, "seen"], ["handoff", task, *HANDOFF]):
        found = loaded(*call)
        assert found & UNUSED == set(), call
        assert "pygit2._pygit2" in found, call


def test_a_sync_with_nothing_to_do_loads_little(
    gittask: Program, loaded: Callable[..., set[str]], bare: Path, git: Git
) -> None:
    far = bare.rename(bare.with_name("far.git"))  # the word alone would make it a case for git
    git(gittask.folder, "remote", "add", "origin", str(far))
    gittask.new("Fix routing")
    loaded("sync")  # it keeps the configuration
    assert loaded("sync") & (UNREAD | {"sqlite3"}) == {"subprocess"}


def test_the_merge_driver_loads_no_library(
    gittask: Program, loaded: Callable[..., set[str]], tmp_path: Path
) -> None:
    path = schemas().path("task", gittask.new("Fix routing"))
    files = [tmp_path / name for name in ("base", "ours", "theirs")]
    for file, title in zip(files, ("Fix routing", "One", "Two"), strict=True):
        file.write_bytes(gittask.stored(path).replace(b"Fix routing", title.encode()))
    found = loaded("merge-driver", *map(str, files), path)
    used = {"jsonschema_rs", "hashlib", "tempfile", "random"}
    assert found & (UNREAD | {"sqlite3", "click"}) == used
    assert "calendar" not in found  # the validator would load it with what reads dates of mails
    assert list((gittask.folder / ".git" / "gittask" / "pending").iterdir())


def test_few_dataclasses_are_made(gittask: Program) -> None:
    task = gittask.new("Fix routing", "--accept", "it works")
    for call in (["show", task], ["status", task], ["ready"], ["note", task, "seen"]):
        assert len(said(gittask, MAKING, *call)) <= 1, call
    assert said(gittask, MAKING, "brief", task) == ["About"]
