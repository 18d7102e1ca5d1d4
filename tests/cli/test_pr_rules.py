"""Each rule of ``pr check`` fails, and passes once what it asks for is done."""

from __future__ import annotations

import pytest

from tests.cli.acting import Actor
from tests.cli.test_pr import CHECKED, HANDOFF, SURE, UNSURE, check, work
from tests.cli.test_where import Code
from tests.conftest import Git
from tests.program import Program

RULES = ("linked", "handoff", "evidence", "uncertain", "acceptance", "acknowledged", "authority")


@pytest.fixture
def strict(gittask: Program, git: Git) -> Code:
    """A task of which every rule is to hold."""
    code = Code(gittask, git)
    code.program("store", "set", *(f"checks+={rule}:fail" for rule in RULES))
    return code


def failed(code: Code, *args: str) -> list[str]:
    """The rules that do not hold; the call fails if there are any."""
    done = code.program("--json", "pr", "check", *args, code=None)
    states = {name: rule["state"] for name, rule in done.document["check"]["rules"].items()}
    found = [name for name, state in states.items() if state == "failed"]
    assert done.code == (4 if found else 0)
    return found


def test_from_all_that_is_missing_to_a_pull_request_that_passes(strict: Code) -> None:
    program, task = strict.program, strict.task
    program("set", task, "acceptance+=No order is lost")
    (item,) = program.task(task)["acceptance"]
    strict.git("commit", "-q", "--allow-empty", "-m", "Without a task")
    assert failed(strict) == ["linked"]
    strict.commit("c.txt", "3\n", "Of the task")
    assert failed(strict) == [*RULES[1:-1]]  # without a handoff nothing is known
    work(strict, *UNSURE, *CHECKED)
    assert failed(strict) == ["uncertain", "acceptance", "acknowledged"]
    (strict.program.folder / "b.txt").write_text("other\n")
    strict.git("commit", "-q", "-a", "--amend", "--no-edit")
    assert failed(strict) == ["evidence", "uncertain", "acceptance", "acknowledged"]
    program("handoff", task, *HANDOFF, *SURE, *CHECKED)
    assert failed(strict) == ["acceptance", "acknowledged"]
    met = (f"acceptance.{item['id']}.met=yes", f"acceptance.{item['id']}.evidence=counted by hand")
    program("set", task, *met)
    assert failed(strict) == ["acknowledged"]
    Actor(program, "claude-1")("review", task, "--verdict", "approved", "--synthesis", "Right")
    assert failed(strict) == []
    assert set(check(strict).values()) == {"passed", "off"}
