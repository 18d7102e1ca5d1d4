"""What a call costs does not grow with the store: counted, never timed.

The stores have 20 and 200 tasks, and in both one and the same task beside them, which the calls
are about.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from gittask.actions import records
from gittask.core.change import Act, Change
from gittask.store.snapshot import Snapshot
from gittask.views.route.candidates import RANKED
from tests.benchmarks.counting import Counts, counted, counts
from tests.benchmarks.generate import Store, generate
from tests.benchmarks.place import ann, opened
from tests.cli.acting import HANDOFF
from tests.conftest import Git
from tests.program import Program

FEW, MANY = 20, 200

Counted = Callable[..., tuple[Counts, ...]]
"""``counted("show", "TASK")``: what the call does among few and among many tasks. ``TASK`` stands
for the task's id."""

AS = ("--as", "codex-1")

SAME: tuple[tuple[str, ...], ...] = (
    ("--version",),
    ("schema", "task"),
    ("actor", "list"),
    ("project", "list"),
    ("verify", "gittask~1..gittask"),
    ("status", "TASK"),
    ("show", "TASK"),
    ("discussion", "TASK"),
    (*AS, "brief", "TASK"),
    ("brief", "TASK", "--as", "codex-2"),
    ("ready", "--limit", "1"),
    ("timeline", "TASK"),
    ("blame", "TASK"),
    ("where", "TASK"),
    ("tree", "TASK"),
    ("dep", "list", "TASK"),
    ("approve", "list", "TASK"),
    ("find", "midnight"),
    ("find", "--kind", "note", "--limit", "5"),
    ("list", "--waiting"),
    ("pr", "check", "--branch", "topic"),
)
"""Calls that cost the same in every respect; a call moves up to here whenever it does."""

SAME_BUT_ANSWERS: tuple[tuple[str, ...], ...] = (
    ("inbox",),
    ("inbox", "--all"),
    ("status",),
    ("tree",),
    ("list", "--board"),
    ("list", "--holder", "codex-1"),
    ("approve", "list"),
    ("route", "continue", "mend", "the", "queue"),
    ("route", "new", "task:", "mend", "the", "queue"),
)
"""Calls that ask the index the more often the more they have to tell, and open no file."""

SAME_BUT_FOLDERS: tuple[tuple[str, ...], ...] = (
    ("new", "Another", "--why", "It is needed"),
    ("note", "TASK", "It fails after midnight"),
    (*AS, "report", "TASK", "It goes on"),
    (*AS, "handoff", "TASK", "--kind", "progress", *HANDOFF),
    ("decide", "TASK", "A queue", "--outcome", "The second"),
    ("ask", "TASK", "Which one?", "--to", "bruno"),
    ("say", "TASK", "The second one"),
    (*AS, "beat", "TASK"),
)
"""Calls that open the folders of tasks, of which there are 256 at most, and else cost the same."""


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> tuple[Store, ...]:
    folder = tmp_path_factory.mktemp("stores")
    return tuple(generate(folder / f"{tasks}", tasks, tail=10) for tasks in (FEW, MANY))


@pytest.fixture
def programs(stores: tuple[Store, ...], tmp_path: Path) -> list[Program]:
    """The program among few tasks and among many, in copies that may be written to."""
    for store in stores:
        shutil.copytree(store.folder, tmp_path / f"{store.tasks}")
    return [Program(tmp_path / f"{store.tasks}") for store in stores]


@pytest.fixture(name="counted")
def _counted(programs: list[Program]) -> Counted:
    (task,) = {worked_on(program) for program in programs}

    def each(*args: str) -> tuple[Counts, ...]:
        call = [task if word == "TASK" else word for word in args]
        return tuple(counted(program, *call) for program in programs)

    return each


def worked_on(program: Program) -> str:
    """A task, the same wherever it is made, that codex-1 works on and has told of."""
    task = program.new("Mend the queue", "--idempotency-key", "the one").strip()
    program("--as", "codex-1", "start", task)
    program("--as", "codex-1", "note", task, "It fails after midnight")
    program("--as", "codex-1", "ask", task, "Which queue?", "--to", "ann")
    return task


def name(args: tuple[str, ...]) -> str:
    return " ".join(args[:4])


@pytest.mark.parametrize("args", SAME, ids=name)
def test_a_call_costs_the_same_among_many_tasks(counted: Counted, args: tuple[str, ...]) -> None:
    few, many = counted(*args)
    assert few == many


@pytest.mark.parametrize("args", SAME_BUT_FOLDERS, ids=name)
def test_a_call_opens_no_more_than_folders(counted: Counted, args: tuple[str, ...]) -> None:
    few, many = counted(*args)
    assert replace(few, read=0) == replace(many, read=0)


@pytest.mark.parametrize("args", SAME_BUT_ANSWERS, ids=name)
def test_a_call_opens_no_file_for_more_tasks(counted: Counted, args: tuple[str, ...]) -> None:
    few, many = counted(*args)
    assert replace(few, records=0, statements=0) == replace(many, records=0, statements=0)
    assert many.parsed == 0


@pytest.mark.parametrize("said", ["status of the queue", "new task: queue"])
def test_a_route_looks_only_at_those_that_may_be_best(programs: list[Program], said: str) -> None:
    """However many tasks have the words: in these stores every other one has them."""
    few, many = (counted(program, "route", said, code=None).records for program in programs)
    assert few < many < few + 2 * RANKED < few + (MANY - FEW) / 2


def test_an_answer_to_an_agent_costs_the_inbox_of_a_person_no_look(programs: list[Program]) -> None:
    """But at the wait that stays with the question."""
    program, costs = programs[0], []
    for each in range(3):
        task = program.new(f"Mend it {each}").strip()
        program("--as", "codex-1", "ask", task, "Which one?", "--to", "ann")
        program("--as", "ann", "answer", task, "The second")
        costs.append(counted(program, "inbox", "--as", "ann").records)
    assert costs == [costs[0], costs[0] + 1, costs[0] + 2]
    wants = program.json("inbox", "--as", "codex-1")["inbox"]
    answers = {one["title"] for one in wants if one["kind"] == "answer"}
    assert answers >= {f"Mend it {each}" for each in range(3)}


def test_a_sync_with_nothing_to_do_asks_the_remote_once(
    programs: list[Program], tmp_path: Path, git: Git
) -> None:
    """Tasks and signs of life come by one connection, and no other program is started."""
    asked = tmp_path / "asked"
    answering = tmp_path / "upload-pack"
    answering.write_text(f'#!/bin/sh\necho >>"{asked}"\nexec git-upload-pack "$@"\n')
    answering.chmod(0o755)
    for program in programs:
        remote = program.folder.with_suffix(".git")
        git(program.folder, "clone", "-q", "--bare", ".", str(remote))
        git(program.folder, "remote", "add", "origin", str(remote))
        git(program.folder, "config", "remote.origin.uploadpack", str(answering))
        program("sync")
        asked.write_text("")
        assert counted(program, "sync").programs == 1
        assert asked.read_text() == "\n\n"  # it is called twice to count


@pytest.mark.parametrize(("command", "of_git"), [("timeline", 1), ("blame", 1), ("log", 0)])
def test_the_history_of_a_task_costs_no_more_after_other_work(
    programs: list[Program], command: str, of_git: int
) -> None:
    """As many commits are looked at as before, whatever else was done since; and git walks through
    none: at most it is asked what stands in those that are known."""
    program = programs[0]
    task, other = worked_on(program), program.new("Other work").strip()
    before = counted(program, command, task)
    assert before.programs == of_git
    for number in range(5):
        program("note", other, f"It goes on, {number}")
    assert counted(program, command, task) == before
    program("note", task, "It fails at noon as well")
    assert counted(program, command, task).statements > before.statements


MOST_STATEMENTS = 22
"""Of SQL, for a note on a task."""


@pytest.fixture
def notes(stores: tuple[Store, ...], tmp_path: Path) -> Callable[..., Counts]:
    """``notes(2, at_once=1)``: what a process does that writes so many commits of so many notes."""
    store = replace(stores[0], folder=tmp_path / "store")
    shutil.copytree(stores[0].folder, store.folder)
    task = store.picks["open"]

    def write(commits: int, at_once: int = 1) -> None:
        session = opened(store)
        for _ in range(commits):
            act, writer = ann()

            def decide(reader: Snapshot, act: Act = act) -> Change:
                made = [
                    records.note(reader, act, task, "It fails", "progress") for _ in range(at_once)
                ]
                return made[0]._replace(records=tuple(one.main for one in made))

            session.run(decide, act, writer)

    write(1)
    return lambda *args: counts(store.folder, lambda: write(*args))


def test_a_write_does_nothing_twice(notes: Callable[..., Counts]) -> None:
    """A note is a file, five folders and a commit; each folder is read once, and the index is
    opened once, however many are written."""
    one, two = notes(1), notes(2)
    assert one.written == 7 + 2  # the branch and its log
    assert one.read == 6
    assert one.parsed == one.programs == 0
    each = two.statements - one.statements
    assert 5 < each < one.statements
    assert each <= MOST_STATEMENTS


def test_many_files_are_written_at_once(notes: Callable[..., Counts]) -> None:
    """As one pack, which git makes a list of: not one file for each."""
    many = notes(1, 150)
    assert many.written <= 3 + 1 + 2  # a pack, the commit, the branch and its log
    assert many.programs == 1


def test_what_a_call_does_is_counted(programs: list[Program]) -> None:
    """Each count tells a difference: none of the tests above holds because nothing is seen."""
    few, task = programs[0], worked_on(programs[0])
    nothing = counted(few, "--version")
    assert nothing == Counts(read=0, parsed=0, written=0, programs=0, records=0, statements=0)
    reading = counted(few, "verify", "gittask~1..gittask")
    assert min(reading.read, reading.parsed, reading.programs) > 0 == reading.written
    warm = counted(few, "show", task)
    assert warm.statements > 0 == warm.read == warm.parsed == warm.written
    writing = counted(few, "note", task, "It fails after midnight")
    assert writing.written > 5  # a file, its folders, a commit, the branch
    searching = counted(few, "find", "midnight")
    assert searching.statements > 0
