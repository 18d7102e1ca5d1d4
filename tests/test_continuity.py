"""The work goes on when those who did it are gone: nothing is known but what the store holds.

Several clones of one remote, and no transcript: whoever comes next reads ``brief`` and does what
it says.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Git
from tests.program import Program

AGENTS = "# Rules\n\n## Testing\n\nAlways run the slow tests too.\n"
REPORT = ("--changed", "none", "--verified", "none", "--uncertain", "none")


class Brief:
    """What an actor is told of a task, and the commands in it."""

    def __init__(self, program: Program, actor: str, task: str, *args: str) -> None:
        self._program = program
        self._actor = actor
        self.text = program("--as", actor, "brief", task, *args).out
        shown = re.findall(r"^- (.*?): `(gittask .*?)`$", self.text, re.MULTILINE)
        self.commands = dict(shown)

    def says(self, *facts: str) -> None:
        """Every one of these is in it."""
        missing = [fact for fact in facts if fact not in self.text]
        assert not missing, (missing, self.text)

    def do(self, what: str, *instead: str, code: int = 0, **words: str) -> str:
        """Run a command of it, named by the words before it.

        Each ``"..."`` is filled in turn; ``words`` replace whole words of the command.
        """
        command = next(text for name, text in self.commands.items() if name.startswith(what))
        for text in instead:
            command = command.replace('"..."', shlex.quote(text), 1)
        for old, new in words.items():
            command = command.replace(old, new)
        assert '"..."' not in command, command
        _, *args = shlex.split(command)
        return self._program("--as", self._actor, *args, code=code).out.strip()


class Team:
    """Clones of one remote, each with somebody's transcripts in it."""

    def __init__(self, folders: list[Path], git: Git) -> None:
        self._git = git
        self.clones = [Program(folder) for folder in folders]
        self.one, self.two, self.three = self.clones
        (folders[0] / "AGENTS.md").write_text(AGENTS)
        self.commit(self.one, "AGENTS.md")
        git(folders[0], "push", "-q", "origin", "main")
        for clone in self.clones[1:]:
            git(clone.folder, "pull", "-q", "origin", "main")
        self.one("init")
        self.one("sync")
        for clone in self.clones[1:]:
            clone("init")

    def commit(self, clone: Program, *files: str) -> str:
        """Commit files of the code; returns the commit."""
        self._git(clone.folder, "add", *files)
        self._git(clone.folder, "commit", "-q", "-m", f"change {files[0]}")
        return self._git(clone.folder, "rev-parse", "HEAD")

    def transcript(self, clone: Program, actor: str) -> None:
        """What the provider of an agent keeps of its session."""
        folder = clone.folder / ".git" / "sessions"
        folder.mkdir(exist_ok=True)
        (folder / f"{actor}.jsonl").write_text('{"all": "that was said"}\n')

    def go_on_with_the_code(self) -> None:
        """The code of the first clone reaches the second one, where it is changed."""
        self._git(self.one.folder, "push", "-q", "origin", "main")
        self._git(self.two.folder, "pull", "-q", "origin", "main")
        (self.two.folder / "other.py").write_text("")
        self.commit(self.two, "other.py")

    def sync(self) -> None:
        """Everybody has everything."""
        for clone in (*self.clones, *self.clones):
            clone("sync")

    def forget(self) -> None:
        """All transcripts are gone, and with them what each machine kept for itself."""
        for clone in self.clones:
            shutil.rmtree(clone.folder / ".git" / "sessions", ignore_errors=True)
            shutil.rmtree(clone.folder / ".git" / "gittask", ignore_errors=True)


@pytest.fixture
def team(clones: Callable[[int], list[Path]], git: Git) -> Team:
    return Team(clones(3), git)


def only(found: list[dict[str, Any]]) -> dict[str, Any]:
    (one,) = found
    return one


class Story:
    """One task through four actors and five executions, over three clones."""

    def __init__(self, team: Team) -> None:
        self.team = team
        self.one, self.two, self.three = team.clones
        one = self.one
        one("actor", "add", "alice", "--kind", "person", "--email", "alice@example.org")
        one("project", "add", "routing", "--instructions", "Times are UTC.")
        one("store", "set", "instructions=Say what you checked.")
        self.task = one(
            *("new", "Route orders of closed depots", "--why", "Orders get lost"),
            *("--project", "routing", "--responsible", "alice"),
            *("--accept", "No order is lost", "--accept", "The nearest depot gets it"),
        ).id
        one("set", self.task, "instructions=Follow AGENTS.md#testing")

    def codex(self, command: str, *args: str) -> str:
        return self.one("--as", "codex-1", command, self.task, *args).out.strip()

    def gemini(self, command: str, *args: str) -> str:
        return self.three("--as", "gemini-1", command, self.task, *args).out.strip()

    def begins(self) -> None:
        """An editor learns something, decides, asks, and hands its work over."""
        self.codex("start", "--provider", "codex", "--session", "s1")
        self.team.transcript(self.one, "codex-1")
        self.codex("note", "--kind", "constraint", "Depots may close at any hour")
        self.codex("decide", "Distance", "--outcome", "By road, not by air")
        self.superseded = self.codex("decide", "Ties", "--outcome", "The first one")
        self.question = self.codex("ask", "What if all are closed?", "--to", "alice")
        (self.one.folder / "depots.py").write_text("def nearest(): ...\n")
        self.verified = self.team.commit(self.one, "depots.py")
        ask = ("approve", "request", self.task, "glob:pytest *", "--scope", "task", "--to", "alice")
        self.one("--as", "codex-1", *ask)
        self.one("--as", "alice", "approve", "grant", self.task)
        self.handoff = self.codex(
            *("handoff", "--kind", "review_request"),
            *("--condition", "watch", "--summary", "Closed depots are left out"),
            *("--run", "git rev-parse HEAD", "--not-verified", "Load :: no test data"),
            *("--uncertain", "Does Dover open on Sundays? :: its orders", "--next", "Review it"),
            *("--next-by", "reviewer"),
        )
        self.team.sync()

    def is_reviewed(self) -> None:
        """An agent of another provider looks at it elsewhere, and sends it back."""
        brief = Brief(self.two, "claude-1", self.task, "--role", "reviewer")
        brief.says("Closed depots are left out", self.handoff, "Does Dover open on Sundays?")
        brief.do("Begin")
        self.team.transcript(self.two, "claude-1")
        brief.do("Or send it back", "Ties are not settled by the first one")
        self.team.sync()
        self.team.go_on_with_the_code()

    def is_taken_over(self) -> None:
        """A person answers; the editor's session is lost, and another agent goes on."""
        self.one("--as", "alice", "answer", self.question, "Then to the head office")
        self.team.sync()
        self.gemini("takeover", "--reason", "codex-1 is silent", "--provider", "gemini")
        self.team.transcript(self.three, "gemini-1")
        self.gemini(*("decide", "Ties", "--outcome", "The larger", "--supersedes", self.superseded))
        self.met, self.open = (item["id"] for item in self.three.task(self.task)["acceptance"])
        self.gemini("set", f"acceptance.{self.met}.met=true")
        self.gemini(
            *("handoff", "--kind", "retry_context", *REPORT, "--condition", "blocked"),
            *("--summary", "The map service refuses its key"),
            *("--not-verified", "Everything with a map :: no key"),
            *("--next", "Get a new key, then measure", "--next-by", "editor"),
        )
        self.team.sync()

    def is_tried_again(self) -> None:
        """The first one claims it once more, and gets only as far as a report."""
        self.codex("start", "--ack", "The key is missing")
        self.codex("report", "The new key comes on Monday")
        self.codex("release", "--reason", "Waits for the key, and I am replaced")
        self.team.sync()


def test_the_fifth_execution_starts_from_the_brief_alone(team: Team) -> None:
    story = Story(team)
    story.begins()
    story.is_reviewed()
    story.is_taken_over()
    story.is_tried_again()
    team.forget()

    # Another model, on another machine, without a transcript, knows what the store knows.
    brief = Brief(team.two, "grok-1", story.task)
    brief.says(
        *("Route orders of closed depots", "Orders get lost", "No order is lost"),
        *(f"{story.met}, met", f"{story.open}, not met", "The nearest depot gets it"),
        *("The map service refuses its key", "Get a new key, then measure"),
        *("blocked", "Everything with a map", "Depots may close at any hour"),
        *("By road, not by air", "The larger", "Then to the head office"),
        *("Times are UTC.", "Say what you checked.", "Follow AGENTS.md#testing"),
        *("The new key comes on Monday", "Always run the slow tests too."),
    )
    assert "The first one\n" not in brief.text  # it was superseded
    Brief(team.two, "grok-1", story.task, "--budget", "5000").says(
        *("glob:pytest *", "Does Dover open on Sundays?", "stale", "Closed depots are left out"),
        *("Ties are not settled by the first one", "What if all are closed?"),
    )
    execution = brief.do("Claim it", "The key is missing until Monday; then measure")
    holder = team.two.json("show", story.task)["computed"]["holder"]
    assert (holder["actor"], holder["execution"]) == ("grok-1", execution)

    again = Brief(team.two, "grok-1", story.task)
    again.do("Say how it goes", "I have the new key")
    again.do("Once that is met", "Measured on twenty orders")
    team.sync()
    timeline = team.one.json("timeline", story.task, "--all")["entries"]
    claims = [entry["by"] for entry in timeline if entry["kind"] in ("claim", "takeover")]
    assert claims == ["codex-1", "claude-1", "gemini-1", "codex-1", "grok-1"]
    assert story.verified[:12] in team.one("timeline", story.task, "--all").out


@pytest.fixture
def working(team: Team) -> tuple[Team, str, str]:
    """A task that codex-1 works on in the first clone, and its execution."""
    task = team.one("new", "Fix it", "--why", "It fails").id
    start = ("start", task, "--provider", "codex", "--session", "s1", "--resume", "codex resume s1")
    execution = team.one("--as", "codex-1", *start).id
    team.one("--as", "codex-1", "report", task, "Half of it is done")
    team.sync()
    return team, task, execution


def test_a_runtime_that_was_killed_goes_on(working: tuple[Team, str, str]) -> None:
    team, task, execution = working
    process = subprocess.Popen(["sleep", "600"])
    team.one(
        *("--as", "codex-1", "recover", execution, "--same", "--reason", "moved"),
        *("--session", "s2", "--pid", str(process.pid)),
    )
    process.kill()
    process.wait()
    found = team.one.json("recover", execution)["recovery"]
    assert (found["state"], found["proposal"]) == ("lost", "same")
    goes_on(team, task, execution, "s3")


def test_a_runtime_that_was_compacted_goes_on(working: tuple[Team, str, str]) -> None:
    team, task, execution = working
    assert team.one("resume", execution).out.strip() == "codex resume s1"
    goes_on(team, task, execution, "s2")


def goes_on(team: Team, task: str, execution: str, session: str) -> None:
    """A new session under the same execution knows what it has to know, and reports."""
    new = ("recover", execution, "--same", "--session", session, "--reason", "begun anew")
    assert team.one("--as", "codex-1", *new).id == execution
    brief = Brief(team.one, "codex-1", task)
    brief.says("Half of it is done", execution, "epoch 1", "You hold the task")
    brief.do("Say how it goes", "The rest is done")
    runtimes = team.one.json("show", execution)["execution"]["runtimes"]
    assert {one["session"]: one["ended"] is None for one in runtimes}[session]
    assert "begun anew" in {one["ended_reason"] for one in runtimes}


def test_a_runtime_that_was_replaced_by_another_provider(working: tuple[Team, str, str]) -> None:
    team, task, execution = working
    new = ("recover", execution, "--new", "--reason", "out of quota", "--provider", "claude-code")
    second = team.two("--as", "claude-1", *new).id
    brief = Brief(team.two, "claude-1", task)
    brief.says("Half of it is done", second, "epoch 2", "out of quota")
    team.one("sync")
    refused = team.one("--as", "codex-1", "set", task, "priority=0", code=4).err
    assert "no longer holds" in refused
    lost = Brief(team.one, "codex-1", task)
    lost.says("claude-1 holds the task")


def test_work_that_was_abandoned_for_a_week(working: tuple[Team, str, str]) -> None:
    team, task, execution = working
    team.forget()
    found = team.three.json("recover", execution, "--lease", "0s")["recovery"]
    assert found["proposal"] == "new"
    *_, last = found["command"].split("gittask ")
    team.three("--as", "gemini-1", *shlex.split(last), "--reason", "silent for a week")
    brief = Brief(team.three, "gemini-1", task)
    brief.says("Half of it is done", "Fix it", "It fails", "You hold the task")
    team.sync()
    computed = team.one.json("show", task)["computed"]
    assert computed["holder"]["actor"] == "gemini-1"
    assert len(computed["executions"]) == 2


def test_short_and_long_from_another_clone(working: tuple[Team, str, str]) -> None:
    team, task, _ = working
    for clone in (team.one, team.two):
        (short,) = clone("status", task).out.splitlines()
        assert len(short) <= 120
        assert "codex-1 has worked on it" in short
        assert "Half of it is done" in short
    long = [clone.json("timeline", task, "--all")["entries"] for clone in (team.one, team.two)]
    assert long[0] == long[1]
    assert [entry["kind"] for entry in long[0]] == ["created", "claim", "report"]
    briefs = [Brief(clone, "grok-1", task).text for clone in (team.one, team.two)]
    assert briefs[0] == briefs[1]
    assert only(team.two.json("show", task)["computed"]["executions"])["actor"] == "codex-1"
