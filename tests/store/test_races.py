"""Many processes, one branch: nothing is lost, and a kill leaves nothing half done."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from gittask.errors import Contention
from gittask.store import refs
from gittask.store.repo import Person, Repo
from tests.branch import commit_to

Git = Callable[..., str]
Process = subprocess.Popen[str]
ANN = Person("Ann", "ann@example.org", 1_767_225_600)

WRITER = """
import sys
from contextlib import nullcontext
from pathlib import Path
from gittask.errors import Moved
from gittask.store.repo import Person, Repo

folder, name, count, locked = sys.argv[1:]
repo = Repo.discover(Path(folder))
ann = Person("Ann", "ann@example.org", 1767225600)

def write(number):
    with repo.lock() if locked == "locked" else nullcontext():
        tip = repo.tip()
        if tip is None:
            repo.move(None, repo.root(), "made")
            tip = repo.root()
        files = {f"d/{name}/{number}": b"x", "last": name.encode()}
        repo.move(tip, repo.commit(tip, files, ann, ann, f"{name} {number}"), "test")

print("ready", flush=True)
sys.stdin.readline()
for number in range(int(count)):
    while True:
        try:
            write(number)
            break
        except Moved:
            pass
    print(number, flush=True)
"""

CREATOR = """
import sys
from pathlib import Path
from gittask.errors import Moved
from gittask.store.repo import Repo

repo = Repo.discover(Path(sys.argv[1]))
print("ready", flush=True)
for line in sys.stdin:
    name, commit = line.split()
    try:
        repo.refs.move(name, None, commit, "made")
        print("won", flush=True)
    except Moved:
        print("lost", flush=True)
"""


@contextmanager
def processes(code: str, calls: Sequence[Sequence[str]]) -> Iterator[list[Process]]:
    """Processes that have started and wait for a line; they are killed at the end."""
    with ExitStack() as stack:
        started = []
        for call in calls:
            process = subprocess.Popen(
                [sys.executable, "-c", code, *call],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            stack.enter_context(process)
            stack.callback(process.kill)
            started.append(process)
        for process in started:
            assert read(process) == "ready"
        yield started


def read(process: Process) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def send(process: Process, line: str) -> None:
    assert process.stdin is not None
    process.stdin.write(line + "\n")
    process.stdin.flush()


def test_no_write_is_lost(repo: Path, git: Git) -> None:
    names = [f"w{number}" for number in range(8)]
    waits = ["locked", "free"] * 4  # the lock is a courtesy: it may be ignored
    calls = [(str(repo), name, "25", wait) for name, wait in zip(names, waits, strict=True)]
    with processes(WRITER, calls) as writers:
        for writer in writers:
            send(writer, "go")
        for _ in range(3):  # as git does it behind one's back
            git(repo, "pack-refs", "--all")
            git(repo, "repack", "-q", "-d")
        for writer in writers:
            writer.communicate()
            assert writer.returncode == 0
    files = git(repo, "ls-tree", "-r", "--name-only", "gittask:d").split()
    assert sorted(files) == sorted(f"{name}/{number}" for name in names for number in range(25))
    assert git(repo, "rev-list", "--count", "gittask") == "201"
    assert git(repo, "rev-list", "--max-parents=0", "gittask") == Repo.discover(repo).root()
    assert git(repo, "rev-list", "--merges", "gittask") == ""
    assert git(repo, "fsck", "--strict", "--no-dangling") == ""


def test_only_one_of_many_makes_a_branch(repo: Path) -> None:
    found = Repo.discover(repo)
    tree = found.write_tree(None, {})
    commits = [found.create_commit(tree, [], ANN, ANN, str(number)) for number in range(4)]
    with processes(CREATOR, [[str(repo)]] * len(commits)) as racers:
        for number in range(12):
            name = f"refs/heads/r{number}"
            for racer, commit in zip(racers, commits, strict=True):
                send(racer, f"{name} {commit}")
            results = [read(racer) for racer in racers]
            assert sorted(results) == ["lost", "lost", "lost", "won"]
            assert found.refs.read(name) == commits[results.index("won")]


def test_a_kill_at_any_moment_leaves_the_state_before_or_after(
    repo: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refs, "PATIENCE", 0.0)
    found = Repo.discover(repo)
    lock = repo / ".git" / "refs" / "heads" / "gittask.lock"
    for name in "abcdefghijkl":
        with processes(WRITER, [(str(repo), name, "100000", "locked")]) as (writer,):
            send(writer, "go")
            for _ in range(random.randrange(1, 12)):
                read(writer)
            for _ in range(random.randrange(100_000)):
                pass  # some part of the time that one write takes
            writer.kill()
            assert writer.stdout is not None
            rest = writer.stdout.read().split()
        tip = found.tip()
        assert tip is not None
        folder = found.lookup(tip, f"d/{name}")
        assert folder is not None
        written = sorted(int(entry.name) for entry in found.entries(folder.id))
        assert written == list(range(len(written)))
        assert not rest or len(written) - int(rest[-1]) - 1 in (0, 1)
        try:
            commit_to(found, tip, {f"after/{name}": b"x"}, ANN, ANN, "after")
        except Contention:
            lock.unlink()  # as its hint says
        assert git(repo, "fsck", "--strict", "--no-dangling") == ""
