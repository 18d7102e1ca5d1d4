"""Checking what stands on the data branch."""

from __future__ import annotations

from pathlib import Path

import pytest

from gittask.core.record import Record
from gittask.errors import NoStore, NotFound, Usage
from gittask.judging.verify import Finding, Report, verify
from gittask.kinds.authority import WRITERS
from tests.conftest import Git
from tests.memory import NOW, actor, at, event, project, store, task, task_id
from tests.stored import commit, content, lose, path, session, write

CLAIM = event("execution", "a", 1)
NOTE = event("note", "a", 2, execution=CLAIM.id)


def check(folder: Path, spec: str | None = None) -> Report:
    return verify(session(folder), spec, NOW)


BY_WHOM = {rule.__name__ for rule in WRITERS}
"""The rules about who commits, which do not matter here (see test_authority)."""


def faults(report: Report) -> list[Finding]:
    return [found for found in report.errors if found.rule not in BY_WHOM]


def errors(report: Report) -> list[tuple[str, str]]:
    """File and message of each error."""
    return [(found.problem.file, found.problem.message) for found in faults(report)]


def warnings(report: Report) -> list[tuple[str, str]]:
    return [(found.problem.file, found.problem.message) for found in report.warnings]


def changed(record: Record, **fields: object) -> Record:
    return Record(record.kind, record.id, {**record.data, **fields})


def test_a_store_without_fault(repo: Path) -> None:
    everything = [
        task("a", "active", holder=CLAIM.id, epoch=1, depends_on=["b"], project="shop"),
        task("b", parent="c"),
        task("c"),
        project("shop"),
        CLAIM,
        NOTE,
        event("message", "a", 3),
        event("decision", "a", 4),
        event("wait", "a", 5),
        event("conflict", "a", 6, created_by="gittask"),
    ]
    tip = write(repo, *everything)
    report = check(repo)
    assert (errors(report), warnings(report)) == ([], [])
    assert report.commits == [tip]
    assert report.files == len(everything) + 4


def test_without_a_store(repo: Path) -> None:
    with pytest.raises(NoStore):
        check(repo)


def test_a_commit_that_is_no_store(repo: Path) -> None:
    assert errors(check(repo, "main")) == [("gittask.yaml", "is missing")]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a: [", "cannot be read as YAML"),
        (b"<<<<<<< ours\na: 1\n", "unresolved merge conflict"),
        (b"id: a00000000000\n", "title"),
        (b"\xff", "not UTF-8"),
        (b"[]\n", ""),
    ],
)
def test_a_file_that_cannot_be_read_hides_no_other(
    repo: Path, content: bytes, message: str
) -> None:
    bad = path(task("a"))
    other = path(event("note", "b", 1))
    write(repo, task("b"), files={bad: content, other: b"no: note\n"})
    found = check(repo).errors
    assert {each.problem.file for each in found} == {bad, other}
    assert any(message in str(each.problem) for each in found if each.problem.file == bad)


def test_a_file_whose_content_is_lost_is_an_error_of_that_file(repo: Path) -> None:
    tip = write(repo, task("a"), task("b"))
    entry = session(repo).repo.lookup(tip, path(task("a")))
    assert entry
    lose(repo, entry.id)
    ((file, message),) = errors(check(repo))
    assert (file, entry.id in message) == (path(task("a")), True)


def test_a_record_in_the_wrong_place(repo: Path) -> None:
    note = event("note", "b", 1)
    write(repo, task("a"), task("b"), files={path(NOTE): content(note)})
    assert {file for file, _ in errors(check(repo))} == {path(NOTE)}


@pytest.mark.parametrize(
    ("record", "field", "message"),
    [
        (task("b", depends_on=["x"]), "depends_on.0", "the task 'x00000000000'"),
        (task("b", parent="x"), "parent", "the task 'x00000000000'"),
        (task("b", project="nope"), "project", "the project 'nope'"),
        (task("b", responsible="nobody"), "responsible", "the actor 'nobody'"),
        (task("b", holder=CLAIM.id), "state.holder", "the execution"),
        (event("note", "x", 1), "task", "the task 'x00000000000'"),
        (event("note", "a", 3, execution=event("execution", "b", 9).id), "execution", "the exec"),
        (event("message", "a", 3, in_reply_to=NOTE.id, thread=NOTE.id), "thread", "the message"),
        (event("decision", "a", 4, supersedes=NOTE.id), "supersedes", "the decision"),
        (changed(NOTE, created={"at": at(1), "by": "ghost"}), "created.by", "the actor 'ghost'"),
    ],
)
def test_a_reference_to_nothing(repo: Path, record: Record, field: str, message: str) -> None:
    write(repo, *(one for one in (task("a"), CLAIM, NOTE) if one.id != record.id), record)
    found = {each.problem.field: each.problem.message for each in check(repo).errors}
    assert message in found[field]


def test_a_tasks_record_may_name_a_decision_of_a_project(repo: Path) -> None:
    made = event("decision", "a", 1)
    data = {key: value for key, value in made.data.items() if key != "task"}
    decision = Record("decision", made.id, {**data, "project": "shop", "scope": "project"})
    report = event("handoff", "a", 2, execution=CLAIM.id, decisions=[decision.id])
    write(repo, task("a"), project("shop"), CLAIM, decision, report)
    assert errors(check(repo)) == []


def test_a_projects_record_may_name_an_execution_of_any_task(repo: Path) -> None:
    asked = event("approval", "a", 1)
    data = {key: value for key, value in asked.data.items() if key != "task"}
    data |= {"project": "shop", "scope": "project", "execution": CLAIM.id}
    approval = Record("approval", asked.id, data)
    write(repo, task("a"), project("shop"), CLAIM, approval)
    assert errors(check(repo)) == []
    write(repo, changed(approval, execution=NOTE.id))
    assert [each.problem.field for each in check(repo).errors] == ["execution"]


def test_a_circle(repo: Path) -> None:
    write(repo, task("a", depends_on=["b"]), task("b", depends_on=["a"]))
    a, b = task_id("a"), task_id("b")
    assert errors(check(repo)) == [(path(task("a")), f"stands in a circle: {a} -> {b} -> {a}")]


def test_a_newer_format(repo: Path) -> None:
    write(repo)
    write(repo, changed(store(), format=2))
    assert [each.problem.field for each in check(repo).errors] == ["format"]


@pytest.mark.parametrize(
    ("files", "file", "message"),
    [
        ({"tasks/note.txt": b"x"}, "tasks/note.txt", "no record"),
        ({"tasks/11/a00000000000/task.yaml": b"x"}, "tasks/11/a00000000000/task.yaml", "no record"),
        ({"actors/read.me": b"x"}, "actors/read.me", "no record"),
    ],
)
def test_files_that_are_no_records_are_warned_of(
    repo: Path, files: dict[str, bytes], file: str, message: str
) -> None:
    write(repo, files={**files, "README.md": b"x", "schemas/x.json": b"{}"})
    report = check(repo)
    assert errors(report) == []
    assert [(name, message in text) for name, text in warnings(report)] == [(file, True)]


@pytest.mark.parametrize(
    "rewrite",
    [
        lambda text: b"# by hand\n" + text,
        lambda text: text.replace(b"\n", b"\r\n"),
        lambda text: text.replace(b"due: null\n", b""),
        lambda text: text.replace(b"title: Task a", b"title: 'Task a'"),
    ],
)
def test_a_hand_written_form_is_warned_of(repo: Path, rewrite: object) -> None:
    written = content(task("a"))
    by_hand = rewrite(written)  # type: ignore[operator]
    assert by_hand != written
    write(repo, files={path(task("a")): by_hand})
    report = check(repo)
    assert errors(report) == []
    assert warnings(report) == [(path(task("a")), "has a hand-written form")]


def test_an_unknown_field_is_warned_of(repo: Path) -> None:
    write(repo, changed(task("a"), titel="x"))
    report = check(repo)
    assert errors(report) == []
    assert [each.problem.field for each in report.warnings] == ["titel"]


def test_a_time_in_the_future_is_warned_of(repo: Path) -> None:
    tomorrow, later = "2026-12-01T12:00:00.000Z", "2026-12-01T12:00:00.001Z"
    stamps = {"title": f"1 {tomorrow} alice", "why": f"2 {later} alice"}
    write(repo, task("a", changed=stamps), task("b", created={"at": later, "by": "alice"}))
    report = check(repo)
    assert errors(report) == []
    assert [each.problem.field for each in report.warnings] == ["changed.why", "created.at"]


# -- ranges -------------------------------------------------------------------------------------


def test_a_range_checks_each_commit_and_only_what_it_changed(repo: Path) -> None:
    first = write(repo, files={path(task("b")): b"bad: ["})
    second = write(repo, task("a"), NOTE)
    third = write(repo, CLAIM, files={path(task("a")): b"bad: ["})
    report = check(repo, f"{first}..{third}")
    assert report.commits == [second, third]
    found = [(each.commit, each.problem.file) for each in faults(report)]
    assert found == [(second, path(NOTE)), (third, path(task("a")))]
    assert report.files == 4


@pytest.mark.parametrize("old", ["", "0" * 40])
def test_a_range_from_the_beginning(repo: Path, old: str) -> None:
    write(repo, task("a"))
    report = check(repo, f"{old}..")
    assert len(report.commits) == 2
    assert (report.files, errors(report)) == (5, [])


def test_an_empty_range(repo: Path) -> None:
    write(repo, task("a"))
    report = check(repo, "gittask..gittask")
    assert (report.commits, report.files, report.findings) == ([], 0, [])


@pytest.mark.parametrize(
    ("spec", "error"), [("a...b", Usage), ("nope", NotFound), ("nope..", NotFound)]
)
def test_what_names_no_commits(repo: Path, spec: str, error: type[Exception]) -> None:
    write(repo, task("a"))
    with pytest.raises(error):
        check(repo, spec)


def test_write_once_records_must_not_change(repo: Path) -> None:
    first = write(repo, task("a"), CLAIM, NOTE)
    write(repo, changed(NOTE, body="other"), changed(CLAIM, role="advisor"))
    found = errors(check(repo, f"{first}..gittask"))
    assert found == [(path(NOTE), "was altered; a note is written once")]
    assert errors(check(repo)) == []


@pytest.mark.parametrize("record", [CLAIM, NOTE, actor("bob")])
def test_no_record_may_be_removed(repo: Path, record: Record) -> None:
    first = write(repo, task("a"), CLAIM, NOTE)
    write(repo, files={path(record): None})
    assert errors(check(repo, f"{first}..gittask")) == [
        (path(record), "was removed; records are never removed")
    ]


def test_other_files_may_change_and_go(repo: Path) -> None:
    first = write(repo, files={"README.md": b"x", "tasks/x": b"x"})
    write(repo, files={"README.md": b"y", "tasks/x": None})
    assert check(repo, f"{first}..gittask").findings == []


def test_a_merge_may_take_a_write_once_record_from_another_parent(repo: Path) -> None:
    base = write(repo, task("a"), CLAIM)
    ours = commit(repo, [base], changed(NOTE, body="ours"))
    theirs = commit(repo, [base], NOTE)
    taken = commit(repo, [ours, theirs], NOTE)
    assert errors(check(repo, f"{base}..{taken}")) == []
    invented = commit(repo, [ours, theirs], changed(NOTE, body="neither"))
    (found,) = faults(check(repo, f"{base}..{invented}"))
    assert (found.commit, found.problem.file) == (invented, path(NOTE))


def test_a_merge_may_not_drop_a_record(repo: Path) -> None:
    base = write(repo, task("a"), CLAIM)
    ours = commit(repo, [base], NOTE)
    theirs = commit(repo, [base], task("b"))
    dropped = commit(repo, [ours, theirs], task("b"), files={path(NOTE): None})
    assert errors(check(repo, f"{base}..{dropped}")) == [
        (path(NOTE), "was removed; records are never removed")
    ]


def test_a_merge_takes_over_no_removal(repo: Path) -> None:
    base = write(repo, task("a"), CLAIM, NOTE)
    ours = commit(repo, [base], files={path(NOTE): None})
    theirs = commit(repo, [base], task("b"))
    merged = commit(repo, [ours, theirs], task("b"))
    assert errors(check(repo, f"{ours}..{merged}")) == [
        (path(NOTE), "was removed; records are never removed")
    ]


def test_a_circle_is_told_of_the_range_that_closes_it(repo: Path) -> None:
    write(repo, task("a"), task("b", depends_on=["a"]), task("c"))
    before = write(repo, task("x", depends_on=["y"]), task("y", depends_on=["x"]))
    after = write(repo, task("a", depends_on=["b"]))
    later = write(repo, task("c", priority=0))
    assert [file for file, _ in errors(check(repo, f"{before}..{after}"))] == [path(task("a"))]
    assert errors(check(repo, f"{after}..{later}")) == []


def test_a_merge_that_only_joins_is_without_fault(repo: Path, git: Git) -> None:
    base = write(repo, task("a"))
    ours = commit(repo, [base], task("b", depends_on=["a"]))
    theirs = commit(repo, [base], CLAIM, NOTE)
    merged = commit(repo, [ours, theirs], CLAIM, NOTE)
    git(repo, "branch", "merged", merged)
    report = check(repo, f"{base}..merged")
    assert (errors(report), warnings(report), report.files) == ([], [], 3)
