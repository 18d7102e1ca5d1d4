"""What the tests of faults share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults import tracing


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    """A folder for traces, where strace really works on this machine; else the test is skipped."""
    if why := tracing.why_not(tmp_path):
        pytest.skip(why)
    return tmp_path / "traces"
