"""A writer that is stopped in the middle: the others go on, and it decides again when it wakes."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from gittask.store import lock, refs
from tests.conftest import Git
from tests.faults import scenes
from tests.faults.tracing import Call, Tracer
from tests.program import Program


class Stopped:
    """A call of ``new`` that stops after one of its own system calls."""

    def __init__(self, folder: Path, scratch: Path, git: Git) -> None:
        scene = scenes.Scene("new", ("new", "Stopped"), scenes.made)
        args = scene.make(folder / "kept", git)
        scenes.copy(folder / "kept", folder / "place")
        self.tracer = Tracer(folder / "place", args, scratch)
        self.calls = self.tracer.observe()
        scenes.copy(folder / "kept", folder / "place")
        self.program = Program(folder / "place" / "here")

    def first(self, name: str, path: str) -> Call:
        """The first call of a name on a path that ends so."""
        return next(one for one in self.calls if one.name == name and path in one.line)

    def titles(self) -> set[str]:
        return {task["title"] for task in self.program.json("list")["tasks"]}


@pytest.fixture
def stopped(tmp_path: Path, scratch: Path, git: Git, monkeypatch: pytest.MonkeyPatch) -> Stopped:
    monkeypatch.setattr(refs, "PATIENCE", 0.0)
    monkeypatch.setattr(lock, "PATIENCE", 0.0)
    return Stopped(tmp_path, scratch, git)


def test_whoever_holds_our_lock_and_is_stopped_holds_up_nobody(stopped: Stopped) -> None:
    call = stopped.first("openat", "/objects/tmp_object")
    with stopped.tracer.stopped(call) as process:
        stopped.program("new", "Meanwhile")
        assert stopped.titles() == {"Meanwhile"}
        os.kill(process.pid, signal.SIGCONT)
        assert process.wait() == 0
    assert stopped.titles() == {"Meanwhile", "Stopped"}
    stopped.program("doctor")


def test_whoever_is_stopped_with_the_references_lock_is_named(stopped: Stopped) -> None:
    call = stopped.first("openat", "refs/heads/gittask.lock")
    with stopped.tracer.stopped(call) as process:
        refused = stopped.program("new", "Meanwhile", "--json", code=7).error
        assert refused["details"]["lock"].endswith("refs/heads/gittask.lock")
        assert stopped.titles() == set()
        os.kill(process.pid, signal.SIGCONT)
        assert process.wait() == 0
    assert stopped.titles() == {"Stopped"}
    stopped.program("new", "Meanwhile")
    stopped.program("doctor")
