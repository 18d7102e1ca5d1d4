"""The shell parts of the CI files, run with the real git; the reporting command is a stub."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ci.files import ACTION, GITLAB, SHELL, gitlab_script, read, step
from tests.ci.host import TOKEN, Host, serving
from tests.conftest import Git

STUB = """\
#!/bin/sh
for word; do printf '[%s]' "$word"; done >> "$LOG"
echo >> "$LOG"
case "$*" in
  "pr check"*) echo "checked"; exit "${CHECK:-0}" ;;
  *) branch=$(git config gittask.branch); echo "report by $branch at $(git rev-parse "$branch")"
esac
"""
BASE = "main; touch hacked"
HEAD = "$(touch hacked)"


class Runner:
    """A clone of a remote that has tasks, with stubs of the programs that a job calls."""

    def __init__(self, folder: Path, bin: Path, log: Path) -> None:
        self.folder = folder
        self.log = log
        self.env = {
            **os.environ,
            "PATH": f"{bin}{os.pathsep}{os.environ['PATH']}",
            "LOG": str(log),
            "no_proxy": "*",
        }

    def __call__(self, *argv: str, **env: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            argv, cwd=self.folder, env={**self.env, **env}, capture_output=True, text=True
        )

    def calls(self) -> list[str]:
        return self.log.read_text().splitlines() if self.log.exists() else []

    def read(self, name: str) -> str:
        return (self.folder / name).read_text()


@pytest.fixture
def runner(tmp_path: Path, bare: Path, git: Git) -> Runner:
    git(tmp_path, "clone", "-q", str(bare), "job")
    git(bare, "branch", "gittask", "main")
    folder = tmp_path / "bin"
    folder.mkdir()
    for name, text in {"gittask": STUB, "pip": '#!/bin/sh\necho "pip $*" >> "$LOG"\n'}.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    return Runner(tmp_path / "job", folder, tmp_path / "calls")


@pytest.fixture
def tip(runner: Runner, git: Git) -> str:
    """The tip of the data branch that the runner's remote has."""
    return git(runner.folder, "ls-remote", "origin", "refs/heads/gittask").split()[0]


def call(verb: str, more: str, text: str) -> str:
    """A call of the reporting command as the stub notes it."""
    return f"[pr][{verb}][--base][{BASE}][--head][{HEAD}][--text][{text}]{more}"


def test_the_action_reports_and_checks(runner: Runner, tip: str, tmp_path: Path) -> None:
    inputs = {name: str(each.get("default", "")) for name, each in read(ACTION)["inputs"].items()}
    inputs |= {"base": BASE, "head": HEAD}
    body = "Closes $(touch hacked) `touch hacked`\nTEXT\n"
    event = tmp_path / "event.json"
    event.write_text(json.dumps({"pull_request": {"body": body}}))
    predefined = {
        "GITHUB_STEP_SUMMARY": "summary.md",
        "GITHUB_EVENT_PATH": str(event),
        "GITHUB_HEAD_REF": HEAD,
        "RUNNER_TEMP": str(tmp_path),
    }
    for name in ("Install", "Report", "Check"):
        one = step(ACTION, name)
        given = {key: inputs[value[11:-3]] for key, value in one["env"].items()}
        shell = ("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", one["run"])
        done = runner(*shell, **predefined, **given)
        assert done.returncode == 0, (name, done)
    said = f"report by gittask at {tip}\n"
    for file in ("gittask-report/report.md", "gittask-report/report.json", "summary.md"):
        assert runner.read(file) == said
    text = tmp_path / "gittask-text.md"
    assert text.read_text() == body
    said = f"{text}][--branch][{HEAD}"
    assert runner.calls() == [
        "pip install --quiet --disable-pip-version-check gittask",
        call("render", "[--format][md][--mode][comment][--limit][60000]", said),
        call("render", "[--format][json]", said),
        call("render", "[--format][md][--mode][summary]", said),
        call("check", "[--format][github]", said),
    ]
    assert not (runner.folder / "hacked").exists()


def test_without_a_data_branch_the_action_fails(runner: Runner, bare: Path, git: Git) -> None:
    git(bare, "branch", "-D", "gittask")
    given = {"BASE": "a", "HEAD": "b", "BRANCH": "gittask", "FOLDER": "f", "RUNNER_TEMP": "."}
    done = runner("bash", "-eo", "pipefail", "-c", step(ACTION, "Report")["run"], **given)
    assert done.returncode != 0
    assert "couldn't find remote ref refs/heads/gittask" in done.stderr
    assert runner.calls() == []


@pytest.mark.parametrize("code", [0, 4])
def test_the_shell_script_ends_as_the_check_does(runner: Runner, tip: str, code: int) -> None:
    more = ("--text", "it's text.md")
    done = runner("sh", str(SHELL), BASE, HEAD, "out dir", *more, CHECK=str(code))
    assert (done.returncode, done.stdout) == (code, "checked\n")
    assert runner.read("out dir/report.md") == f"report by gittask at {tip}\n"
    assert runner.read("out dir/checks.xml") == "checked\n"
    assert runner.calls() == [
        call("render", "[--format][md][--mode][comment]", "it's text.md"),
        call("render", "[--format][json]", "it's text.md"),
        call("check", "[--format][junit]", "it's text.md"),
        call("check", "[--format][text]", "it's text.md"),
    ]
    assert not (runner.folder / "hacked").exists()


def test_the_shell_script_takes_another_branch_and_remote(
    runner: Runner, bare: Path, git: Git
) -> None:
    git(bare, "branch", "team/tasks", "main")
    git(runner.folder, "remote", "rename", "origin", "upstream")
    names = {"GITTASK_BRANCH": "team/tasks", "GITTASK_REMOTE": "upstream"}
    assert runner("sh", str(SHELL), "a", "b", "out", **names).returncode == 0
    assert runner.read("out/report.md").startswith("report by team/tasks at ")
    assert runner("sh", str(SHELL), "a", "b").returncode != 0


# -- GitLab -----------------------------------------------------------------------------------


@pytest.fixture
def host() -> Iterator[Host]:
    with serving(Host()) as host:
        yield host


def job(runner: Runner, host: Host, **env: str) -> subprocess.CompletedProcess[str]:
    variables = {
        key: str(value) for key, value in read(GITLAB)["gittask report"]["variables"].items()
    }
    predefined = {
        "CI_API_V4_URL": f"{host.url}/api/v4",
        "CI_MERGE_REQUEST_PROJECT_ID": "3",
        "CI_MERGE_REQUEST_IID": "8",
        "CI_MERGE_REQUEST_DIFF_BASE_SHA": BASE,
        "CI_COMMIT_SHA": HEAD,
        "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME": HEAD,
        "CI_MERGE_REQUEST_DESCRIPTION": "`touch hacked`",
        "TMPDIR": str(runner.log.parent),
    }
    return runner("bash", "-c", gitlab_script(), **variables, **predefined, **env)


def test_gitlab_reports_and_makes_no_note_without_a_token(runner: Runner, host: Host) -> None:
    done = job(runner, host)
    assert done.returncode == 0, done
    assert runner.read("gittask-report/checks.xml") == "checked\n"
    (text,) = runner.log.parent.glob("tmp.*")
    assert text.read_text() == "`touch hacked`\n"
    said = f"{text}][--branch][{HEAD}"
    assert runner.calls()[1:] == [
        call("render", "[--format][md][--mode][comment][--limit][900000]", said),
        call("render", "[--format][json]", said),
        call("check", "[--format][junit]", said),
        call("check", "[--format][text]", said),
    ]
    assert host.calls == []
    assert not (runner.folder / "hacked").exists()


def test_gitlab_makes_a_note_and_updates_it(runner: Runner, host: Host, tip: str) -> None:
    host.comment("<!-- gittask report -->\nmine", author=1)
    for _ in range(2):
        assert job(runner, host, GITTASK_TOKEN=TOKEN, CHECK="4").returncode == 4
    notes = "/api/v4/projects/3/merge_requests/8/notes"
    assert host.calls == [("POST", notes), ("PUT", f"{notes}/2")]
    assert host.bodies() == [
        "<!-- gittask report -->\nmine",
        f"<!-- gittask report -->\nreport by gittask at {tip}\n",
    ]


def test_gitlab_takes_the_commit_of_the_branch_and_not_that_of_the_merge(
    runner: Runner, host: Host
) -> None:
    assert job(runner, host, CI_MERGE_REQUEST_SOURCE_BRANCH_SHA="theirs").returncode == 0
    assert all(f"[--base][{BASE}][--head][theirs]" in line for line in runner.calls()[1:])


def test_gitlab_fails_where_the_note_is_refused(runner: Runner, host: Host) -> None:
    done = job(runner, host, GITTASK_TOKEN="wrong")
    assert done.returncode != 0
    assert "401" in done.stderr
    assert shutil.which("python3") is None or "wrong" not in done.stderr
