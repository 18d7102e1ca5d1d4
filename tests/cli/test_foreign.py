"""Records that others wrote: newer fields, newer formats, invalid files, circles, loose ends."""

from __future__ import annotations

import pytest

from gittask.core.codec import decode, encode
from tests.conftest import Git
from tests.program import Program, path_of


class TestNewerFields:
    """What a newer program wrote passes through this one."""

    def test_they_survive_every_change(self, gittask: Program) -> None:
        task = gittask.new("A task", "--accept", "It works")
        path = path_of(task)
        stored = decode(gittask.stored(path))
        future = {"nested": {"deep": [1, None, "no"]}, "text": "two\nlines\n"}
        stored |= {"future": future, "x-count": "007"}
        stored["state"]["urgency"] = {"level": 3}
        stored["acceptance"][0]["weight"] = 0.5
        gittask.push({path: encode(stored)})

        def extra() -> list[bytes]:
            names = (b"future", b"nested", b"deep", b"x-count", b"urgency", b"level", b"weight")
            lines = gittask.stored(path).splitlines()
            return sorted(line for line in lines if line.strip().startswith(names))

        before = extra()
        assert len(before) == 7
        for args in (
            ["set", task, "title=Other", "labels+=x"],
            ["set", task, f"acceptance.{stored['acceptance'][0]['id']}.met=true"],
            ["start", task],
            ["report", task, "x"],
            ["takeover", task, "--reason", "r"],
            ["release", task],
            ["close", task],
            ["reopen", task, "--reason", "r"],
        ):
            gittask(*args)
            assert extra() == before, args
            assert decode(gittask.stored(path))["future"] == future

    def test_those_of_an_execution_survive(self, gittask: Program) -> None:
        task = gittask.new()
        id = gittask("start", task).id
        path = f"tasks/{task[-2:]}/{task}/executions/{id}.yaml"
        state = {**decode(gittask.stored(path))["state"], "mood": "good"}
        gittask.change(path, state=state, future=[1])
        gittask("report", task, "x")
        gittask("close", task)
        stored = decode(gittask.stored(path))
        assert (stored["state"]["status"], stored["state"]["mood"]) == ("done", "good")
        assert stored["future"] == [1]

    def test_only_what_changes_changes(self, gittask: Program) -> None:
        task = gittask.new()
        before = gittask.stored(path_of(task)).splitlines()
        gittask("set", task, "priority=0")
        after = gittask.stored(path_of(task)).splitlines()
        assert [line for line in before if line not in after] == [b"priority: 2", b"changed: {}"]
        assert len(after) == len(before) + 1


class TestNewerFormat:
    def test_it_is_read_and_not_written(self, gittask: Program, git: Git) -> None:
        task = gittask.new()
        gittask.change("gittask.yaml", format=2)
        tip = git(gittask.folder, "rev-parse", "gittask")
        for args in (["new", "x"], ["set", task, "priority=1"], ["start", task], ["close", task]):
            error = gittask(*args, "--json", code=4).error
            assert "format 2" in error["message"]
            assert error["hint"].startswith("upgrade gittask")
        assert git(gittask.folder, "rev-parse", "gittask") == tip
        for name in ("list", "ready", f"show {task}", f"status {task}", f"timeline {task}"):
            gittask(*name.split())


class TestInvalidRecord:
    """One bad file stops nothing else, is named, and is never overwritten."""

    @pytest.fixture(params=["status", "yaml", "marker", "link", "empty"])
    def bad(self, gittask: Program, request: pytest.FixtureRequest) -> str:
        task = gittask.new("Bad")
        content = gittask.stored(path_of(task))
        broken = {
            "status": content.replace(b"status: open", b"status: strange"),
            "yaml": b"title: [",
            "marker": b"<<<<<<< ours\n" + content + b">>>>>>> theirs\n",
            "link": content.replace(b"title: Bad", b"title: !!python/name:os.system ''"),
            "empty": b"",
        }[request.param]
        gittask.push({path_of(task): broken})
        return task

    def test_everything_else_works(self, gittask: Program, bad: str) -> None:
        content = gittask.stored(path_of(bad))
        task = gittask.new("Good")
        listed = gittask.json("list")
        assert [one["id"] for one in listed["tasks"]] == [task]
        assert listed["problems"][0]["file"] == path_of(bad)
        assert path_of(bad) in gittask("list").err
        assert [one["id"] for one in gittask.json("ready")["tasks"]] == [task]
        for args in (["start"], ["note", "x"], ["report", "x"], ["set", "title=x"], ["close"]):
            gittask(args[0], task, *args[1:])
        gittask("status")
        assert gittask.stored(path_of(bad)) == content

    def test_it_is_refused_and_kept(self, gittask: Program, bad: str) -> None:
        content = gittask.stored(path_of(bad))
        for args in (["set", "title=x"], ["start"], ["note", "x"], ["close"], ["edit"]):
            result = gittask(args[0], bad, *args[1:], "--json", code=5)
            assert path_of(bad) in result.error["message"]
            assert result.error["details"]["problems"][0]["file"] == path_of(bad)
        assert gittask("show", bad, "--json", code=5).error["details"]["problems"]
        assert gittask.stored(path_of(bad)) == content
        assert gittask("verify", "--json", code=5).error["details"]

    def test_as_a_dependency_it_blocks_and_stops_nothing(self, gittask: Program, bad: str) -> None:
        task, other = gittask.new("Good"), gittask.new("Other")
        gittask.change(path_of(task), depends_on=[bad])
        gittask("dep", "add", other, task)
        assert (
            gittask("dep", "list", task).out
            == f"needs {bad} (unreadable)\nneeded by {other} (open)\n"
        )
        assert gittask.json("ready")["tasks"] == []
        gittask("dep", "remove", task, bad)
        assert [one["id"] for one in gittask.json("ready")["tasks"]] == [task]


def test_an_unreadable_execution_can_be_taken_over(gittask: Program) -> None:
    task = gittask.new()
    id = gittask("start", task, "--as", "codex-1").id
    path = f"tasks/{task[-2:]}/{task}/executions/{id}.yaml"
    gittask.push({path: b"{"})
    gittask("note", task, "x", "--as", "ann")
    assert "held by an unknown actor" in gittask("start", task, "--as", "ann", code=4).err
    gittask("takeover", task, "--reason", "unreadable", "--as", "ann")
    assert gittask.stored(path) == b"{"


def test_an_unreadable_report_does_not_stop_the_next_attempt(gittask: Program) -> None:
    task = gittask.new()
    gittask("start", task)
    said = ["--condition", "watch", "--summary", "s", "--changed", "none", "--verified", "none"]
    said += ["--not-verified", "none", "--uncertain", "none", "--next", "n", "--next-by", "ann"]
    id = gittask("handoff", task, *said).id
    gittask.push({f"tasks/{task[-2:]}/{task}/handoffs/{id}.yaml": b"summary: \t["})
    assert gittask.json("start", task)["execution"]["follows"] is None


class TestGraph:
    """Circles and loose ends that two innocent edits and a merge may leave."""

    @pytest.fixture
    def ring(self, gittask: Program) -> list[str]:
        tasks = [gittask.new(title) for title in ("One", "Two", "Three")]
        for task, needed in zip(tasks, tasks[1:] + tasks[:1], strict=True):
            gittask.change(path_of(task), depends_on=[needed])
        return tasks

    def test_a_circle_hangs_nothing(self, gittask: Program, ring: list[str]) -> None:
        one, two, three = ring
        free = gittask.new("Free", "--depends-on", one)
        assert gittask.json("list")["total"] == 4
        assert gittask.json("ready")["total"] == 0
        for task in ring:
            assert "circle" in gittask("show", task).out
        gittask("set", one, "title=Still editable")
        gittask("dep", "add", free, two)
        gittask("dep", "remove", three, one)
        assert [one["id"] for one in gittask.json("ready")["tasks"]] == [three]

    def test_parents_in_a_circle(self, gittask: Program) -> None:
        one, two = gittask.new("One"), gittask.new("Two")
        gittask.change(path_of(one), parent=two)
        gittask.change(path_of(two), parent=one)
        other = gittask.new("Other", "--parent", one)
        gittask("dep", "add", one, other)
        gittask("show", one)
        gittask("set", one, "parent=none")

    def test_a_dependency_that_is_gone(self, gittask: Program) -> None:
        gone, task = gittask.new("Gone"), gittask.new("Left")
        gittask.change(path_of(task), depends_on=[gone])
        gittask.push({path_of(gone): None})
        assert gittask("dep", "list", task).out == f"needs {gone} (missing)\n"
        assert [one["id"] for one in gittask.json("ready")["tasks"]] == [task]
        assert gone in gittask("ready").err
        gittask("set", task, "priority=1")
        gittask("start", task)
        gittask("dep", "remove", task, gone)
        assert gittask.task(task)["depends_on"] == []

    def test_a_task_of_which_only_notes_are_left(self, gittask: Program) -> None:
        task, other = gittask.new("Gone"), gittask.new("Left")
        gittask("note", task, "still here")
        gittask.push({path_of(task): None})
        assert [one["id"] for one in gittask.json("list")["tasks"]] == [other]
        for args in ("note {} x", "set {} title=x", "start {}", "timeline {}", "dep list {}"):
            error = gittask(*args.format(task).split(), "--json", code=3).error
            assert f"task {task} has records, but its own file is missing" in error["message"]
        gittask("dep", "add", other, task, code=5)
        assert len(gittask.records("note")) == 1

    def test_new_loose_ends_are_refused(self, gittask: Program) -> None:
        missing = "k3m9q2k3m9ff"
        assert gittask("new", "x", "--depends-on", missing, "--json", code=3).error["hint"]
        task = gittask.new()
        gittask.change(path_of(task), depends_on=[missing])
        result = gittask("set", task, f"parent={missing}", "--json", code=5)
        assert result.problems.keys() == {"parent"}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a tag", b"title: !!python/object/apply:os.system ['touch owned']"),
        ("an alias bomb", b"a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n"),
        ("a merge key", b"a: {b: 1}\n<<: {c: 1}\n"),
        ("two documents", b"a: 1\n---\nb: 2\n"),
        ("deep nesting", b"[" * 3000),
        ("a lone equals sign", b"title: =\n"),
        ("UTF-16", "title: x".encode("utf-16")),
        ("Latin-1", b"title: caf\xe9\n"),
        ("NUL", b"title: a\0b\n"),
        ("a tab", b"a:\n\tb: 1\n"),
        ("too large", b"title: " + b"x" * 2_000_000),
        ("a list", b"- 1\n"),
        ("nothing", b"null\n"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_hostile_files(gittask: Program, name: str, content: bytes) -> None:
    task, bad = gittask.new(name), "k3m9q2k3m9ff"
    gittask.push({path_of(bad): content})
    assert [one["id"] for one in gittask.json("list")["tasks"]] == [task]
    error = gittask("show", bad, "--json", code=5).error
    assert error["details"]["problems"][0]["file"] == path_of(bad)
    assert not (gittask.folder / "owned").exists()


@pytest.mark.parametrize(
    ("line", "value"),
    [
        (b"title: no", "no"),
        (b"title: 12:30", "12:30"),
        (b"title: 2026-11-30", "2026-11-30"),
        (b"title: '0123'", "0123"),
    ],
)
def test_unquoted_text_is_read_as_it_was_typed(gittask: Program, line: bytes, value: str) -> None:
    task = gittask.new("A task")
    content = gittask.stored(path_of(task)).replace(b"title: A task", line)
    gittask.push({path_of(task): content.replace(b"\n", b"\r\n")})
    assert gittask.task(task)["title"] == value
    gittask("set", task, "priority=1")
    assert b"\r" not in gittask.stored(path_of(task))
    assert gittask.task(task)["title"] == value


@pytest.mark.parametrize(
    ("line", "says"),
    [(b"title: 0123", "disagree on the number 0123"), (b"due: 2026-02-30", "not a real date")],
)
def test_what_is_doubtful_is_named(gittask: Program, line: bytes, says: str) -> None:
    task = gittask.new("A task")
    old = b"title: A task" if line.startswith(b"title") else b"due: null"
    gittask.push({path_of(task): gittask.stored(path_of(task)).replace(old, line)})
    assert says in gittask("show", task, code=5).err
