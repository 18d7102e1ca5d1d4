"""Notes, decisions, questions and answers: what is kept of each, and how it is named later."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conftest import Git
from tests.program import Program


@pytest.fixture
def task(gittask: Program) -> str:
    gittask("actor", "add", "bob", "--kind", "person")
    return gittask.new("Fix routing")


def waits(gittask: Program) -> list[dict[str, Any]]:
    return gittask.records("wait")


def test_a_note(gittask: Program, task: str, git: Git) -> None:
    made = gittask.json("note", task, "Fails at night", "--kind", "hypothesis", "--path", "a.py")
    note = made["note"]
    assert (note["task"], note["kind"], note["body"]) == (task, "hypothesis", "Fails at night")
    assert [file["path"] for file in note["files"]] == ["a.py"]
    assert note["created"]["by"] == "ann"
    assert note["id"].startswith(note["created"]["at"][:4])
    assert made["commit"] == git(gittask.folder, "rev-parse", "gittask")
    second = gittask("note", task, "x").id
    assert {one["id"] for one in gittask.records("note")} == {note["id"], second}


def test_notes_are_never_edited(gittask: Program, task: str, git: Git) -> None:
    for text in ("one", "two", "one"):
        gittask("note", task, text)
    assert sorted(note["body"] for note in gittask.records("note")) == ["one", "one", "two"]
    changes = git(gittask.folder, "log", "--format=", "--name-status", "gittask", "--", "tasks")
    assert {line[0] for line in changes.splitlines() if "/notes/" in line} == {"A"}


def test_a_question_and_its_answer(gittask: Program, task: str) -> None:
    asked = gittask("ask", task, "May I?", "--to", "bob").id
    (wait,) = waits(gittask)
    assert (wait["on"], wait["responder"], wait["subject"]) == ("person", "bob", asked)
    assert task not in [one["id"] for one in gittask.json("ready")["tasks"]]
    answer = gittask.json("answer", asked, "Yes", "--as", "bob")["message"]
    assert (answer["in_reply_to"], answer["thread"]) == (asked, asked)
    assert (answer["from"], answer["to"]) == ("bob", "ann")
    assert task in [one["id"] for one in gittask.json("ready")["tasks"]]


def test_a_question_is_named_by_its_task_if_it_is_the_only_one(gittask: Program, task: str) -> None:
    assert "no open question" in gittask("answer", task, "x", code=3).err
    first = gittask("ask", task, "One?").id
    assert gittask.json("answer", task[:6], "1")["message"]["in_reply_to"] == first
    assert "no open question" in gittask("answer", task, "x", code=3).err
    two, three = gittask("ask", task, "Two?").id, gittask("ask", task, "Three?").id
    error = gittask("answer", task, "?", "--json", code=3).error
    assert error["code"] == "ambiguous"
    assert error["details"]["candidates"] == sorted([two, three])
    ending = two.partition("-")[2]
    assert gittask.json("answer", ending, "2")["message"]["in_reply_to"] == two
    assert gittask.json("answer", task, "3")["message"]["in_reply_to"] == three


def test_a_question_to_nobody_in_particular_waits_for_nobody(gittask: Program, task: str) -> None:
    gittask("ask", task, "Why?")
    assert waits(gittask) == []
    error = gittask("ask", task, "Why?", "--to", "nobody", "--json", code=3).error
    assert "gittask actor add nobody" in error["hint"]


def test_saying_something(gittask: Program, task: str) -> None:
    gittask("say", task, "Looks good")
    gittask("say", task, "Leave billing alone", "--kind", "instruction", "--to", "bob")
    comment, instruction = sorted(gittask.records("message"), key=lambda one: str(one["kind"]))
    assert (comment["kind"], comment.get("to")) == ("comment", None)
    assert (instruction["kind"], instruction["to"]) == ("instruction", "bob")
    assert comment["thread"] == comment["id"]


def test_a_decision(gittask: Program, task: str) -> None:
    made = gittask.json(
        *("decide", task, "Where to cache", "--outcome", "In the client", "--option", "Redis"),
        *("--option", "None", "--context", "Slow", "--consequences", "Stale", "--by", "bob"),
    )["decision"]
    assert (made["scope"], made["task"], made["deciders"]) == ("task", task, ["bob"])
    assert (made["options"], made["context"]) == (["Redis", "None"], "Slow")
    ending = made["id"].partition("-")[2]
    later = gittask.json("decide", task, "Again", "--outcome", "x", "--supersedes", ending)
    assert later["decision"]["supersedes"] == made["id"]
    assert later["decision"]["deciders"] == ["ann"]


def test_a_decision_for_a_project(gittask: Program, task: str) -> None:
    gittask("project", "add", "shop")
    call = ("decide", "--project", "shop", "--outcome", "UTC")
    first = gittask.json(*call, "Time zone")["decision"]
    assert (first["scope"], first["project"], first["title"]) == ("project", "shop", "Time zone")
    second = gittask.json(*call, "Time zone, again", "--supersedes", first["id"])["decision"]
    assert second["supersedes"] == first["id"]
    assert gittask(*call, task, "Both", code=2).out == ""
    assert gittask("decide", "Neither", "--outcome", "x", code=2).out == ""
    assert "no project" in gittask("decide", "--project", "x", "t", "--outcome", "o", code=3).err


def test_a_task_found_while_working_on_another(gittask: Program, task: str) -> None:
    found = gittask.task(gittask("new", "Flaky test", "--discovered-from", task[:6]).id)
    (link,) = found["links"]
    assert (link["rel"], link["target"]) == ("discovered-from", task)
    agents = gittask("new", "x", "--discovered-from", task, "--as", "codex-1").id
    assert gittask.task(agents)["responsible"] == "ann"


def test_who_is_responsible(gittask: Program, task: str) -> None:
    def responsible(*args: str) -> str:
        found: str = gittask.task(gittask("new", "x", *args).id)["responsible"]
        return found

    assert responsible() == "ann"
    assert responsible("--responsible", "bob") == "bob"
    assert responsible("--as", "codex-1") == "codex-1"
    assert responsible("--as", "codex-1", "--parent", task) == "ann"
    gittask("actor", "set", "codex-1", "delegated_by=bob")
    assert responsible("--as", "codex-1") == "bob"
    gittask("project", "add", "shop", "--responsible", "bob")
    assert responsible("--project", "shop") == "bob"


def test_all_options_of_a_new_task(gittask: Program, task: str) -> None:
    gittask("project", "add", "shop")
    made = gittask.task(
        gittask(
            *("new", "Title", "--why", "w", "--label", "b", "--label", "a", "--label", "b"),
            *("--priority", "0", "--type", "bug", "--project", "shop", "--parent", task),
            *("--accept", "One", "--accept", "Two", "--instructions", "i", "--provider", "codex"),
            *("--due", "2026-12-24"),
        ).id
    )
    assert (made["labels"], made["priority"], made["type"]) == (["a", "b"], 0, "bug")
    assert (made["project"], made["parent"], made["due"]) == ("shop", task, "2026-12-24")
    assert {item["text"]: item["met"] for item in made["acceptance"]} == {
        "One": False,
        "Two": False,
    }
    assert (made["instructions"], made["provider"], made["changed"]) == ("i", "codex", {})
