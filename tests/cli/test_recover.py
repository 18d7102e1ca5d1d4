"""Going on after an execution was lost: what is proposed, and what is done."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.program import Program

SAID = (
    *("--condition", "watch", "--summary", "half of it", "--changed", "none", "--verified", "none"),
    *("--not-verified", "none", "--uncertain", "none", "--next", "the rest", "--next-by", "ann"),
)
ONE, TWO = ("--as", "codex-1"), ("--as", "codex-2")
LOST = ("--lease", "0s")
ALIVE = ("--lease", "1h")


class Lost:
    """An execution of codex-1, and the calls that recover it."""

    def __init__(self, program: Program, *args: str) -> None:
        self.program = program
        self.task = program.new()
        known = ("--provider", "codex", "--model", "m1", "--objective", "Find the cause")
        self.id = program("start", self.task, *ONE, *known, *args).id

    def proposed(self, *args: str) -> dict[str, Any]:
        found: dict[str, Any] = self.program.json("recover", self.id, *args)["recovery"]
        return found

    def stored(self, id: str | None = None) -> dict[str, Any]:
        """An execution as the data branch holds it."""
        found: dict[str, Any] = self.program.json("show", id or self.id)["execution"]
        return found

    @property
    def held(self) -> dict[str, Any]:
        """The state of the task."""
        state: dict[str, Any] = self.program.task(self.task)["state"]
        return state

    def refused(self, *args: str, code: int = 4) -> str:
        message: str = self.program("--json", *args, code=code).error["message"]
        return message


@pytest.fixture
def lost(gittask: Program) -> Lost:
    return Lost(gittask)


@pytest.fixture
def process() -> Iterator[subprocess.Popen[bytes]]:
    running = subprocess.Popen(["cat"], stdin=subprocess.PIPE)
    yield running
    running.kill()
    running.communicate()


class TestProposal:
    def test_for_who_works(self, lost: Lost) -> None:
        found = lost.proposed(*ALIVE)
        assert (found["state"], found["proposal"]) == ("claimed", "none")
        assert found["execution"] == lost.id
        assert (found["actor"], found["task"]) == ("codex-1", lost.task)

    def test_for_who_is_silent(self, lost: Lost) -> None:
        found = lost.proposed(*LOST)
        assert (found["state"], found["proposal"]) == ("lost", "new")
        assert found["command"] == f"gittask recover {lost.id} --new"

    def test_for_who_died(self, gittask: Program, process: subprocess.Popen[bytes]) -> None:
        lost = Lost(gittask, "--pid", str(process.pid))
        assert lost.proposed(*ALIVE)["proposal"] == "none"
        process.kill()
        process.communicate()
        found = lost.proposed(*ALIVE)
        assert (found["cause"], found["proposal"]) == ("process died", "same")
        assert found["command"] == f"gittask recover {lost.id} --same"

    def test_for_a_polluted_context(self, lost: Lost) -> None:
        found = lost.proposed("--polluted", *ALIVE)
        assert found["command"] == f"gittask recover {lost.id} --new --polluted"

    def test_for_what_has_failed(self, lost: Lost) -> None:
        lost.program("handoff", lost.task, "--kind", "retry_context", *SAID)
        assert lost.proposed()["command"] == f"gittask retry {lost.id}"

    def test_for_what_another_took_over(self, lost: Lost) -> None:
        lost.program("takeover", lost.task, "--reason", "silent", *TWO)
        found = lost.proposed()
        assert (found["state"], found["proposal"]) == ("superseded", "none")

    def test_nothing_is_written(self, lost: Lost) -> None:
        before = lost.stored(), lost.held
        for args in (LOST, ALIVE, ("--polluted",)):
            lost.proposed(*args)
        assert (lost.stored(), lost.held) == before

    def test_by_the_task_too_and_for_people(self, lost: Lost) -> None:
        lost.program("report", lost.task, "Seen it twice\nmore")
        state, report, proposed, command = lost.program(
            "recover", lost.task, *LOST
        ).out.splitlines()
        assert state.startswith("codex-1 lost since 20")
        assert report == "last report: Seen it twice"
        assert proposed.startswith("proposed: a new execution: ")
        assert command == f"gittask recover {lost.id} --new"
        assert shlex.split(command)[1:] == ["recover", lost.id, "--new"]

    def test_the_last_report_is_one_that_was_meant(self, lost: Lost) -> None:
        lost.program("report", lost.task, "Seen it twice")
        lost.program("handoff", lost.task, "--kind", "auto", *SAID)
        lost.program("beat")
        assert lost.proposed()["last_report"] == "Seen it twice"

    def test_of_a_task_that_nobody_has_worked_on(self, gittask: Program) -> None:
        assert "nobody has worked" in gittask("recover", gittask.new(), code=3).err
        assert "no execution" in gittask("recover", "20261130t100411z-k3m9q2", code=3).err

    def test_what_it_proposes_works(self, lost: Lost) -> None:
        command = lost.proposed(*LOST)["command"]
        lost.program(*shlex.split(command)[1:], *LOST)
        assert lost.held["epoch"] == 2


class TestSame:
    def test_a_new_runtime_under_the_same_epoch(self, lost: Lost) -> None:
        lost.program("report", lost.task, "half")
        before = lost.stored()
        call = ("recover", lost.id, "--same", "--session", "s2", "--resume", "codex resume s2")
        assert lost.program(*call, *ONE, *LOST).id == lost.id
        after = lost.stored()
        old, new = sorted(after["runtimes"], key=lambda one: one["started"])
        assert old["ended"] == new["started"]
        assert old["ended_reason"] == "silent for 0 s"
        assert (new["provider"], new["model"], new["session"]) == ("codex", "m1", "s2")
        assert (new["host"], new["ended"]) == (old["host"], None)
        assert after["state"] == before["state"]
        assert after["epoch"] == lost.held["epoch"] == 1
        assert lost.held["holder"] == lost.id
        assert lost.program("resume", lost.id).id == "codex resume s2"

    def test_another_provider_has_another_model(self, lost: Lost) -> None:
        lost.program("recover", lost.id, "--same", "--provider", "claude-code", *ONE)
        new = max(lost.stored()["runtimes"], key=lambda one: one["started"])
        assert (new["provider"], new["model"]) == ("claude-code", None)

    def test_never_beside_a_process_that_runs(
        self, gittask: Program, process: subprocess.Popen[bytes]
    ) -> None:
        lost = Lost(gittask, "--pid", str(process.pid))
        said = lost.refused("recover", lost.id, "--same", *ONE, *LOST)
        assert f"process {process.pid}" in said
        process.kill()
        process.communicate()
        lost.program("recover", lost.id, "--same", *ONE)
        reasons = {one["ended_reason"] for one in lost.stored()["runtimes"]}
        assert reasons == {"process died", None}
        assert "claimed" in lost.program("status", lost.task).out

    def test_not_by_another_agent_but_by_a_person(self, lost: Lost) -> None:
        assert "belongs to codex-1" in lost.refused("recover", lost.id, "--same", *TWO)
        lost.program("recover", lost.id, "--same", "--as", "ann")
        assert lost.stored()["actor"] == "codex-1"

    def test_not_once_another_holds_the_task(self, lost: Lost) -> None:
        lost.program("takeover", lost.task, "--reason", "silent", *TWO)
        assert "no longer holds" in lost.refused("recover", lost.id, "--same", *ONE)

    def test_not_once_it_has_ended(self, lost: Lost) -> None:
        lost.program("release", lost.task)
        assert "has ended" in lost.refused("recover", lost.id, "--same", *ONE)

    def test_a_reason_of_any_length_is_one_line(self, lost: Lost) -> None:
        lost.program("recover", lost.id, "--same", "--reason", "a\n" + "b" * 500, *ONE)
        reason = next(filter(None, (one["ended_reason"] for one in lost.stored()["runtimes"])))
        assert reason.startswith("a\\nb")
        assert len(reason) == 300


class TestNew:
    def test_takes_over_with_the_cause(self, lost: Lost) -> None:
        new = lost.stored(lost.program("recover", lost.id, "--new", *TWO, *LOST).id)
        old = lost.stored()
        assert new["retry_of"] == old["id"]
        for field in ("objective", "workspace", "provider", "role", "lane", "task"):
            assert new[field] == old[field]
        assert (new["actor"], new["epoch"]) == ("codex-2", 2)
        assert lost.held["holder"] == new["id"]
        assert lost.held["reason"] == "silent for 0 s"
        assert old["state"]["status"] == "claimed"
        shown = lost.program.json("show", lost.task)["computed"]["executions"]
        assert {one["id"]: one["status"] for one in shown}[old["id"]] == "superseded"

    def test_what_the_old_one_still_says_is_kept_and_changes_nothing(self, lost: Lost) -> None:
        lost.program("recover", lost.id, "--new", *TWO, *LOST)
        before = lost.held
        under = ("--execution", lost.id, *ONE)
        handoff = lost.program("handoff", lost.task, "--kind", "final", *SAID, *under).id
        note = lost.program("report", lost.task, "still here", *under).id
        assert lost.held == before
        entries = lost.program.json("timeline", lost.task, "--all")["entries"]
        late = {entry["id"]: entry["late"] for entry in entries}
        assert late[handoff] is True
        assert late[note] is True

    @pytest.mark.parametrize("why", [("--polluted",), ("--reason", "it argues")])
    def test_of_one_that_works_needs_a_reason(self, lost: Lost, why: tuple[str, ...]) -> None:
        call = ("recover", lost.id, "--new", *TWO, *ALIVE)
        assert "is claimed, as far as is known" in lost.refused(*call)
        lost.program(*call, *why)
        assert lost.held["reason"] == (why[1] if len(why) > 1 else "its context is polluted")

    def test_of_a_reviewer_takes_nothing_from_the_editor(self, lost: Lost) -> None:
        call = ("start", lost.task, "--lane", "review", *TWO)
        review = lost.program(*call).id
        new = lost.program("recover", review, "--new", *TWO, *LOST).id
        assert lost.stored(new)["retry_of"] == review
        assert lost.stored(new)["lane"] == "review"
        assert lost.stored(new)["takeover"] is None
        assert (lost.held["holder"], lost.held["epoch"]) == (lost.id, 1)

    def test_not_once_another_holds_the_task(self, lost: Lost) -> None:
        lost.program("takeover", lost.task, "--reason", "silent", *TWO)
        call = ("recover", lost.id, "--new", "--polluted", "--as", "codex-3")
        assert "no longer holds" in lost.refused(*call)

    def test_across_clones_the_second_is_refused(
        self, clones: Callable[[int], list[Path]], bare: Path
    ) -> None:
        assert bare.is_dir()
        first, second, third = map(Program, clones(3))
        first("init")
        first("sync")
        for other in (second, third):
            other("init")
        lost = Lost(first)
        first("sync")
        second("sync")
        third("sync")
        second("recover", lost.id, "--new", *TWO, *LOST)
        call = ("--json", "recover", lost.id, "--new", *LOST, "--as", "codex-3")
        assert "no longer holds" in third(*call, code=4).error["message"]


class TestRetry:
    def test_keeps_task_workspace_and_objective(self, lost: Lost) -> None:
        lost.program("handoff", lost.task, "--kind", "retry_context", *SAID)
        (lost.program.folder / "new.txt").write_text("new\n")
        for git in (("add", "."), ("commit", "-q", "-m", "second")):
            subprocess.run(["git", *git], cwd=lost.program.folder, check=True)
        new = lost.stored(lost.program("retry", lost.id, "--session", "s2", *ONE).id)
        old = lost.stored()
        assert new["retry_of"] == old["id"]
        for field in ("objective", "workspace", "provider", "role", "lane", "task"):
            assert new[field] == old[field]
        assert new["runtimes"][0]["session"] == "s2"
        assert (new["epoch"], lost.held["holder"]) == (2, new["id"])
        assert old["state"]["status"] == "failed"

    def test_of_what_still_works_is_refused(self, lost: Lost) -> None:
        refused = lost.program("--json", "retry", lost.task, *ONE, code=4).error
        assert "has not ended" in refused["message"]
        assert refused["hint"].endswith(f"gittask recover {lost.id}")

    def test_while_another_works_is_refused(self, lost: Lost) -> None:
        lost.program("handoff", lost.task, "--kind", "retry_context", *SAID)
        newer = lost.program("start", lost.task, "--no-ack", "small", *TWO).id
        assert newer in lost.refused("retry", lost.id, *ONE)
        assert lost.held["holder"] == newer

    def test_of_anothers_attempt_says_what_was_understood(self, lost: Lost) -> None:
        lost.program("handoff", lost.task, "--kind", "retry_context", *SAID)
        assert "say first what you understood" in lost.refused("retry", lost.id, *TWO)
        new = lost.program("retry", lost.id, "--ack", "the rest is missing", *TWO).id
        assert lost.stored(new)["retry_of"] == lost.id

    def test_of_a_task_is_that_of_its_last_attempt(self, lost: Lost) -> None:
        lost.program("release", lost.task)
        assert lost.stored(lost.program("retry", lost.task, *ONE).id)["retry_of"] == lost.id


class TestResume:
    def test_prints_what_the_last_runtime_says(self, gittask: Program) -> None:
        lost = Lost(gittask, "--resume", "codex resume 's 1' && rm -rf x")
        assert gittask("resume", lost.task).id == "codex resume 's 1' && rm -rf x"
        shown = gittask.json("resume", lost.id)["resume"]
        assert shown["argv"] == ["codex", "resume", "s 1", "&&", "rm", "-rf", "x"]
        assert (shown["execution"], shown["task"]) == (lost.id, lost.task)

    def test_runs_it_without_a_shell(self, gittask: Program) -> None:
        code = "import os, sys; print(sys.argv[1:], os.environ['GITTASK_EXECUTION']); sys.exit(5)"
        command = shlex.join([sys.executable, "-c", code, "$HOME", "a b"]) + " ; touch x"
        lost = Lost(gittask, "--resume", command)
        done = gittask.process("resume", lost.id, "--exec")
        assert done.returncode == 5
        assert done.stdout.decode() == f"['$HOME', 'a b', ';', 'touch', 'x'] {lost.id}\n"
        assert done.stderr.decode().startswith("running: ")
        assert not (gittask.folder / "x").exists()

    def test_not_there(self, lost: Lost) -> None:
        assert "no command" in lost.program("resume", lost.id, code=3).err
        lost.program("recover", lost.id, "--same", "--resume", "no-such-command-at-all", *ONE)
        assert lost.program.process("resume", lost.id, "--exec").returncode == 127

    def test_of_another_machine_is_said(self, gittask: Program) -> None:
        lost = Lost(gittask, "--resume", "codex resume s1")
        self.rewrite(lost, "host: ", "host: elsewhere")
        assert "the session was on elsewhere" in gittask("resume", lost.id).err

    @pytest.mark.parametrize("args", [(), ("--exec",)])
    def test_what_does_not_show_is_refused(self, gittask: Program, args: tuple[str, ...]) -> None:
        lost = Lost(gittask, "--resume", "codex resume s1")
        self.rewrite(lost, "resume: ", 'resume: "rm\\u202E x"')
        assert "do not show" in lost.refused("resume", lost.id, code=4)
        assert gittask.process("resume", lost.id, *args).returncode == 4

    def test_what_is_no_command_is_refused(self, gittask: Program) -> None:
        lost = Lost(gittask, "--resume", "codex 'resume")
        assert "is no command" in lost.refused("resume", lost.id, code=5)

    def test_is_not_run_under_json_or_for_another(self, gittask: Program) -> None:
        lost = Lost(gittask, "--resume", "touch x")
        lost.refused("resume", lost.id, "--exec", code=2)
        lost.refused("resume", lost.id, "--exec", *TWO, code=2)
        assert gittask.process("resume", lost.id, "--exec", *TWO).returncode == 4
        assert not (gittask.folder / "x").exists()

    def rewrite(self, lost: Lost, start: str, line: str) -> None:
        """Change a line of the execution's file, as somebody with plain git could."""
        path = f"tasks/{lost.task[-2:]}/{lost.task}/executions/{lost.id}.yaml"
        lines = lost.program.stored(path).decode().splitlines(keepends=True)
        changed = [
            each[: each.index(start)] + line + "\n" if each.strip().startswith(start) else each
            for each in lines
        ]
        lost.program.push({path: "".join(changed).encode()})
