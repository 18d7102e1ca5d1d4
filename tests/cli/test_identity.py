"""Who acts: the ways to say it, who is written down, and who may not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Git
from tests.program import Program


@pytest.fixture
def nobody(gittask: Program, git: Git) -> Program:
    """The program where git does not know who its user is."""
    git(gittask.folder, "config", "--unset", "user.name")
    git(gittask.folder, "config", "--unset", "user.email")
    return gittask


def commit(git: Git, program: Program, format: str = "%an|%ae|%cn|%ce|%s") -> str:
    return git(program.folder, "log", "-1", f"--format={format}", "gittask")


def test_nobody(nobody: Program, git: Git) -> None:
    before = git(nobody.folder, "for-each-ref"), git(nobody.folder, "count-objects", "-v")
    for args in (["new", "x"], ["project", "add", "shop"]):
        error = nobody(*args, "--json", code=2).error
        assert error["code"] == "no_identity"
        assert "git config user.email" in error["hint"]
        assert "--as NAME" in error["hint"]
        assert "GITTASK_ACTOR" in error["hint"]
    assert (git(nobody.folder, "for-each-ref"), git(nobody.folder, "count-objects", "-v")) == before
    assert nobody.json("list")["total"] == 0


def test_the_ways_to_say_who_acts(
    nobody: Program, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    def creator(*args: str) -> str:
        by: str = nobody.json(*args, "new", "x")["task"]["created"]["by"]
        return by

    monkeypatch.setenv("GIT_AUTHOR_EMAIL", "zoe@example.org")
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Zoe")
    assert creator() == "zoe"
    git(nobody.folder, "config", "gittask.actor", "configured")
    assert creator() == "configured"
    nobody("--as", "worker", "start", nobody("--as", "worker", "new", "x", "--why", "w").id)
    assert creator() == "worker"
    monkeypatch.setenv("GITTASK_ACTOR", "env")
    assert creator() == "env"
    assert creator("--as", "option") == "option"


def test_a_name_that_is_no_text_names_nobody(
    gittask: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    gittask.new("Fix routing")
    monkeypatch.setenv("GITTASK_ACTOR", "caf\udce9")
    for call in (["new", "x"], ["status"]):
        assert "'caf\\udce9' cannot name an actor" in gittask(*call, code=2).err


def test_who_is_written_down(gittask: Program, git: Git) -> None:
    gittask("new", "by a person")
    assert commit(git, gittask).startswith("Ann|ann@example.org|Ann|ann@example.org|new ")
    gittask("new", "by an agent", "--as", "codex-1")
    agent = "codex-1|codex-1@actors.gittask.invalid|Ann|ann@example.org|new "
    assert commit(git, gittask).startswith(agent)
    gittask("actor", "add", "zoe", "--kind", "person", "--name", "Zoë B.", "--email", "z@b.org")
    gittask("new", "by another person", "--as", "zoe")
    assert commit(git, gittask).startswith("Zoë B.|z@b.org|Ann|ann@example.org|new ")


def test_without_an_identity_of_git_the_actor_commits(nobody: Program, git: Git) -> None:
    nobody("new", "x", "--as", "codex-1")
    address = "codex-1@actors.gittask.invalid"
    assert commit(git, nobody).startswith(f"codex-1|{address}|codex-1|{address}|new ")


def test_a_newcomer_is_registered_with_the_first_record(gittask: Program, git: Git) -> None:
    task = gittask("new", "x", "--as", "codex-1").id
    changed = git(gittask.folder, "diff", "--name-only", "gittask~1", "gittask").splitlines()
    assert changed == ["actors/codex-1.yaml", f"tasks/{task[-2:]}/{task}/task.yaml"]
    gittask("new", "y", "--as", "codex-1")
    assert "actors" not in git(gittask.folder, "diff", "--name-only", "gittask~1", "gittask")
    kinds = {actor["id"]: actor["kind"] for actor in gittask.records("actor")}
    assert kinds == {"ann": "person", "codex-1": "agent"}


def test_two_people_of_one_name(gittask: Program, git: Git) -> None:
    git(gittask.folder, "config", "user.email", "other@example.org")
    gittask("new", "x")
    first, second = gittask.records("actor")
    assert first["id"] == "ann"
    assert second["id"].startswith("ann-")
    assert second["email"] == "other@example.org"


@pytest.mark.parametrize(
    ("name", "id"),
    [("Zoë Ünal", "zo-nal"), ("漢字", "zz"), ("Con", "zz"), ("gittask", "gittask-")],
)
def test_any_name_of_a_person(gittask: Program, git: Git, name: str, id: str) -> None:
    git(gittask.folder, "config", "user.name", name)
    git(gittask.folder, "config", "user.email", "zz@example.org")
    gittask("new", "x")
    actor = next(one for one in gittask.records("actor") if one["email"] == "zz@example.org")
    assert actor["id"].startswith(id)
    assert actor["name"] == name
    assert commit(git, gittask, "%an") == name


def test_a_name_of_which_git_keeps_nothing(gittask: Program, git: Git) -> None:
    gittask("actor", "add", "codex-1", "--name", "<>")
    gittask("new", "x", "--as", "codex-1")
    assert commit(git, gittask, "%an") == "codex-1"


@pytest.mark.parametrize("name", ["Codex", "two words", "../x", "con", "gittask", "-x", "a" * 40])
def test_what_cannot_be_an_actor(gittask: Program, name: str) -> None:
    error = gittask("new", "x", f"--as={name}", "--json", code=2).error
    assert error["hint"]
    assert len(gittask.records("actor")) == 1


def test_trailers(gittask: Program, git: Git) -> None:
    def trailers() -> dict[str, str]:
        lines = commit(git, gittask, "%(trailers:only,unfold)").splitlines()
        return dict(line.split(": ", 1) for line in lines)

    task = gittask.new()
    assert trailers() == {"Task": task, "Actor": "ann"}
    started = gittask("start", task, "--as", "codex-1").id
    claim = {"Task": task, "Execution": started, "Epoch": "1", "Actor": "codex-1"}
    assert trailers() == claim
    gittask("report", task, "half way", "--as", "codex-1")
    assert trailers() == claim
    (gittask.folder / "code.txt").write_text("better\n")
    git(gittask.folder, "commit", "-qam", "Better")
    head = git(gittask.folder, "rev-parse", "HEAD")
    gittask("handoff", task, "--as", "codex-1", *HANDOFF)
    assert trailers() == {**claim, "Code-Commit": head}


HANDOFF = (
    *("--condition", "watch", "--summary", "s", "--verified", "none", "--not-verified", "none"),
    *("--uncertain", "none", "--next", "look", "--next-by", "ann", "--changed", "none"),
)


def test_another_agents_execution(gittask: Program) -> None:
    task = gittask.new()
    execution = gittask("start", task, "--as", "codex-1").id
    for args in (["note", task, "x"], ["handoff", task, "--kind", "auto", *HANDOFF]):
        error = gittask(*args, "--as", "intruder", "--execution", execution, "--json", code=4).error
        assert error["message"] == f"execution {execution} belongs to codex-1"
    gittask("note", task, "settled", "--execution", execution)
    (note,) = gittask.records("note")
    assert (note["execution"], note["created"]["by"]) == (execution, "codex-1")


def test_the_user_of_a_work_tree_after_its_execution_ended(gittask: Program) -> None:
    """While an agent works here, calls are its own; afterwards they are the person's again."""
    task, other = gittask.new(), gittask.new()
    gittask("start", task, "--as", "codex-1")
    assert gittask.json("note", other, "x")["note"]["created"]["by"] == "codex-1"
    gittask("handoff", task, "--kind", "final", *HANDOFF)
    assert gittask.json("note", other, "x")["note"]["created"]["by"] == "ann"
    gittask("start", other, "--as", "codex-1")
    gittask("release", other)
    assert gittask.json("note", other, "x")["note"]["created"]["by"] == "ann"


def test_each_work_tree_has_its_own_user(gittask: Program, git: Git, tmp_path: Path) -> None:
    git(gittask.folder, "worktree", "add", "-q", str(tmp_path / "second"))
    second = Program(tmp_path / "second")
    task = gittask.new()
    second("start", task, "--as", "codex-1")
    assert second.json("note", task, "x")["note"]["created"]["by"] == "codex-1"
    assert gittask.json("note", task, "x")["note"]["created"]["by"] == "ann"


def test_an_actor_and_a_project_of_one_name(gittask: Program) -> None:
    made = gittask.json("project", "add", "shop", "--as", "shop")
    assert (made["project"]["id"], made["project"]["created"]["by"]) == ("shop", "shop")


def test_who_acts_for_the_first_time_is_told(gittask: Program) -> None:
    said = "alcie acts for the first time, as a new agent\n"
    task = gittask.new()
    assert gittask("note", task, "x", "--as", "alcie").err.startswith(said)
    assert said not in gittask("note", task, "x", "--as", "alcie").err


def test_the_kind_of_an_actor_that_was_added(gittask: Program) -> None:
    assert gittask("actor", "add", "bob").err.endswith("added actor bob, kind agent\n")


def test_an_option_that_goes_on_counting_is_said(gittask: Program) -> None:
    task = gittask.new()
    line = "from now on this work tree acts as codex-1; as another: --as NAME\n"
    assert gittask("start", task, "--as", "codex-1").err.endswith(line)
    assert gittask("new", "x").err.startswith("as codex-1, who began this work tree's execution")


def test_an_actor_of_the_environment_goes_on_being_named_by_it(
    gittask: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = gittask.new()
    monkeypatch.setenv("GITTASK_ACTOR", "codex-1")
    assert "from now on" not in gittask("start", task).err
    assert "from now on" not in gittask("start", task, "--lane", "review", "--as", "codex-1").err


def test_an_execution_of_the_environment_that_is_none_is_said(
    gittask: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    task, other = gittask.new(), gittask.new()
    mine = gittask("start", task, "--as", "codex-1").id
    monkeypatch.setenv("GITTASK_EXECUTION", "20261130t100411z-k3m9q2")
    document = gittask("--json", "note", task, "x").document
    assert document["note"]["execution"] == mine
    said = "GITTASK_EXECUTION is '20261130t100411z-k3m9q2', and there is no such execution"
    assert document["warnings"] == [said]
    monkeypatch.setenv("GITTASK_EXECUTION", mine)
    for each in (task, other):  # it is one, if not of the other task
        assert "warnings" not in gittask("--json", "note", each, "x").document
