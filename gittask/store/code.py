"""What git knows of the code that a handoff speaks of: branch, commits, changed files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from gittask.core.dataclass import dataclass
from gittask.core.record import Data
from gittask.core.text import one_line, shorten
from gittask.errors import GittaskError
from gittask.store.own import Begun, Own, own
from gittask.store.patches import patch_ids, patch_of, time
from gittask.store.repo import Repo

MOST_COMMITS = 100
MOST_FILES = 400
LONGEST = 1000

_CHANGES = {"A": "added", "D": "deleted", "M": "changed", "T": "type changed", "U": "in conflict"}


@dataclass(frozen=True)
class Code:
    """The state of the code in the work tree. ``dirty`` is None where there is no work tree."""

    branch: str | None
    head: str | None
    dirty: bool | None
    commits: list[Data] = field(default_factory=list)
    changed: list[Data] = field(default_factory=list)
    patch_id: str | None = None
    """That of all commits together."""
    guessed: int = 0
    """How many of the commits are the execution's by a guess (``own``)."""
    left_out: int = 0
    """How many commits since the start are not the execution's."""

    @property
    def workspace(self) -> Data:
        """As a handoff keeps it. Paths of this machine are not among it."""
        return {
            "repo": None,
            "branch": self.branch,
            "path": None,
            "head": self.head,
            "dirty": self.dirty,
        }


def position(repo: Repo) -> Data:
    """Where work begins: the workspace of an execution."""
    return {"repo": None, "branch": repo.head_branch(), "path": None, "head": repo.head()}


def look(repo: Repo, begun: Begun | None, commit: str | None = None) -> Code:
    """The code as it is now, and what an execution did to it (None: only what is open).

    ``commit`` is one that must be among what was done, wherever it stands. Nothing is written,
    and nothing of the work tree is touched.
    """
    head = repo.head()
    base = _base(repo, begun.head if begun else None, head)
    done = own(repo, begun, base, head) if begun and base and head else Own()
    chosen = done.commits[-MOST_COMMITS:]
    if commit and commit not in chosen:
        chosen.append(commit)
    net = (done.onto, head) if done.onto and head and done.commits else None
    open_files = _uncommitted(repo)
    files = _changed(repo, *net) if net else _touched(repo, done.commits)
    return Code(
        branch=repo.head_branch(),
        head=head,
        dirty=None if open_files is None else bool(open_files),
        commits=_commits(repo, chosen),
        changed=_cut([*files, *(open_files or [])]),
        patch_id=patch_of(repo, *net) if net else None,
        guessed=done.guessed,
        left_out=done.left_out,
    )


def _base(repo: Repo, since: str | None, head: str | None) -> str | None:
    """Where to count from: the commit itself, or after a rebase the last one in common.

    None if nothing was committed since, or nobody can tell.
    """
    if since is None or head is None:
        return None
    try:
        bases = repo.merge_bases(since, head)
    except GittaskError:  # the commit is gone, or behind the edge of a shallow clone
        return None
    return bases[0] if bases and bases[0] != head else None


def _commits(repo: Repo, commits: Sequence[str]) -> list[Data]:
    """Commits in this order, each with the id that its patch keeps in a rebase."""
    if not commits:
        return []
    command = ("log", "--no-walk=unsorted", "--no-show-signature", "--format=%H%x00%at%x00%s")
    lines = repo.git(*command, *commits, "--").stdout.decode("utf-8", "replace").split("\n")
    found = [line.split("\0", 2) for line in lines if line]
    patches = patch_ids(repo, [sha for sha, _, _ in found])
    branch = repo.head_branch()
    return [
        {
            "sha": sha,
            "patch_id": patches.get(sha),
            "branch": branch,
            "subject": shown(subject),
            "at": time(seconds),
        }
        for sha, seconds, subject in found
    ]


def _changed(repo: Repo, base: str, head: str) -> list[Data]:
    words = _words(repo, "diff", "--name-status", "--no-renames", "-z", base, head)
    pairs = zip(words[::2], words[1::2], strict=False)
    return [{"path": path, "what": _CHANGES.get(letter, "changed")} for letter, path in pairs]


def _touched(repo: Repo, commits: Sequence[str]) -> list[Data]:
    """What these commits did together, oldest first, where those of others stand between them."""
    if not commits:
        return []
    ids = "".join(f"{sha}\n" for sha in commits).encode()
    command = ("diff-tree", "--stdin", "--root", "-r", "--name-status", "--no-renames", "-z")
    words = _words(repo, *command, "--no-commit-id", input=ids)
    letters: dict[str, str] = {}
    for letter, path in zip(words[::2], words[1::2], strict=False):
        letters[path] = letters.get(path, "") + letter
    return [
        {"path": path, "what": "added" if did[0] == "A" else _CHANGES.get(did[-1], "changed")}
        for path, did in letters.items()
        if (did[0], did[-1]) != ("A", "D")
    ]


def _uncommitted(repo: Repo) -> list[Data] | None:
    if repo.worktree is None:
        return None
    words = _words(repo, "status", "--porcelain", "--no-renames", "-z")
    return [{"path": word[3:], "what": "not committed"} for word in words if len(word) > 3]


def _words(repo: Repo, *args: str, input: bytes | None = None) -> list[str]:
    text = repo.git(*args, input=input).stdout.decode("utf-8", "replace")
    return [word for word in text.split("\0") if word]


def shown(text: str) -> str:
    """A path or a subject as a record may hold it: git allows control characters in both."""
    return shorten(one_line(text), LONGEST)


def _cut(files: list[Data]) -> list[Data]:
    """Each path once, and no more than a handoff may list."""
    by_path: dict[str, list[str]] = {}
    for file in files:
        by_path.setdefault(shown(file["path"]), []).append(file["what"])
    rows = [{"path": path, "what": ", ".join(what)} for path, what in by_path.items()]
    if len(rows) > MOST_FILES:
        more = len(rows) - MOST_FILES
        rows = [*rows[:MOST_FILES], {"path": ".", "what": f"and {more} more files"}]
    return rows
