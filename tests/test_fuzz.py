"""The fuzzer, for a moment, on the same inputs each time; ``python -m tests.fuzz`` goes on."""

from __future__ import annotations

from pathlib import Path

from tests.fuzz import Trees, found


def test_nothing_is_found_in_the_first_inputs(tmp_path: Path) -> None:
    assert list(found(range(200), Trees(tmp_path / "repo"))) == []
