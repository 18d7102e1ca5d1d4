from __future__ import annotations

import errno
import os
from collections.abc import Callable

import pytest

from gittask.errors import GittaskError
from gittask.store.library import faults, steadily


def failing(times: int, code: int) -> Callable[[], str]:
    """Something that fails so many times as the library fails, and then answers."""
    left = iter(range(times))

    def write() -> str:
        if next(left, None) is not None:
            raise OSError(f"failed to rename lockfile to 'objects/e6/aa': {os.strerror(code)}")
        return "written"

    return write


def test_a_folder_that_git_took_away_is_made_again() -> None:
    assert steadily(failing(3, errno.ENOENT)) == "written"


def test_what_stays_wrong_is_reported() -> None:
    with pytest.raises(OSError, match="No such file"):
        steadily(failing(1000, errno.ENOENT))
    with pytest.raises(OSError, match="No space left"):
        steadily(failing(1, errno.ENOSPC))


def test_faults_say_what_was_being_done() -> None:
    for error in (OSError("disk: "), KeyError("id"), ValueError("text")):
        with (
            pytest.raises(GittaskError, match=r"it cannot be read: '?(disk|id|text)'?$"),
            faults("it cannot be read"),
        ):
            raise error
    with pytest.raises(GittaskError, match=r"^plain$"), faults("it cannot be read"):
        raise GittaskError("plain")
