"""The shell parts of the CI files, run with the real git; the reporting command is a stub."""

from __future__ import annotations

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


def rendered(mode: str) -> str:
    return f"[pr][render][--base][{BASE}][--head][{HEAD}]{mode}"


def test_the_action_reports_and_checks(runner: Runner, tip: str) -> None:
    inputs = {name: str(each.get("default", "")) for name, each in read(ACTION)["inputs"].items()}
    inputs |= {"base": BASE, "head": HEAD}
    for name in ("Install", "Report", "Check"):
        one = step(ACTION, name)
        given = {key: inputs[value[11:-3]] for key, value in one["env"].items()}
        shell = ("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", one["run"])
        done = runner(*shell, GITHUB_STEP_SUMMARY="summary.md", **given)
        assert done.returncode == 0, (name, done)
    said = f"report by gittask at {tip}\n"
    for file in ("gittask-report/report.md", "gittask-report/report.json", "summary.md"):
        assert runner.read(file) == said
    assert runner.calls() == [
        "pip install --quiet --disable-pip-version-check gittask",
        rendered("[--format][md][--mode][comment]"),
        rendered("[--format][json]"),
        rendered("[--format][md][--mode][summary]"),
        f"[pr][check][--base][{BASE}][--head][{HEAD}][--format][github]",
    ]
    assert not (runner.folder / "hacked").exists()


def test_without_a_data_branch_the_action_fails(runner: Runner, bare: Path, git: Git) -> None:
    git(bare, "branch", "-D", "gittask")
    given = {"BASE": "a", "HEAD": "b", "BRANCH": "gittask", "FOLDER": "f"}
    done = runner("bash", "-eo", "pipefail", "-c", step(ACTION, "Report")["run"], **given)
    assert done.returncode != 0
    assert "couldn't find remote ref refs/heads/gittask" in done.stderr
    assert runner.calls() == []


@pytest.mark.parametrize("code", [0, 5])
def test_the_shell_script_ends_as_the_check_does(runner: Runner, tip: str, code: int) -> None:
    done = runner("sh", str(SHELL), BASE, HEAD, "out dir", CHECK=str(code))
    assert (done.returncode, done.stdout) == (code, "checked\n")
    assert runner.read("out dir/report.md") == f"report by gittask at {tip}\n"
    assert runner.read("out dir/checks.xml") == "checked\n"
    assert len(runner.calls()) == 4
    assert not (runner.folder / "hacked").exists()


def test_the_shell_script_takes_another_branch_and_remote(
    runner: Runner, bare: Path, git: Git
) -> None:
    git(bare, "branch", "team/tasks", "main")
    git(runner.folder, "remote", "rename", "origin", "upstream")
    names = {"GITTASK_BRANCH": "team/tasks", "GITTASK_REMOTE": "upstream"}
    assert runner("sh", str(SHELL), "a", "b", **names).returncode == 0
    assert runner.read("gittask-report/report.md").startswith("report by team/tasks at ")
    assert runner("sh", str(SHELL), "a").returncode != 0


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
    }
    return runner("bash", "-c", gitlab_script(), **variables, **predefined, **env)


def test_gitlab_reports_and_makes_no_note_without_a_token(runner: Runner, host: Host) -> None:
    done = job(runner, host)
    assert done.returncode == 0, done
    assert runner.read("gittask-report/checks.xml") == "checked\n"
    assert runner.calls()[1] == rendered("[--format][md][--mode][comment]")
    assert host.calls == []
    assert not (runner.folder / "hacked").exists()


def test_gitlab_makes_a_note_and_updates_it(runner: Runner, host: Host, tip: str) -> None:
    host.comment("<!-- gittask report -->\nmine", author=1)
    for _ in range(2):
        assert job(runner, host, GITTASK_TOKEN=TOKEN, CHECK="5").returncode == 5
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
    assert f"[pr][render][--base][{BASE}][--head][theirs][--format][json]" in runner.calls()


def test_gitlab_fails_where_the_note_is_refused(runner: Runner, host: Host) -> None:
    done = job(runner, host, GITTASK_TOKEN="wrong")
    assert done.returncode != 0
    assert "401" in done.stderr
    assert shutil.which("python3") is None or "wrong" not in done.stderr
