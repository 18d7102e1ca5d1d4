"""``pr render`` and ``pr check`` in real repositories, after all that git and hosts do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.acting import Actor
from tests.cli.test_where import Code
from tests.conftest import Git
from tests.forging import CODEX, Story, agent, told
from tests.memory import event
from tests.merged import merged
from tests.program import Program, Result

HANDOFF = (
    *("--condition", "green", "--summary", "It is done", "--changed", "a.txt :: lines"),
    *("--not-verified", "Load :: no data", "--next", "look at it", "--next-by", "ann"),
)
SURE = ("--uncertain", "none")
UNSURE = ("--uncertain", "Does it hold at month's end? :: vans may leave late :: ann")
CHECKED = ("--run", "true")


@pytest.fixture
def code(gittask: Program, git: Git) -> Code:
    return Code(gittask, git)


def work(code: Code, *more: str) -> None:
    """Two commits on ``topic``, and a handoff of both."""
    code.commit("a.txt", "1\n", "Begin")
    code.commit("b.txt", "2\n", "Finish")
    code.program("handoff", code.task, *HANDOFF, *(more or (*SURE, *CHECKED)))


def facts(code: Code, *args: str) -> dict[str, Any]:
    found: dict[str, Any] = code.program.json("pr", "render", *args)["pr"]
    return found


def only(code: Code, *args: str) -> dict[str, Any]:
    """The one task that a pull request has."""
    (task,) = facts(code, *args)["tasks"]
    assert task["id"] == code.task
    return dict(task)


def states(task: dict[str, Any]) -> list[tuple[str, str]]:
    return [(one["verdict"], one["place"]["state"]) for one in task["evidence"]]


def check(code: Code, *args: str, exit: int = 0) -> dict[str, str]:
    """The state of each rule, and how the call ended."""
    done = code.program("--json", "pr", "check", *args, code=exit)
    rules = done.document["check"]["rules"]
    return {name: rule["state"] for name, rule in rules.items()}


def test_what_a_reviewer_sees(code: Code) -> None:
    work(code, *UNSURE, *CHECKED)
    task = only(code)
    assert task["found_by"] == ["trailer"]
    assert [len(task["commits"]), task["why"]] == [2, "It is needed"]
    assert [(one["n"], one["question"]) for one in task["uncertain"]] == [
        (1, "Does it hold at month's end?")
    ]
    assert states(task) == [("green", "head")]
    shown = code.program("pr", "render", "--format", "md").out
    places = [
        shown.index(each)
        for each in ("Does it hold at month's end?", "Load", "It is needed", "Green", "It is done")
    ]
    assert places == sorted(places)
    assert code.program("pr", "render", "--format", "md").out == shown
    for form in ("text", "html"):
        assert "month's end?" in code.program("pr", "render", "--format", form).out


def test_evidence_of_before_the_last_commits(code: Code) -> None:
    work(code)
    code.commit("c.txt", "3\n", "More")
    task = only(code)
    assert states(task) == [("green", "in")]
    assert task["evidence"][0]["place"]["after"] == 1
    assert check(code)["evidence"] == "warned"


def test_a_squash_by_a_host(code: Code) -> None:
    """The patch of all together is that of the squash; its message is a list of the others."""
    work(code)
    trailers = f"  Task: {code.task}\n  Execution: {code.execution}\n"
    code.squashed(f"Fix it (#12)\n\n* Begin\n\n{trailers}\n* Finish\n\n{trailers}")
    task = only(code, "--base", "main~1", "--head", "main")
    assert (task["found_by"], task["state"]) == (["trailer"], "carried")
    assert states(task) == [("green", "patch")]
    assert {one["state"] for one in task["handoffs"][0]["commits"]} == {"squashed"}


def test_a_squash_that_says_nothing_is_known_by_its_patch(code: Code) -> None:
    work(code)
    code.squashed("Fix it (#12)")
    assert only(code, "--base", "main~1", "--head", "main")["found_by"] == ["patch"]


def test_a_squash_with_something_more_is_not_what_was_checked(code: Code) -> None:
    work(code)
    code.main()
    code.git("merge", "-q", "--squash", "topic")
    (code.program.folder / "more.txt").write_text("more")
    code.git("add", "more.txt")
    code.git("commit", "-q", "-m", f"Fix it\n\nTask: {code.task}")
    args = ("--base", "main~1", "--head", "main")
    assert states(only(code, *args)) == [("stale", "stale")]
    assert check(code, *args, exit=4)["evidence"] == "failed"


def test_a_rebase_keeps_the_patches(code: Code) -> None:
    work(code)
    code.main()
    code.git("switch", "-q", "topic")
    code.git("rebase", "-q", "main")
    assert states(only(code)) == [("green", "patch")]
    assert {one["state"] for one in only(code)["handoffs"][0]["commits"]} == {"moved"}


def test_an_amendment_that_changes_the_patch_makes_evidence_stale(code: Code) -> None:
    work(code)
    (code.program.folder / "b.txt").write_text("other\n")
    code.git("commit", "-q", "-a", "--amend", "--no-edit")
    task = only(code)
    assert states(task) == [("stale", "stale")]
    assert task["handoffs"][0]["commits"][1]["state"] == "moved"


def test_an_amendment_of_the_message_does_not(code: Code) -> None:
    work(code)
    code.git("commit", "-q", "--amend", "-m", f"Better words\n\nTask: {code.task}")
    assert states(only(code)) == [("green", "head")]


def test_a_merge_of_main_into_the_branch_brings_no_task_of_main(code: Code) -> None:
    work(code)
    other = code.program.new("Other")
    code.git("switch", "-q", "main")
    code.plain("main.txt", "meanwhile", f"Meanwhile\n\nTask: {other}")
    code.git("switch", "-q", "topic")
    code.git("merge", "-q", "--no-edit", "main")
    task = only(code)
    assert states(task) == [("green", "in")]
    assert task["evidence"][0]["place"]["after"] == 0


def test_a_merge_commit_onto_main(code: Code) -> None:
    work(code)
    code.main()
    code.git("merge", "-q", "--no-ff", "--no-edit", "topic")
    assert states(only(code, "--base", "main~1", "--head", "main")) == [("green", "in")]


def test_a_cherry_pick(code: Code) -> None:
    work(code)
    code.main()
    code.git("switch", "-q", "-c", "pick")
    code.git("cherry-pick", "topic~1", "topic")
    assert states(only(code)) == [("green", "patch")]


def test_a_revert(code: Code) -> None:
    work(code)
    code.git("revert", "--no-edit", "topic", "topic~1")
    task = only(code)
    assert (task["state"], len(task["reverted"])) == ("reverted", 2)
    shown = code.program("pr", "render", "--format", "md").out
    assert f"Reverted: A task (`{code.task}`)" in shown.replace("Fix routing", "A task")
    assert check(code)["linked"] == "warned"


def test_a_revert_of_what_was_merged_before(code: Code) -> None:
    work(code)
    code.main()
    code.git("merge", "-q", "--no-ff", "--no-edit", "topic")
    code.git("switch", "-q", "-c", "back")
    code.git("revert", "--no-edit", "topic")
    assert only(code, "--base", "main")["state"] == "reverted"


def test_a_revert_of_a_merge_takes_back_what_came_by_it(code: Code) -> None:
    """As a host's button does it, in the pull request of the merge and in one of its own."""
    work(code)
    code.main()
    before = code.git("rev-parse", "HEAD")
    code.git("merge", "-q", "--no-ff", "--no-edit", "topic")
    code.git("switch", "-q", "-c", "back")
    code.git("revert", "--no-edit", "-m", "1", "main")
    for base in ("main", before):
        task = only(code, "--base", base)
        assert (task["state"], len(task["reverted"])) == ("reverted", 2)
    assert check(code, "--base", "main")["linked"] == "warned"
    code.git("revert", "--no-edit", "HEAD")
    assert only(code, "--base", before)["state"] == "carried"


def test_no_task_and_an_unknown_one(code: Code) -> None:
    code.git("switch", "-q", "-c", "free", "main")
    code.plain("a.txt", "1", "Without a task")
    assert facts(code)["tasks"] == []
    assert "No task is linked" in code.program("pr", "render").out
    assert check(code)["linked"] == "warned"
    code.plain("b.txt", "1", "S\n\nTask: zzzz00000000")
    (task,) = facts_with_warning(code)["tasks"]
    assert (task["id"], task["state"]) == ("zzzz00000000", "unknown")
    assert "`zzzz00000000`" in code.program("pr", "render", "--format", "md").out
    code.program("store", "set", "checks+=linked:fail")
    assert check(code, exit=4)["linked"] == "failed"


def facts_with_warning(code: Code) -> dict[str, Any]:
    found = code.program("--json", "pr", "render").document
    assert found["warnings"]
    return dict(found["pr"])


def test_the_branch_and_the_text_link_too(code: Code) -> None:
    code.git("switch", "-q", "-c", f"fix/{code.task}", "main")
    code.plain("a.txt", "1", "Without a trailer")
    assert only(code)["found_by"] == ["branch"]
    code.git("switch", "-q", "--detach")
    assert facts(code, "--head", "HEAD~0", "--branch", "other")["tasks"] == []
    assert only(code, "--branch", f"x-{code.task}")["found_by"] == ["branch"]
    (code.program.folder / "body.txt").write_text(f"Fix it\n\nTask: {code.task}\n")
    assert only(code, "--branch", "other", "--text", "body.txt")["found_by"] == ["text"]


# -- the part of a body -----------------------------------------------------------------------


def test_into_a_body_and_again(code: Code) -> None:
    work(code)
    body = "# Mine\r\n\r\nWords, and \u200b what is not seen\r\n"
    args = ("pr", "render", "--into", "-")
    once = code.program(*args, input=body).out
    assert once.startswith(body)
    assert code.program(*args, input=once).out == once
    code.program("note", code.task, "More happened")
    again = code.program(*args, input=once)
    assert again.out != once
    assert again.out.startswith(body)
    assert again.out.count("<!-- gittask:begin") == 1
    # Where nothing else links the task, the marker of the earlier part does.
    code.git("switch", "-q", "-c", "free", "main")
    code.plain("free.txt", "1", "Without a task")
    assert f"Task `{code.task}`" in code.program(*args, input=once).out
    assert code.task not in code.program(*args, input=body).out


def test_the_limit_holds_for_the_whole_body(code: Code) -> None:
    work(code, *UNSURE, *CHECKED)
    for number in range(30):
        code.program("note", code.task, f"Note {number} {'word ' * 30}")
    body = "x" * 500
    args = ("pr", "render", "--limit", "3000", "--into", "-")
    shown = code.program(*args, input=body).out
    assert len(shown) <= 3000 + 1
    assert "Does it hold at month's end?" in shown
    assert "Left out for want of room:" in shown
    assert f"gittask timeline {code.task} --all" in shown
    refused = code.program(
        "pr", "render", "--limit", "1000", "--into", "-", input="x" * 990, code=2
    )
    assert "--limit" in refused.err


def test_standard_input_is_read_once(code: Code) -> None:
    code.program("pr", "render", "--into", "-", "--text", "-", code=2)
    code.program("pr", "render", "--into", "-", "--format", "html", code=2)
    code.program("--json", "pr", "check", "--format", "sarif", code=2)


# -- gates ------------------------------------------------------------------------------------


def test_each_gate_and_a_waiver(code: Code) -> None:
    assert check(code, "--task", code.task, exit=4)["handoff"] == "failed"
    work(code, *UNSURE, *CHECKED)
    found = check(code, exit=4)
    assert found == {
        "linked": "passed",
        "handoff": "passed",
        "evidence": "passed",
        "uncertain": "failed",
        "acceptance": "passed",
        "acknowledged": "warned",
        "authority": "passed",
        "signatures": "off",
    }
    codex = Actor(code.program, "codex-1")
    waive = ("pr", "waive", code.task, "--uncertain")
    refused = codex.error(*waive, "1", "--reason", "I say so", code=4)
    assert "person" in refused["message"]
    assert code.program(*waive, "2", "--reason", "r", code=3)
    made = code.program.json(*waive, "1", "--reason", "Watched by hand")["decision"]
    assert made["waives"]["uncertain"] == 1
    assert code.program(*waive, "1", "--reason", "again").id == made["id"]
    assert check(code)["uncertain"] == "passed"
    assert only(code)["uncertain"][0]["waived"]["reason"] == "Watched by hand"
    assert code.program("verify").out


def test_a_waiver_holds_for_the_same_question_and_can_be_superseded(code: Code) -> None:
    work(code, *UNSURE, *CHECKED)
    decision = code.program("pr", "waive", code.task, "--uncertain", "1", "--reason", "r").id
    code.program("handoff", code.task, *HANDOFF, *UNSURE, *CHECKED)
    assert check(code)["uncertain"] == "passed"
    code.program("decide", code.task, "Not so", "--outcome", "o", "--supersedes", decision)
    assert check(code, exit=4)["uncertain"] == "failed"


def test_a_waiver_that_an_agent_commits_by_git_alone_is_found(repo: Path) -> None:
    Program(repo)("init")
    story = Story(Program(repo))
    story.start()
    handoff = story.gittask("handoff", story.task, *HANDOFF, *UNSURE, *CHECKED, *CODEX).id
    waives = {"handoff": handoff, "uncertain": 1}
    forged = event("decision", story.task, 90, waives=waives, deciders=["codex-1"])
    story.add(forged, agent("codex-1"))
    assert "allowed: : only a person may waive what is uncertain" in told(
        repo, "gittask~1..gittask"
    )
    (shown,) = story.gittask.json("pr", "render", "--task", story.task)["pr"]["tasks"]
    assert shown["uncertain"][0]["waived"] is None


def test_a_merge_does_not_choose_the_laxer_checks(gittask: Program, git: Git) -> None:
    folder = gittask.folder
    gittask("store", "set", "checks+=evidence:warn")
    lax = git(folder, "rev-parse", "gittask")
    gittask("new", "Meanwhile")
    side = git(folder, "rev-parse", "gittask")
    git(folder, "update-ref", "refs/heads/gittask", lax)
    gittask("store", "set", "checks+=evidence:fail")
    strict = git(folder, "rev-parse", "gittask")
    codex = ("-c", "user.name=codex-1", "-c", "user.email=codex-1@actors.gittask.invalid")
    tree = git(folder, "rev-parse", f"{side}^{{tree}}")
    made = git(folder, *codex, "commit-tree", "-p", strict, "-p", side, "-m", "m", tree)
    git(folder, "update-ref", "refs/heads/gittask", made)
    said = "merge: checks: is evidence warn, but of what its parents have, evidence fail stands"
    assert said in told(folder, f"{side}..")


def test_levels_of_the_store_and_of_a_project(code: Code) -> None:
    work(code, *UNSURE, *CHECKED)
    program = code.program
    program("store", "set", "checks+=uncertain:warn", "checks+=acknowledged:fail")
    assert check(code, exit=4)["acknowledged"] == "failed"
    program("project", "add", "shop")
    program("project", "set", "shop", "checks+=acknowledged:off")
    program("set", code.task, "project=shop")
    found = check(code)
    assert (found["uncertain"], found["acknowledged"]) == ("warned", "off")
    program("store", "set", "checks.uncertain.level=off")
    assert check(code)["uncertain"] == "off"
    assert program("store", "set", "checks+=uncertian:off", code=5)
    assert program("store", "set", "checks+=uncertain:loud", code=5)
    assert Actor(program, "codex-1").error("store", "set", "checks+=linked:off", code=4)


def test_invalid_records_are_said(code: Code) -> None:
    work(code)
    handoff = code.program.records("handoff")[0]["id"]
    path = f"tasks/{code.task[-2:]}/{code.task}/handoffs/{handoff}.yaml"
    code.program.push({path: b"not: a handoff\n"})
    assert code.program("pr", "check", code=5).err


def test_a_task_that_cannot_be_read_is_said(code: Code) -> None:
    work(code)
    code.program.push({f"tasks/{code.task[-2:]}/{code.task}/task.yaml": b"not: a task\n"})
    shown = code.program("pr", "render", "--format", "md")
    assert f"Its record cannot be read: task `{code.task}`" in shown.out
    assert "unreadable" in shown.err
    code.program("pr", "check", code=5)


def test_files_of_other_tasks_do_not_matter(code: Code) -> None:
    work(code)
    other = code.program.new("Other")
    code.program.push({f"tasks/{other[-2:]}/{other}/task.yaml": b"not: a task\n"})
    code.program("pr", "check")


def test_records_that_nobody_may_write_are_found(code: Code) -> None:
    work(code)
    path = f"tasks/{code.task[-2:]}/{code.task}/task.yaml"
    code.program.change(path, priority=0)  # by somebody who is no actor
    assert check(code)["authority"] == "warned"
    code.program("store", "set", "checks+=authority:fail")
    assert check(code, exit=4)["authority"] == "failed"


def test_signatures_as_the_store_wants_them(code: Code) -> None:
    work(code)
    code.program("store", "set", "signatures=require")
    assert check(code, exit=4)["signatures"] == "failed"
    code.program("store", "set", "checks+=signatures:warn")
    assert check(code)["signatures"] == "warned"


@pytest.mark.parametrize("form", ["text", "sarif", "github", "junit"])
def test_forms_of_the_outcome(code: Code, form: str) -> None:
    work(code, *UNSURE, *CHECKED)
    done: Result = code.program("pr", "check", "--format", form, code=4)
    assert "Does it hold at month" in done.out
    if form == "sarif":
        assert json.loads(done.out)["version"] == "2.1.0"


# -- shallow ----------------------------------------------------------------------------------


def test_a_checkout_and_the_data_branch_without_history(
    code: Code, git: Git, bare: Path, tmp_path: Path
) -> None:
    work(code)
    code.git("remote", "add", "origin", str(bare))
    code.git("push", "-q", "origin", "topic", "main")
    code.program("sync")
    folder = tmp_path / "shallow"
    url = bare.as_uri()
    git(tmp_path, "clone", "-q", "--depth", "1", "--branch", "main", url, str(folder))
    shallow = Program(folder)
    shallow("pr", "render", code=3)
    git(folder, "fetch", "-q", "--depth", "1", "origin", "gittask")
    found = shallow.json("pr", "render", "--task", code.task)["pr"]
    assert [one["verdict"] for one in found["tasks"][0]["evidence"]] == ["unknown"]
    assert found["records"]["from"] is None
    shown = shallow("pr", "render", "--task", code.task, "--format", "md").out
    assert "cut off" in shown
    assert "Unknown whether stale" in shown
    checked = shallow("pr", "check", "--task", code.task, code=4).out
    assert "nobody can tell" in checked
    git(folder, "fetch", "-q", "--depth", "1", "origin", "topic")
    head = git(folder, "rev-parse", "FETCH_HEAD")
    git(folder, "fetch", "-q", "--depth", "1", "origin", "gittask")
    found = shallow.json("pr", "render", "--head", head, "--base", "origin/main")["pr"]
    assert found["cut"]
    assert [one["verdict"] for one in found["tasks"][0]["evidence"]] == ["green"]
    cut = ("--base", "0" * 40, "--head", head)
    assert shallow.json("pr", "render", *cut)["pr"]["cut"]
    git(folder, "fetch", "-q", "--unshallow", "origin", "main", "topic")
    shallow("pr", "render", *cut, code=3)


# -- the whole way ----------------------------------------------------------------------------


def test_two_agents_one_pull_request_and_its_squash(tmp_path: Path) -> None:
    """What is shown before and after is kept whole in ``tests/golden``."""
    stages = merged(tmp_path)
    _, host, _, args = next(stages)
    before = host("pr", "render", *args, "--format", "md").out
    page = host("pr", "render", *args, "--format", "html").out
    for shown in (before, page):
        for said in ("codex-1", "claude-1", "Right, and tested", "Step 2", "Uncertain 1", "Green"):
            assert said in shown
    assert "No order is lost" in before
    assert "with the head" not in before
    assert host("pr", "check", *args, code=4)

    _, host, task, args = next(stages)
    after = host("pr", "render", *args, "--format", "md").out
    assert f"Task `{task}`" in after
    assert "**Green**: true passes" in after
    assert "Uncertain 1, waived" in after
    assert "on the files of the head" in after
    assert "Watched by hand" in host("pr", "render", *args, "--format", "html").out
    assert host("pr", "check", *args).out
