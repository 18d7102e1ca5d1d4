"""Ways in which an agent could get itself more authority than people gave it: all are shut."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from gittask.core.codec import decode, encode
from gittask.kinds.actor import PROGRAM
from gittask.store.repo import Person, Repo
from tests.branch import commit_to
from tests.cli.acting import Actor, person
from tests.conftest import Git
from tests.forging import told
from tests.program import Program, path_of


def by_program(folder: Path, subject: str, files: dict[str, bytes | None]) -> None:
    """Commit files in the program's own name."""
    repo = Repo.discover(folder)
    author = Person("gittask", PROGRAM, 1_800_000_000)
    commit_to(repo, repo.tip(), files, author, author, f"{subject}\n")


@pytest.mark.parametrize("kind", ["person", "service"])
def test_an_agent_adds_no_person(codex: Actor, kind: str) -> None:
    said = codex.error("actor", "add", "mallory", "--kind", kind, code=4)["message"]
    assert said == f"only a person may add mallory as a {kind}"


def test_an_agent_adds_agents(codex: Actor) -> None:
    codex("actor", "add", "codex-2")


@pytest.mark.parametrize(
    "word",
    ["email=codex-1@actors.gittask.invalid", "name=Me", "keys+=ssh-ed25519 AAAA", "provider=x"],
)
def test_an_agent_changes_nobody_elses_record(gittask: Program, codex: Actor, word: str) -> None:
    person(gittask, "alice")
    said = codex.error("actor", "set", "alice", word, code=4)["message"]
    assert said == "only alice or a person may change the record of alice"


def test_nobody_takes_the_address_of_another(gittask: Program, codex: Actor) -> None:
    person(gittask, "alice")
    codex("note", gittask.new(), "here")
    problems = codex("--json", "actor", "set", "codex-1", "email=alice@e.org", code=5).problems
    assert problems == {"email": "'alice@e.org' is an address of alice"}


@pytest.mark.parametrize("subject", ["merge: 1 record", "stamp: 1 record", "restore: 1 record"])
def test_an_older_list_does_not_come_back_in_the_programs_name(
    gittask: Program, ann: Actor, subject: str
) -> None:
    task = gittask.new()
    ann("set", task, "allowed+=git push")
    ann("set", task, "allowed-=git push")
    data = decode(gittask.stored(path_of(task)))
    by_program(gittask.folder, subject, {path_of(task): encode({**data, "allowed": ["git push"]})})
    (found,) = told(gittask.folder, "gittask~1..")
    assert found == "program: allowed: was set in the program's own name, which decides nothing"


def test_work_that_is_applied_again_holds_no_policy(gittask: Program) -> None:
    task = gittask.new()
    data = decode(gittask.stored(path_of(task)))
    by_program(
        gittask.folder, "reapply: work", {path_of(task): encode({**data, "allowed": ["rm -rf x"]})}
    )
    assert any("says who may do what" in each for each in told(gittask.folder, "gittask~1.."))


def a_link(folder: Path, file: Path) -> None:
    shutil.rmtree(folder)
    folder.symlink_to("elsewhere")
    assert not file.exists()


def a_file(folder: Path, _: Path) -> None:
    shutil.rmtree(folder)
    folder.write_text("nothing\n")


def a_folder_of_its_name(_: Path, file: Path) -> None:
    content = file.read_bytes()
    file.unlink()
    file.mkdir()
    (file / "x.yaml").write_bytes(content)


def another_name(_: Path, file: Path) -> None:
    file.rename(file.with_suffix(".YAML"))


@pytest.mark.parametrize("hide", [a_link, a_file, a_folder_of_its_name, another_name])
def test_a_no_that_is_hidden_stays_a_no(
    gittask: Program, ann: Actor, codex: Actor, git: Git, hide: Callable[[Path, Path], None]
) -> None:
    """Where the approvals cannot be seen, no list allows anything."""
    task = gittask.new()
    ann("set", task, "allowed+=git log")
    codex("approve", "check", task, "git log")
    codex("approve", "request", task, "git log", "--to", "ann")
    ann("approve", "deny", task, "--reason", "no")
    codex("approve", "check", task, "git log", code=4)
    tree = gittask.folder.parent / "tree"
    git(gittask.folder, "worktree", "add", "-q", str(tree), "gittask")
    folder = (tree / path_of(task)).with_name("approvals")
    hide(folder, next(folder.iterdir()))
    git(tree, "add", "-A")
    git(tree, "commit", "-qm", "hidden")
    said = codex.error("approve", "check", task, "git log", code=4)["message"]
    assert "what needs no approval is not known" in said
