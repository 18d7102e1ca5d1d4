"""Running a command as if it had been called alone."""

from __future__ import annotations

import contextlib
import os
import pty
import signal
import subprocess
import sys

import pytest

from gittask.cli import beside
from gittask.cli.beside import NotStarted, shell_code
from tests.program import Program

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")

LISTENS = """
import signal, sys
def end(number, _):
    print(signal.Signals(number).name, flush=True)
    sys.exit(7)
for name in sys.argv[1:]:
    signal.signal(getattr(signal, name), end)
print("ready", flush=True)
sys.stdin.read()
"""
COUNTS = """
import signal, sys
signal.signal(signal.SIGINT, lambda *_: print("interrupted", flush=True))
signal.signal(signal.SIGUSR1, lambda *_: print("told", flush=True))
print("ready", flush=True)
sys.stdin.readline()
"""
BEAT = (sys.executable, "-m", "gittask", "beat", "--no-push", "--")
SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGUSR1")


@pytest.fixture
def worker(gittask: Program) -> Program:
    """The program where an execution is current."""
    gittask("start", gittask.new())
    return gittask


def run(*argv: str) -> int:
    return beside.run(argv, os.environ)


@pytest.mark.parametrize("code", [0, 1, 3, 255])
def test_the_exit_code_is_the_commands(code: int) -> None:
    assert run("sh", "-c", f"exit {code}") == code == shell_code(code)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_command_that_a_signal_killed(number: signal.Signals) -> None:
    ended = run("sh", "-c", f"kill -{number.value} $$")
    assert ended == -number
    assert shell_code(ended) == 128 + number


@pytest.mark.parametrize(
    ("word", "code"), [("no-such-command-at-all", 127), ("/", 126), ("a\0b", 126)]
)
def test_a_command_that_cannot_be_started(word: str, code: int) -> None:
    with pytest.raises(NotStarted) as refused:
        run(word)
    assert refused.value.exit == code
    assert "\0" not in refused.value.message


def test_nothing_is_left_of_the_signals() -> None:
    before = [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)]
    run("true")
    with pytest.raises(NotStarted):
        run("no-such-command-at-all")
    assert [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)] == before


def test_it_is_told_of_its_process_and_of_stops() -> None:
    told: list[object] = []

    def stopped(is_stopped: bool) -> None:
        told.append(is_stopped)
        if is_stopped:
            os.kill(process[0], signal.SIGCONT)

    process: list[int] = []
    argv = ["sh", "-c", "kill -STOP $$; exit 4"]
    code = beside.run(argv, os.environ, began=process.append, stopped=stopped)
    assert code == 4
    assert len(process) == 1
    assert told[0] is True
    assert set(told[1:]) <= {False}


@pytest.mark.parametrize("name", SIGNALS)
def test_a_signal_reaches_the_command(worker: Program, name: str) -> None:
    process = subprocess.Popen(
        [*BEAT, sys.executable, "-c", LISTENS, *SIGNALS],
        cwd=worker.folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,  # without a terminal that would send the command its own
    )
    assert process.stdout
    assert process.stdout.readline() == b"ready\n"
    process.send_signal(getattr(signal, name))
    assert process.stdout.readline().decode().strip() == name
    process.communicate()
    assert process.returncode == 7


def test_a_signal_that_is_to_be_ignored_is_ignored(worker: Program) -> None:
    """As ``nohup`` does it: what ignores a signal starts what ignores it too."""
    done = subprocess.run(
        [
            *("sh", "-c", 'trap "" HUP; exec "$@"', "sh"),
            *BEAT,
            *("sh", "-c", "kill -HUP $PPID; kill -HUP $$; exit 5"),
        ],
        cwd=worker.folder,
        start_new_session=True,
    )
    assert done.returncode == 5


def test_in_a_terminal_interrupts_are_the_terminals_to_send(worker: Program) -> None:
    """It sends Ctrl-C to the command too, which would get it twice if it were passed on."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(worker.folder)
        os.execv(sys.executable, [*BEAT, sys.executable, "-c", COUNTS])
    read_until(terminal, b"ready")
    os.kill(pid, signal.SIGINT)
    os.kill(pid, signal.SIGUSR1)
    assert b"interrupted" not in read_until(terminal, b"told")
    os.write(terminal, b"\x03")
    read_until(terminal, b"interrupted")
    os.write(terminal, b"\n")
    assert b"interrupted" not in read_until(terminal, None)
    _, status = os.waitpid(pid, 0)
    os.close(terminal)
    assert os.waitstatus_to_exitcode(status) == 0


def read_until(terminal: int, wanted: bytes | None) -> bytes:
    """What a terminal shows up to a word, or to the end of the last program in it."""
    seen = b""
    with contextlib.suppress(OSError):  # how the end shows on Linux
        while wanted is None or wanted not in seen:
            read = os.read(terminal, 1000)
            if not read:
                break
            seen += read
    return seen
