"""What is said while the whole store is read."""

from __future__ import annotations

import time

import pytest

from gittask.cli.waiting import Waiting


def test_it_is_said_after_a_while_and_then_rarely(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    waiting = Waiting(said.append)
    for second, files in ((100.0, 0), (101.9, 10), (102.0, 2_000), (111.9, 11), (112.1, 12)):
        monkeypatch.setattr(time, "monotonic", lambda second=second: second)
        waiting(files)
    assert [line.rpartition(": ")[2] for line in said] == ["2,000 files so far", "12 files so far"]
