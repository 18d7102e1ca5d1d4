"""Ending or failing the program at one system call, by strace: each call that writes, in turn.

A call is found by watching one run to its end, and met again in another run on a copy of the same
files. Calls of the program itself and of each git that it starts are told apart. A git that is
killed takes the program with it, as if the power had gone.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import tests

ROOT = Path(tests.__file__).parent.parent
KILL = "signal=SIGKILL"
_ON_FILES = ("write", "pwrite64", "writev", "fsync", "fdatasync", "ftruncate", "fchmod")
_ON_NAMES = (
    *("openat", "creat", "rename", "renameat", "renameat2", "link", "linkat", "unlink", "unlinkat"),
    *("mkdir", "mkdirat", "rmdir", "symlink", "symlinkat", "truncate", "chmod", "fchmodat"),
)
PROGRAM = (sys.executable, "-m", "tests.faults.still")
"""The program, as it is traced."""
_FOLDER = re.compile(r"AT_FDCWD<[^>]*>")
_GIT = """\
#!/bin/sh
echo >> "$FAULTS/started"
started=$(wc -l < "$FAULTS/started")
if [ "$FAULTS_AT" = all ]; then
    exec strace -qq -f -ff -y -s 0 -o "$FAULTS/git.$started" -e "trace=$FAULTS_CALLS" "$GIT" "$@"
elif [ "$FAULTS_AT" != "$started" ]; then
    exec "$GIT" "$@"
fi
strace -qq -f -o /dev/null -e "trace=$FAULTS_CALLS" -e "inject=$FAULTS_CALLS:$FAULTS_HOW" \\
    "$GIT" "$@"
code=$?
if [ $code = 137 ]; then kill -9 $PPID; fi
exit $code
"""


@dataclass(frozen=True)
class Call:
    """The ``number``-th call of a name by one process: 0 is the program, n the n-th git of it."""

    process: int
    name: str
    number: int
    line: str = ""


def why_not(scratch: Path) -> str:
    """Why strace cannot end a program here; empty if it can."""
    found = shutil.which("strace")
    if found is None:
        return "strace is not installed"
    argv = [found, "-o", "/dev/null", "-e", "trace=mkdir,mkdirat"]
    argv += ["-e", f"inject=mkdir,mkdirat:{KILL}:when=1", "mkdir", str(scratch / "made")]
    done = subprocess.run(argv, capture_output=True, text=True)
    if done.returncode == -9 and not (scratch / "made").exists():
        return ""
    return f"strace cannot end a program here: {done.stderr.strip() or done.returncode}"


class Tracer:
    """Runs one command in ``folder``/here, again and again, at the same time by its clock.

    ``scratch`` is a folder for what strace writes. ``command`` is the program to be run.
    """

    def __init__(
        self, folder: Path, args: Sequence[str], scratch: Path, command: Sequence[str] = PROGRAM
    ) -> None:
        self._folder = folder
        self._scratch = scratch
        self._argv = [*command, *args]
        self._now = int(time.time())

    def observe(self) -> list[Call]:
        """Run it to its end; the calls that write below the folder."""
        names = ",".join(f"?{name}" for name in (*_ON_FILES, *_ON_NAMES))  # "?": if it is known
        own = self._scratch / "own"
        strace = ["strace", "-qq", "-y", "-s", "0", "-o", str(own), "-e", f"trace={names}"]
        done = self._run([*strace, *self._argv], "all", names)
        assert done.returncode == 0, done
        found = list(_calls(self._folder, 0, own))
        for trace in sorted(self._scratch.glob("git.*")):
            found += _calls(self._folder, int(trace.name.split(".")[1]), trace)
        return list({(call.process, call.name, call.number): call for call in found}.values())

    def inject(
        self, call: Call, effect: str = KILL, until: str = ""
    ) -> subprocess.CompletedProcess[str]:
        """Run it, where something happens to one call, and to those of its name up to another.

        ``effect`` is strace's word for it: ``error=ENOSPC``. ``until`` is "" for the one call
        alone, "+" for all from there on, "..N" for those up to the N-th.
        """
        how = f"{effect}:when={call.number}{until}"
        argv = self._argv
        if call.process == 0:
            own = ["strace", "-qq", "-o", "/dev/null", "-e", f"trace={call.name}"]
            argv = [*own, "-e", f"inject={call.name}:{how}", *argv]
        return self._run(argv, str(call.process), call.name, how)

    @contextmanager
    def stopped(self, call: Call) -> Iterator[Stopped]:
        """Run it until it has stopped after one of its own calls, by SIGSTOP."""
        env = self._prepared("", "", "")
        pipe = self._scratch / "pipe"
        os.mkfifo(pipe)
        strace = ["strace", "-qq", "-o", str(pipe), "-e", f"trace={call.name}"]
        strace += ["-e", f"inject={call.name}:signal=SIGSTOP:when={call.number}"]
        here = self._folder / "here"
        with (
            subprocess.Popen(
                [*strace, *self._argv], cwd=here, env=env, stdout=subprocess.DEVNULL
            ) as tracing,
            pipe.open() as said,
        ):
            assert any("stopped by SIGSTOP" in line for line in said)
            children = Path(f"/proc/{tracing.pid}/task/{tracing.pid}/children").read_text()
            (pid,) = map(int, children.split())
            # What strace writes from here on is read by the system, so that it does not wait.
            with subprocess.Popen(["cat"], stdin=said, stdout=subprocess.DEVNULL):
                yield Stopped(pid, tracing.wait)

    def _run(
        self, argv: Sequence[str], at: str, calls: str, how: str = ""
    ) -> subprocess.CompletedProcess[str]:
        env = self._prepared(at, calls, how)
        here = self._folder / "here"
        return subprocess.run(argv, cwd=here, env=env, capture_output=True, text=True, timeout=120)

    def _prepared(self, at: str, calls: str, how: str) -> dict[str, str]:
        """The environment of a run, with a git that is traced; no trace of an earlier run."""
        shutil.rmtree(self._scratch, ignore_errors=True)
        git = self._scratch / "bin" / "git"
        git.parent.mkdir(parents=True)
        git.write_text(_GIT)
        git.chmod(0o755)
        return {
            **os.environ,
            "FAULTS": str(self._scratch),
            "FAULTS_AT": at,
            "FAULTS_CALLS": calls,
            "FAULTS_HOW": how,
            "FAULTS_NOW": str(self._now),
            "GIT": shutil.which("git") or "git",
            "PATH": f"{git.parent}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONHASHSEED": "0",
        }


@dataclass(frozen=True)
class Stopped:
    """A program that is stopped: its process, and how to wait for its exit code."""

    pid: int
    wait: Callable[[], int]


def sample(calls: Sequence[Call], most: int) -> list[Call]:
    """So many of the calls at most, evenly over all of them, with the first and the last."""
    if len(calls) <= most:
        return list(calls)
    return [calls[place * (len(calls) - 1) // (most - 1)] for place in range(most)]


def _calls(folder: Path, process: int, trace: Path) -> Iterator[Call]:
    """The calls of one process that write below a folder, numbered among all of the same name."""
    counted: dict[str, int] = {}
    for line in trace.read_text(errors="replace").splitlines():
        name, parenthesis, rest = line.partition("(")
        if not parenthesis or not name.isidentifier():
            continue
        counted[name] = counted.get(name, 0) + 1
        if _writes_below(folder, name, rest):
            yield Call(process, name, counted[name], line)


def _writes_below(folder: Path, name: str, rest: str) -> bool:
    if name in _ON_FILES:
        found = re.match(r"\d+<([^>]*)>", rest)
        return found is not None and found[1].startswith(f"{folder}/")
    if name == "openat" and not re.search(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC", rest):
        return False
    path = re.search(r'"([^"]*)"', _FOLDER.sub("", rest))
    return path is not None and (path[1].startswith(f"{folder}/") or not path[1].startswith("/"))
