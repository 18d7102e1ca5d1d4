"""The example store: whoever reads it to learn the format must find it right in every detail."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from gittask.core.codec import decode, encode
from gittask.core.ids import AUTHOR
from gittask.core.record import Record, same
from gittask.core.stamp import stamps
from gittask.judging.verify import verify
from gittask.kinds import Attempt, kind
from gittask.session import Session
from gittask.setup.initialise import ATTRIBUTES
from gittask.store import example
from gittask.store.packaged import schemas
from gittask.store.repo import Person, Repo
from tests.branch import commit_to
from tests.memory import MemoryReader

FILES = example.files()
RECORDS = {
    path: Record(place.kind, place.id or data["id"], data)
    for path, content in FILES.items()
    if (place := schemas().locate(path)) and (data := decode(content, name=path))
}
NOT_RECORDS = {"README.md", ".gitattributes"}
READER = MemoryReader(*RECORDS.values())


def of(name: str) -> list[Record]:
    return [record for record in RECORDS.values() if record.kind == name]


def values(name: str, field: str) -> set[str]:
    return {record.data[field] for record in of(name)}


def statuses(name: str) -> set[str]:
    return {record.data["state"]["status"] for record in of(name)}


each_record = pytest.mark.parametrize("path", RECORDS)


def test_there_is_nothing_but_records_and_what_a_host_shows() -> None:
    assert FILES.keys() - RECORDS.keys() == NOT_RECORDS
    assert FILES[".gitattributes"].decode() == ATTRIBUTES


def test_its_readme_names_what_is_there() -> None:
    named = re.findall(r"`(tasks/[^`]+)`", FILES["README.md"].decode())
    assert named
    assert all(f"{folder}/task.yaml" in FILES for folder in named)


@each_record
def test_each_file_is_a_valid_record_in_its_place(path: str) -> None:
    record = RECORDS[path]
    assert schemas().check(record.kind, record.data, path) == []
    assert schemas().unknown(record.kind, record.data) == []
    assert schemas().path_of(record) == path


@each_record
def test_each_file_is_canonical_and_shows_all_its_keys(path: str) -> None:
    record = RECORDS[path]
    assert encode(record.data, schemas().order(record.kind)) == FILES[path]
    assert same(schemas().complete(record.kind, record.data), record.data)


@each_record
def test_each_reference_leads_to_a_record(path: str) -> None:
    record = RECORDS[path]
    known = {(other.kind, other.id) for other in RECORDS.values()}
    for reference in schemas().references(record.kind, record.data):
        by_a_merge = record.kind == "conflict" and reference.field == "created.by"
        assert (reference.kind, reference.id) in known or (by_a_merge and reference.id == AUTHOR)


@each_record
def test_each_stamp_is_one_that_the_program_could_have_set(path: str) -> None:
    record = RECORDS[path]
    found = stamps(record.data)
    assert len(found) == len(record.data.get("changed", {})) or not schemas().mutable(record.kind)
    acts = {(stamp.counter, stamp.by, stamp.at) for stamp in found.values()}
    assert len({counter for counter, _, _ in acts}) == len(acts)
    in_order = sorted(acts)
    assert [at for _, _, at in in_order] == sorted(at for _, _, at in in_order)
    for _, by, at in acts:
        assert READER.get("actor", by)
        assert at >= record.data["created"]["at"]


@each_record
def test_the_id_of_a_record_says_when_it_was_made(path: str) -> None:
    record = RECORDS[path]
    time = re.match(r"(\d{8})t(\d{6})z-", record.id)
    if time:
        assert "".join(time.groups()) == re.sub(r"\D", "", record.data["created"]["at"])[:14]


@each_record
def test_what_is_not_as_it_was_made_has_a_stamp(path: str) -> None:
    record = RECORDS[path]
    first = {"task": "open", "execution": "claimed", "approval": "requested"}.get(
        record.kind, "open"
    )
    if record.data.get("state", {"status": first})["status"] != first:
        assert "state" in record.data["changed"]
    for item in record.data.get("acceptance", ()):
        assert not item["met"] or f"acceptance.{item['id']}.met" in record.data["changed"]


@each_record
def test_no_record_breaks_a_rule_of_its_kind(path: str) -> None:
    record = RECORDS[path]
    attempt = Attempt(READER, None, record, record.data["created"]["by"], True, None)
    assert list(kind(record.kind).may(attempt)) == []


def test_there_are_all_kinds_in_all_their_sorts() -> None:
    assert {record.kind for record in RECORDS.values()} == set(schemas().kinds)
    assert values("actor", "kind") == {"person", "agent", "service"}
    assert values("message", "kind") == {"question", "answer", "comment", "instruction"}
    assert values("note", "kind") == set(schemas().fields("note")["kind"]["enum"])
    assert values("decision", "scope") == {"task", "project"}
    assert values("execution", "lane") == {"edit", "review"}


def test_there_are_tasks_in_all_states() -> None:
    assert statuses("task") == {"open", "active", "review", "done", "cancelled"}
    assert statuses("conflict") == {"open", "resolved"}
    assert statuses("approval") == {"requested", "granted"}
    assert statuses("wait") == {"open", "met"}
    tasks = [task.data for task in of("task")]
    for field in ("parent", "depends_on", "labels", "due", "links", "acceptance"):
        assert any(task[field] for task in tasks), field
    assert any(link["rel"] == "discovered-from" for task in tasks for link in task["links"])
    assert any(task["why"] is None for task in tasks)


def test_what_conflicts_waits_and_links_speak_of_is_there() -> None:
    ids = {record.id for record in RECORDS.values()}
    for conflict in of("conflict"):
        data = conflict.data
        named = RECORDS[data["record"]].data
        assert data["state"]["status"] == "resolved" or same(named[data["field"]], data["kept"])
    assert {wait.data["subject"] for wait in of("wait")} <= ids
    for task in of("task"):
        assert {link["target"] for link in task.data["links"]} <= ids


@pytest.mark.parametrize("task", of("task"), ids=lambda task: task.id)
def test_the_holder_of_a_task_has_its_epoch(task: Record) -> None:
    state = task.data["state"]
    claims = [x.data for x in of("execution") if x.task == task.id and x.data["lane"] == "edit"]
    assert state["epoch"] == max((claim["epoch"] for claim in claims), default=0)
    if state["holder"]:
        holder = READER.get("execution", state["holder"], task=task.id)
        assert holder
        assert holder.data["epoch"] == state["epoch"]
        assert holder.data["created"]["at"] == state["since"]


def test_the_story_is_there() -> None:
    """Logs and a hypothesis, an answer, a rejection, a lost worker's late report, a good end."""
    (task,) = [task for task in of("task") if task.data["state"]["epoch"] > 1]
    assert task.data["state"]["status"] == "done"
    assert all(item["met"] and item["evidence"] for item in task.data["acceptance"])

    def parts(name: str) -> Iterator[Record]:
        return READER.all(name, task=task.id)

    assert {"command", "observation", "hypothesis"} <= {note.data["kind"] for note in parts("note")}
    assert [r.data["verdict"] for r in parts("review")] == ["changes_requested", "approved"]
    since = task.data["state"]["since"]
    late = [h for h in parts("handoff") if h.data["at"] > since and h.data["epoch"] == 2]
    assert len(late) == 1
    assert len({h.data["actor"] for h in parts("handoff")}) == 3


def test_a_repository_that_holds_it_verifies(repo: Path) -> None:
    opened = Repo.discover(repo)
    opened.move(None, opened.root(), "root")
    person = Person("Ann", "ann@example.org", 1_796_000_000, 0)
    commit_to(opened, opened.tip(), FILES, person, person, "the example\n")
    report = verify(Session(opened, schemas()), None, "2026-12-01T00:00:00.000Z")
    assert report.findings == []
    assert report.files == len(RECORDS)
