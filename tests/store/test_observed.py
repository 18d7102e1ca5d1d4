"""What an observer notices, by clocks that the tests set."""

from __future__ import annotations

import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from gittask.core import beat as core
from gittask.core.beat import Signs
from gittask.store.observed import Observer
from tests.places import REAL, TASK, Clock, Place, X, Y


@pytest.fixture
def here(repo: Path) -> Place:
    return Place(repo)


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

    def test_a_beat_of_another_machine_in_a_shared_folder_has_no_time(self, here: Place) -> None:
        other = Place(here.folder, Clock(uptime=1e6, wall=1e10, name="two"))
        here.beat()
        assert other.look() == Signs(0)
        other.clock.pass_(50)
        assert other.look() == Signs(50)
        here.beat()
        assert other.look() == Signs(0)

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

    def test_of_a_former_runtime_says_nothing_of_the_next(
        self, real: Place, process: subprocess.Popen[bytes]
    ) -> None:
        real.beat(runtime="r1", process=process.pid)
        self.kill(process)
        assert real.look(former=("r1",)) == Signs(0)

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
