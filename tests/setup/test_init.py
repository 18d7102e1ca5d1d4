"""Making a store, adopting the remote's, and everything that ``init`` must not touch."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gittask.core.codec import decode
from gittask.errors import Invalid, NoStore, Refused, RemoteError, Usage
from gittask.session import Session
from gittask.store import packaged
from gittask.store.repo import Repo
from tests.clones import Clone, everything
from tests.conftest import Git
from tests.program import Program

ROOT = "d3beaeb"
"""The beginning of the id of the commit on which every store of the world stands."""


def gittask(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """Run the program as a user would."""
    command = [sys.executable, "-P", "-m", "gittask", *args]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


@pytest.fixture
def ann(repo: Path) -> Clone:
    return Clone(repo, "ann")


def test_a_new_store_is_one_commit_on_the_root_of_all_stores(ann: Clone) -> None:
    done = ann.init(name="Depot")
    assert done.how == "made"
    assert done.tip == ann.tip
    log = ann.git("log", "--format=%h %an: %s", "gittask").split("\n")
    assert log == [
        f"{ann.git('rev-parse', '--short', 'gittask')} ann: init: store Depot",
        f"{ann.git('rev-parse', '--short', 'gittask^')} gittask: gittask: root of a task store",
    ]
    assert log[1].startswith(ROOT)


def test_everything_in_it_is_valid_and_canonical(ann: Clone) -> None:
    ann.init(name="Depot")
    files = dict(everything(ann))
    schemas = packaged.schemas()
    assert {path for path in files if not path.startswith("schemas/")} == {
        ".gitattributes",
        "README.md",
        "actors/ann.yaml",
        "gittask.yaml",
    }
    for path, content in files.items():
        if place := schemas.locate(path):
            assert schemas.check(place.kind, decode(content)) == []
    assert files["gittask.yaml"].startswith(b"format: 1\nid: ")
    assert b"\nname: Depot\n" in files["gittask.yaml"]
    assert b"git push origin gittask" in files["README.md"]
    copies = {name.removeprefix("schemas/"): files[name] for name in files if "schemas/" in name}
    assert copies == packaged.schema_texts()


def test_calling_it_again_changes_nothing(ann: Clone) -> None:
    first = ann.init()
    config = (ann.folder / ".git" / "config").read_bytes()
    again = ann.init(name="Another")
    assert (again.how, again.tip, again.settings) == ("already", first.tip, {})
    assert (ann.folder / ".git" / "config").read_bytes() == config


def test_it_touches_nothing_but_what_it_says(ann: Clone) -> None:
    (ann.folder / "code.txt").write_text("half an edit\n")
    ann.git("add", "code.txt")
    (ann.folder / "loose.txt").write_text("loose\n")
    git = ann.folder / ".git"

    def state() -> list[object]:
        hooks = sorted(path.name for path in (git / "hooks").iterdir())
        refs = ann.git("for-each-ref", "refs/heads/main", "refs/tags", "refs/remotes")
        status = ann.git("status", "--porcelain", "--ignored")
        return [(git / "HEAD").read_bytes(), (git / "index").read_bytes(), hooks, refs, status]

    before, config = state(), set(ann.git("config", "--local", "--list").split("\n"))
    settings = ann.init().settings
    assert state() == before
    added = set(ann.git("config", "--local", "--list").split("\n")) - config
    assert added == {f"{key.lower()}={value}" for key, value in settings.items()}
    assert settings.keys() == {
        "merge.gittask.name",
        "merge.gittask.driver",
        "diff.gittask.textconv",
        "diff.gittask.xfuncname",
    }


def test_diffs_name_the_field_that_they_are_in(ann: Clone) -> None:
    ann.init()
    id = ann.new("task", why="\n".join(map(str, range(20))))
    ann.set(id, why="\n".join(map(str, [*range(19), "x"])))
    ann.set(id, why="\n".join(map(str, [*range(19), "y"])))
    tree = ann.folder.parent / "tree"
    ann.git("worktree", "add", "-q", str(tree), "gittask")
    shown = Clone(tree, "ann").git("diff", "HEAD~1", "HEAD")
    assert any(
        line.startswith("@@") and "@@ why: (by ann, 2026-" in line for line in shown.split("\n")
    )


def test_an_unborn_head_is_no_obstacle(tmp_path: Path, git: Git) -> None:
    git(tmp_path, "init", "-q", "-b", "main", "new")
    clone = Clone(tmp_path / "new", "ann")
    assert clone.init().how == "made"
    assert clone.git("symbolic-ref", "HEAD") == "refs/heads/main"


def test_a_name_that_no_record_can_hold_is_refused_before_anything_is_written(ann: Clone) -> None:
    with pytest.raises(Invalid, match="nothing was written"):
        ann.init(name="x" * 501)
    assert ann.tip is None
    assert ann.git("config", "--get-regexp", "gittask", check=False) == ""


# -- which branch and remote --------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["", "-f", "--all", "refs/heads/x", "HEAD", "@{-1}", "a..b", "a b", "x;id", "../x"]
)
def test_names_that_git_would_take_for_something_else_are_refused(ann: Clone, name: str) -> None:
    if name != "x;id":  # odd, but a branch like any other
        with pytest.raises(Usage, match="the branch cannot be"):
            ann.init(branch=name)
    with pytest.raises(Usage, match="the remote cannot be"):
        ann.init(remote=name)
    assert ann.tip is None
    assert ann.git("config", "--get-regexp", "gittask", check=False) == ""


def test_another_branch_and_remote_are_kept_in_the_configuration(ann: Clone, bare: Path) -> None:
    ann.git("remote", "add", "origin", "/nowhere")
    ann.git("remote", "add", "upstream", str(bare))
    done = ann.init(branch="team/tasks", remote="upstream")
    assert done.settings["gittask.branch"] == "team/tasks"
    ann.new("task")
    assert ann.sync().remote == "upstream"
    assert ann.git("rev-parse", "team/tasks") == ann.git("rev-parse", "upstream/team/tasks")
    assert ann.git("branch", "--list", "gittask") == ""


def test_a_branch_of_code_is_refused(ann: Clone) -> None:
    ann.git("branch", "topic")
    for name in ("main", "topic"):
        with pytest.raises(Refused, match="holds something else"):
            ann.init(branch=name)
    ann.git("symbolic-ref", "HEAD", "refs/heads/unborn")
    with pytest.raises(Refused, match="is checked out here"):
        ann.init(branch="unborn")
    assert ann.git("config", "--get-regexp", "gittask", check=False) == ""


def test_a_tag_of_the_same_name_is_warned_of(ann: Clone) -> None:
    ann.git("tag", "gittask")
    (warning,) = ann.init().warnings
    assert "a tag is called 'gittask'" in warning


# -- with a remote ------------------------------------------------------------------------------


@pytest.fixture
def pair(clones: Callable[[int], list[Path]]) -> tuple[Clone, Clone]:
    """Two clones of a remote that has no store; the second's is without the remote's branches."""
    one, two = (Clone(folder, f"actor{i}") for i, folder in enumerate(clones(2)))
    return one, two


def test_the_remotes_store_is_adopted(pair: tuple[Clone, Clone]) -> None:
    one, two = pair
    one.init(name="Depot")
    id = one.new("task")
    one.sync()
    done = two.init(name="Mine")
    assert (done.how, done.tip) == ("adopted", one.tip)
    assert two.task(id)["title"] == "task"
    assert two.sync().pushed == 0


def test_an_unreachable_remote_is_not_taken_for_one_without_a_store(
    pair: tuple[Clone, Clone], bare: Path, tmp_path: Path
) -> None:
    one, two = pair
    one.init(name="Depot")
    one.sync()
    bare.rename(tmp_path / "gone.git")
    with pytest.raises(RemoteError, match="nobody can tell") as caught:
        two.init()
    assert "--offline" in caught.value.hint
    assert two.tip is None
    assert two.init(offline=True).how == "made"
    id = two.new("made alone")
    (tmp_path / "gone.git").rename(bare)
    two.sync()
    one.sync()
    assert (one.tip, one.task(id)["title"]) == (two.tip, "made alone")
    store = one.reader.get("store", "")
    assert store is not None
    assert store.data["name"] == "Depot", "the store that was made first"


def test_what_was_fetched_before_is_adopted_without_the_remote(
    pair: tuple[Clone, Clone], bare: Path, tmp_path: Path
) -> None:
    one, two = pair
    one.init()
    one.sync()
    two.git("fetch", "-q")
    bare.rename(tmp_path / "gone.git")
    done = two.init()
    assert (done.how, done.tip) == ("adopted", one.tip)
    assert "as last fetched" in done.warnings[0]


def test_a_branch_of_code_at_the_remote_is_refused(pair: tuple[Clone, Clone]) -> None:
    one, two = pair
    one.git("push", "-q", "origin", "main:refs/heads/gittask")
    with pytest.raises(Refused, match="holds something else"):
        two.init()
    assert two.tip is None


# -- the command --------------------------------------------------------------------------------


def test_outside_a_repository_it_says_what_to_do(tmp_path: Path) -> None:
    done = gittask(tmp_path, "init", "--json")
    assert done.returncode == NoStore.exit
    assert "git init" in json.loads(done.stdout)["error"]["hint"]


def test_without_an_identity_nothing_is_written(tmp_path: Path, git: Git) -> None:
    git(tmp_path, "init", "-q", "new")
    done = gittask(tmp_path / "new", "init")
    assert done.returncode == 2
    assert "git config user.name" in done.stderr
    assert Repo.discover(tmp_path / "new").tip() is None
    assert gittask(tmp_path / "new", "init", "--as", "codex-1").returncode == 0


def test_the_command_names_the_store_and_what_it_set(repo: Path) -> None:
    done = gittask(repo, "init")
    assert done.returncode == 0
    assert done.stdout == "made the task store 'repo' on the branch gittask\n"
    assert done.stderr.count("set in this repository's git configuration") == 4
    told = json.loads(gittask(repo, "init", "--json").stdout)
    assert (told["init"]["how"], told["init"]["settings"]) == ("already", {})
    assert told["store"]["name"] == "repo"
    reader = Session(Repo.discover(repo), packaged.schemas()).reader()
    assert [actor.data["email"] for actor in reader.all("actor")] == ["ann@example.org"]


def test_sync_tells_in_text_and_as_json(clones: Callable[[int], list[Path]]) -> None:
    one, two = map(Program, clones(2))
    one("sync", code=NoStore.exit)
    for clone in (one, two):
        clone("init")
        clone("sync")
    id = one("new", "task").id
    assert one("sync").out == "synced with origin: 0 pulled, 1 pushed\n"
    two("sync")
    one("set", id, "title=one")
    one("sync")
    two("set", id, "title=two")
    done = two("sync", "--json").document
    assert (done["sync"]["merged"], done["sync"]["pushed"]) == (1, 3)
    (conflict,) = done["sync"]["conflicts"]
    assert {conflict["kept"], conflict["lost"]} == {"one", "two"}
    assert "kept" in done["warnings"][0]
    assert two("sync").out == "up to date with origin\n"


def test_a_circle_that_two_innocent_edits_close_is_told(
    clones: Callable[[int], list[Path]],
) -> None:
    one, two = map(Program, clones(2))
    for clone in (one, two):
        clone("init")
    a, b = (one("new", title).id for title in ("a", "b"))
    one("sync")
    two("sync")
    one("dep", "add", a, b)
    one("sync")
    two("dep", "add", b, a)
    assert "tasks wait for each other" in two("sync").err
