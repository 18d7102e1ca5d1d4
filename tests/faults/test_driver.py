"""The merge driver, killed or without a place for what loses: our version, or the merged one."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from gittask.core.codec import decode
from gittask.store.local import Local
from tests.clones import schemas
from tests.conftest import Git
from tests.faults import scenes
from tests.faults.test_disk import CODES, ERRORS, one_sentence
from tests.faults.test_kill import MOST
from tests.faults.tracing import KILL, Tracer, sample
from tests.program import Program
from tests.store.test_treemerge import BASE, EARLY, LATE, PATH

ARGS = ("merge-driver", "O", "A", "B", PATH)
DRIVER = (sys.executable, "-m", "gittask")


def make(folder: Path, git: Git) -> None:
    """A repository in which git has laid out the three versions of one file."""
    scenes.Scene("driver", (), scenes.nothing).make(folder, git)
    for name, content in (("O", BASE), ("A", EARLY), ("B", LATE)):
        (folder / "here" / name).write_bytes(content)


def kept(here: Path) -> list[str]:
    """The values that lost, all of which can be read."""
    found = [decode(content) for _, content in Local(here / ".git").pending()]
    assert all(schemas().check("conflict", conflict) == [] for conflict in found)
    return [conflict["lost"] for conflict in found]


@pytest.mark.parametrize("effect", [KILL, *(f"error={error}" for error in ERRORS)])
def test_whatever_happens_to_it_no_value_is_lost(
    effect: str, tmp_path: Path, scratch: Path, git: Git
) -> None:
    before, place = tmp_path / "before", tmp_path / "place"
    make(before, git)
    scenes.copy(before, place)
    tracer = Tracer(place, ARGS, scratch, DRIVER)
    calls = tracer.observe()
    assert (place / "here" / "A").read_bytes() == LATE
    for call in sample(calls, MOST):
        scenes.copy(before, place)
        done = tracer.inject(call, effect)
        content, lost = (place / "here" / "A").read_bytes(), kept(place / "here")
        assert (content, lost) in [(EARLY, []), (EARLY, ["early"]), (LATE, ["early"])], call
        if done.returncode == 0:
            assert content == LATE, call
        elif effect != KILL:
            assert done.returncode in CODES, (call, done)
            assert one_sentence(done.stderr), (call, done)
        (place / "here" / "A").write_bytes(EARLY)
        Program(place / "here")(*ARGS)
        assert (place / "here" / "A").read_bytes() == LATE, call
        assert kept(place / "here") == ["early"], call


@pytest.mark.parametrize("in_the_way", [Path.touch, lambda path: path.symlink_to(path)])
def test_without_a_place_for_what_loses_nothing_is_merged(
    in_the_way: object, tmp_path: Path, git: Git
) -> None:
    make(tmp_path / "scene", git)
    here = tmp_path / "scene" / "here"
    (here / ".git" / "gittask").mkdir()
    assert callable(in_the_way)
    in_the_way(here / ".git" / "gittask" / "pending")
    said = Program(here)(*ARGS, code=1).err
    assert one_sentence(said)
    assert (here / "A").read_bytes() == EARLY
    assert sorted(path.name for path in here.iterdir()) == [".git", "A", "B", "O", "code.txt"]
