"""``--run``: what a command prints, when it has ended, and that it ends with its caller."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tracemalloc
from pathlib import Path
from select import select
from typing import Any

import pytest

from gittask.cli import check
from gittask.store.code import Code
from tests.program import Program, controls

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")

PATIENCE = 60
"""The seconds after which a call hangs: a test fails then, and waits for nothing."""


def run(command: str, folder: Path, *, show: bool = False) -> dict[str, Any]:
    code = Code(None, None, None)
    return check.run_check(command, folder, code, "2026-11-30T10:00:00.000Z", show=show)


class Fifo:
    """A pipe with a name, open here, so that nobody waits for another end."""

    def __init__(self, path: Path) -> None:
        self.path = path
        os.mkfifo(path)
        self._reading = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        self._writing: int | None = os.open(path, os.O_WRONLY)
        os.set_blocking(self._reading, True)

    def write(self, text: str) -> None:
        assert self._writing is not None
        os.write(self._writing, text.encode())

    def next(self) -> str:
        """What is written next by anybody."""
        assert select([self._reading], [], [], PATIENCE)[0], "nobody writes"
        return os.read(self._reading, 100).decode()

    def rest(self) -> str:
        """What is written until everybody else has closed it, or ended."""
        assert self._writing is not None
        os.close(self._writing)
        self._writing = None
        with os.fdopen(self._reading) as file:
            return file.read()


@pytest.fixture
def task(gittask: Program) -> str:
    return gittask.new("Fix routing")


def started(gittask: Program, *args: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "gittask", *args],
        cwd=gittask.folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


class TestOutput:
    @pytest.mark.parametrize(("source", "show"), [("/dev/zero", True), ("/dev/urandom", False)])
    def test_takes_a_bounded_memory(self, tmp_path: Path, source: str, show: bool) -> None:
        tracemalloc.start()
        try:
            made = run(f"head -c 3000000 {source}", tmp_path, show=show)
            assert tracemalloc.get_traced_memory()[1] < 3_000_000
        finally:
            tracemalloc.stop()
        assert made["exit_code"] == 0
        assert 0 < len(made["tail"]) <= check.TAIL_CHARACTERS
        assert controls(made["tail"]) == set()

    def test_its_tail_is_that_of_the_whole(self, tmp_path: Path) -> None:
        made = run("seq 200000", tmp_path)
        wanted = "".join(f"{n}\n" for n in range(200_001 - check.TAIL_LINES, 200_001))
        assert made["tail"] == wanted

    @pytest.mark.parametrize(
        ("command", "tail"),
        [
            ("true", ""),
            ("echo", "\n"),
            ("printf a", "a\n"),
            (r"printf 'a\r\nb\r\n'", "a\nb\n"),
            (r"printf '10%%\r99%%\n'", "99%\n"),
            (r"printf '\303'; printf '\251'", "é\n"),
        ],
    )
    def test_what_is_kept(self, tmp_path: Path, command: str, tail: str) -> None:
        assert run(command, tmp_path)["tail"] == tail

    def test_what_is_shown_controls_nothing_wherever_it_is_cut(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(check, "_CHUNK", 1)
        run(r"printf '\033[31mred\r\n\302\233\303\251\rend\n'", tmp_path, show=True)
        shown = capsys.readouterr().err
        assert shown == "\\e[31mred\n\\x9bé\\rend\n"

    def test_a_part_of_the_mark_is_output_as_any_other(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(os, "urandom", lambda _: b"marked")
        monkeypatch.setattr(check, "_CHUNK", 1)
        tail = run("printf 'a \\000mark, \\000, mark'", tmp_path)["tail"]
        assert tail == "a \\x00mark, \\x00, mark\n"

    @pytest.mark.parametrize("first", [b"f", b"lf", b"half"])
    def test_no_text_waits_for_the_mark(
        self, monkeypatch: pytest.MonkeyPatch, first: bytes
    ) -> None:
        """Whatever its random bytes are: it is shown although the command still runs."""
        monkeypatch.setattr(os, "urandom", lambda _: first)
        reading, writing = os.pipe()
        os.write(writing, b"half")
        assert next(check._before(check._mark(), reading)) == b"half"
        os.close(writing)
        os.close(reading)

    def test_it_comes_at_once(self, gittask: Program, task: str, tmp_path: Path) -> None:
        """A prompt without a line break too, while the command still runs."""
        go = Fifo(tmp_path / "go")
        process = started(gittask, "note", task, "--run", f"printf half; read l < '{go.path}'")
        with process:
            assert process.stderr is not None
            assert process.stderr.read(4) == "half"
            go.write("on\n")


class TestEnd:
    def test_what_runs_on_is_not_waited_for(
        self, gittask: Program, task: str, tmp_path: Path
    ) -> None:
        go, told = Fifo(tmp_path / "go"), Fifo(tmp_path / "told")
        behind = f"(read word < '{go.path}'; echo $word > '{told.path}')"
        process = started(gittask, "note", task, "--run", f"{behind} & echo hi")
        assert process.communicate(timeout=PATIENCE)[1].startswith("hi\n")
        assert process.returncode == 0
        assert gittask.records("note")[0]["command"]["tail"] == "hi\n"
        go.write("still here\n")
        assert told.next() == "still here\n"

    def test_nor_what_fills_the_pipe_for_ever(self, gittask: Program, task: str) -> None:
        process = started(gittask, "note", task, "--json", "--run", "yes & exit 3")
        out = process.communicate(timeout=PATIENCE)[0]
        assert '"exit_code": 3' in out

    @pytest.mark.parametrize(
        ("command", "code"),
        [("exit 0", 0), ("exit 7", 7), ("kill -9 $$", 137), ("kill -TERM $$", 143)],
    )
    def test_its_exit_code_is_that_of_a_shell(
        self, tmp_path: Path, command: str, code: int
    ) -> None:
        made = run(command, tmp_path)
        assert made["exit_code"] == code
        assert made["claim"] == f"{command} {'fails' if code else 'passes'}"


class TestInterrupt:
    """Of the program alone, as by a supervisor; the command has a session of its own."""

    @pytest.mark.parametrize(
        ("signum", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
    )
    def test_all_that_was_started_ends(
        self, gittask: Program, task: str, tmp_path: Path, signum: int, code: int
    ) -> None:
        alive, go = Fifo(tmp_path / "alive"), Fifo(tmp_path / "go")
        wait = f"read l < '{go.path}'"
        behind = f"(trap '' INT HUP; echo on >&2; {wait}; echo lived) > '{alive.path}'"
        process = started(gittask, "note", task, "--run", f"{behind} & {wait}")
        assert process.stderr is not None
        assert process.stderr.readline() == "on\n"
        process.send_signal(signum)
        assert process.communicate(timeout=PATIENCE)[0] == ""
        assert process.returncode == code
        go.write("\n\n")
        assert alive.rest() == ""
        assert gittask.records("note") == []

    def test_it_may_clean_up(self, gittask: Program, task: str, tmp_path: Path) -> None:
        told, never = Fifo(tmp_path / "told"), Fifo(tmp_path / "never")
        code = f"trap 'echo cleaned > {told.path}; exit' INT; echo on; read l < '{never.path}'"
        process = started(gittask, "note", task, "--run", code)
        assert process.stderr is not None
        assert process.stderr.readline() == "on\n"
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
        assert (process.returncode, told.next()) == (130, "cleaned\n")

    def test_one_before_the_command_runs_ends_it_too(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        alive, go = Fifo(tmp_path / "alive"), Fifo(tmp_path / "go")
        popen = subprocess.Popen

        def interrupted(*args: Any, **options: Any) -> subprocess.Popen[bytes]:
            process: subprocess.Popen[bytes] = popen(*args, **options)
            signal.raise_signal(signal.SIGINT)
            return process

        monkeypatch.setattr(subprocess, "Popen", interrupted)
        with pytest.raises(KeyboardInterrupt):
            run(f"exec > '{alive.path}'; read l < '{go.path}'; echo lived", tmp_path)
        go.write("\n")
        assert alive.rest() == ""

    def test_what_is_to_be_ignored_stays_so(
        self, gittask: Program, task: str, tmp_path: Path
    ) -> None:
        go = Fifo(tmp_path / "go")
        call = f"trap '' HUP; exec '{sys.executable}' -m gittask note {task} --run"
        process = subprocess.Popen(
            ["sh", "-c", f"{call} 'echo on; read l < {go.path}; echo $l'"],
            cwd=gittask.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stderr is not None
        assert process.stderr.readline() == "on\n"
        process.send_signal(signal.SIGHUP)
        go.write("off\n")
        assert process.communicate(timeout=PATIENCE)[1].startswith("off\n")
        assert process.returncode == 0
