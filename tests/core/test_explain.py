"""Why data does not fit, in sentences that say what to do."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gittask.core.explain import explain
from gittask.core.record import Data
from gittask.errors import Problem
from gittask.store.packaged import schemas
from tests.memory import event, task

TASK = task("abcd", labels=["a"]).data
DOCUMENT = schemas().document("task")


def problems(**fields: Any) -> list[Problem]:
    return explain(DOCUMENT, {**TASK, **fields}, "task.yaml")


@pytest.mark.parametrize(
    ("field", "value", "message", "hint"),
    [
        ("title", "", "must not be empty", "give some text, or leave it out"),
        ("title", "  ", "must not be empty", "give some text, or leave it out"),
        ("title", None, "must be text, is null", "write text"),
        ("title", 7, "must be text, is 7", "put it in quotes: '7'"),
        ("title", False, "must be text, is false", "put it in quotes: 'false'"),
        ("title", "a\nb", "must be one line without tabs", "put long text into a longer field"),
        ("title", "a\x1bb", "holds the control character U+001B", "remove it"),
        ("title", "x" * 501, "has 501 characters, at most 500 are allowed", "shorten it"),
        ("why", "a\x9bb", "holds the control character U+009B", "remove it"),
        ("why", [], "must be text, is a list", "write text"),
        ("priority", "2", "must be a whole number, is '2'", "write a whole number"),
        ("priority", 5, "must be at most 4, is 5", "use 4 or less"),
        ("priority", -1, "must be at least 0, is -1", "use 0 or more"),
        ("priority", True, "must be a whole number, is true", "write a whole number"),
        ("labels", "a", "must be a list, is 'a'", "write a list"),
        ("labels", ["a"] * 101, "has 101 items, at most 100 are allowed", "leave some out"),
        ("created", "ann", "must be a map of fields, is 'ann'", "write a map of fields"),
    ],
)
def test_a_sentence(field: str, value: Any, message: str, hint: str) -> None:
    assert problems(**{field: value}) == [Problem("task.yaml", field, message, hint)]


@pytest.mark.parametrize(
    ("fields", "field", "message"),
    [
        ({"due": "2026-02-30"}, "due", "is not a real date: '2026-02-30'"),
        ({"due": "soon"}, "due", "is not of the right form: 'soon'"),
        ({"labels": ["a", "b c"]}, "labels.1", "is not of the right form: 'b c'"),
        ({"responsible": "Ann B"}, "responsible", "is not of the right form: 'Ann B'"),
        ({"state": {**TASK["state"], "status": "opne"}}, "state.status", "must be one of open, "),
        ({"acceptance": [{"id": "a"}]}, "acceptance.0.text", "is missing"),
        ({"changed": {"title": "now"}}, "changed.title", "is not of the right form: 'now'"),
        ({"created": {"at": "2026-13-01T00:00:00.000Z", "by": "a"}}, "created.at", "is not a real"),
    ],
)
def test_a_place(fields: Data, field: str, message: str) -> None:
    found = {problem.field: problem for problem in problems(**fields)}
    assert found[field].message.startswith(message)
    assert all(problem.hint for problem in found.values())


def test_a_slip_in_a_choice() -> None:
    (problem,) = problems(state={**TASK["state"], "status": "opne"})
    assert problem.hint == "did you mean open?"
    (problem,) = problems(state={**TASK["state"], "status": 7})
    assert problem.hint == "use one of these"


def test_every_problem_is_told_once_and_in_order() -> None:
    data = {key: value for key, value in TASK.items() if key != "id"}
    found = explain(DOCUMENT, {**data, "title": "", "priority": 9, "due": "x", "labels": [1, 2]})
    fields = [problem.field for problem in found]
    assert fields == ["due", "id", "labels.0", "labels.1", "priority", "title"]


@pytest.mark.parametrize("data", [None, [], "text", 7])
def test_no_record_at_all(data: Any) -> None:
    (problem,) = explain(DOCUMENT, data)
    assert problem.message.startswith("must be a map of fields, is ")


def test_parts_of_a_report() -> None:
    document = schemas().document("handoff")
    data = {key: value for key, value in event("note", "abcd", 1).data.items() if key != "kind"}
    missing = {problem.field for problem in explain(document, data)}
    assert {"summary", "condition", "verified", "not_verified", "uncertain"} <= missing


values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)


@given(st.sampled_from(sorted(TASK)), values)
def test_anything_wrong_is_explained_with_a_way_out(field: str, value: Any) -> None:
    for problem in problems(**{field: value}):
        assert problem.field.split(".")[0] == field
        assert problem.message
        assert problem.hint
