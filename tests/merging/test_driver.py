"""The merge driver: one file at a time, and in git's own merge, rebase and cherry-pick."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import gittask
from gittask.core.codec import decode, encode
from gittask.errors import GittaskError, Invalid
from gittask.merging.driver import keeper, merge_file
from gittask.setup.initialise import driver_command
from gittask.store.local import Local
from tests.clones import Clone, schemas
from tests.store.test_treemerge import BASE, EARLY, ID, LATE, PATH, task, text

PACKAGE = Path(gittask.__file__).parent
DRIVER = driver_command(sys.executable, PACKAGE)


class Files:
    """The three files that git hands over, and what the driver kept."""

    def __init__(self, folder: Path) -> None:
        self.base, self.ours, self.theirs = (folder / name for name in ("O", "A", "B"))
        self.kept: dict[str, bytes] = {}

    def merge(self, base: bytes, ours: bytes, theirs: bytes, path: str = PATH) -> bool:
        contents = (base, ours, theirs)
        for file, content in zip((self.base, self.ours, self.theirs), contents, strict=True):
            file.write_bytes(content)
        keep = self.kept.__setitem__
        return merge_file(schemas(), self.base, self.ours, self.theirs, path, keep)


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


def test_the_file_becomes_the_merged_record_and_keeps_its_mode(files: Files) -> None:
    stamp = "1 2026-11-30T11:00:00.000Z bob"
    files.ours.touch()
    files.ours.chmod(0o640)
    assert files.merge(BASE, EARLY, text(priority=0, changed={"priority": stamp}))
    merged = decode(files.ours.read_bytes())
    assert (merged["title"], merged["priority"]) == ("early", 0)
    assert files.ours.stat().st_mode & 0o777 == 0o640
    assert files.kept == {}
    assert sorted(path.name for path in files.ours.parent.iterdir()) == ["A", "B", "O"]


@pytest.mark.parametrize("base", [BASE, b"", b"title: [\n"], ids=["", "no base", "bad base"])
def test_a_value_that_loses_is_kept_as_a_conflict(files: Files, base: bytes) -> None:
    assert files.merge(base, EARLY, LATE)
    assert files.ours.read_bytes() == LATE
    ((name, content),) = files.kept.items()
    conflict = decode(content)
    assert name == f"{conflict['id']}.yaml"
    assert (conflict["kept"], conflict["lost"]) == ("late", "early")
    assert schemas().check("conflict", conflict) == []


@pytest.mark.parametrize(
    ("ours", "theirs", "said"),
    [
        (b"title: [\n", LATE, "cannot be read as YAML"),
        (EARLY, b"\xff", "not UTF-8"),
        (EARLY, b"", "empty"),
        (EARLY, text(priority=9), "priority"),
        (EARLY, encode(task() | {"id": "k0000000bb01"}), "k0000000bb01"),
        (encode(task() | {"id": "k0000000bb01"}), LATE, "k0000000bb01"),
    ],
)
def test_what_cannot_be_read_as_this_record_is_refused_by_name(
    files: Files, ours: bytes, theirs: bytes, said: str
) -> None:
    with pytest.raises(Invalid, match=said) as caught:
        files.merge(BASE, ours, theirs)
    assert PATH in caught.value.message
    assert files.ours.read_bytes() == ours
    assert files.kept == {}


def test_a_conflict_that_cannot_be_kept_leaves_the_file_alone(files: Files) -> None:
    def full(_name: str, _content: bytes) -> None:
        raise OSError("disk full")

    files.merge(BASE, BASE, BASE)
    files.ours.write_bytes(EARLY)
    files.theirs.write_bytes(LATE)
    with pytest.raises(OSError, match="disk full"):
        merge_file(schemas(), files.base, files.ours, files.theirs, PATH, full)
    assert files.ours.read_bytes() == EARLY


def test_other_files_merge_as_git_merges_them(files: Files) -> None:
    assert files.merge(b"1\n2\n3\n", b"0\n2\n3\n", b"1\n2\n4\n", "README.md")
    assert files.ours.read_bytes() == b"0\n2\n4\n"
    assert not files.merge(b"1\n", b"2\n", b"3\n", "README.md")
    assert files.ours.read_bytes() == b"<<<<<<< ours\n2\n=======\n3\n>>>>>>> theirs\n"


def test_a_file_that_git_cannot_merge_is_left_alone(files: Files) -> None:
    with pytest.raises(GittaskError, match=r"x\.bin"):
        files.merge(b"\x001\n", b"\x002\n", b"\x003\n", "x.bin")
    assert files.ours.read_bytes() == b"\x002\n"


def test_conflicts_are_kept_in_the_repository_that_git_names(repo: Path) -> None:
    (repo / ".git").rename(repo / "hidden")
    keeper(repo, "hidden")("c.yaml", b"c")
    assert Local(repo / "hidden").pending() == [("c.yaml", b"c")]


# -- as a program -------------------------------------------------------------------------------


def run(*args: str | Path, limit: int | None = None) -> subprocess.CompletedProcess[str]:
    def limits() -> None:
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    # Python itself would leave half of a compiled module behind, and fail on it ever after.
    compiling = ["-B"] if limit else []
    command = [sys.executable, *compiling, "-P", "-m", "gittask", "merge-driver", *map(str, args)]
    folder = Path(args[0]).parent
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, preexec_fn=limits)


def test_a_full_disk_changes_nothing_and_is_told(files: Files) -> None:
    files.merge(BASE, BASE, BASE)
    files.ours.write_bytes(EARLY)
    files.theirs.write_bytes(
        text(labels=["x"], changed={"labels.x": "1 2026-11-30T11:00:00.000Z a"})
    )
    done = run(files.base, files.ours, files.theirs, PATH, limit=100)
    assert done.returncode == 1
    assert PATH in done.stderr
    assert files.ours.read_bytes() == EARLY
    assert sorted(path.name for path in files.ours.parent.iterdir()) == ["A", "B", "O"]


def test_an_unreadable_side_ends_with_a_code_and_the_place(files: Files) -> None:
    files.merge(BASE, BASE, BASE)
    files.theirs.write_bytes(b"title: [\n")
    done = run(files.base, files.ours, files.theirs, PATH)
    assert done.returncode == 5
    assert f"{PATH}:2" in done.stderr
    assert files.ours.read_bytes() == BASE


def test_it_loads_neither_the_library_of_git_nor_the_slow_validator() -> None:
    loaded = "import sys, gittask.cli.commands.driver; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True)
    assert "gittask.merging.driver" in done.stdout.split()
    assert not {"pygit2", "jsonschema"} & set(done.stdout.split())


# -- in git -------------------------------------------------------------------------------------


@pytest.fixture
def forked(clones: Callable[[int], list[Path]], tmp_path: Path) -> tuple[Clone, str, Path]:
    """A clone with a work tree on its data branch, whose title and why another clone set too."""
    one, two = (Clone(folder, by) for folder, by in zip(clones(2), ("bob", "ann"), strict=True))
    one.init(settings={"merge.gittask.driver": DRIVER})
    id = one.new("task")
    one.sync()
    two.sync()
    two.set(id, title="first", labels=["x"])
    two.note(id, "seen")
    two.sync()
    one.set(id, title="second", priority=0)
    one.git("fetch", "-q", "origin")
    folder = tmp_path / "tree"
    one.git("worktree", "add", "-q", str(folder), "gittask")
    return one, id, folder


@pytest.mark.parametrize(
    "command", [["merge", "-q", "--no-edit", "origin/gittask"], ["rebase", "-q", "origin/gittask"]]
)
def test_merge_and_rebase_by_git_give_what_sync_gives(
    forked: tuple[Clone, str, Path], command: list[str], tmp_path: Path
) -> None:
    one, id, folder = forked
    one.git("clone", "-q", "--no-local", str(one.folder), str(tmp_path / "twin"))
    twin = Clone(tmp_path / "twin", "bob")
    twin.git("branch", "-q", "gittask", "origin/gittask")
    twin.git("remote", "set-url", "origin", one.git("remote", "get-url", "origin"))
    twin.git("fetch", "-q")
    twin.git("config", "user.name", "Twin")
    twin.git("config", "user.email", "twin@example.org")
    twin.sync()

    Clone(folder, "bob").git(*command)
    assert (
        folder.joinpath(one.path(id)).read_text()
        == twin.git("show", f"gittask:{one.path(id)}") + "\n"
    )
    ((name, _),) = Local(one.folder / ".git").pending()  # in git's own folder, not the tree's
    (conflict,) = one.sync().conflicts
    assert conflict.id == name.removesuffix(".yaml")
    assert (conflict.data["kept"], conflict.data["lost"]) == ("second", "first")
    assert one.tree == twin.tree


def test_cherry_picking_merges_fields(forked: tuple[Clone, str, Path]) -> None:
    one, id, folder = forked
    Clone(folder, "bob").git("cherry-pick", "origin/gittask~1")
    task = one.task(id)
    assert (task["title"], task["priority"], task["labels"]) == ("second", 0, ["x"])


@pytest.mark.parametrize(
    "gone", [("/nowhere/python 3", PACKAGE), (sys.executable, Path("/nowhere"))]
)
def test_a_driver_that_is_gone_leaves_markers(
    forked: tuple[Clone, str, Path], gone: tuple[str, Path]
) -> None:
    one, id, folder = forked
    one.git("config", "merge.gittask.driver", driver_command(*gone))
    Clone(folder, "bob").git("merge", "-q", "origin/gittask", check=False)
    assert "<<<<<<< ours" in folder.joinpath(one.path(id)).read_text()


def test_without_the_driver_a_text_merge_is_right_or_in_conflict(
    forked: tuple[Clone, str, Path],
) -> None:
    one, id, folder = forked
    one.git("config", "--remove-section", "merge.gittask")
    Clone(folder, "bob").git("merge", "-q", "origin/gittask", check=False)
    merged = folder.joinpath(one.path(id)).read_bytes()
    with pytest.raises(Invalid, match="unresolved merge conflict"):
        decode(merged)


def test_code_on_the_branch_is_never_run(forked: tuple[Clone, str, Path]) -> None:
    one, id, folder = forked
    for name in ("gittask.py", "yaml.py", "sitecustomize.py"):
        folder.joinpath(name).write_text("open('run', 'w')\n")
    Clone(folder, "bob").git("merge", "-q", "--no-edit", "origin/gittask")
    assert one.task(id)["labels"] == ["x"]
    assert not list(folder.rglob("run"))


def test_the_command_quotes_what_a_shell_and_git_would_take_apart(tmp_path: Path) -> None:
    python = tmp_path / "it's 100%A here" / "python"
    python.parent.mkdir()
    python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    python.chmod(0o755)
    repo = tmp_path / "repo"
    subprocess.run(["git", "init", "-q", "-b", "gittask", str(repo)], check=True)
    clone = Clone(repo, "ann")
    clone.git("config", "user.name", "Ann")
    clone.git("config", "user.email", "ann@example.org")
    clone.git("config", "merge.gittask.driver", driver_command(str(python), PACKAGE))
    file = repo / PATH
    file.parent.mkdir(parents=True)
    (repo / ".gitattributes").write_text("*.yaml merge=gittask\n")
    for branch, content in (("gittask", BASE), ("ours", EARLY), ("theirs", LATE)):
        clone.git("checkout", "-q", "-B", branch, *(["gittask"] if branch != "gittask" else []))
        file.write_bytes(content)
        clone.git("add", ".")
        clone.git("commit", "-q", "-m", branch)
    clone.git("merge", "-q", "--no-edit", "ours")
    assert file.read_bytes() == LATE
    assert ID in file.read_text()
    assert len(Local(repo / ".git").pending()) == 1
