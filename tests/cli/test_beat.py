"""Signs of life from the command line: real processes, real clones, one bare remote."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gittask.cli.commands.beat import Pulse
from gittask.cli.context import Context
from gittask.store.beats import BEATS, SEEN
from tests.conftest import Git
from tests.program import Program

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")

FINAL = (
    *("--kind", "final", "--condition", "green", "--summary", "s", "--changed", "none"),
    *("--verified", "none", "--not-verified", "none", "--uncertain", "none"),
    *("--next", "look", "--next-by", "ann"),
)
NOW = ("--lease", "0s")


class Worker:
    """An execution of codex-1 in a clone, and what can be seen of it there."""

    def __init__(self, program: Program, task: str | None = None, *args: str) -> None:
        self.program = program
        self.task = task or program.new()
        self.id = program("start", self.task, "--as", "codex-1", *args).id

    def line(self, *args: str) -> str:
        """The status line of its task."""
        return self.program("status", self.task, *args).out.strip()

    def file(self) -> dict[str, Any] | None:
        """What is kept here of its last beat."""
        path = self.program.folder / ".git" / "gittask" / "beats" / f"{self.id}.json"
        return json.loads(path.read_text()) if path.exists() else None

    def count(self) -> int:
        return int((self.file() or {"count": 0})["count"])

    def stored(self) -> dict[str, Any]:
        """The execution as the data branch holds it."""
        found: dict[str, Any] = self.program.json("show", self.id)["execution"]
        return found

    def beat(self, *args: str, code: int = 0) -> subprocess.CompletedProcess[bytes]:
        done = self.program.process("beat", *args)
        assert done.returncode == code, done
        return done


@pytest.fixture
def worker(gittask: Program) -> Worker:
    return Worker(gittask)


@pytest.fixture
def shared(clones: Callable[[int], list[Path]]) -> tuple[Worker, Program]:
    """A worker in one clone, and another clone that knows of it."""
    first, second = map(Program, clones(2))
    first("init")
    first("sync")
    second("init")
    worker = Worker(first)
    first("sync")
    second("sync")
    return worker, second


def test_every_write_is_a_sign_of_life_and_a_beat_writes_nothing(worker: Worker, git: Git) -> None:
    program = worker.program
    counts = [worker.count()]
    for call in (("report", worker.task, "half"), ("note", worker.task, "seen"), ("beat",)):
        tip = git(program.folder, "rev-parse", "gittask")
        program(*call)
        counts.append(worker.count())
        moved = git(program.folder, "rev-parse", "gittask") != tip
        assert moved == (call != ("beat",))
    assert counts == [1, 2, 3, 4]


def test_a_beat_says_whose_it_is(worker: Worker) -> None:
    assert worker.program("beat").id == worker.id
    shown = worker.program.json("beat", worker.task, "--no-push")
    assert shown == {
        "beat": {"execution": worker.id, "task": worker.task, "count": 3, "pushed": False}
    }
    assert worker.program("beat", "--execution", worker.id[-6:]).id == worker.id


def test_without_an_execution(gittask: Program) -> None:
    task = gittask.new()
    assert "no execution is current" in gittask("beat", code=3).err
    assert "has no execution" in gittask("beat", task, code=3).err


def test_anothers_execution_is_not_ones_own(worker: Worker) -> None:
    refused = worker.program("beat", "--execution", worker.id, "--as", "codex-2", code=4)
    assert "belongs to codex-1" in refused.err


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--every", "5s"), "needs a command"),
        (("--",), "no command"),
        (("--json", "--", "true"), "standard output is the command's own"),
        (("--every", "soon", "--", "true"), "no length of time"),
        (("--every", "0s", "--", "true"), "too short"),
    ],
)
def test_wrong_calls(worker: Worker, args: tuple[str, ...], said: str) -> None:
    refused = worker.program("beat", *args, code=2)
    assert said in refused.out + refused.err


class TestCommand:
    def test_its_streams_are_its_own(self, worker: Worker) -> None:
        script = 'read line; echo "out $line $GITTASK_EXECUTION $GITTASK_ACTOR"; echo err >&2'
        done = worker.program.process("beat", "--", "sh", "-c", script, input=b"in\n")
        assert done.stdout.decode() == f"out in {worker.id} codex-1\n"
        assert done.stderr == b"err\n"

    @pytest.mark.parametrize("code", [0, 3])
    def test_its_end_is_known(self, worker: Worker, code: int) -> None:
        worker.beat("--", "sh", "-c", f"exit {code}", code=code)
        assert f"(process ended with exit code {code})" in worker.line()
        assert worker.stored()["state"]["status"] == "claimed"

    def test_its_violent_end_too(self, worker: Worker) -> None:
        worker.beat("--", "sh", "-c", "kill -9 $$", code=137)
        assert "lost" in worker.line()
        assert "(process died by signal 9)" in worker.line()

    def test_a_word_after_it_makes_it_live_again(self, worker: Worker) -> None:
        worker.beat("--", "true")
        worker.program("report", worker.task, "by hand")
        assert "has worked on it" in worker.line()

    def test_it_beats_as_it_runs(self, worker: Worker) -> None:
        script = (
            "import os, pathlib, sys\n"
            "file = pathlib.Path(sys.argv[1])\n"
            "first = file.read_text()\n"
            "assert f'\"pid\": {os.getpid()}' in first\n"
            "while file.read_text() == first: pass\n"
            "while file.read_text() == first: pass\n"
        )
        file = worker.program.folder / ".git" / "gittask" / "beats" / f"{worker.id}.json"
        worker.beat("--every", "1s", "--", sys.executable, "-c", script, str(file))

    def test_a_command_that_is_not_there(self, worker: Worker) -> None:
        done = worker.beat("--", "no-such-command-at-all", code=127)
        assert b"cannot be started" in done.stderr
        assert "works" in worker.line() or "claimed" in worker.line()

    def test_options_after_the_dashes_are_its_own(self, worker: Worker) -> None:
        done = worker.program.process("beat", "--", "echo", "--json", "--every", "-h", "--", "x")
        assert done.stdout == b"--json --every -h -- x\n"

    def test_what_it_ends_itself_stays_over(self, worker: Worker) -> None:
        command = [sys.executable, "-m", "gittask", "handoff", worker.task, *FINAL]
        worker.beat("--every", "1s", "--", *command)
        assert worker.stored()["state"]["status"] == "done"
        assert worker.file() is None


class TestPulse:
    @pytest.fixture
    def pulse(self, worker: Worker, monkeypatch: pytest.MonkeyPatch) -> Pulse:
        import click

        monkeypatch.chdir(worker.program.folder)
        here = Context(click.Context(click.Command("beat")))
        execution = here.reader.get("execution", worker.id, task=worker.task)
        assert execution is not None
        return Pulse(here, execution, None, 60)

    def test_nothing_beats_for_what_is_stopped(self, worker: Worker, pulse: Pulse) -> None:
        counts = []
        for is_stopped in (False, True, True, False):
            pulse.stopped(is_stopped)
            pulse.beat()
            counts.append(worker.count())
        assert counts == [2, 2, 2, 3]

    def test_it_ends_with_the_execution(self, worker: Worker, pulse: Pulse) -> None:
        pulse.beat()
        worker.program("takeover", worker.task, "--reason", "it is silent", "--as", "codex-2")
        pulse.beat()
        assert worker.file() is None
        pulse.beat()
        pulse.ended(0)
        assert worker.file() is None

    def test_a_full_disk_does_not_disturb(self, worker: Worker, pulse: Pulse) -> None:
        folder = worker.program.folder / ".git" / "gittask" / "beats"
        for file in folder.iterdir():
            file.unlink()
        folder.rmdir()
        folder.write_text("in the way")
        pulse.beat()
        pulse.ended(0)


class TestProcess:
    @pytest.fixture
    def process(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(["cat"], stdin=subprocess.PIPE)

    @pytest.fixture
    def worker(self, gittask: Program, process: subprocess.Popen[bytes]) -> Worker:
        return Worker(gittask, None, "--pid", str(process.pid))

    def test_killed_is_known_at_once(
        self, worker: Worker, process: subprocess.Popen[bytes]
    ) -> None:
        worker.program("report", worker.task, "half of it")
        assert "has worked on it" in worker.line()
        process.kill()
        process.communicate()
        assert worker.line().endswith("(process died); last: half of it")
        assert worker.line().startswith("codex-1 lost since ")
        (shown,) = worker.program.json("show", worker.task)["computed"]["executions"]
        assert (shown["status"], shown["cause"]) == ("lost", "process died")
        assert worker.stored()["state"]["status"] == "running"

    def test_stopped_is_lost_by_silence_and_comes_back(
        self, worker: Worker, process: subprocess.Popen[bytes]
    ) -> None:
        process.send_signal(signal.SIGSTOP)
        os.waitpid(process.pid, os.WUNTRACED)
        assert "claimed" in worker.line()
        assert "lost" in worker.line(*NOW)
        assert "(silent for 0 s)" in worker.line(*NOW)
        assert worker.program.json("recover", worker.task, *NOW)["recovery"]["proposal"] == "new"
        process.send_signal(signal.SIGCONT)
        worker.program("report", worker.task, "back again")
        assert "has worked on it" in worker.line()
        assert worker.stored()["epoch"] == worker.program.task(worker.task)["state"]["epoch"] == 1
        process.communicate()


class TestOver:
    def test_who_was_overtaken_is_told(self, worker: Worker) -> None:
        taken = ("takeover", worker.task, "--reason", "it is silent", "--as", "codex-2")
        newer = worker.program(*taken).id
        refused = worker.program(
            "--json", "beat", "--execution", worker.id, "--as", "codex-1", code=4
        )
        assert "overtaken by epoch 2, because it is silent" in refused.error["message"]
        assert refused.error["details"] == {"state": "superseded", "epoch": 2}
        assert worker.file() is None
        assert worker.program("beat").id == newer
        assert worker.beat("--execution", worker.id, "--", "true", code=4).stdout == b""

    def test_who_has_ended_is_told(self, worker: Worker) -> None:
        worker.program("handoff", worker.task, *FINAL)
        assert worker.file() is None
        refused = worker.program("beat", worker.task, "--as", "codex-1", code=4)
        assert "has ended: done" in refused.err
        assert worker.file() is None


class TestRemote:
    def test_shown_to_others_and_never_on_a_branch(
        self, shared: tuple[Worker, Program], bare: Path, git: Git
    ) -> None:
        worker, other = shared
        before = git(bare, "for-each-ref", "refs/heads")
        assert worker.program.json("beat")["beat"]["pushed"] is True
        assert git(bare, "for-each-ref", "--format=%(refname)", BEATS) == BEATS + worker.id
        other("sync")
        assert git(other.folder, "for-each-ref", "--format=%(refname)", SEEN).endswith(worker.id)
        assert git(bare, "for-each-ref", "refs/heads") == before

    def test_lost_by_silence_and_found_again(self, shared: tuple[Worker, Program]) -> None:
        worker, other = shared
        worker.program("beat")
        other("sync")
        assert "lost" in other("status", worker.task, *NOW).out
        notes = other.folder / ".git" / "gittask" / "observed.json"
        noted = json.loads(notes.read_text())
        (note,) = next(iter(noted.values())).values()
        note["uptime"] -= 1200
        note["wall"] -= 1200
        notes.write_text(json.dumps(noted))
        assert "(silent for 20 min)" in other("status", worker.task).out
        assert other.json("status")["status"]["working"][0]["line"].startswith("codex-1 lost")
        other("sync")
        assert "lost" in other("status", worker.task).out
        worker.program("beat")
        other("sync")
        assert "lost" not in other("status", worker.task).out
        assert other.task(worker.task)["state"]["epoch"] == 1

    def test_a_record_that_arrives_is_a_sign_too(self, shared: tuple[Worker, Program]) -> None:
        worker, other = shared
        other("status", worker.task)
        notes = other.folder / ".git" / "gittask" / "observed.json"
        notes.write_text(notes.read_text().replace('"uptime": ', '"uptime": -'))
        assert "lost" in other("status", worker.task).out
        worker.program("note", worker.task, "seen")
        worker.program("sync")
        other("sync")
        assert "lost" not in other("status", worker.task).out

    def test_pruned_at_the_end(self, shared: tuple[Worker, Program], bare: Path, git: Git) -> None:
        worker, other = shared
        worker.program("beat")
        other("sync")
        other("status")
        worker.program("handoff", worker.task, *FINAL)
        worker.program("sync")
        assert git(bare, "for-each-ref", BEATS) == ""
        assert git(worker.program.folder, "for-each-ref", SEEN) == ""
        other("sync")
        assert git(other.folder, "for-each-ref", SEEN) == ""
        assert worker.id not in (other.folder / ".git" / "gittask" / "observed.json").read_text()

    def test_pruned_by_whoever_takes_over(
        self, shared: tuple[Worker, Program], bare: Path, git: Git
    ) -> None:
        worker, other = shared
        worker.program("beat")
        other("takeover", worker.task, "--reason", "it is silent", "--as", "codex-2")
        other("sync")
        assert git(bare, "for-each-ref", BEATS) == ""
        worker.program("sync")
        assert worker.file() is None

    def test_a_sync_with_nothing_to_do_says_the_same_where_somebody_lives(
        self, shared: tuple[Worker, Program], bare: Path, git: Git
    ) -> None:
        worker, other = shared
        other("sync")
        quiet = other.json("sync")
        assert git(bare, "for-each-ref", BEATS) == ""
        worker.program("beat")
        assert other.json("sync") == quiet == {"sync": {**quiet["sync"], "pulled": 0, "claims": []}}
        assert git(other.folder, "for-each-ref", SEEN) != ""

    def test_a_sign_of_life_that_cannot_come_does_not_keep_tasks_away(
        self, shared: tuple[Worker, Program], bare: Path
    ) -> None:
        worker, other = shared
        worker.program("beat")
        other("sync")
        worker.program("beat")
        worker.program("note", worker.task, "seen")
        worker.program("sync")
        lock = other.folder / ".git" / f"{SEEN}origin/{worker.id}.lock"
        lock.touch()
        said = other("sync")
        assert "no signs of life from origin" in said.err
        assert "seen" in other("timeline", worker.task).out
        lock.unlink()
        assert "no signs" not in other("sync").err
        worker.program("note", worker.task, "heard")
        worker.program("sync")
        (bare / BEATS / "broken").write_text("1" * 40 + "\n")
        other("sync")
        assert "heard" in other("timeline", worker.task).out

    def test_a_branch_that_is_gone_there_is_not_forgotten(
        self, shared: tuple[Worker, Program], bare: Path, git: Git
    ) -> None:
        worker, other = shared
        worker.program("beat")
        git(bare, "branch", "-D", "gittask")
        assert "is there no more" in other("sync", code=6).err
        assert git(other.folder, "rev-parse", "-q", "--verify", "origin/gittask")

    def test_a_remote_that_is_gone(self, shared: tuple[Worker, Program], bare: Path) -> None:
        worker, other = shared
        bare.rename(bare.with_name("away"))
        before = worker.count()
        done = worker.program("--json", "beat")
        assert done.document["beat"]["pushed"] is False
        assert "beaten here only" in done.document["warnings"][0]
        assert worker.program("--json", "beat", "--push", code=6).error["code"] == "remote"
        ran = worker.program.process("beat", "--", "sh", "-c", "exit 3")
        assert (ran.returncode, ran.stdout, ran.stderr) == (3, b"", b"")
        assert worker.count() > before + 2
        assert "lost" in other("status", worker.task, *NOW).out
        advice = other("--json", "recover", worker.task, *NOW).document
        assert advice["recovery"]["state"] == "lost"
        assert "no signs of life" in advice["warnings"][0]

    def test_without_a_remote_push_is_an_error(self, worker: Worker) -> None:
        assert worker.program("--json", "beat", "--push", code=6).error["code"] == "remote"
        assert worker.program.json("beat")["beat"]["pushed"] is False


def test_the_store_may_name_another_lease(worker: Worker) -> None:
    assert "lost" not in worker.line()
    worker.program.change("gittask.yaml", lease="0s")
    assert "lost" in worker.line()
    assert "lost" not in worker.line("--lease", "1h")
