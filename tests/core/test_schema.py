"""The schemas of all kinds: places, defaults, order, references, and what they know of a field."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gittask.core.codec import decode, encode
from gittask.core.record import Data, Record
from gittask.core.schema import Place, Reference
from gittask.store.packaged import schema_texts, schemas
from tests.memory import actor, event, project, store, task

SCHEMAS = schemas()
KINDS = (
    *("actor", "approval", "conflict", "decision", "execution", "handoff", "message", "note"),
    *("project", "review", "store", "task", "wait"),
)
TASK, XID = "abcdefghjk0f", "20261130t100411z-k3m9q2"
RECORDS = [
    *(task("abcd", labels=["a"]), actor("ann"), project("shop"), store()),
    *(event(kind, "abcd", 1) for kind in ("execution", "note", "message", "decision", "wait")),
]


def test_all_kinds_are_there() -> None:
    assert SCHEMAS.kinds == KINDS
    for name, text in schema_texts().items():
        assert json.loads(text)["$schema"] == "https://json-schema.org/draft/2020-12/schema", name


def test_every_field_says_what_it_is_and_what_it_is_at_first() -> None:
    """A mutable record shows all its fields, but those that are set once: whose it is."""
    for kind in KINDS:
        document = SCHEMAS.document(kind)
        assert document["description"]
        for name, field in SCHEMAS.fields(kind).items():
            assert field.get("description"), (kind, name)
            if SCHEMAS.mutable(kind) and name not in document["required"]:
                assert "default" in field or name in ("task", "project", "execution"), (kind, name)


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("gittask.yaml", Place("store", "")),
        ("actors/ann.yaml", Place("actor", "ann")),
        ("projects/shop/project.yaml", Place("project", "shop")),
        (f"projects/shop/decisions/{XID}.yaml", Place("decision", XID, project="shop")),
        (f"tasks/0f/{TASK}/task.yaml", Place("task", TASK)),
        (f"tasks/0f/{TASK}/notes/{XID}.yaml", Place("note", XID, task=TASK)),
        (f"tasks/0f/{TASK}/executions/{XID}.yaml", Place("execution", XID, task=TASK)),
        (f"conflicts/{XID}.yaml", Place("conflict", XID)),
    ],
)
def test_a_path_is_a_place(path: str, place: Place) -> None:
    assert SCHEMAS.locate(path) == place
    assert SCHEMAS.path(place.kind, place.id, task=place.task, project=place.project) == path


@pytest.mark.parametrize(
    "path",
    [
        "README.md",
        "actors/ann.yml",
        "actors/a/b.yaml",
        f"tasks/00/{TASK}/task.yaml",  # another task's shard
        f"tasks/0f/{TASK}/notes/x/y.yaml",
        f"tasks/0f/{TASK}/gossip/{XID}.yaml",
        f"x/tasks/0f/{TASK}/task.yaml",
        "gittask.yaml/x",
    ],
)
def test_other_paths_hold_no_record(path: str) -> None:
    assert SCHEMAS.locate(path) is None


def test_a_record_without_its_owner_has_no_place() -> None:
    with pytest.raises(ValueError, match="without a task or project has no place"):
        SCHEMAS.path("note", XID)


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.kind)
def test_a_valid_record(record: Record) -> None:
    assert SCHEMAS.check(record.kind, record.data) == []
    assert SCHEMAS.complete(record.kind, record.data) == record.data
    assert SCHEMAS.unknown(record.kind, record.data) == []
    place = SCHEMAS.locate(SCHEMAS.path_of(record))
    assert place is not None
    assert place.kind == record.kind
    assert place.id == (record.id if record.kind != "store" else "")
    written = encode(record.data, SCHEMAS.order(record.kind))
    assert decode(written) == record.data


def test_completion_fills_in_and_keeps() -> None:
    data = {"zzz": 1, "title": "x", "priority": 0}
    done = SCHEMAS.complete("task", data)
    assert (done["priority"], done["labels"], done["why"], done["zzz"]) == (0, [], None, 1)
    assert next(iter(done)) == "title"
    assert list(done)[-1] == "zzz"
    assert "id" not in done
    done["labels"].append("x")
    assert SCHEMAS.complete("task", {})["labels"] == []


def test_keys_are_written_in_the_schemas_order() -> None:
    data = dict(sorted(task("abcd", labels=["a"]).data.items()))
    written = encode({**data, "zzz": 1, "aaa": 2}, SCHEMAS.order("task")).decode()
    keys = [line.partition(":")[0] for line in written.splitlines() if line[0] not in " -"]
    fields = list(SCHEMAS.fields("task"))
    assert fields.pop() == "changed"
    assert keys == [*fields, "aaa", "zzz", "changed"]


@pytest.mark.parametrize(
    ("path", "holds"),
    [
        (("title",), {"type": "string", "maxLength": 500}),
        (("priority",), {"type": "integer", "maximum": 4}),
        (("acceptance", "0", "met"), {"type": "boolean"}),
        (("acceptance", "7", "id"), {"type": "string"}),
        (("workspace", "branch"), {"type": "string"}),
        (("labels", "0"), {"maxLength": 60}),
    ],
)
def test_the_shape_of_a_part(path: tuple[str, ...], holds: Data) -> None:
    shape = SCHEMAS.shape("task", *path)
    assert shape is not None
    assert holds.items() <= shape.items()


@pytest.mark.parametrize("path", [("nope",), ("title", "x"), ("acceptance", "met"), ("state", "x")])
def test_a_part_that_does_not_exist(path: tuple[str, ...]) -> None:
    assert SCHEMAS.shape("task", *path) is None


def test_references() -> None:
    record = task("abcd", depends_on=["bbbb"], parent="cccc", holder=XID, project="shop")
    assert set(SCHEMAS.references("task", record.data)) == {
        Reference("created.by", "actor", "alice"),
        Reference("responsible", "actor", "alice"),
        Reference("depends_on.0", "task", "bbbb00000000"),
        Reference("parent", "task", "cccc00000000"),
        Reference("project", "project", "shop"),
        Reference("state.holder", "execution", XID),
    }


def test_unknown_fields_are_found_at_any_depth() -> None:
    data: Data = {**task("abcd").data, "tilte": 1}
    data["state"] = {**data["state"], "mood": 1}
    data["acceptance"] = [{"id": "a", "text": "t", "met": False, "evidence": None, "weight": 2}]
    data["changed"] = {"tilte": "1 2026-11-30T10:00:00.000Z ann"}
    assert set(SCHEMAS.unknown("task", data)) == {"tilte", "state.mood", "acceptance.0.weight"}
    assert SCHEMAS.check("task", data) == []


json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 5) | st.text("a1- \n\x1b", max_size=3),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(["id", "title", "state", "at", "by", "x"]), inner, max_size=3
        )
    ),
    max_leaves=6,
)


@given(st.sampled_from(KINDS), json_values)
def test_the_fast_and_the_explaining_answer_agree(kind: str, data: Any) -> None:
    assert SCHEMAS.valid(kind, data) == (SCHEMAS.check(kind, data) == [])


@given(
    st.sampled_from(RECORDS),
    st.sampled_from(["id", "created", "title", "state", "labels", "body", "due", "kind", "task"]),
    json_values,
)
def test_they_agree_on_records_that_are_nearly_right(
    record: Record, field: str, value: Any
) -> None:
    data = {**record.data, field: value}
    assert SCHEMAS.valid(record.kind, data) == (SCHEMAS.check(record.kind, data) == [])
