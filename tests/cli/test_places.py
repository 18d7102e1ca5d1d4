"""Every shape of a repository: the commands work there as anywhere, and leave it as it was."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cli.test_contract import ANYWHERE, CALLS, words
from tests.conftest import Git
from tests.program import Program


@dataclass
class Around:
    """A remote with code and a store, and the folder in which a test makes a repository."""

    git: Git
    bare: Path
    folder: Path
    known: str
    """The task that the remote's store has."""

    def clone(self, *options: str, name: str = "place", of: str = "") -> Path:
        source = of or f"file://{self.bare}"
        self.git(self.folder, "clone", "-q", *options, source, name)
        return self.folder / name


@pytest.fixture
def around(bare: Path, clones: Callable[[int], list[Path]], tmp_path: Path, git: Git) -> Around:
    git(bare, "config", "uploadpack.allowFilter", "true")
    git(bare, "config", "uploadpack.allowAnySHA1InWant", "true")
    (first,) = clones(1)
    gittask = Program(first)
    gittask("init")
    known = gittask.new("Known")
    for text in ("one", "two", "three"):
        gittask("note", known, text)
    gittask("sync")
    return Around(git, bare, tmp_path, known)


Make = Callable[[Around], Path]


def linked(a: Around) -> Path:
    main = a.clone(name="main")
    a.git(main, "worktree", "add", "-q", "--detach", str(a.folder / "place"))
    return a.folder / "place"


def linked_to_bare(a: Around) -> Path:
    a.clone("--bare", name="shared.git")
    a.git(a.folder / "shared.git", "worktree", "add", "-q", str(a.folder / "place"), "main")
    return a.folder / "place"


def submodule(a: Around) -> Path:
    outer = a.folder / "outer"
    a.git(a.folder, "init", "-q", str(outer))
    a.git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(a.bare), "inner")
    return outer / "inner"


def ci_checkout(a: Around) -> Path:
    """As CI does it: an empty repository, one commit of one branch fetched, HEAD detached."""
    place = a.folder / "place"
    a.git(a.folder, "init", "-q", str(place))
    a.git(place, "remote", "add", "origin", f"file://{a.bare}")
    tip = a.git(a.bare, "rev-parse", "main")
    a.git(
        place, "fetch", "-q", "--depth=1", "--no-tags", "origin", f"+{tip}:refs/remotes/origin/main"
    )
    a.git(place, "checkout", "-q", "--detach", tip)
    return place


def detached(a: Around) -> Path:
    place = a.clone()
    a.git(place, "checkout", "-q", "--detach")
    return place


def unborn(a: Around) -> Path:
    place = a.folder / "place"
    a.git(a.folder, "init", "-q", str(place))
    a.git(place, "remote", "add", "origin", str(a.bare))
    return place


def checked_out(a: Around) -> Path:
    place = a.clone()
    a.git(place, "checkout", "-q", "-b", "gittask", "origin/gittask")
    return place


def several_remotes(a: Around) -> Path:
    a.clone("--bare", name="fork.git")
    place = a.clone(of=str(a.folder / "fork.git"))
    a.git(place, "remote", "add", "upstream", str(a.bare))
    a.git(place, "config", "gittask.remote", "upstream")
    return place


def separate(a: Around) -> Path:
    return a.clone(f"--separate-git-dir={a.folder / 'elsewhere'}")


def sparse(a: Around) -> Path:
    place = a.clone("--sparse")
    a.git(place, "sparse-checkout", "set", "nothing")
    return place


def colliding(a: Around) -> Path:
    """Whatever else can be called as the branch is: a folder, a file of git's, a remote."""
    place = a.clone()
    (place / "gittask").mkdir()
    (place / "gittask" / "x.txt").write_text("x")
    a.git(place, "config", "remote.gittask.url", str(a.bare))
    a.git(place, "update-ref", "refs/remotes/gittask/HEAD", "HEAD")
    return place


SHAPES: dict[str, Make] = {
    "plain": lambda a: a.clone(),
    "a linked work tree": linked,
    "a work tree of a bare repository": linked_to_bare,
    "bare": lambda a: a.clone("--bare", name="place.git"),
    "a mirror": lambda a: a.clone("--mirror", name="place.git"),
    "a submodule": submodule,
    "detached": detached,
    "shallow": lambda a: a.clone("--depth=1", "--no-single-branch"),
    "a single branch": lambda a: a.clone("--single-branch", "--branch=main"),
    "shallow, a single branch": lambda a: a.clone("--depth=1"),
    "shallow, the data branch": lambda a: a.clone("--depth=1", "--branch=gittask"),
    "CI": ci_checkout,
    "without blobs": lambda a: a.clone("--filter=blob:none", "--no-checkout"),
    "without trees": lambda a: a.clone("--filter=tree:0", "--no-checkout"),
    "alternates": lambda a: a.clone("--shared", of=str(a.bare)),
    "unborn": unborn,
    "the data branch checked out": checked_out,
    "several remotes": several_remotes,
    "a git folder elsewhere": separate,
    "sparse": sparse,
    "names that collide": colliding,
}


def identify(around: Around, place: Path) -> Program:
    around.git(place, "config", "user.name", "Pat")
    around.git(place, "config", "user.email", "pat@example.org")
    return Program(place)


@pytest.mark.parametrize("shape", SHAPES)
def test_everything_works_there(around: Around, shape: str) -> None:
    place = SHAPES[shape](around)
    gittask = identify(around, place)
    if (place / ".git").exists():
        status = around.git(place, "status", "--porcelain", check=False)
    gittask("init")
    assert gittask.task(around.known)["title"] == "Known"
    task = gittask("new", "Here", "--why", "It is needed").id
    assert {one["id"] for one in gittask.json("list")["tasks"]} == {around.known, task}
    assert "Here" in gittask("show", task).out
    gittask("start", around.known)
    gittask("note", around.known, "here")
    gittask("sync")
    gittask("verify")
    gittask("timeline", around.known)
    assert around.git(around.bare, "rev-parse", "gittask") == around.git(
        place, "rev-parse", "gittask^0"
    )
    if (place / ".git").exists():
        assert around.git(place, "status", "--porcelain", check=False) == status
    other = Program(around.folder / "clone0")
    other("sync")
    assert {one["id"] for one in other.json("list", "--all")["tasks"]} == {around.known, task}
    assert other.task(around.known)["state"]["epoch"] == 1
    other("verify", "..gittask")


@pytest.mark.parametrize("shape", ["shallow", "a single branch", "CI", "without blobs", "plain"])
def test_it_reads_before_anything_was_made_there(around: Around, shape: str) -> None:
    place = SHAPES[shape](around)
    gittask = identify(around, place)
    seen = around.git(place, "rev-parse", "-q", "--verify", "origin/gittask", check=False)
    result = gittask("list", "--json", code=None)
    if seen:
        assert [one["id"] for one in result.document["tasks"]] == [around.known]
    else:
        assert (result.code, result.error["code"]) == (3, "no_store")
        assert "gittask init" in result.error["hint"]


def test_each_linked_work_tree_has_its_own_execution(around: Around) -> None:
    place = linked(around)
    main, there = identify(around, around.folder / "main"), Program(place)
    main("init")
    one, two = main.new("One"), main.new("Two")
    first = main("start", one, "--as", "codex-1").id
    second = there("start", two, "--as", "claude-1").id
    main("report", one, "from the main one")
    there("report", two, "from the linked one")
    notes = [record for record in main.records("note") if record["execution"]]
    told = {record["execution"]: record["created"]["by"] for record in notes}
    assert told == {first: "codex-1", second: "claude-1"}
    around.git(around.folder / "main", "worktree", "remove", "--force", str(place))
    around.git(around.folder / "main", "worktree", "prune")
    assert main.task(two)["state"]["holder"] == second


def test_what_a_partial_clone_cannot_get_is_named(around: Around) -> None:
    place = around.clone("--filter=blob:none", "--no-checkout")
    gittask = identify(around, place)
    around.bare.rename(around.bare.parent / "gone.git")
    error = gittask("list", "--json", code=6).error
    assert "partial clone" in error["message"]
    assert "origin" in error["hint"]
    assert error["retryable"]


@pytest.mark.parametrize("name", ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR"])
def test_what_a_hook_exports_leads_nowhere_else(
    around: Around, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    gittask = identify(around, around.clone())
    gittask("init")
    before = around.git(around.folder / "clone0", "rev-parse", "gittask")
    monkeypatch.setenv(name, str(around.folder / "clone0" / ".git"))
    task = gittask("new", "Here").id
    gittask("sync")
    monkeypatch.delenv(name)
    assert gittask.task(task)["title"] == "Here"
    assert around.git(around.folder / "clone0", "rev-parse", "gittask") == before


def test_without_a_home_in_the_c_locale(around: Around) -> None:
    gittask = identify(around, around.clone())
    env = {"LC_ALL": "C", "LANG": "C", "PATH": os.environ["PATH"]}
    env |= dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "USER", "LOGNAME"), "")
    for args in (["init"], ["new", "Caf\u00e9"], ["list"], ["sync"], ["verify"]):
        done = gittask.process(*args, env=env)
        assert done.returncode == 0, done
        assert b"Traceback" not in done.stderr


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write all")
def test_a_repository_that_cannot_be_written(around: Around) -> None:
    place = around.clone()
    gittask = identify(around, place)
    gittask("init")
    folders = [place / ".git", *(p for p in (place / ".git").rglob("*") if p.is_dir())]
    for folder in folders:
        folder.chmod(0o555)
    try:
        gittask("list")
        gittask("new", "x", code=1)
    finally:
        for folder in folders:
            folder.chmod(0o755)


@pytest.mark.parametrize(
    ("address", "secret"),
    [
        ("https://ann:hunter2@127.0.0.1:1/x.git", "hunter2"),
        ("https://ghp_sEcReT@127.0.0.1:1/x.git", "ghp_sEcReT"),
        ("https://127.0.0.1:1/x.git?token=hunter2", "hunter2"),
        ("ssh://ann:hunter2@127.0.0.1:1/x.git", "hunter2"),
        ("https://ann:p%40ss@w0rd@127.0.0.1:1/x.git", "w0rd"),
    ],
)
def test_no_error_tells_what_is_in_the_remotes_address(
    around: Around, address: str, secret: str
) -> None:
    place = around.clone()
    gittask = identify(around, place)
    gittask("init")
    around.git(place, "config", "remote.origin.url", address)
    task = gittask("new", "x", "--why", "y").id
    for args in (["sync"], ["start", task], ["doctor"], ["init"], ["beat", task]):
        for json in ([], ["--json"]):
            result = gittask(*args, *json, code=None)
            assert secret not in result.out + result.err
    unborn = identify(around, around.clone(name="other"))
    around.git(unborn.folder, "config", "remote.origin.url", address)
    around.git(unborn.folder, "update-ref", "-d", "refs/remotes/origin/gittask")
    result = unborn("init", code=6)
    assert secret not in result.err


@pytest.mark.parametrize("kind", ["SHA-256", "reftable"])
def test_what_cannot_be_opened_is_refused_before_anything_is_written(
    tmp_path: Path, git: Git, kind: str
) -> None:
    place = tmp_path / "place"
    sort = ["--object-format=sha256"] if kind == "SHA-256" else []
    git(tmp_path, "init", "-q", *sort, str(place))
    if kind == "reftable":  # as a newer git would say it
        config = place / ".git" / "config"
        text = config.read_text().replace("version = 0", "version = 1")
        config.write_text(f"{text}[extensions]\n\trefStorage = reftable\n")
    before = {path: path.lstat().st_mtime_ns for path in place.rglob("*")}
    gittask = Program(place)
    for name in CALLS:
        if name not in ANYWHERE:
            error = gittask(*words(name), "--json", code=1).error
            assert kind in error["message"]
            assert error["hint"]
    assert {path: path.lstat().st_mtime_ns for path in place.rglob("*")} == before


def test_a_branch_of_code_is_no_store(gittask: Program, git: Git) -> None:
    """Nothing is written to it and nothing of it is pushed, whoever named it for one."""
    folder = gittask.folder
    git(folder, "checkout", "-q", "--orphan", "code")
    (folder / "main.py").write_text("pass\n")
    git(folder, "add", "main.py")
    git(folder, "commit", "-q", "-m", "code")
    before = git(folder, "rev-parse", "code")
    remote = folder.with_suffix(".git")
    git(folder, "init", "-q", "--bare", str(remote))
    git(folder, "remote", "add", "origin", str(remote))
    git(folder, "config", "gittask.branch", "code")
    for call in (["list"], ["new", "A", "--why", "b"], ["show", "k3m9"], ["sync"]):
        assert "no task store" in gittask(*call, code=3).err, call
    assert git(folder, "rev-parse", "code") == before
    assert git(remote, "for-each-ref") == ""
