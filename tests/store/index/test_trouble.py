"""The index where something goes wrong: it goes on, is made anew, or is done without."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from gittask.core import filemerge
from gittask.session import Session
from gittask.store.index import refresh
from gittask.store.index.reader import Indexed
from gittask.store.index.words import words_of
from gittask.store.packaged import schemas
from gittask.store.repo import Repo
from gittask.store.snapshot import Snapshot
from tests.benchmarks.generate import Store, generate

BATCH = 10


class Killed(BaseException):
    """Stands for a signal."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return generate(tmp_path_factory.mktemp("store") / "repo", 10, tail=5)


@pytest.fixture
def folder(made: Store, tmp_path: Path) -> Path:
    shutil.copytree(made.folder, tmp_path / "repo")
    shutil.rmtree(tmp_path / "repo/.git/gittask", ignore_errors=True)
    return tmp_path / "repo"


@pytest.fixture
def opened(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Session]:
    """A store as a process that has just begun sees it; it is read in small batches."""
    monkeypatch.setattr(refresh, "BATCH", BATCH)
    return lambda: Session(Repo.discover(folder), schemas())


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of the files that were parsed."""
    found: list[str] = []
    parse = filemerge.read

    def noted(schemas: object, path: str, content: bytes) -> object:
        found.append(path)
        return parse(schemas, path, content)  # type: ignore[arg-type]

    monkeypatch.setattr(filemerge, "read", noted)
    return found


def right(reader: Snapshot) -> bool:
    """Whether a reader knows what git has."""
    plain = Snapshot(reader.repo, schemas(), reader.commit)
    kinds = ("actor", "task", "execution", "note", "handoff")
    return all([*reader.all(kind)] == [*plain.all(kind)] for kind in kinds)


def index(folder: Path) -> Path:
    (path,) = (folder / ".git/gittask").glob("index-*.sqlite3")
    return path


def test_what_was_read_before_a_kill_is_not_read_again(
    opened: Callable[[], Session], read: list[str]
) -> None:
    def kill(files: int) -> None:
        if files == 3 * BATCH:
            raise Killed

    session = opened()
    session.index.progress = kill
    with pytest.raises(Killed):
        session.reader()
    before = {*read}
    assert len(before) > BATCH
    read.clear()
    reader = opened().reader()
    assert isinstance(reader, Indexed)
    assert len(read) > BATCH
    assert not before & {*read}
    assert right(reader)


def test_all_is_read_once_and_answered_right(
    opened: Callable[[], Session], read: list[str]
) -> None:
    assert isinstance(opened().reader(), Indexed)
    assert len(read) == len({*read}) > 3 * BATCH
    read.clear()
    reader = opened().reader()
    assert not read
    assert right(reader)


def test_a_store_of_which_every_record_was_written_since_is_read_whole_again(
    opened: Callable[[], Session], folder: Path
) -> None:
    """Rows that came one by one belong to no pass, and yet are there."""
    opened().reader()
    with sqlite3.connect(index(folder)) as connection:
        connection.execute("update record set pass = 0")
        connection.execute("delete from meta where name = 'tip'")
    connection.close()
    reader = opened().reader()
    assert isinstance(reader, Indexed)
    assert right(reader)


def test_who_comes_while_another_reads_it_all_goes_on_without(
    opened: Callable[[], Session],
) -> None:
    session, others = opened(), []
    session.index.progress = lambda _: others.append(opened().reader())
    assert isinstance(session.reader(), Indexed)
    assert others
    assert not any(isinstance(other, Indexed) for other in others)
    assert right(others[0])


def test_where_no_folder_can_be_made_it_is_done_without(
    opened: Callable[[], Session], folder: Path
) -> None:
    (folder / ".git/gittask").write_text("in the way")
    reader = opened().reader()
    assert not isinstance(reader, Indexed)
    assert right(reader)


def test_where_nobody_may_look_it_is_done_without(
    opened: Callable[[], Session], folder: Path
) -> None:
    """A folder that is closed to us answers with an error; so does a name that none can have."""
    (folder / ".git/gittask").symlink_to("x" * 300)
    reader = opened().reader()
    assert not isinstance(reader, Indexed)
    assert right(reader)


def test_where_nothing_can_be_locked_the_answers_are_right(
    opened: Callable[[], Session], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr("fcntl.flock", refuse)
    assert right(opened().reader())


@pytest.mark.parametrize("content", [b"", b"no database" * 1000, None], ids=["0", "other", "cut"])
def test_a_damaged_index_is_made_anew(
    opened: Callable[[], Session], folder: Path, content: bytes | None
) -> None:
    opened().reader()
    path = index(folder)
    path.write_bytes(path.read_bytes()[:20_000] if content is None else content)
    for each in path.parent.glob("*.sqlite3-*"):
        each.unlink()
    assert right(opened().reader())
    reader = opened().reader()
    assert isinstance(reader, Indexed)
    assert right(reader)


def gone(file: Path) -> None:
    file.unlink()


def empty(file: Path) -> None:
    os.truncate(file, 0)


def cut(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 3 + 1)


def noise(file: Path) -> None:
    file.write_bytes(random.Random(1).randbytes(file.stat().st_size))


def a_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def a_link_to_itself(file: Path) -> None:
    file.unlink(missing_ok=True)
    file.symlink_to(file.name)


@pytest.mark.parametrize("damage", [gone, empty, cut, noise, a_folder, a_link_to_itself])
@pytest.mark.parametrize("end", ["", "-wal", "-shm"])
def test_no_damage_to_what_a_kill_leaves_is_a_fault(
    opened: Callable[[], Session], folder: Path, end: str, damage: Callable[[Path], None]
) -> None:
    opened().reader()
    file = index(folder)
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("update record set pass = 0")
        other.execute("begin")
        other.execute("select count(*) from record").fetchone()
        files = shutil.copytree(file.parent, folder.parent / "copy")
        # In copies: whoever has the very file in memory is ended by the system.
        damage(files / (file.name + end))
        file.parent.rename(folder.parent / "aside")
        files.rename(file.parent)
        assert right(opened().reader())
        assert right(opened().reader())


def test_an_index_of_another_version_stays_until_nobody_uses_it(
    opened: Callable[[], Session], folder: Path
) -> None:
    (folder / ".git/gittask").mkdir()
    others = [folder / f".git/gittask/index-0-{name}.sqlite3" for name in ("new", "old")]
    for each, days in zip(others, (29, 31), strict=True):
        each.write_bytes(b"of another version")
        os.utime(each, times=(0, time.time() - days * 24 * 3600))
    assert isinstance(opened().reader(), Indexed)
    assert [each.exists() for each in others] == [True, False]


def test_words_that_are_made_leave_the_index_of_a_store_that_rested(
    opened: Callable[[], Session], folder: Path
) -> None:
    session = opened()
    reader, records = session.reader(), index(folder)
    old = records.with_name("index-words-0-old.sqlite3")
    old.write_bytes(b"of another version")
    for each in (records, old):
        os.utime(each, times=(0, 0))
    assert words_of(session.repo, schemas(), reader)
    assert records.exists()
    assert not old.exists()


def test_it_may_be_deleted_while_it_is_used(opened: Callable[[], Session], folder: Path) -> None:
    reader = opened().reader()
    shutil.rmtree(folder / ".git/gittask")
    assert right(reader)
    again = opened().reader()
    assert isinstance(again, Indexed)
    assert right(again)
