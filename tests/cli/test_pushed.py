"""What somebody pushed who means harm: all else is read, the bad is named, nothing is let out."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gittask.store.repo import Repo
from tests.conftest import Git
from tests.planting import FILE, FOLDER, LINK, MODULE, Planted, plant, raw_commit
from tests.program import Program, controls, path_of

BAD = "k3m9q2k3m9ff"
TASK = f"tasks/ff/{BAD}".encode()
RECORD = TASK + b"/task.yaml"
GONE = "2" * 40
"""An object that is nowhere."""

Content = Callable[[bytes], list[Planted]]
"""What is planted, made from the text of a good task whose id is ``BAD``."""


def _bomb(_: bytes) -> list[Planted]:
    lines = [b"a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [b"a%d: &a%d [%s]" % (n, n, b", ".join([b"*a%d" % (n - 1)] * 9)) for n in range(1, 20)]
    return [Planted(RECORD, FILE, b"\n".join(lines) + b"\n")]


def at(path: bytes, mode: int = FILE, content: bytes | str = b"evil") -> Content:
    return lambda _: [Planted(path, mode, content)]


def changed(old: bytes, new: bytes) -> Content:
    def make(good: bytes) -> list[Planted]:
        assert old in good
        return [Planted(RECORD, FILE, good.replace(old, new))]

    return make


NAMED: dict[str, tuple[Content, str]] = {
    "bad YAML": (at(RECORD, content=b"title: ["), "task.yaml"),
    "an invalid record": (changed(b"status: open", b"status: strange"), "state.status"),
    "another's id": (changed(BAD.encode(), b"k3m9q2k3m9aa"), "not as its path says"),
    "an alias bomb": (_bomb, "task.yaml"),
    "deep YAML": (at(RECORD, content=b"[" * 100_000), "levels deep"),
    "a great file": (at(RECORD, content=b"x" * 2_000_000), "2,000,000 bytes"),
    "an escape": (at(RECORD, content=b"title: \x1b[2J\n"), "task.yaml"),
    "a link for a record": (at(RECORD, LINK, b"/etc/passwd"), "symbolic link"),
    "a link for a task": (at(TASK, LINK, b"../../../../etc"), "symbolic link"),
    "a link for many tasks": (at(b"tasks/f0", LINK, b"/etc"), "symbolic link"),
    "a submodule for a record": (at(RECORD, MODULE, "1" * 40), "submodule"),
    "a submodule for a task": (at(TASK, MODULE, "1" * 40), "submodule"),
    "a folder for a record": (at(RECORD + b"/x"), "is a folder"),
    "two dots": (at(b"../x"), "..: has a name that leads out"),
    "two dots inside": (at(TASK + b"/../x.yaml"), "/..: has a name that leads out"),
    "git's folder": (at(b".git/hooks/post-checkout", 0o100755), "git could take for"),
    "git's folder on Windows": (at(b"GIT~1/config"), "git could take for"),
    "git's folder on macOS": (at(".g\u200cit/config".encode()), "git could take for"),
    "a drive": (at(b"C:\\x"), "elsewhere on Windows"),
    "a backslash": (at(TASK + b"/..\\x.yaml"), "elsewhere on Windows"),
    "a control character": (at(TASK + b"/notes/a\x1b[31m\n.yaml"), "a\\e[31m\\n.yaml"),
    "right to left": (at("x\u202egpj.yaml".encode()), "x\\u202egpj.yaml"),
    "Latin-1": (at(b"tasks/caf\xe9"), "tasks/caf\\udce9"),
    "bytes that are no text": (at(TASK + b"/notes/\xff\xfe.yaml"), "/notes/\\udcff\\udcfe.yaml"),
    "one bad name in another": (at(b"tasks/\xff/.git"), "tasks/\\udcff: has a name"),
    "two cases of one name": (at(b"Tasks/x"), "by case or form only"),
    "no end of folders": (at(b"/".join([b"d"] * 60)), "folders deep"),
    "a lost file": (at(RECORD, content=GONE), "missing"),
    "a lost task": (at(TASK, FOLDER, GONE), "missing"),
    "a lost folder of tasks": (at(b"tasks/f0", FOLDER, GONE), "missing"),
    "lost notes": (at(TASK + b"/notes", FOLDER, GONE), "missing"),
    "a file for a folder": (at(TASK, FOLDER), "not a tree"),
    "an epoch": (changed(b"epoch: 0", b"epoch: 999999999"), "is 999999999"),
    "an epoch beyond all": (changed(b"epoch: 0", b"epoch: 99999999999999999999"), "state.epoch"),
    "a counter": (
        changed(b"changed: {}", b"changed:\n  title: 999999999999999 2026-11-30T10:04:11.123Z x"),
        "has the counter 999999999999999",
    ),
    "a store that is a link": (at(b"gittask.yaml", LINK, b"/etc/passwd"), "symbolic link"),
    "a store that is great": (at(b"gittask.yaml", content=b"#" * 2_000_000), "2,000,000 bytes"),
}
"""What is planted, and the words by which doctor and inbox name it."""

ANSWERS = ("list", "ready", "status", "show {task}", "status {task}", "timeline {task}")


NAMING_A_TASK = (
    *("show {task}", "status {task}", "brief {task}", "timeline {task}", "tree {task}"),
    *("set {task} priority=1", "note {task} x", "start {task}", "close {task}", "where {task}"),
    *("dep add {task} k3m9", "list --parent {task}", "new x --parent {task}", "answer {task} x"),
    *("review {task} --verdict approved --synthesis s", "approve grant {task}", "recover {task}"),
    *("resolve {task} --keep kept", "approve check {task} x", "blame {task}", "handoff {task}"),
)
"""Calls in which a task is named, or what belongs to it."""


def good_text(gittask: Program, task: str) -> bytes:
    return gittask.stored(path_of(task)).replace(task.encode(), BAD.encode())


@pytest.mark.parametrize("name", [b".yaml", b"X.YAML", b"\xff.yaml", b"x.yaml/y"])
def test_what_looks_like_a_record_and_is_none_is_named(gittask: Program, name: bytes) -> None:
    task = gittask.new("Good")
    plant(gittask.folder, *at(b"actors/" + name)(b""))
    for call in (*ANSWERS, "actor list", "find good"):
        gittask(*call.format(task=task).split())
    assert "actors/" in gittask("inbox").out


@pytest.mark.parametrize("name", NAMED)
def test_the_rest_is_read_and_the_bad_is_named(gittask: Program, name: str) -> None:
    make, words = NAMED[name]
    task = gittask.new("Good")
    before = sorted(gittask.folder.parent.rglob("*"))
    plant(gittask.folder, *make(good_text(gittask, task)))
    assert task in [one["id"] for one in gittask.json("list")["tasks"]]
    for call in ANSWERS:
        gittask(*call.format(task=task).split())
    told = gittask("inbox", "--all").out
    assert words in told
    assert controls(told) == set()
    for args in (["doctor"], ["verify"]):
        result = gittask(*args, code=5)
        assert words in result.err
        assert controls(result.err) == set()
        assert gittask(*args, "--json", code=5).error["details"]
    new = {path for path in gittask.folder.parent.rglob("*") if path.parent.name != "objects"}
    assert not [path for path in new - {*before} if ".git" not in path.parts]


@pytest.mark.parametrize("name", [name for name in NAMED if not name.startswith("a store")])
def test_work_goes_on_beside_it(gittask: Program, name: str) -> None:
    make, words = NAMED[name]
    task = gittask.new("Good")
    plant(gittask.folder, *make(good_text(gittask, task)))
    gittask("start", task)
    gittask("note", task, "seen")
    gittask("close", task)
    assert words in gittask("verify", code=5).err


@pytest.mark.parametrize("name", [name for name in NAMED if GONE not in repr(name)])
def test_a_strict_server_refuses_it(gittask: Program, git: Git, name: str) -> None:
    make, words = NAMED[name]
    task = gittask.new("Good")
    old = git(gittask.folder, "rev-parse", "gittask")
    new = plant(gittask.folder, *make(good_text(gittask, task)))
    pushed = f"{old} {new} refs/heads/gittask\n"
    if name != "an epoch":  # which the rules of authority tell in their own words
        assert words in gittask("hook", "pre-receive", "--strict", input=pushed, code=1).err
    gittask("hook", "pre-receive", input=pushed, code=1)


@pytest.mark.parametrize(
    "name",
    [
        *("a link for a task", "a submodule for a task", "two dots", "two dots inside"),
        *("git's folder", "a drive", "a backslash", "a control character", "right to left"),
        *("Latin-1", "bytes that are no text", "one bad name in another"),
        *("a link for a record", "a store that is a link", "a store that is great"),
    ],
)
def test_doctor_takes_away_what_is_of_no_use(gittask: Program, git: Git, name: str) -> None:
    make, _ = NAMED[name]
    task = gittask.new("Good")
    if name == "a link for a record":
        plant(gittask.folder, Planted(RECORD, FILE, good_text(gittask, task)))
    whole = git(gittask.folder, "rev-parse", "gittask^{tree}")
    plant(gittask.folder, *make(good_text(gittask, task)))
    gittask("doctor", "--fix")
    gittask("verify")
    stands = git(gittask.folder, "diff", "--name-only", whole, "gittask").splitlines()
    assert all(name.startswith("actors/") or "conflicts/" in name for name in stands)


def test_a_link_in_place_of_all_actors_gives_way_to_them(gittask: Program) -> None:
    task = gittask.new("Good")
    plant(gittask.folder, Planted(b"actors", LINK, b"/etc"), drop=b"actors")
    assert "actors: is a symbolic link, not a folder" in gittask("note", task, "x", code=5).err
    gittask("doctor", "--fix")
    gittask("note", task, "x")


def test_what_the_other_side_pushed_is_merged_and_stays_in_git(
    clones: Callable[[int], list[Path]], git: Git
) -> None:
    one, two = (Program(folder) for folder in clones(2))
    for clone in (one, two):
        clone("init")
        clone("sync")
    task = one.new("Good")
    one("sync")
    two("sync")
    evil = [
        *(Planted(b"../x", FILE, b"evil"), Planted(b".git/hooks/post-merge", 0o100755, b"evil")),
        *(Planted(b"C:\\x", FILE, b"evil"), Planted(TASK, LINK, b"../../../x")),
        Planted(b"tasks/f0", MODULE, "1" * 40),
    ]
    plant(one.folder, *evil)
    git(one.folder, "push", "-q", "origin", "gittask")
    two.new("Another")
    around = {path for path in one.folder.parent.rglob("*") if "objects" not in path.parts}
    result = two("sync")
    after = {path for path in one.folder.parent.rglob("*") if "objects" not in path.parts}
    assert all("gittask" in str(path) for path in after - around)
    assert "came, but failed verification" in result.err
    assert "leads out of its folder" in two("inbox").out
    assert len(two.json("list")["tasks"]) == 2
    assert two.task(task)["title"] == "Good"
    two("doctor", "--fix")
    two("sync")
    one("sync")
    one("verify")


def test_a_damaged_folder_is_not_written_over(gittask: Program, git: Git) -> None:
    task = gittask.new("Good")
    plant(gittask.folder, Planted(f"tasks/{task[-2:]}".encode(), FOLDER, GONE))
    tip = git(gittask.folder, "rev-parse", "gittask")
    said = f"tasks/{task[-2:]}: object {GONE} is missing"
    for name in (task, task[:6]):
        for words in NAMING_A_TASK:
            assert said in gittask(*words.format(task=name).split(), code=5).err
    assert git(gittask.folder, "rev-parse", "gittask") == tip
    assert GONE in gittask("list").err


def test_an_epoch_that_nobody_can_follow_has_a_way_out(gittask: Program) -> None:
    task = gittask.new("Good")
    plant(gittask.folder, *NAMED["an epoch"][0](good_text(gittask, task)))
    assert "999999999" in gittask("start", BAD, code=5).err
    assert f"gittask cancel {BAD} --reason" in gittask("verify", code=5).err
    gittask("cancel", BAD, "--reason", "somebody set its epoch")
    assert [one["id"] for one in gittask.json("list")["tasks"]] == [task]


def test_a_counter_that_cannot_grow_stops_no_edit(gittask: Program) -> None:
    task = gittask.new("Good")
    poison = b"changed:\n  title: 999999999999999 2026-11-30T10:04:11.123Z zed"
    text = good_text(gittask, task).replace(b"changed: {}", poison)
    plant(gittask.folder, Planted(RECORD, FILE, text))
    gittask("set", BAD, "priority=0")
    gittask("cancel", BAD, "--reason", "somebody set its counters")
    assert gittask.task(BAD)["state"]["status"] == "cancelled"


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads the peak from /proc")
@pytest.mark.parametrize("path", [RECORD, b"gittask.yaml", b".gitattributes", b"x.bin"])
def test_a_hundred_megabytes_are_not_read(gittask: Program, path: bytes) -> None:
    task = gittask.new("Good")
    store = ["git", "-c", "core.bigFileThreshold=1m", "hash-object", "-w", "--stdin"]
    fed = subprocess.run(
        store, cwd=gittask.folder, input=bytes(100_000_000), capture_output=True, check=True
    )
    plant(gittask.folder, Planted(path, FILE, fed.stdout.decode().strip()))
    code = (
        "import sys; from gittask.cli import main\n"
        "for words in ('list', 'inbox', 'verify', 'doctor', 'verify gittask~1..gittask'):\n"
        "    main(words.split())\n"
        "for line in open('/proc/self/status'):\n"
        "    if line.startswith('VmHWM'): print('peak', line.split()[1])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=gittask.folder,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    peak = int(done.stdout.rpartition("peak ")[2])
    assert peak < 150_000, f"{peak} kB"
    assert task[:4] in done.stdout


def test_ten_thousand_files_of_no_use(gittask: Program) -> None:
    task = gittask.new("Good")
    repo = Repo.discover(gittask.folder)
    tip = repo.tip()
    assert tip is not None
    blob = repo.write_object(3, b"evil")
    lines = b"".join(b"100644 %05d\0%s" % (n, bytes.fromhex(blob)) for n in range(10_000))
    plant(gittask.folder, Planted(b"tasks/junk", FOLDER, repo.write_object(2, lines)))
    assert [one["id"] for one in gittask.json("list")["tasks"]] == [task]
    told = gittask("verify").err
    assert "tasks/junk/00000: is no record of a known kind" in told


def test_a_commit_whose_whole_tree_is_lost_is_named(gittask: Program) -> None:
    repo = Repo.discover(gittask.folder)
    tip = repo.tip()
    assert tip is not None
    repo.move(tip, raw_commit(repo, GONE, tip), "test")
    for args in (["list"], ["verify"], ["doctor"], ["inbox"]):
        error = gittask(*args, "--json", code=1).error
        assert GONE in error["message"]
        assert "git fsck" in error["hint"]
