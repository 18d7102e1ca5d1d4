"""The file of words is made by the first search; whatever happens to it, what is found stays."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.program import Program


def files(gittask: Program) -> list[Path]:
    return sorted((gittask.folder / ".git" / "gittask").glob("index-words-*.sqlite3"))


def titles(gittask: Program, *words: str) -> list[str]:
    return [hit["title"] for hit in gittask.json("find", *words)["hits"]]


@pytest.fixture
def searched(gittask: Program) -> Program:
    gittask.new("Mend the queue")
    gittask.new("Paint the door")
    assert titles(gittask, "queue") == ["Mend the queue"]
    return gittask


def test_only_a_search_makes_it(gittask: Program) -> None:
    gittask.new("Mend the queue")
    gittask("list")
    gittask("inbox")
    assert files(gittask) == []
    gittask("route", "status of the queue")
    assert len(files(gittask)) == 1


def test_what_is_written_is_found(searched: Program) -> None:
    task = searched.new("Another queue")
    assert titles(searched, "queue") == ["Another queue", "Mend the queue"]
    searched("set", task, "title=Another door")
    assert titles(searched, "queue") == ["Mend the queue"]


def remove(file: Path) -> None:
    for each in file.parent.glob(f"{file.name}*"):
        each.unlink()


def damage(file: Path) -> None:
    remove(file)
    file.write_bytes(b"no database at all" * 1000)


def cut(file: Path) -> None:
    content = file.read_bytes()
    remove(file)
    file.write_bytes(content[:3000])


def empty(file: Path) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute("delete from documents")
        connection.execute("delete from meta")


def without_a_table(file: Path) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute("drop table told")
        connection.execute("drop table documents")


def of_no_record(file: Path) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute("update row set path = 'tasks/zz/' || path")


def of_another(file: Path) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute("update row set path = replace(path, 'task.yaml', 'notes/x.yaml')")


@pytest.mark.parametrize(
    "harm", [damage, cut, empty, without_a_table, of_no_record, of_another, remove]
)
def test_harm_to_it_hides_nothing(searched: Program, harm: Callable[[Path], object]) -> None:
    (file,) = files(searched)
    harm(file)
    for _ in range(2):
        line = searched("find", "queue", "--jsonl").out
        assert [json.loads(each)["title"] for each in line.splitlines()] == ["Mend the queue"]
        assert titles(searched, "queue") == ["Mend the queue"]
        found = searched.json("route", "status of the queue")["route"]
        assert found["title"] == "Mend the queue"
    assert len(files(searched)) == 1


def test_another_that_writes_it_is_not_waited_for_long(
    searched: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched.new("Another queue")
    monkeypatch.setattr("gittask.store.index.database.BUSY", 0.01)
    other = sqlite3.connect(files(searched)[0], isolation_level=None)
    other.execute("begin immediate")
    assert titles(searched, "queue") == ["Another queue", "Mend the queue"]
    other.execute("rollback")
    other.close()
    assert titles(searched, "queue") == ["Another queue", "Mend the queue"]
