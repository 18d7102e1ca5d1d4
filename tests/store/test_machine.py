"""What is known of processes on this machine."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from gittask.store import machine
from gittask.store.machine import born, runs, this_machine

unix = pytest.mark.skipif(sys.platform == "win32", reason="signals and ps")


def test_this_machine_is_the_same_each_time() -> None:
    first, second = this_machine(), this_machine()
    assert first.host
    assert (first.host, first.boot, first.space) == (second.host, second.boot, second.space)
    assert second.uptime() >= first.uptime() - 1


@unix
def test_this_process_runs() -> None:
    assert runs(os.getpid(), born(os.getpid()))
    assert runs(os.getpid(), None)


@unix
def test_another_process_of_the_same_number_is_another() -> None:
    assert not runs(os.getpid(), "before")


@unix
def test_a_process_that_ended_runs_no_more_even_if_nobody_waited_for_it() -> None:
    process = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    began = born(process.pid)
    assert runs(process.pid, began)
    process.kill()
    assert process.stdout
    process.stdout.read()  # its end closes the pipe
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    assert not runs(process.pid, began)
    process.wait()
    assert not runs(process.pid, began)
    assert process.stdin
    process.stdin.close()
    process.stdout.close()


@unix
def test_ps_says_what_the_kernel_says() -> None:
    process = subprocess.Popen(["cat"], stdin=subprocess.PIPE)
    found = machine.look_with_ps(process.pid)
    assert found is not None
    assert found[0][0] in "SRD"
    assert "20" in found[1]  # a year
    process.communicate(b"")
    assert machine.look_with_ps(process.pid) is None


@unix
def test_a_number_that_no_process_can_have() -> None:
    assert born(2**62) is None
    assert runs(2**62, None)  # nobody can tell
