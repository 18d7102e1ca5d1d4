"""The program is killed while a git that it started talks to the remote.

Nobody can tell that git: it goes on to its own end, alone. A fetch moves only what is known of the
remote, a push what the program had decided to push and could have pushed a moment earlier.
"""

from __future__ import annotations

import os
import select
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Git
from tests.faults import scenes
from tests.faults.tracing import ROOT
from tests.program import Program

pytestmark = pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="needs Linux")

NOTING = """\
#!/bin/sh
case " $* " in *" {what} "*) echo $$ > '{pid}' ;; esac
exec '{git}' "$@"
"""
WAITING = "#!/bin/sh\nexec 9>'{arrived}'\nprintf . >&9\ncat '{block}' >&2\n{then}\n"


class Remote:
    """A remote that waits in the middle of a push or a fetch, and the git that talks to it."""

    def __init__(self, folder: Path, what: str, script: Path, then: str) -> None:
        self.arrived, self.block, self.pid = (folder / name for name in ("arrived", "block", "pid"))
        os.mkfifo(self.arrived)
        os.mkfifo(self.block)
        script.parent.mkdir(exist_ok=True)
        script.write_text(WAITING.format(arrived=self.arrived, block=self.block, then=then))
        script.chmod(0o755)
        git = folder / "bin" / "git"
        git.parent.mkdir()
        found = next(each for each in os.get_exec_path() if (Path(each) / "git").exists())
        git.write_text(NOTING.format(what=what, pid=self.pid, git=f"{found}/git"))
        git.chmod(0o755)
        self.env = {"PATH": f"{git.parent}{os.pathsep}{os.environ['PATH']}"}

    def kill_in_the_middle(self, here: Path) -> None:
        """Kill a sync in the middle, and wait until its git has come to its own end."""
        env = {**os.environ, **self.env, "PYTHONPATH": str(ROOT)}
        argv = [sys.executable, "-m", "gittask", "sync"]
        with (
            os.fdopen(os.open(self.arrived, os.O_RDWR), "rb", buffering=0) as arrived,
            subprocess.Popen(argv, cwd=here, env=env, stderr=subprocess.DEVNULL) as sync,
        ):
            assert arrived.read(1) == b"."
            git = os.pidfd_open(int(self.pid.read_text()))
            sync.kill()
            assert sync.wait() == -9
        self.block.write_bytes(b"")
        ended = select.poll()
        ended.register(git, select.POLLIN)
        ended.poll()
        os.close(git)


@pytest.mark.parametrize("taken", [True, False])
def test_a_push_goes_on_alone(taken: bool, tmp_path: Path, git: Git) -> None:
    place = tmp_path / "place"
    scenes.Scene("", (), scenes.ahead).make(place, git)
    here, there = place / "here", place / "there.git"
    before, ours = scenes.tip(there, git), scenes.tip(here, git)
    hook = there / "hooks" / "pre-receive"
    Remote(tmp_path, "push", hook, f"exit {0 if taken else 1}").kill_in_the_middle(here)
    assert scenes.tip(there, git) == (ours if taken else before)
    assert scenes.tip(here, git) == ours
    assert scenes.locks(place) == []
    hook.unlink()
    done = Program(here).json("sync")["sync"]
    assert (done["pulled"], done["pushed"]) == (0, 0 if taken else 1)
    Program(here)("doctor")


def test_a_fetch_goes_on_alone(tmp_path: Path, git: Git) -> None:
    place = tmp_path / "place"
    scenes.Scene("", (), scenes.parted).make(place, git)
    here, there = place / "here", place / "there.git"
    ours, theirs = scenes.tip(here, git), scenes.tip(there, git)
    script = tmp_path / "upload-pack"
    git(here, "config", "remote.origin.uploadpack", str(script))
    remote = Remote(tmp_path, "fetch", script, 'exec git-upload-pack "$@"')
    remote.kill_in_the_middle(here)
    assert scenes.tip(here, git) == ours
    assert scenes.tip(there, git) == theirs
    assert git(here, "rev-parse", "origin/gittask") == theirs
    assert scenes.locks(place) == []
    git(here, "config", "--unset", "remote.origin.uploadpack")
    assert Program(here).json("sync")["sync"]["merged"] == 1
    Program(here)("doctor")
