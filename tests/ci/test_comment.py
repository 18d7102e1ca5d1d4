"""The comment workflow, run as it stands, against a host that holds what a stranger made."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.ci.files import COMMENT, step
from tests.ci.host import TOKEN, Host, serving

MARKER = "<!-- gittask report -->"
RUN: dict[str, Any] = {
    "id": 99,
    "head_sha": "a" * 40,
    "head_branch": "fix & $(touch x) ü",
    "head_repository": {"owner": {"login": "stranger"}},
}


def archive(files: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as out:
        for name, content in files.items():
            out.writestr(name, content)
    return made.getvalue()


def report(text: str | bytes) -> bytes:
    return archive({"report.md": text if isinstance(text, bytes) else text.encode()})


@pytest.fixture
def host() -> Iterator[Host]:
    host = Host()
    label = f"stranger:{RUN['head_branch']}"
    host.pulls = [{"number": 12, "head": {"sha": RUN["head_sha"], "label": label}}]
    host.artifact = report("# Tasks\n\nAll is well.\n")
    with serving(host):
        yield host


def run(host: Host, folder: Path, **event: Any) -> subprocess.CompletedProcess[str]:
    """The job, as the runner starts it: the script in a file, the event in another."""
    (folder / "event.json").write_text(json.dumps({"workflow_run": {**RUN, **event}}))
    (folder / "script.py").write_text(step(COMMENT, "Comment")["run"], "utf-8")
    env = {
        **os.environ,
        "no_proxy": "*",
        "GITHUB_API_URL": host.url,
        "GITHUB_REPOSITORY": "team/depot",
        "GITHUB_EVENT_PATH": str(folder / "event.json"),
        "GITHUB_TOKEN": TOKEN,
    }
    argv = [sys.executable, str(folder / "script.py")]
    return subprocess.run(argv, cwd=folder, env=env, capture_output=True, text=True)


def test_the_first_report_makes_the_comment_and_the_second_updates_it(
    host: Host, tmp_path: Path
) -> None:
    host.comment("Nice work", login="ann")
    done = run(host, tmp_path)
    assert (done.returncode, done.stdout) == (0, "made the comment\n")
    assert host.bodies() == ["Nice work", f"{MARKER}\n# Tasks\n\nAll is well.\n"]
    host.comment("Thanks", login="ann")
    host.artifact = report("# Tasks\n\nOne is open.\n")
    assert run(host, tmp_path).stdout == "updated the comment\n"
    assert host.bodies() == ["Nice work", f"{MARKER}\n# Tasks\n\nOne is open.\n", "Thanks"]
    base = "/repos/team/depot/issues"
    assert host.calls == [("POST", f"{base}/12/comments"), ("PATCH", f"{base}/comments/2")]


def test_it_is_found_behind_many_others(host: Host, tmp_path: Path) -> None:
    for _ in range(150):
        host.comment("Hm", login="ann")
    host.comment(f"{MARKER}\nold")
    assert run(host, tmp_path).stdout == "updated the comment\n"
    assert host.calls == [("PATCH", "/repos/team/depot/issues/comments/151")]


def test_nobody_elses_comment_is_written_over(host: Host, tmp_path: Path) -> None:
    host.comment(f"{MARKER}\nmine", login="stranger")
    host.comment(f"{MARKER}\nof an account that is gone")["user"] = None
    host.comment(f"As it says: {MARKER}")
    assert run(host, tmp_path).stdout == "made the comment\n"
    assert [body.rpartition("\n")[2] for body in host.bodies()] == [
        *("mine", "of an account that is gone", f"As it says: {MARKER}"),
        *("",),
    ]
    assert host.calls == [("POST", "/repos/team/depot/issues/12/comments")]


def test_the_token_goes_to_the_host_alone(host: Host, tmp_path: Path) -> None:
    assert run(host, tmp_path).returncode == 0
    assert host.strangers == []


def test_an_older_report_does_not_replace_a_newer_one(host: Host, tmp_path: Path) -> None:
    done = run(host, tmp_path, head_sha="b" * 40)
    assert (done.returncode, host.calls) == (0, [])
    assert "no open pull request stands at the commit of this report" in done.stdout


@pytest.mark.parametrize("event", [{"head_repository": None}, {"head_branch": "other"}])
def test_where_there_is_no_pull_request(host: Host, tmp_path: Path, event: dict[str, Any]) -> None:
    assert run(host, tmp_path, **event).returncode == 0
    assert host.calls == []


def test_where_there_is_no_report(host: Host, tmp_path: Path) -> None:
    host.artifact = None
    assert run(host, tmp_path).returncode == 0
    assert host.calls == []


@pytest.mark.parametrize(
    ("artifact", "why"),
    [
        (report("x" * 60_001), "longer than 60000 characters"),
        (report(b"x" * 50_000_000), "longer than 60000 characters"),
        (report("ü" * 200_000), "cannot be read (UnicodeDecodeError)"),
        (report(b"\xff\xfe"), "cannot be read (UnicodeDecodeError)"),
        (report("bell\a"), "control characters"),
        (report("\x1b[2J"), "control characters"),
        (archive({"other.md": b"x"}), "cannot be read (KeyError)"),
        (archive({"../report.md": b"x"}), "cannot be read (KeyError)"),
        (b"no archive", "cannot be read (BadZipFile)"),
        (report("x" * 1000)[:-40], "cannot be read (BadZipFile)"),
        (b"\0" * 10_000_001, "too large"),
    ],
    ids=range(11),
)
def test_a_hostile_artifact_is_refused(
    host: Host, tmp_path: Path, artifact: bytes, why: str
) -> None:
    host.artifact = artifact
    done = run(host, tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("::error::the report is refused: ")
    assert why in done.stderr
    assert "Traceback" not in done.stderr
    assert host.calls == []
    assert {each.name for each in tmp_path.iterdir()} == {"event.json", "script.py"}


def test_a_report_calls_nobody_and_hides_nothing(host: Host, tmp_path: Path) -> None:
    text = "## Tasks\n@team &#64;ann &commat;bob #1 a@b <!-- 12 -->shown<!-- to the end"
    host.artifact = archive({"report.md": text.encode(), "number": b"13"})
    assert run(host, tmp_path).returncode == 0
    (body,) = host.bodies()
    quiet = "\u2060"
    assert body == (
        f"{MARKER}\n## Tasks\n@{quiet}team &#{quiet}64;ann @{quiet}bob #{quiet}1 a@{quiet}b shown"
    )
    assert host.calls == [("POST", "/repos/team/depot/issues/12/comments")]


def test_a_host_that_fails_is_a_failure(host: Host, tmp_path: Path) -> None:
    host.pulls = [{"number": 12, "head": {"label": f"stranger:{RUN['head_branch']}"}}]
    assert run(host, tmp_path).returncode == 1
    assert host.calls == []
