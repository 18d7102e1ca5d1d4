"""The program is ended while git runs for it: nothing goes on behind its back."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Git
from tests.program import Program


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_sync_that_is_ended_leaves_no_push_running(
    clones: Callable[[int], list[Path]], bare: Path, git: Git, number: signal.Signals
) -> None:
    (folder,) = clones(1)
    gittask = Program(folder)
    gittask("init")
    gittask("sync")
    gittask.new("Not pushed yet")
    pipe, block = bare / "pipe", bare / "block"
    os.mkfifo(pipe)
    os.mkfifo(block)
    hook = bare / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\nexec 9>'{pipe}'\nprintf . >&9\nexec cat '{block}'\n")
    hook.chmod(0o755)
    before = git(bare, "rev-parse", "gittask")
    with os.fdopen(os.open(pipe, os.O_RDWR), "rb", buffering=0) as file:
        running = subprocess.Popen(
            [sys.executable, "-m", "gittask", "sync"], cwd=folder, stderr=subprocess.DEVNULL
        )
        assert file.read(1) == b"."
        running.send_signal(number)
        assert running.wait() == (-number if number == signal.SIGTERM else 130)
        reader = os.open(pipe, os.O_RDONLY)
    # The end of the file is seen only when the hook is gone.
    with os.fdopen(reader, "rb") as end:
        end.read()
    assert git(bare, "rev-parse", "gittask") == before
    assert list((folder / ".git").rglob("*.lock")) == []
    hook.unlink()
    assert gittask.json("sync")["sync"]["pushed"] == 1
