"""Made stores are right in every respect, and the same for the same numbers."""

from __future__ import annotations

import subprocess
from collections import Counter
from pathlib import Path

import pytest

from gittask.core.codec import decode, encode
from gittask.core.record import Data
from gittask.store.packaged import schemas
from gittask.store.repo import Repo
from tests.benchmarks.generate import RECORDS, Store, generate, store
from tests.benchmarks.process import SCRIPTS, environment
from tests.program import Program

TASKS, TAIL = 60, 90


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return generate(tmp_path_factory.mktemp("made") / "repo", TASKS, TAIL)


def records(store: Store) -> list[tuple[str, str, bytes]]:
    """The kind, path and content of every record of a store."""
    repo, found = Repo.discover(store.folder), []
    for path, entry in repo.files(repo.tree(repo.tip() or "")):
        if place := schemas().locate(path):
            found.append((place.kind, path, repo.blob(entry.id)))
    return found


def tasks(store: Store) -> dict[str, Data]:
    found = (decode(text) for kind, _, text in records(store) if kind == "task")
    return {data["id"]: data for data in found}


@pytest.mark.parametrize(
    "command", [("verify",), ("verify", f"gittask~{TAIL}..gittask"), ("doctor",)]
)
def test_nothing_is_wrong_with_a_store(made: Store, command: tuple[str, ...]) -> None:
    """Not even a warning: what a commit of the tail changes, its author may change."""
    argv = [str(SCRIPTS / "gittask"), *command]
    done = subprocess.run(argv, cwd=made.folder, env=environment(), capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_every_record_is_canonical(made: Store) -> None:
    found = records(made)
    for kind, path, text in found:
        data = schemas().complete(kind, decode(text))
        assert encode(data, schemas().order(kind)) == text, path
    kinds = Counter(kind for kind, *_ in found)
    beside = kinds.total() - kinds["task"] - kinds["actor"] - kinds["project"] - kinds["store"]
    assert kinds["task"] == TASKS
    assert beside == RECORDS * TASKS
    assert {"execution", "handoff", "note", "decision", "message", "wait", "approval"} < set(kinds)


def test_the_history_is_an_import_and_a_tail_on_the_root_of_all_stores(made: Store) -> None:
    repo = Repo.discover(made.folder)
    history = list(repo.log(repo.tip() or ""))
    assert len(history) == TAIL + 3
    assert history[-1].id == repo.root()
    for each in history[:TAIL]:
        assert len(list(repo.diff(repo.tree(each.parents[0]), each.tree))) == 1


def test_a_store_has_all_sorts_of_tasks(made: Store) -> None:
    found = tasks(made)
    statuses = Counter(data["state"]["status"] for data in found.values())
    assert statuses["done"] > TASKS / 2
    assert statuses["active"] < statuses["open"]
    assert all(found[made.picks[each]]["state"]["status"] == each for each in statuses)
    assert any(data["parent"] for data in found.values())
    assert any(data["depends_on"] for data in found.values())
    assert found[made.picks["edited"]]["changed"]


def test_the_active_task_waits_for_an_approval(made: Store) -> None:
    document = Program(made.folder).json("--as", "ann", "inbox")
    assert made.picks["active"] in {item["task"] for item in document["inbox"]}


def test_equal_numbers_make_equal_stores(made: Store, tmp_path: Path) -> None:
    again = generate(tmp_path / "again", TASKS, TAIL)
    other = generate(tmp_path / "other", TASKS, TAIL, seed=2)
    tips = [Repo.discover(one.folder).tip() for one in (made, again, other)]
    assert tips[0] == tips[1] != tips[2]
    assert again.picks == made.picks


def test_a_store_is_made_once(tmp_path: Path) -> None:
    first = store(6, tail=4, cache=tmp_path)
    mark = first.folder / "mark"
    mark.touch()
    assert store(6, tail=4, cache=tmp_path) == first
    assert mark.exists()
    assert store(6, tail=5, cache=tmp_path).folder != first.folder
