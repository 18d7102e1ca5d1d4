"""What is said while work goes on that takes long."""

from __future__ import annotations

import time
from types import SimpleNamespace

import pytest

from gittask.cli import waiting
from gittask.cli.waiting import Waiting
from tests.program import Program


def test_it_is_said_after_a_while_and_then_rarely(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    tell = Waiting(said.append)
    for second, files in ((100.0, 0), (101.9, 10), (102.0, 2_000), (111.9, 11), (112.1, 12)):
        monkeypatch.setattr(time, "monotonic", lambda second=second: second)
        tell("{:,} files so far", files)
    assert said == ["2,000 files so far", "12 files so far"]


@pytest.mark.parametrize("seen", [True, False])
@pytest.mark.parametrize(
    ("call", "told"),
    [
        ("verify", ["checking: 1 files so far"]),
        ("verify ..gittask", ["checking: 1 commits so far"]),
        (
            "doctor",
            ["merges: 1 commits so far", "elsewhere: 1 edits so far", "0 versions"],
        ),
    ],
)
def test_a_look_over_the_store_says_how_far_it_is_to_whom_sees_it(
    gittask: Program, monkeypatch: pytest.MonkeyPatch, call: str, told: list[str], seen: bool
) -> None:
    task = gittask.new("Mend the queue")
    for priority in "123":
        gittask("set", task, f"priority={priority}")
    monkeypatch.setattr(waiting, "FIRST", 0)
    monkeypatch.setattr(waiting, "BETWEEN", 0)
    monkeypatch.setattr(
        waiting, "sys", SimpleNamespace(stderr=SimpleNamespace(isatty=lambda: seen))
    )
    said = gittask(*call.split(), code=None).err
    for words in told:
        assert (words in said) == seen
