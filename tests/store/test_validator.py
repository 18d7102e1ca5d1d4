"""The validator that decides is as it always is, and so is what stood aside while it loaded."""

from __future__ import annotations

import subprocess
import sys
from email.utils import format_datetime

import pytest

from gittask.store.validator import _Mail

SAY = """
import sys
{first}
from gittask.store.validator import validator
made = validator()
import email.utils
print(email.utils.parsedate_to_datetime("Mon, 30 Nov 2026 10:04:11 +0000").isoformat())
import jsonschema_rs
assert made is jsonschema_rs.Draft202012Validator is validator()
print(*map(made({{"type": "string", "format": "date"}}, validate_formats=True).is_valid, "a1"))
"""


@pytest.mark.parametrize("first", ["", "import email.utils", "import jsonschema_rs"])
def test_it_is_the_same_and_leaves_nothing_behind(first: str) -> None:
    argv = [sys.executable, "-c", SAY.format(first=first)]
    done = subprocess.run(argv, capture_output=True, text=True)
    assert done.stdout == "2026-11-30T10:04:11+00:00\nFalse False\n", done.stderr


def test_what_the_stand_in_does_not_know_is_loaded() -> None:
    assert _Mail("email.utils").format_datetime is format_datetime
