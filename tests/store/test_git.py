from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from gittask.errors import GittaskError
from gittask.store.git import config, environment, failure, quarantine, run, setting, truth
from gittask.store.process import Completed

Git = Callable[..., str]


def test_output_is_bytes_and_a_bad_end_is_an_error(repo: Path) -> None:
    assert run(repo, "show", "main:code.txt").stdout == b"code\n"
    with pytest.raises(GittaskError, match=r"git show failed: fatal: .*nothing") as caught:
        run(repo, "show", "main:nothing")
    assert caught.value.details["exit_code"] == 128
    assert run(repo, "show", "main:nothing", check=False).code == 128


def test_an_error_tells_no_password() -> None:
    said = "fatal: unable to access 'https://ann:secret@example.org/x.git/': no route"
    error = failure(Completed(b"", said, 128), "fetch")
    assert "https://example.org/x.git" in error.message
    assert "secret" not in f"{error.message} {error.details}"


def test_input_reaches_git(repo: Path) -> None:
    done = run(repo, "hash-object", "--stdin", input=b"code\n")
    assert done.stdout == run(repo, "rev-parse", "main:code.txt").stdout


def test_a_missing_git_names_the_remedy(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(repo))
    with pytest.raises(GittaskError, match="git cannot be started") as caught:
        run(repo, "status")
    assert "install git" in caught.value.hint


def test_a_git_that_hangs_is_ended(repo: Path, git: Git) -> None:
    git(repo, "config", "alias.hang", "!tail -f /dev/null")
    with pytest.raises(GittaskError, match=r"git hang did not end within 0\.2 s"):
        run(repo, "hang", timeout=0.2)


def test_everything_that_ties_git_to_a_repository_is_taken_away(
    repo: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    ties = set(git(repo, "rev-parse", "--local-env-vars").split())
    assert "GIT_DIR" in ties
    for name in ties | {"GIT_NAMESPACE", "GIT_ICASE_PATHSPECS"}:
        monkeypatch.setenv(name, "/elsewhere")
    kept = {name for name, value in environment().items() if value == "/elsewhere"}
    assert kept == {"GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT"}


def test_a_hooks_environment_does_not_lead_elsewhere(
    repo: Path, bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", str(bare))
    monkeypatch.setenv("GIT_WORK_TREE", str(bare.parent))
    monkeypatch.setenv("GIT_INDEX_FILE", str(bare / "index"))
    assert run(repo, "rev-parse", "--absolute-git-dir").stdout.decode().strip() == f"{repo}/.git"


def test_config_is_what_git_sees(repo: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / ".gitconfig").write_text(
        "[user]\n name = Global\n[include]\n path = more\n[a]\n\tflag\n\tempty =\n"
    )
    (home / "more").write_text('[remote "Some.Name"]\n\tURL = "two\\nlines"\n')
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "gittask.branch")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "from-environment")
    seen = config(repo)
    assert seen["user.name"] == ["Global", "Ann"]
    assert setting(seen, "user.name") == "Ann"
    assert setting(seen, "remote.Some.Name.url") == "two\nlines"
    assert setting(seen, "gittask.branch") == "from-environment"
    assert setting(seen, "a.empty") == ""
    assert setting(seen, "no.such") is None
    assert truth(seen, "a.flag")
    assert not truth(seen, "a.empty")


@pytest.mark.parametrize("value", ["true", "YES", "on", "1", "-2", "false", "no", "off", "0", ""])
def test_truth_is_gits_truth(repo: Path, git: Git, value: str) -> None:
    git(repo, "config", "some.flag", value)
    expected = git(repo, "config", "--type=bool", "some.flag") == "true"
    assert truth(config(repo), "some.flag") is expected


def test_a_broken_configuration_is_named(repo: Path) -> None:
    (repo / ".git" / "config").write_text("[core\n")
    with pytest.raises(GittaskError, match="bad config line 1"):
        config(repo)


def test_another_users_repository_gives_gits_remedy(
    repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    with pytest.raises(GittaskError, match="another user owns it") as caught:
        run(repo, "status")
    assert caught.value.hint == f"git config --global --add safe.directory {repo}"


def test_only_a_quarantine_of_this_repository_is_trusted(
    bare: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert quarantine(bare) is None
    monkeypatch.setenv("GIT_QUARANTINE_PATH", str(tmp_path / "incoming"))
    assert quarantine(bare) is None
    monkeypatch.setenv("GIT_QUARANTINE_PATH", str(bare / "objects" / ".." / ".." / "incoming"))
    assert quarantine(bare) is None
    inside = bare / "objects" / "incoming-1"
    monkeypatch.setenv("GIT_QUARANTINE_PATH", str(inside))
    assert quarantine(bare) == str(inside)


def test_the_fixtures_hide_the_machine(repo: Path, home: Path) -> None:
    assert os.environ["HOME"] == str(home)
    listed = subprocess.run(
        ["git", "config", "--list", "--show-origin"], cwd=repo, capture_output=True
    )
    origins = {line.split(b"\t")[0] for line in listed.stdout.splitlines()}
    assert origins == {f"file:{home}/.gitconfig".encode(), b"file:.git/config"}
