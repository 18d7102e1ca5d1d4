"""A kill at any system call that writes leaves the store before or after, never between.

Each test takes some of a command's calls, evenly chosen. To kill at every one (minutes):

    FAULTS=all python -m pytest tests/faults/test_kill.py
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gittask.store import refs
from tests.conftest import Git
from tests.faults import scenes
from tests.faults.scenes import SCENES, Look, Scene
from tests.faults.tracing import Tracer, sample
from tests.program import Program

MOST = 10_000 if os.environ.get("FAULTS") == "all" else 3
"""How many of the calls of one command are tried."""

SIDES = ("here", "there.git")


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_a_kill_leaves_the_state_before_or_after(
    scene: Scene, tmp_path: Path, scratch: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refs, "PATIENCE", 0.0)
    kept, place = tmp_path / "kept", tmp_path / "place"
    args = scene.make(kept, git)
    before = stand(kept, git)
    scenes.copy(kept, place)
    tracer = Tracer(place, args, scratch)
    calls = tracer.observe()
    passed = passed_through(kept, place, git)
    chosen = sample(calls, MOST)
    harmed = 0
    for call in chosen:
        scenes.copy(kept, place)
        look = Look.at(place, config=not scene.configures)
        harmed += tracer.inject(call).returncode != 0
        assert Look.at(place, config=not scene.configures) == look, call
        now = stand(place, git)
        for side in SIDES:
            assert now[side] <= passed[side], call
            assert scenes.problems(place / side, git) == "", call
        goes_on(scene, args, place, git, unchanged=now == before)
    print(f"{scene.name}: {len(calls)} calls, {len(chosen)} tried, {harmed} ended the program")
    assert harmed > len(chosen) // 2


def stand(folder: Path, git: Git) -> dict[str, set[str]]:
    """Where the data branch stands on each side: a commit, or "" if it is not there."""
    return {side: {scenes.tip(folder / side, git)} for side in SIDES}


def passed_through(before: Path, after: Path, git: Git) -> dict[str, set[str]]:
    """Where the branch stood on each side at any time of an undisturbed run."""
    passed = {}
    for side in SIDES:
        old, new = scenes.tips(before / side, git), scenes.tips(after / side, git)
        between = new[: max(0, len(new) - len(old))]
        passed[side] = {*between, *stand(before, git)[side], *stand(after, git)[side]}
    return passed


def goes_on(scene: Scene, args: tuple[str, ...], place: Path, git: Git, *, unchanged: bool) -> None:
    """The same command works, once no lock of git is left over; then all is well."""
    program = Program(place / "here")
    for lock in scenes.locks(place):
        lock.unlink()
    if scenes.tip(program.folder, git):
        assert scenes.records(program)
    again = program(*args, code=None)
    assert again.code in ((0,) if unchanged else scene.settled), again
    if scenes.tip(program.folder, git):
        program("doctor")
