"""The compiled core of the library, loaded alone, does what the whole library does."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

CORE = ""
WHOLE = "import pygit2"
NOT_PUBLIC = "import importlib.util; importlib.util.module_from_spec = None"
"""What makes the core impossible to load alone, as another version of the library may."""

PROBE = """
import json, sys
from pathlib import Path
from gittask.errors import GittaskError, Moved, NoStore
from gittask.store.repo import Person, Repo

def refused(call, *args):
    try:
        return call(*args)
    except (GittaskError, Moved) as error:
        return [type(error).__name__, str(error)]

folder, ann = Path(sys.argv[1]), Person("Ann", "ann@example.org", 1767225600, 60)
repo = Repo.discover(folder)
before = set(sys.modules)
tree = repo.write_tree(None, {"a/b": b"1", "a/c": b"2", "d": b""})
changed = repo.write_tree(tree, {"a/b": None, "d": b"3"})
one = repo.create_commit(tree, [], ann, ann, "one")
repo.move(None, one, "one")
two = repo.commit(one, {"a/c": b"4"}, ann, ann, "two")
found = {
    "trees": [tree, changed], "commits": [one, two, repo.root()],
    "files": [[p, e.mode, e.id] for p, e in repo.files(changed)],
    "diff": [[p, a, b] for p, a, b in repo.diff(tree, changed)],
    "blob": repo.blob(repo.lookup(one, "a/b").id).decode(), "tip": repo.tip(),
    "head": [repo.head(), repo.head_branch()], "info": repr(repo.commit_info(two)),
    "size": repo.size(tree), "exists": [repo.exists(one), repo.exists("1" * 40)],
    "raw": repo.write_object(3, b"raw"),
    "wrong": [refused(repo.blob, each) for each in ("1" * 40, "x", tree, one)],
    "not commits": [refused(repo.commit_info, each) for each in ("1" * 40, tree)],
    "moved": [refused(repo.move, "1" * 40, two, ""), refused(repo.move, one, two, "two")],
    "stands": [repo.tip(), repo.refs.read("refs/heads/none")],
    "nowhere": refused(Repo.discover, folder.parent), "places": [str(repo.git_dir)],
    "odd name": refused(repo.refs.read, "refs/..")
}
whole = "pygit2" in sys.modules
import pygit2
with_all = pygit2.Repository(str(folder))[tree]
found["after"] = [[e.name, int(e.filemode), type(e.filemode).__name__] for e in with_all]
print(json.dumps([whole, found]))
"""


def probe(tmp_path: Path, repo: Path, first: str) -> tuple[bool, dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, "-c", first + "\n" + PROBE, str(repo)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    whole, found = json.loads(done.stdout)
    subprocess.run(["git", "-C", str(repo), "branch", "-D", "gittask"], check=True)
    return whole, found


def test_the_core_alone_answers_as_the_whole_library(tmp_path: Path, repo: Path) -> None:
    alone, found = probe(tmp_path, repo, CORE)
    assert not alone
    assert found["moved"] == [["Moved", found["moved"][0][1]], None]
    assert probe(tmp_path, repo, WHOLE) == (True, found)
    assert probe(tmp_path, repo, NOT_PUBLIC) == (True, found)
