from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from gittask.store import lock
from gittask.store.repo import Repo


def test_one_holder_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock, "PATIENCE", 0.0)
    path = tmp_path / "gittask" / "lock"
    with lock.hold(path) as first:
        assert first
        with lock.hold(path) as second:
            assert not second
    with lock.hold(path) as third:
        assert third


def test_it_waits_until_the_holder_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "lock"
    with lock.hold(path):
        pass
    first = lock.hold(path)
    assert first.__enter__()
    release = first.__exit__
    monkeypatch.setattr("gittask.store.lock.time.sleep", lambda _: release(None, None, None))
    with lock.hold(path) as held:
        assert held


def test_a_dead_holder_holds_nothing(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock, "PATIENCE", 0.0)
    code = (
        "import sys; from pathlib import Path; from gittask.store.repo import Repo\n"
        "with Repo.discover(Path(sys.argv[1])).lock() as held:\n"
        "    print(held, flush=True); input()"
    )
    argv = [sys.executable, "-c", code, str(repo)]
    holder = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"True\n"
        with Repo.discover(repo).lock() as held:
            assert not held
        holder.kill()
        holder.wait()
        with Repo.discover(repo).lock() as held:
            assert held


def test_where_no_lock_can_be_had_work_goes_on(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with lock.hold(tmp_path / "file" / "lock") as held:
        assert not held


def test_an_error_inside_is_passed_on_and_the_lock_released(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with pytest.raises(KeyError), lock.hold(path):
        raise KeyError
    with lock.hold(path) as held:
        assert held
