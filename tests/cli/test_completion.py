"""What a shell is offered for a word that is being typed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.acting import HANDOFF, Actor
from tests.conftest import Git
from tests.program import Program

Completed = Callable[..., list[str]]


@pytest.fixture
def completed(gittask: Program, monkeypatch: pytest.MonkeyPatch) -> Completed:
    """The values for the last of the words; with ``shell="fish"`` also what each one is."""

    def completed(*words: str, shell: str = "bash") -> list[str]:
        with monkeypatch.context() as patch:
            patch.setenv("_GITTASK_COMPLETE", f"{shell}_complete")
            patch.setenv("COMP_WORDS", " ".join(("gittask", *words)))
            patch.setenv("COMP_CWORD", str(len(words)) if shell == "bash" else words[-1])
            result = gittask("ignored")
        assert result.err == ""
        return [each.partition(",")[2] for each in result.out.split("\n") if each]

    return completed


def test_the_folder_that_is_named_is_the_one_that_is_asked(
    gittask: Program, completed: Completed, tmp_path: Path
) -> None:
    task, store = gittask.new("Fix routing"), str(gittask.folder)
    gittask.folder = tmp_path
    assert completed("show", "") == []
    assert completed("-C", store, "show", "") == [task]
    assert completed("show", "-C", store, task[:4]) == [task]
    assert completed("-C", str(tmp_path / "none"), "show", "") == []


def test_tasks_with_their_titles(gittask: Program, completed: Completed) -> None:
    task = gittask.new("Fix routing")
    assert completed("show", "") == [task]
    assert completed("show", "", shell="fish") == [f"{task}\tFix routing"]


@pytest.mark.parametrize(
    "words",
    [
        ["--as"],
        ["list", "--as"],
        ["list", "--holder"],
        ["list", "--responsible"],
        ["new", "x", "--responsible"],
        ["timeline", "x", "--by"],
        ["find", "x", "--by"],
        ["route", "x", "--actor"],
        ["ask", "x", "y", "--to"],
        ["decide", "x", "y", "--by"],
        ["wait", "x", "--responder"],
        ["actor", "add", "x", "--delegated-by"],
        ["actor", "set"],
        ["approve", "request", "x", "y", "--to"],
    ],
    ids=" ".join,
)
@pytest.mark.usefixtures("held")
def test_actors(completed: Completed, words: list[str]) -> None:
    assert completed(*words, "co") == ["codex-1"]
    assert set(completed(*words, "")) == {"ann", "codex-1"}


def test_projects_labels_and_roles(ann: Actor, completed: Completed) -> None:
    ann("project", "add", "shop")
    ann("new", "Fix it", "--label", "urgent", "--label", "web")
    for words in (["new", "x"], ["list"], ["ready"], ["find", "x"], ["decide", "x", "y"]):
        assert completed(*words, "--project", "") == ["shop"]
    for words in (["new", "x"], ["list"], ["find", "x"]):
        assert completed(*words, "--label", "") == ["urgent", "web"]
        assert completed(*words, "--label", "u") == ["urgent"]
    assert completed("start", "x", "--role", "r") == ["reviewer"]
    assert completed("brief", "x", "--role", "") == ["editor", "reviewer", "advisor"]


def test_fields(ann: Actor, held: str, completed: Completed) -> None:
    assert completed("set", held, "ti") == ["title="]
    assert completed("set", held, "title=x", "pri") == ["priority="]
    assert {"id=", "state="}.isdisjoint(completed("set", held, ""))
    assert completed("store", "set", "lea") == ["lease="]
    assert completed("project", "set", "x", "resp") == ["responsible="]
    assert completed("actor", "set", "x", "all") == ["allowed="]
    ann("set", held, "labels+=web")
    assert completed("blame", held, "--field", "lab") == ["labels", "labels.web"]
    assert completed("blame", "nothing", "--field", "") == []


def test_records_that_a_command_settles(ann: Actor, codex: Actor, completed: Completed) -> None:
    task = ann("new", "Fix it", "--why", "x").id
    codex("start", task)
    first, second = (codex("ask", task, text).id for text in ("May I?", "And then?"))
    ends = [id.partition("-")[2] for id in (first, second)]
    assert sorted(completed("answer", "")) == sorted(ends)
    assert completed("answer", ends[0][:5]) == [ends[0]]
    assert first in completed("answer", first[:9])
    assert completed("answer", task[:8]) == [task]
    ann("answer", first, "Yes")
    assert completed("answer", "") == [ends[1]]
    assert completed("answer", "", shell="fish") == [f"{ends[1]}\tAnd then?"]
    ann("answer", second, "That")

    asked = codex("approve", "request", task, "drop it").id.partition("-")[2]
    assert completed("approve", "grant", "") == completed("approve", "deny", "") == [asked]
    assert completed("approve", "revoke", "") == [task]
    ann("approve", "grant", asked)
    assert completed("approve", "revoke", "") == [asked]
    assert completed("approve", "grant", "") == [task]
    handoff = codex("handoff", task, *HANDOFF).id
    assert completed("review", "") == [handoff.partition("-")[2]]
    assert completed("resolve", "") == [task]


def test_completion_is_never_an_error(
    gittask: Program, completed: Completed, git: Git, tmp_path: Path
) -> None:
    assert completed("new", "--title", "--json", "") == []
    gittask.push({"tasks/ab/abcdefghjkab/task.yaml": b"title: [\n"})
    assert completed("show", "") == []
    (tmp_path / "empty").mkdir()
    gittask.folder = tmp_path / "empty"
    git(gittask.folder, "init", "-q")
    for words in (["show"], ["list", "--project"], ["answer"], ["set", "x"], ["--as"]):
        completed(*words, "")
