"""Signs of life between clones, with clocks that the tests set."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from gittask.core import beat as core
from gittask.core.beat import Beat, Signs, Watched
from gittask.errors import RemoteError
from gittask.store.beats import BEATS, SEEN, Beats
from gittask.store.machine import Machine, this_machine
from gittask.store.observed import Observer
from gittask.store.repo import Repo
from tests.conftest import Git
from tests.memory import task_id

TASK = task_id("a")
X = "20261130t100411z-k3m9q2"
Y = "20261130t100412z-k3m9q3"
REAL = this_machine()


@dataclass
class Clock:
    """The clocks of one machine."""

    uptime: float = 1000.0
    wall: float = 1_796_000_000.0
    name: str = "one"
    boot: str | None = "boot"
    space: str | None = "space"

    def machine(self) -> Machine:
        return Machine(self.name, self.boot, self.space, lambda: self.uptime, lambda: self.wall)

    def pass_(self, seconds: float) -> None:
        self.uptime += seconds
        self.wall += seconds


@dataclass
class Place:
    """A clone on a machine."""

    folder: Path
    clock: Clock = field(default_factory=Clock)

    @property
    def repo(self) -> Repo:
        return Repo.discover(self.folder)

    @property
    def beats(self) -> Beats:
        return Beats(self.repo, self.clock.machine())

    def beat(self, id: str = X, **how: object) -> Beat:
        return self.beats.beat(id, TASK, **how)  # type: ignore[arg-type]

    def look(self, id: str = X, *, written: int = 0, former: tuple[str, ...] = ()) -> Signs:
        observer = Observer(self.repo, self.clock.machine(), self.beats)
        return observer.observe([Watched(id, TASK, frozenset(former), written)])[id]


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


class TestSilence:
    def test_of_a_beat_of_this_clone_is_exact(self, here: Place) -> None:
        here.beat()
        here.clock.pass_(100)
        assert here.look() == Signs(100)
        here.clock.pass_(100)
        assert here.look() == Signs(200)
        here.beat()
        here.clock.pass_(1)
        assert here.look() == Signs(1)

    def test_the_wall_clock_may_jump(self, here: Place) -> None:
        here.beat()
        here.look()
        here.clock.pass_(7)
        for jump in (1e9, -2e9):
            here.clock.wall += jump
            assert here.look() == Signs(7)

    def test_goes_on_after_a_restart_of_the_machine(self, here: Place) -> None:
        here.beat()
        here.clock.pass_(60)
        here.clock.boot, here.clock.uptime = "another", 1.0
        assert here.look() == Signs(60)

    def test_without_a_boot_id_the_wall_clock_counts(self, here: Place) -> None:
        here.clock.boot = here.clock.space = None
        here.beat(process=os.getpid())
        here.clock.pass_(60)
        assert here.look() == Signs(60)

    def test_begins_anew_when_a_clock_was_set_back(self, here: Place) -> None:
        here.clock.boot = None
        here.beat()
        here.clock.wall -= 1e6
        assert here.look() == Signs(0)
        here.clock.wall += 5
        assert here.look() == Signs(5)

    def test_of_what_was_never_heard_counts_from_the_first_look(self, here: Place) -> None:
        assert here.look() == Signs(0)
        here.clock.pass_(50)
        assert here.look() == Signs(50)

    def test_a_record_from_elsewhere_ends_it(self, here: Place) -> None:
        here.look(written=3)
        here.clock.pass_(50)
        assert here.look(written=4) == Signs(0)
        here.clock.pass_(5)
        assert here.look(written=4) == Signs(5)

    def test_a_record_of_this_clone_is_heard_when_it_was_written(self, here: Place) -> None:
        here.beat(written=1)
        here.look(written=1)
        here.beat(written=2)
        here.clock.pass_(50)
        assert here.look(written=3) == Signs(50)

    def test_a_runtime_that_was_begun_elsewhere_ends_it(self, here: Place) -> None:
        here.beat(runtime="r1", process=os.getpid())
        here.clock.pass_(50)
        assert here.look().silence == 50
        assert here.look(former=("r1",)) == Signs(0)
        here.clock.pass_(5)
        assert here.look(former=("r1",)) == Signs(5)

    def test_a_runtime_that_was_begun_here_is_heard_then(self, here: Place) -> None:
        here.beat(runtime="r1")
        here.look()
        here.beat(runtime="r2")
        here.clock.pass_(50)
        assert here.look(former=("r1",)) == Signs(50)

    @pytest.mark.parametrize("content", [b"", b"[]", b'{"one": 3}', b'{"one": {"x": {}}}', b"\xff"])
    def test_broken_notes_count_as_none(self, here: Place, content: bytes) -> None:
        here.look()
        here.clock.pass_(50)
        (here.repo.common_dir / "gittask" / "observed.json").write_bytes(content)
        assert here.look() == Signs(0)

    def test_machines_that_share_a_folder_keep_their_own_notes(self, here: Place) -> None:
        other = Place(here.folder, Clock(uptime=1.0, wall=5.0, name="two"))
        here.look()
        other.look()
        here.clock.pass_(50)
        other.clock.pass_(3)
        assert here.look() == Signs(50)
        assert other.look() == Signs(3)

    def test_the_notes_of_what_is_over_are_dropped(self, here: Place) -> None:
        here.look(X)
        here.look(Y)
        here.clock.pass_(50)
        observer = Observer(here.repo, here.clock.machine(), here.beats)
        observer.tidy(lambda *one: one == (X, TASK))
        assert here.look(Y) == Signs(50)
        assert here.look(X) == Signs(0)


class TestProcess:
    @pytest.fixture
    def real(self, here: Place) -> Place:
        """The clone on this very machine, by its own name, boot and space of process ids."""
        here.clock.name, here.clock.boot, here.clock.space = REAL.host, REAL.boot, REAL.space
        return here

    @pytest.fixture
    def process(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(["cat"], stdin=subprocess.PIPE)

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        process.kill()
        process.communicate()

    def test_that_died_is_known_at_once(
        self, real: Place, process: subprocess.Popen[bytes]
    ) -> None:
        real.beat(process=process.pid)
        assert real.look() == Signs(0)
        assert real.beats.running(X) == process.pid
        self.kill(process)
        assert real.look() == Signs(0, "process died")
        assert real.beats.running(X) is None

    def test_a_beat_after_its_death_comes_from_another(
        self, real: Place, process: subprocess.Popen[bytes]
    ) -> None:
        real.beat(process=process.pid)
        self.kill(process)
        real.beat()
        assert real.look() == Signs(0)

    @pytest.mark.parametrize("change", [{"name": "two"}, {"space": "other"}])
    def test_of_another_machine_is_not_judged(
        self, real: Place, process: subprocess.Popen[bytes], change: dict[str, str]
    ) -> None:
        real.beat(process=process.pid)
        self.kill(process)
        for name, value in change.items():
            setattr(real.clock, name, value)
        assert real.look().gone is None

    def test_of_an_earlier_run_of_the_machine_died_with_it(
        self, real: Place, process: subprocess.Popen[bytes]
    ) -> None:
        real.beat(process=process.pid)
        real.clock.boot = "another"
        assert real.look().gone == "process died when the machine was restarted"
        assert real.beats.running(X) is None
        self.kill(process)

    def test_whose_number_another_has_by_now_died(
        self, real: Place, process: subprocess.Popen[bytes]
    ) -> None:
        beat = real.beat(process=process.pid)
        file = real.repo.common_dir / "gittask" / "beats" / f"{X}.json"
        file.write_text(core.encode(replace(beat, born="another time")))
        assert real.look().gone == "process died"
        self.kill(process)

    @pytest.mark.parametrize(
        ("ended", "said"),
        [
            (0, "process ended with exit code 0"),
            (3, "process ended with exit code 3"),
            (-9, "process died by signal 9"),
        ],
    )
    def test_that_ended_says_how(self, here: Place, ended: int, said: str) -> None:
        here.beat(process=os.getpid())
        here.beats.end(X, ended)
        assert here.look().gone == said


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

    def test_a_process_that_died_in_another_clone_of_this_machine(
        self, two: tuple[Place, Place]
    ) -> None:
        for place in two:
            place.clock = Clock(name=REAL.host, boot=REAL.boot, space=REAL.space)
        worker, observer = two
        process = subprocess.Popen(["cat"], stdin=subprocess.PIPE)
        worker.beat(process=process.pid)
        worker.beats.push(X, "origin")
        observer.beats.fetch("origin")
        assert observer.look() == Signs(0)
        process.kill()
        process.communicate()
        assert observer.look() == Signs(0, "process died")

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
        blob = git(worker.folder, "rev-parse", "HEAD:code.txt")
        git(worker.folder, "push", "-q", "origin", f"{blob}:{BEATS}{Y}")
        observer.beats.fetch("origin")
        assert observer.look(X) == observer.look(Y) == Signs(0)
        observer.clock.pass_(5)
        assert observer.look(X) == observer.look(Y) == Signs(5)
        assert observer.beats.prune("origin", lambda *_: True) == []

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
