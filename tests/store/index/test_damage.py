"""What is wrong with the index, or with what it was made of, changes no answer."""

from __future__ import annotations

import gc
import sqlite3
from collections.abc import Callable
from pathlib import Path
from shutil import rmtree

import pytest

from tests.conftest import Git
from tests.planting import FILE, Planted, plant
from tests.program import Program


@pytest.fixture
def gittask(repo: Path) -> Program:
    program = Program(repo)
    program("init")
    program.new("First")
    program("list")
    return program


def index(program: Program) -> Path:
    """The file of the index, all of it: who asked before has let go of it."""
    gc.collect()
    (file,) = (program.folder / ".git/gittask").glob("index-[0-9]*.sqlite3")
    with sqlite3.connect(file) as connection:
        connection.execute("pragma wal_checkpoint(truncate)")
    connection.close()
    return file


def odd(program: Program) -> int:
    """How many things are noted that hide records."""
    with sqlite3.connect(index(program)) as connection:
        found = connection.execute("select count(*) from odd").fetchone()[0]
    connection.close()
    return int(found)


@pytest.mark.parametrize(
    ("path", "hides"),
    [
        (b"actors/\xff.yaml", True),
        (b"tasks/zz/\xffzz/notes/x.yaml", False),
        (b"actors/zoe.yaml/\xff", True),
        (b"notes\xff/\xfe.txt", False),
    ],
)
def test_a_name_that_is_not_utf8_stops_no_call(gittask: Program, path: bytes, hides: bool) -> None:
    plant(gittask.folder, Planted(path, FILE, b"x: 1\n"))
    assert "First" in gittask("list").out
    assert bool(odd(gittask)) == hides
    gittask.new("Second")
    assert "Second" in gittask("list").out
    plant(gittask.folder, drop=path.split(b"/")[0])
    gittask("list")
    assert odd(gittask) == 0


@pytest.mark.parametrize("text", ["aaaa\U0010ffff", "aaaa\ud7ff"])
def test_any_text_may_be_asked_for(gittask: Program, text: str) -> None:
    assert "no task" in gittask("status", text, code=3).err


def test_what_a_lost_commit_hid_is_forgotten(gittask: Program, git: Git) -> None:
    before = git(gittask.folder, "rev-parse", "gittask")
    gittask.push({"actors/Zoe.Yaml": b"x"})
    gittask("list")
    assert odd(gittask) == 1
    git(gittask.folder, "update-ref", "refs/heads/gittask", before)
    prune(gittask.folder, git)
    assert "First" in gittask("list").out
    assert odd(gittask) == 0


@pytest.mark.parametrize("folder", ["", "tasks", "tasks/{shard}"])
def test_a_lost_folder_of_an_earlier_commit_is_not_missed(
    gittask: Program, git: Git, folder: str
) -> None:
    before = git(gittask.folder, "rev-parse", "gittask")
    second = gittask.new("Second")
    assert "Second" in gittask("list").out
    lost = git(gittask.folder, "rev-parse", f"gittask:{folder.format(shard=second[-2:])}")
    git(gittask.folder, "update-ref", "refs/heads/gittask", before)
    rmtree(gittask.folder / ".git/gittask/kept")
    (gittask.folder / ".git/objects" / lost[:2] / lost[2:]).unlink()
    shown = gittask("list").out
    assert "First" in shown
    assert "Second" not in shown


@pytest.mark.parametrize("folder", ["", "tasks/{shard}"])
def test_words_of_a_lost_folder_are_forgotten(gittask: Program, git: Git, folder: str) -> None:
    before = git(gittask.folder, "rev-parse", "gittask")
    second = gittask.new("Second")
    assert "Second" in gittask("find", "Second").out
    lost = git(gittask.folder, "rev-parse", f"gittask:{folder.format(shard=second[-2:])}")
    git(gittask.folder, "update-ref", "refs/heads/gittask", before)
    rmtree(gittask.folder / ".git/gittask/kept")
    (gittask.folder / ".git/objects" / lost[:2] / lost[2:]).unlink()
    assert gittask.json("find", "Second")["hits"] == []
    with sqlite3.connect(words(gittask)) as connection:
        titles = connection.execute("select words from title").fetchall()
    connection.close()
    assert titles == [(" first",)]


def words(program: Program) -> Path:
    """The file of the words."""
    gc.collect()
    (file,) = (program.folder / ".git/gittask").glob("index-words-*.sqlite3")
    return file


def prune(folder: Path, git: Git) -> None:
    rmtree(folder / ".git/gittask/kept")
    git(folder, "reflog", "expire", "--expire=now", "--all")
    git(folder, "gc", "-q", "--prune=now")


def other_words(content: bytes) -> bytes:
    return content.replace(b"It is needed", b"It is useful")


def broken_json(content: bytes) -> bytes:
    return content.replace(b'"It is needed"', b'{It is needed"')


def no_text(content: bytes) -> bytes:
    return content.replace(b"It is needed", b"It is \xff\xfe\xff\xfe\xff\xfe")


def no_tables(content: bytes) -> bytes:
    return content.replace(b"create", b"\xff\xfe\xff\xfe\xff\xfe")


def half(content: bytes) -> bytes:
    return content[: len(content) // 2 - 1000]


@pytest.mark.parametrize("damage", [other_words, broken_json, no_text, no_tables, half])
@pytest.mark.parametrize("call", ["list", "show TASK", "inbox", "find needed", "status TASK"])
def test_a_damaged_index_answers_nothing(
    gittask: Program, damage: Callable[[bytes], bytes], call: str
) -> None:
    task = gittask.json("list")["tasks"][0]["id"]
    words = call.replace("TASK", task).split()
    expected = gittask("--json", *words)
    file = index(gittask)
    good = file.read_bytes()
    file.write_bytes(damage(good))
    assert file.read_bytes() != good
    assert gittask("--json", *words) == expected


def test_a_task_of_which_the_record_is_gone_is_damage(gittask: Program) -> None:
    expected = gittask("--json", "list")
    with sqlite3.connect(index(gittask)) as connection:
        connection.execute("delete from record where kind = 'task'")
    connection.close()
    assert gittask("--json", "list") == expected


def test_what_a_damaged_index_says_is_never_written(gittask: Program) -> None:
    task = gittask.json("list")["tasks"][0]["id"]
    file = index(gittask)
    file.write_bytes(other_words(file.read_bytes()))
    gittask("set", task, "priority=1")
    assert gittask.task(task)["why"] == "It is needed"


def test_a_partial_clone_fetches_what_is_new_at_once(
    gittask: Program, git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(gittask.folder, "config", "uploadpack.allowFilter", "true")
    git(gittask.folder, "config", "uploadpack.allowAnySHA1InWant", "true")
    address = gittask.folder.as_uri()
    git(tmp_path, "clone", "-q", "--filter=blob:none", address, "partial")
    partial = Program(tmp_path / "partial")
    partial("list")
    for title in ("Second", "Third", "Fourth"):
        gittask.new(title)
    git(partial.folder, "fetch", "-q")
    trace = tmp_path / "trace"
    monkeypatch.setenv("GIT_TRACE", str(trace))
    assert "Fourth" in partial("list").out
    assert trace.read_text().count("built-in: git fetch") == 1
