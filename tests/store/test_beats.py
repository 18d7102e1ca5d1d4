"""Heartbeats: a file here, and a reference at the remote."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gittask.core.beat import Signs
from gittask.errors import RemoteError
from gittask.store.beats import BEATS, SEEN
from tests.conftest import Git
from tests.places import REAL, TASK, Clock, Place, X, Y


@pytest.fixture
def here(repo: Path) -> Place:
    return Place(repo)


@pytest.fixture
def two(clones: Callable[[int], list[Path]]) -> tuple[Place, Place]:
    """A worker's clone and an observer's, on two machines with very different clocks."""
    worker, observer = clones(2)
    return Place(worker, Clock(uptime=5.0, wall=9e9, name="far")), Place(observer)


class TestBeat:
    def test_the_count_moves(self, here: Place) -> None:
        assert [here.beat().count for _ in range(3)] == [1, 2, 3]
        assert here.beats.local(X) == here.beats.local(X)
        assert here.beats.local(Y) is None

    def test_it_keeps_what_it_is_not_told(self, here: Place) -> None:
        first = here.beat(runtime="r1", process=os.getpid(), written=2)
        second = here.beat(written=1)
        assert (second.runtime, second.written) == ("r1", 3)
        assert (second.source, second.pid, second.born) == (first.source, first.pid, first.born)

    def test_another_runtime_is_another_process(self, here: Place) -> None:
        here.beat(runtime="r1", process=os.getpid())
        assert here.beat(runtime="r2").pid is None

    def test_a_beat_after_the_end_comes_from_another_process(self, here: Place) -> None:
        here.beat(process=os.getpid())
        here.beats.end(X, 1)
        assert here.beats.local(X)
        beat = here.beat()
        assert (beat.pid, beat.ended) == (None, None)

    def test_the_end_of_what_never_beat_is_nothing(self, here: Place) -> None:
        here.beats.end(X, 1)
        assert here.beats.local(X) is None

    def test_a_broken_file_counts_as_none(self, here: Place) -> None:
        here.beat()
        (here.repo.common_dir / "gittask" / "beats" / f"{X}.json").write_bytes(b"{\xff")
        assert here.beats.local(X) is None
        assert here.beat().count == 1

    def test_it_is_forgotten(self, here: Place) -> None:
        here.beat()
        here.beats.forget(X)
        here.beats.forget(X)
        assert here.beats.local(X) is None


class TestAcrossMachines:
    def test_an_observer_counts_by_its_own_clock(self, two: tuple[Place, Place], git: Git) -> None:
        worker, observer = two
        tips = git(worker.folder, "for-each-ref", "refs/heads")
        worker.beat()
        worker.beats.push(X, "origin")
        observer.beats.fetch("origin")
        assert observer.look() == Signs(0)
        observer.clock.pass_(100)
        observer.beats.fetch("origin")
        assert observer.look() == Signs(100)
        worker.clock.wall = -5e9
        worker.beat()
        worker.beats.push(X, "origin")
        assert observer.look() == Signs(100)
        observer.beats.fetch("origin")
        assert observer.look() == Signs(0)
        for place in two:
            assert git(place.folder, "for-each-ref", "refs/heads") == tips

    def test_absurd_times_in_a_beat_mean_nothing(self, two: tuple[Place, Place]) -> None:
        worker, observer = two
        worker.clock = Clock(uptime=1e300, wall=-1e300, name=observer.clock.name)
        worker.beat()
        worker.beats.push(X, "origin")
        observer.beats.fetch("origin")
        assert observer.look() == Signs(0)
        observer.clock.pass_(5)
        assert observer.look() == Signs(5)

    def test_own_beats_that_come_back_are_no_news(self, two: tuple[Place, Place]) -> None:
        worker, _ = two
        worker.beat()
        worker.look()
        worker.beat()
        worker.beats.push(X, "origin")
        worker.clock.pass_(50)
        worker.beats.fetch("origin")
        assert worker.look() == Signs(50)

    def test_beats_of_a_former_runtime_are_no_news(self, two: tuple[Place, Place]) -> None:
        worker, observer = two
        for _ in range(2):
            worker.beat(runtime="r1")
            worker.beats.push(X, "origin")
            observer.beats.fetch("origin")
            silent = observer.look(former=("r1",))
            observer.clock.pass_(50)
        assert silent == Signs(50)

    @pytest.mark.parametrize(
        ("name", "gone"), [(REAL.host, "process died"), ("another", None)], ids=["same", "another"]
    )
    def test_a_process_that_died_in_another_clone(
        self, two: tuple[Place, Place], name: str, gone: str | None
    ) -> None:
        worker, observer = two
        observer.clock = Clock(name=REAL.host, boot=REAL.boot, space=REAL.space)
        worker.clock = Clock(name=name, boot=REAL.boot, space=REAL.space)
        process = subprocess.Popen(["cat"], stdin=subprocess.PIPE)
        worker.beat(process=process.pid)
        worker.beats.push(X, "origin")
        observer.beats.fetch("origin")
        assert observer.look() == Signs(0)
        process.kill()
        process.communicate()
        assert observer.look() == Signs(0, gone)

    def test_one_reference_without_history(self, two: tuple[Place, Place], git: Git) -> None:
        worker, observer = two
        for _ in range(3):
            worker.beat()
            worker.beats.push(X, "origin")
        observer.beats.fetch("origin")
        name = f"{SEEN}origin/{X}"
        assert git(observer.folder, "for-each-ref", "--format=%(refname)", SEEN) == name
        assert git(observer.folder, "rev-list", "--count", name) == "1"
        assert git(observer.folder, "ls-tree", name) == ""
        seen = observer.beats.seen("origin", X)
        assert seen is not None
        assert seen.beat == worker.beats.local(X)

    def test_nothing_to_show_is_nothing(
        self, two: tuple[Place, Place], bare: Path, git: Git
    ) -> None:
        two[0].beats.push(X, "origin")
        assert git(bare, "for-each-ref", BEATS) == ""

    def test_pruned_when_over(self, two: tuple[Place, Place], bare: Path, git: Git) -> None:
        worker, observer = two
        for id in (X, Y):
            worker.beat(id)
            worker.beats.push(id, "origin")
        observer.beats.fetch("origin")
        assert observer.beats.prune("origin", lambda *one: one == (X, TASK)) == [X]
        assert observer.beats.seen("origin", X) is None
        assert git(bare, "for-each-ref", "--format=%(refname)", BEATS) == BEATS + Y
        worker.beats.fetch("origin")
        worker.beats.prune("origin", lambda *one: one[0] == X)
        worker.beats.tidy(lambda *one: one[0] == X)
        assert worker.beats.local(X) is None
        assert worker.beats.local(Y) is not None

    def test_two_who_prune_at_once(self, two: tuple[Place, Place], bare: Path, git: Git) -> None:
        worker, observer = two
        worker.beat()
        worker.beats.push(X, "origin")
        for place in two:
            place.beats.fetch("origin")
        worker.beats.prune("origin", lambda *_: True)
        observer.beats.prune("origin", lambda *_: True)
        assert git(bare, "for-each-ref", BEATS) == ""
        assert observer.beats.seen("origin", X) is None

    def test_what_is_no_beat_is_passed_over(self, two: tuple[Place, Place], git: Git) -> None:
        worker, observer = two
        for name in (X, "a/b", "not-an-execution"):
            git(worker.folder, "push", "-q", "origin", f"HEAD:{BEATS}{name}")
        worker.clock.name = "x" * 5000
        worker.beat("big")
        worker.beats.push("big", "origin")
        blob = git(worker.folder, "rev-parse", "HEAD:code.txt")
        git(worker.folder, "push", "-q", "origin", f"{blob}:{BEATS}{Y}")
        observer.beats.fetch("origin")
        assert observer.look(X) == observer.look(Y) == Signs(0)
        observer.clock.pass_(5)
        assert observer.look(X) == observer.look(Y) == Signs(5)
        assert observer.beats.seen("origin", "big") is None
        assert observer.beats.prune("origin", lambda *_: True) == []

    def test_a_name_that_is_no_text_is_passed_over(
        self, two: tuple[Place, Place], bare: Path, git: Git
    ) -> None:
        worker, observer = two
        worker.beat()
        worker.beats.push(X, "origin")
        odd = os.fsdecode(BEATS.encode() + b"\xff")
        git(bare, "update-ref", odd, git(bare, "rev-parse", f"{BEATS}{X}"))
        observer.beats.fetch("origin")
        assert [execution for execution, _ in observer.beats.all_seen("origin")] == [X]
        assert observer.beats.prune("origin", lambda *_: True) == [X]

    def test_a_remote_that_is_gone_is_an_error_and_changes_nothing(
        self, two: tuple[Place, Place], bare: Path
    ) -> None:
        worker, observer = two
        worker.beat()
        worker.beats.push(X, "origin")
        observer.beats.fetch("origin")
        observer.look()
        bare.rename(bare.with_name("away"))
        with pytest.raises(RemoteError):
            worker.beats.push(X, "origin")
        with pytest.raises(RemoteError):
            observer.beats.fetch("origin")
        observer.clock.pass_(50)
        assert observer.look() == Signs(50)

    def test_sixteen_agents_at_once_are_all_taken(
        self, clones: Callable[[int], list[Path]], bare: Path, git: Git
    ) -> None:
        folders = clones(16)
        ids = [f"20261130t1004{number:02d}z-k3m9q2" for number in range(16)]

        def work(number: int) -> None:
            place = Place(folders[number])
            for _ in range(5):
                place.beat(ids[number])
                place.beats.push(ids[number], "origin")

        with ThreadPoolExecutor(16) as pool:
            list(pool.map(work, range(16)))  # raises what any of them raised
        listed = git(bare, "for-each-ref", "--format=%(refname)", BEATS)
        assert listed.splitlines() == [BEATS + id for id in ids]
        observer = Place(folders[0])
        observer.beats.fetch("origin")
        counts = [seen.beat.count for id in ids if (seen := observer.beats.seen("origin", id))]
        assert counts == [5] * 16
