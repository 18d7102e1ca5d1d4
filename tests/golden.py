"""What the reading commands print of the example store, kept as files to be read in a review.

``python -m tests.golden`` writes them anew.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from unittest import mock

from gittask.store import example
from gittask.store.repo import Person, Repo
from tests.merged import merged, same
from tests.program import Program

FOLDER = Path(__file__).parent / "golden"
NOW = datetime(2026, 11, 23, 12, 0, tzinfo=UTC)
ALICE = Person("Alice", "alice@example.org", int(NOW.timestamp()))

FAILS, LOGS, SENDS, HOLIDAYS = "ej5y14xxaj82", "bk6h6b5epg2e", "db434ydccq7b", "d2da3zxxnv37"
"""Tasks of the example: done after five executions, waiting, in review, and to be tried again."""

COMMANDS = {
    "brief-of-the-holder.md": ("--as", "codex-2", "brief", LOGS),
    "brief-of-a-reviewer.md": ("--as", "claude-1", "brief", SENDS, "--role", "reviewer"),
    "brief-of-who-comes-next.md": ("--as", "codex-1", "brief", HOLIDAYS),
    "brief-short.md": ("--as", "codex-2", "brief", FAILS, "--budget", "1400"),
    "status.txt": ("status",),
    "status-waiting.txt": ("status", LOGS),
    "status-in-review.txt": ("status", SENDS),
    "status-ready.txt": ("status", HOLIDAYS),
    "status-done.txt": ("status", FAILS),
    "timeline.txt": ("timeline", FAILS),
    "blame.txt": ("blame", FAILS),
    "inbox.txt": ("inbox",),
}

PULLS = {
    "pr-body.md": ("--format", "md"),
    "pr-comment.md": ("--format", "md", "--mode", "comment"),
    "pr-summary.md": ("--format", "md", "--mode", "summary"),
    "pr-short.md": ("--format", "md", "--limit", "3000"),
    "pr.html": ("--format", "html"),
    "pr.txt": ("--format", "text"),
}
"""What ``pr render`` shows of a task, once there is code: none of the commits that it names."""

SITE = {
    "site-board.html": "index.html",
    "site-task.html": f"tasks/{FAILS[-2:]}/{FAILS}.html",
    "site-attention.html": "attention.html",
    "site-search.js": "search/tasks.js",
}
"""What ``site build`` makes of it."""


class Then(datetime):
    """A clock that stands still."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Then:
        return cls.fromtimestamp(NOW.timestamp(), tz)


def printed(program: Program) -> Iterator[tuple[str, str]]:
    """The name of each file, and what its command prints in a repository with the example."""
    repo = stored(program)
    with mock.patch("gittask.cli.context.datetime", Then):
        for name, args in COMMANDS.items():
            yield name, program(*args).out
    commit = repo.create_commit(repo.write_tree(None, {"a.txt": b""}), [], ALICE, ALICE, "Code\n")
    repo.git("update-ref", "refs/heads/main", commit)
    for name, args in PULLS.items():
        yield name, program("pr", "render", "--task", FAILS, *args).out
    with tempfile.TemporaryDirectory() as folder:
        program("site", "build", folder)
        for name, page in SITE.items():
            yield name, (Path(folder) / page).read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        for stage, host, task, args in merged(Path(folder)):
            for form in ("md", "html"):
                shown = host("pr", "render", *args, "--format", form).out
                yield f"pr-{stage}.{form}", same(shown, task)


def stored(program: Program) -> Repo:
    """The repository of a program, after the example has been put into it."""
    repo = Repo.discover(program.folder)
    files: dict[str, bytes | None] = dict(example.files())
    commit = repo.commit(repo.root(), files, ALICE, ALICE, "Import the example\n")
    repo.move(None, commit, "import")
    return repo


@contextmanager
def repository() -> Iterator[Program]:
    """A repository of Alice's without any code."""
    with tempfile.TemporaryDirectory() as folder:
        for args in (
            ("init", "-q", "-b", "main"),
            ("config", "user.name", ALICE.name),
            ("config", "user.email", ALICE.email),
            ("config", "commit.gpgsign", "false"),
        ):
            subprocess.run(["git", "-C", folder, *args], check=True)
        yield Program(Path(folder))


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    with repository() as program:
        for name, text in printed(program):
            (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
