"""The CI files hold what they must, may what they need, and run nothing that a stranger wrote."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.ci.files import (
    ACTION,
    COMMENT,
    GITLAB,
    REPORT,
    SHELL,
    documented,
    gitlab_script,
    read,
    step,
    steps,
    tool,
)

HOSTED = [ACTION, REPORT, COMMENT]
WORKFLOWS = [REPORT, COMMENT]
SCHEMAS = {
    ACTION: "vendor.github-actions",
    REPORT: "vendor.github-workflows",
    COMMENT: "vendor.github-workflows",
    GITLAB: "vendor.gitlab-ci",
}


def name(file: Path) -> str:
    return file.name


def test_the_report_may_read_and_no_more() -> None:
    report = read(REPORT)
    assert report["permissions"] == {"contents": "read"}
    assert list(report["on"]) == ["pull_request"]
    assert all("permissions" not in job for job in report["jobs"].values())


def test_the_comment_may_write_comments_and_no_more() -> None:
    comment = read(COMMENT)
    assert comment["permissions"] == {"actions": "read", "pull-requests": "write"}
    assert comment["on"] == {
        "workflow_run": {"workflows": [read(REPORT)["name"]], "types": ["completed"]}
    }
    assert all("permissions" not in job for job in comment["jobs"].values())


def test_what_may_write_runs_no_code_but_its_own() -> None:
    assert all("uses" not in one for one in steps(COMMENT))
    assert "git" not in re.findall(r"\w+", step(COMMENT, "Comment")["run"])


def used(value: Any) -> list[str]:
    """The keys of a document, at any depth."""
    if isinstance(value, list):
        return [key for each in value for key in used(each)]
    if isinstance(value, dict):
        return [*value, *(key for each in value.values() for key in used(each))]
    return []


@pytest.mark.parametrize("file", HOSTED, ids=name)
def test_no_expression_becomes_part_of_a_script(file: Path) -> None:
    assert "pull_request_target" not in used(read(file))
    scripts = [one["run"] for one in steps(file) if "run" in one]
    assert scripts or file == REPORT
    assert not [script for script in scripts if "${{" in script]


@pytest.mark.parametrize("file", HOSTED, ids=name)
def test_only_githubs_own_actions_are_used(file: Path) -> None:
    for one in steps(file):
        if "uses" in one:
            assert re.fullmatch(r"actions/[a-z-]+@v\d+|\./\.github/actions/gittask", one["uses"])


@pytest.mark.parametrize("file", HOSTED, ids=name)
def test_each_script_says_what_runs_it(file: Path) -> None:
    for one in steps(file):
        assert "run" not in one or one["shell"] in ("bash", "python")


@pytest.mark.parametrize("file", WORKFLOWS, ids=name)
def test_no_job_hangs(file: Path) -> None:
    assert all(job["timeout-minutes"] <= 10 for job in read(file)["jobs"].values())


def test_the_report_gives_the_action_what_it_wants() -> None:
    inputs = read(ACTION)["inputs"]
    required = {key for key, each in inputs.items() if each.get("required")}
    (given,) = [one["with"] for one in steps(REPORT) if one.get("uses", "").startswith("./")]
    assert required <= given.keys() <= inputs.keys()
    said = set(re.findall(r"inputs\.(\w+)", ACTION.read_text("utf-8")))
    assert said == inputs.keys()


def test_gitlab_runs_for_merge_requests_alone() -> None:
    (job,) = read(GITLAB).values()
    assert job["rules"] == [{"if": '$CI_PIPELINE_SOURCE == "merge_request_event"'}]
    assert job["artifacts"]["reports"] == {"junit": "gittask-report/checks.xml"}


@pytest.mark.parametrize("file", SCHEMAS, ids=name)
def test_the_hosts_own_schema_holds(file: Path) -> None:
    check = tool("check-jsonschema")
    if check is None:
        pytest.skip("check-jsonschema is not installed")
    argv = [check, "--builtin-schema", SCHEMAS[file], str(file)]
    done = subprocess.run(argv, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def scripts() -> list[str]:
    """All shell scripts, of the files and of the page about them."""
    action = [f"#!/bin/bash\n{one['run']}" for one in steps(ACTION) if "run" in one]
    page = [f"#!/bin/sh\n{text}" for text in documented("sh")]
    return [*action, *page, f"#!/bin/sh\n{gitlab_script()}", SHELL.read_text("utf-8")]


def test_shellcheck_finds_nothing(tmp_path: Path) -> None:
    check = tool("shellcheck")
    if check is None:
        pytest.skip("shellcheck is not installed")
    for number, text in enumerate(scripts()):
        (tmp_path / f"{number}.sh").write_text(text)
    files = sorted(map(str, tmp_path.iterdir()))
    done = subprocess.run([check, *files], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
