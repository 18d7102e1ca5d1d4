"""``handoff``: how its parts are said, what is filled in, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Git
from tests.program import Program, controls

REST: dict[str, Any] = {
    "condition": "watch",
    "summary": "Half of it works",
    "changed": [],
    "verified": [],
    "not_verified": [],
    "uncertain": [],
    "next_action": {"do": "look", "by": "ann"},
}
SAID = (
    *("--condition", "watch", "--summary", "Half of it works", "--verified", "none"),
    *("--not-verified", "none", "--uncertain", "none", "--next", "look", "--next-by", "ann"),
)


@pytest.fixture
def task(gittask: Program) -> str:
    task = gittask.new("Fix routing")
    gittask("start", task)
    return task


def handoff(gittask: Program, task: str, *args: str, input: str | bytes = b"") -> dict[str, Any]:
    made: dict[str, Any] = gittask.json("handoff", task, *args, input=input)["handoff"]
    return made


def test_by_options(gittask: Program, task: str) -> None:
    decision = gittask("decide", task, "Where", "--outcome", "Here").id
    made = handoff(
        *(gittask, task, "--kind", "review_request", "--condition", "green"),
        *("--summary", "It works", "--changed", "a.py :: new", "--changed", "b.py::gone"),
        *("--verified", "By hand", "--not-verified", "Load: no data"),
        *("--uncertain", "Is it fast? :: slow pages", "--decision", decision),
        *("--next", "Review", "--next-by", "ann", "--contingency", "Roll back"),
    )
    assert made["changed"] == [{"path": "a.py", "what": "new"}, {"path": "b.py", "what": "gone"}]
    assert made["verified"] == [{"claim": "By hand"}]
    assert made["not_verified"] == [{"claim": "Load", "why": "no data"}]
    unsure = {"question": "Is it fast?", "impact": "slow pages", "who": None}
    assert made["uncertain"] == [unsure]
    assert made["next_action"] == {"do": "Review", "by": "ann"}
    assert (made["decisions"], made["contingencies"]) == ([decision], ["Roll back"])
    assert (made["kind"], made["condition"], made["epoch"]) == ("review_request", "green", 1)


YAML = """\
condition: watch
summary: Half of it works
changed:
- path: a.py
  what: "yes: 🧭"
verified: []
not_verified: []
uncertain:
- question: Why?
  impact: none
next_action: {do: look, by: ann}
"""


@pytest.mark.parametrize("ascii", [True, False])
@pytest.mark.parametrize("indent", [None, 1, "\t"])
def test_by_json(gittask: Program, task: str, ascii: bool, indent: int | str | None) -> None:
    said = {**REST, "summary": 'A "quote", a \\ and 🧭', "kind": "progress"}
    text = json.dumps(said, ensure_ascii=ascii, indent=indent)
    assert handoff(gittask, task, "-F", "-", input=text)["summary"] == said["summary"]


def test_by_yaml_from_a_file_and_from_standard_input(
    gittask: Program, task: str, tmp_path: Path
) -> None:
    (tmp_path / "handoff.yaml").write_text(YAML)
    for made in (
        handoff(gittask, task, "-F", str(tmp_path / "handoff.yaml")),
        handoff(gittask, task, "-F", "-", input=YAML),
    ):
        assert made["changed"] == [{"path": "a.py", "what": "yes: 🧭"}]
        assert made["uncertain"][0]["who"] is None


def test_options_stand_before_the_file(gittask: Program, task: str) -> None:
    made = handoff(
        *(gittask, task, "-F", "-", "--summary", "Better", "--next-by", "bob"), input=YAML
    )
    assert made["summary"] == "Better"
    assert made["condition"] == "watch"
    assert made["next_action"] == {"do": "look", "by": "bob"}


@pytest.mark.parametrize("by", [[], ["--next-by", "ann"]])
def test_nothing_follows(gittask: Program, task: str, by: list[str]) -> None:
    said = (*SAID[: SAID.index("--next")], "--changed", "none", "--kind", "retry_context")
    result = gittask("handoff", task, *said, "--next", " None ", *by)
    assert "warning" not in result.err
    (made,) = gittask.records("handoff")
    assert made["next_action"] == {"do": "none", "by": "ann" if by else "nobody"}
    started = gittask.json("start", task)["execution"]
    assert started["objective"] == "Fix routing"


def test_none_in_a_file_is_an_answer(gittask: Program, task: str) -> None:
    lists = ("changed", "verified", "not_verified", "uncertain", "decisions", "contingencies")
    text = "".join(f"{name}: none\n" for name in (*lists, "next_action"))
    text += "condition: watch\nsummary: Half of it works\n"
    made = handoff(gittask, task, "-F", "-", input=text)
    assert [made[name] for name in lists] == [[]] * 6
    assert made["next_action"] == {"do": "none", "by": "nobody"}


def test_every_part_must_be_said(gittask: Program, task: str) -> None:
    result = gittask("handoff", task, "--json", code=5)
    assert result.problems == dict.fromkeys(REST, "is missing")
    for problem in result.error["details"]["problems"]:
        option = "--next" if problem["field"] == "next_action" else f"--{problem['field']}"
        assert option.replace("_", "-") in problem["hint"]
    assert gittask.records("handoff") == []


def test_half_a_part(gittask: Program, task: str) -> None:
    result = gittask(
        *("handoff", task, "--condition", "watch", "--changed", "a.py", "--uncertain", "Why?"),
        *("--not-verified", "none", "--not-verified", "Load", "--next", "x", "--json"),
        code=5,
    )
    hints = {one["field"]: one["hint"] for one in result.error["details"]["problems"]}
    assert hints["changed.0.what"] == 'write "PATH :: WHAT"'
    assert hints["uncertain.0.impact"] == 'write "QUESTION :: IMPACT"'
    assert hints["not_verified.0.why"] == 'write "CLAIM :: WHY"'
    assert hints["next_action.by"] == "say who does it: --next-by WHO"
    assert {"summary", "verified"} <= hints.keys()


def test_mistakes_of_a_file_are_told_at_once(gittask: Program, task: str, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    text = "sumary: x\nnonsense: 1\nid: 7\ncondition: fine\nverified: all\nnext_action: {do: 7}\n"
    result = gittask(
        "handoff", task, "-F", "-", "--run", f"touch {ran}", "--json", input=text, code=5
    )
    hints = {one["field"]: one["hint"] for one in result.error["details"]["problems"]}
    assert hints["sumary"] == "did you mean summary?"
    assert hints["nonsense"] == "see: gittask schema handoff"
    assert hints["id"] == "leave it out"
    assert {"condition", "summary", "verified", "next_action.do", "next_action.by"} <= hints.keys()
    assert not ran.exists()


@pytest.mark.parametrize(
    "text", ["- a list", "just text", "{", '{"a": 1, "a": 2}', '{"a": "\\ud800"}', "a: &x 1"]
)
def test_a_file_that_is_no_handoff(gittask: Program, task: str, text: str) -> None:
    result = gittask("handoff", task, "-F", "-", "--json", input=text, code=5)
    assert "standard input" in result.error["message"]
    assert result.error["hint"]


def test_the_task_in_a_file(gittask: Program, task: str) -> None:
    assert handoff(gittask, task, "-F", "-", input=f"task: {task[:5]}\n{YAML}")["task"] == task
    other = gittask("handoff", task, "-F", "-", "--json", input="task: zzzz\n" + YAML, code=5)
    assert other.problems == {"task": "is filled in by gittask"}


class TestChecks:
    """``--run``: evidence of what was run, and on which code."""

    def test_evidence(self, gittask: Program, task: str, git: Git) -> None:
        (check,) = handoff(gittask, task, *SAID, "--changed", "none", "--run", "echo ok")[
            "verified"
        ]
        assert (check["claim"], check["command"]) == ("echo ok passes", "echo ok")
        assert (check["exit_code"], check["tail"], check["dirty"]) == (0, "ok\n", False)
        assert check["commit"] == git(gittask.folder, "rev-parse", "HEAD")

    def test_failure_on_uncommitted_code(self, gittask: Program, task: str) -> None:
        (gittask.folder / "code.txt").write_text("dirty\n")
        (check,) = handoff(gittask, task, *SAID, "--run", "echo no >&2; exit 3")["verified"]
        assert (check["claim"], check["exit_code"]) == ("echo no >&2; exit 3 fails", 3)
        assert (check["tail"], check["dirty"]) == ("no\n", True)

    def test_several_with_what_was_said(self, gittask: Program, task: str) -> None:
        said = handoff(
            *(gittask, task, *SAID[:4], "--verified", "By hand", *SAID[6:], "--changed", "none"),
            *("--run", "true", "--run", "false"),
        )
        assert [one.get("exit_code") for one in said["verified"]] == [None, 0, 1]

    def test_green_with_a_failed_check(self, gittask: Program, task: str) -> None:
        call = ["handoff", task, "--condition", "green", *SAID[2:], "--changed", "none"]
        result = gittask(*call, "--run", "exit 3", "--json", code=5)
        assert "is green, but the check" in result.problems["condition"]
        assert gittask.records("handoff") == []
        gittask(*call, "--run", "true")

    def test_its_output_is_shown_but_not_as_a_result(self, gittask: Program, task: str) -> None:
        call = ["handoff", task, *SAID, "--changed", "none", "--run", "echo seen"]
        plain = gittask(*call)
        assert plain.id in [one["id"] for one in gittask.records("handoff")]
        assert "seen" in plain.err
        assert gittask(*call, "--json").err == ""

    def test_the_end_of_its_output_can_control_nothing(self, gittask: Program, task: str) -> None:
        code = r"printf '\033[31mred\033[0m\a \033]0;title\007 10%%\r99%%\nend\0\377'"
        result = gittask("handoff", task, *SAID, "--changed", "none", "--run", code)
        (check,) = gittask.records("handoff")[0]["verified"]
        assert check["tail"].endswith("99%\nend\\x00\ufffd\n")
        assert controls(check["tail"]) == set()
        assert controls(result.err) == set()

    def test_long_output_is_cut(self, gittask: Program, task: str) -> None:
        (check,) = handoff(*(gittask, task, *SAID, "--changed", "none"), "--run", "seq 100000")[
            "verified"
        ]
        assert check["tail"].endswith("99999\n100000\n")
        assert len(check["tail"]) <= 4000

    def test_it_gets_no_standard_input(self, gittask: Program, task: str) -> None:
        made = handoff(gittask, task, "-F", "-", "--run", "cat", "--changed", "none", input=YAML)
        assert made["verified"][0]["tail"] == ""

    def test_a_command_that_cannot_be_kept(self, gittask: Program, task: str) -> None:
        call = ("handoff", task, *SAID, "--changed", "none", "--run", "echo a\necho b", "--json")
        assert "verified.0.command" in gittask(*call, code=5).problems


class TestFilledIn:
    """What can be known of the code since the execution began."""

    def commit(self, gittask: Program, git: Git, name: str, message: str) -> str:
        (gittask.folder / name).write_text(message)
        git(gittask.folder, "add", ".")
        git(gittask.folder, "commit", "-qm", message)
        return git(gittask.folder, "rev-parse", "HEAD")

    def test_commits_and_files(self, gittask: Program, task: str, git: Git) -> None:
        first = self.commit(gittask, git, "a.txt", "First")
        second = self.commit(gittask, git, "code.txt", "Second")
        (gittask.folder / "open.txt").write_text("x")
        made = handoff(gittask, task, *SAID)
        assert [(one["sha"], one["subject"]) for one in made["commits"]] == [
            (first, "First"),
            (second, "Second"),
        ]
        assert all(len(one["patch_id"]) == 40 for one in made["commits"])
        assert {one["path"]: one["what"] for one in made["changed"]} == {
            "a.txt": "added",
            "code.txt": "changed",
            "open.txt": "not committed",
        }
        assert made["workspace"]["head"] == second
        assert (made["workspace"]["branch"], made["workspace"]["dirty"]) == ("main", True)

    def test_said_changes_stand_before_found_ones(
        self, gittask: Program, task: str, git: Git
    ) -> None:
        self.commit(gittask, git, "a.txt", "First")
        made = handoff(gittask, task, *SAID, "--changed", "a.txt :: what matters")
        assert made["changed"] == [{"path": "a.txt", "what": "what matters"}]
        assert len(made["commits"]) == 1

    def test_after_a_rebase(self, gittask: Program, task: str, git: Git) -> None:
        self.commit(gittask, git, "a.txt", "First")
        git(gittask.folder, "commit", "-q", "--amend", "-m", "Amended")
        made = handoff(gittask, task, *SAID)
        assert [one["subject"] for one in made["commits"]] == ["Amended"]

    def test_names_and_subjects_of_any_sort(self, gittask: Program, task: str, git: Git) -> None:
        self.commit(gittask, git, "tab\there\x1b[31m ü.txt", "Subject\twith \x1b[31mcolour")
        made = handoff(gittask, task, *SAID)
        assert made["changed"][0]["path"] == "tab\\there\\e[31m ü.txt"
        assert made["commits"][0]["subject"] == "Subject\\twith \\e[31mcolour"

    def test_a_detached_head(self, gittask: Program, task: str, git: Git) -> None:
        git(gittask.folder, "checkout", "-q", "--detach")
        self.commit(gittask, git, "a.txt", "First")
        made = handoff(gittask, task, *SAID)
        assert made["workspace"]["branch"] is None
        assert len(made["commits"]) == 1


@pytest.mark.parametrize("bare", [True, False])
def test_a_repository_without_code(tmp_path: Path, git: Git, bare: bool) -> None:
    folder = tmp_path / "empty"
    git(tmp_path, "init", "-q", "-b", "main", *(["--bare"] if bare else []), str(folder))
    git(folder, "config", "user.name", "Ann")
    git(folder, "config", "user.email", "ann@example.org")
    gittask = Program(folder)
    gittask("init")
    task = gittask.new()
    assert gittask.json("start", task)["execution"]["workspace"]["head"] is None
    made = handoff(gittask, task, *SAID, "--changed", "none", "--run", "true")
    assert (made["commits"], made["verified"][0]["commit"]) == ([], None)
    assert made["verified"][0]["dirty"] is (None if bare else False)


def test_without_an_execution(gittask: Program) -> None:
    task = gittask.new()
    error = gittask("handoff", task, *SAID, "--json", code=3).error
    assert error["message"] == f"ann has no execution of task {task}"
    assert error["hint"] == f"begin one: gittask start {task}"


def test_a_decision_that_does_not_exist(gittask: Program, task: str) -> None:
    call = ("handoff", task, *SAID, "--changed", "none", "--decision", "20261130t100411z-k3m9q2")
    assert "does not exist" in gittask(*call, "--json", code=5).problems["decisions.0"]


@pytest.mark.parametrize(
    ("who", "warned"),
    [("ann", False), ("Ann", False), ("the reviewer", False), ("anybody", False), ("alcie", True)],
)
def test_who_is_next_and_is_not_known(gittask: Program, task: str, who: str, warned: bool) -> None:
    result = gittask("handoff", task, *SAID, "--changed", "none", "--next-by", who)
    assert ("warning: --next-by: 'alcie' is no actor" in result.err) == warned


def test_a_check_that_fails_is_not_green(gittask: Program, task: str) -> None:
    call = ("handoff", task, *SAID, "--changed", "none", "--condition", "green", "--run", "exit 5")
    error = gittask(*call, "--json", code=5).error
    assert "the check 'exit 5' ended with exit code 5" in error["message"]
