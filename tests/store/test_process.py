from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from gittask.store.process import execute


def python(code: str, **options: float | bytes) -> tuple[bytes, str, int]:
    argv = [sys.executable, "-c", code]
    done = execute(argv, env=dict(os.environ), **options)  # type: ignore[arg-type]
    return done.stdout, done.stderr, done.code


def test_output_and_exit_code_are_reported() -> None:
    code = "import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)"
    assert python(code) == (b"out\n", "err\n", 3)


def test_large_output_on_both_sides_and_large_input_do_not_deadlock() -> None:
    code = (
        "import sys; n = 8_000_000\n"
        "sys.stderr.write('e' * n); sys.stdout.write('o' * n)\n"
        "sys.stdout.write(str(len(sys.stdin.read())))"
    )
    stdout, stderr, _ = python(code, input=b"i" * 8_000_000)
    assert stdout == b"o" * 8_000_000 + b"8000000"
    assert stderr == "e" * 8_000_000


def test_there_is_no_input_to_wait_for() -> None:
    assert python("print(repr(input()))")[2] == 1


def test_there_is_no_terminal_to_prompt_on() -> None:
    assert python("open('/dev/tty')")[2] == 1


def test_what_takes_too_long_is_reported() -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        python("import signal; signal.pause()", timeout=0.1)


def test_children_die_with_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def interrupted(*_: object) -> None:
        assert file.read(1) + file.read(1) == b".."  # parent and child hold the other end
        raise KeyboardInterrupt

    with os.fdopen(os.open(pipe, os.O_RDWR), "rb", buffering=0) as file:
        monkeypatch.setattr(subprocess.Popen, "communicate", interrupted)
        code = (
            f"import os, signal; pipe = os.open({str(pipe)!r}, os.O_WRONLY)\n"
            "os.fork(); os.write(pipe, b'.'); signal.pause()"
        )
        with pytest.raises(KeyboardInterrupt):
            python(code)
        reader = os.open(pipe, os.O_RDONLY)
    # The end of the file is seen only when nobody can write any more.
    with os.fdopen(reader, "rb") as end:
        end.read()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_that_ends_the_program_ends_what_it_runs(
    tmp_path: Path, number: signal.Signals
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    child = (
        f"import os, signal; pipe = os.open({str(pipe)!r}, os.O_WRONLY)\n"
        "os.fork(); os.write(pipe, b'.'); signal.pause()"
    )
    code = (
        "import os, sys; from gittask.store.process import execute\n"
        f"execute([sys.executable, '-c', {child!r}], env=dict(os.environ))"
    )
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with os.fdopen(os.open(pipe, os.O_RDWR), "rb", buffering=0) as file:
        running = subprocess.Popen([sys.executable, "-c", code], env=env, stderr=subprocess.DEVNULL)
        assert file.read(1) + file.read(1) == b".."
        running.send_signal(number)
        assert running.wait() == -number
        reader = os.open(pipe, os.O_RDONLY)
    # The end of the file is seen only when nobody can write any more.
    with os.fdopen(reader, "rb") as end:
        end.read()


def test_the_handlers_are_as_before() -> None:
    before = [signal.getsignal(each) for each in (signal.SIGTERM, signal.SIGINT)]
    python("pass")
    assert [signal.getsignal(each) for each in (signal.SIGTERM, signal.SIGINT)] == before
