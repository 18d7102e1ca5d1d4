"""Rows of single commands, each a whole process."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from gittask.cli.command import COMPLETE
from gittask.core.codec import encode
from gittask.store.packaged import schemas
from tests.benchmarks.generate import Store
from tests.benchmarks.place import (
    AT,
    Place,
    changed,
    commit,
    holder,
    opened,
    task_data,
    task_path,
    task_paths,
)
from tests.benchmarks.process import SCRIPTS, environment, git
from tests.benchmarks.stories import ACTION
from tests.benchmarks.timing import OURS, Row, Run, gittask, peak, process, python

PYTHON = "python -c pass"
SMALLEST = 100
"""The size that others are compared with."""

_TOLD, _CHANGES = "t00000000000", 30
"""The task whose history is told, and how often it was changed."""

_HANDOFF = (
    *("--kind", "progress", "--condition", "green", "--summary", "It goes on"),
    *("--changed", "none", "--verified", "none", "--not-verified", "none", "--uncertain", "none"),
    *("--next", "go on", "--next-by", "ann"),
)


def starting(place: Place, _: int) -> Iterator[Row]:
    """What is answered without a store being opened."""
    folder = place.store(SMALLEST).folder
    asked = {COMPLETE: "bash_complete", "COMP_WORDS": "gittask sh", "COMP_CWORD": "1"}
    runs = {
        "--version": gittask(folder, "--version"),
        "--help": gittask(folder, "--help"),
        "completion": process([SCRIPTS / "gittask"], folder, env=asked),
    }
    for name, run in runs.items():
        yield Row(name, 0, {OURS: run, PYTHON: python(folder)}, {PYTHON: 2.5})


def _at_both(
    place: Place, tasks: int, name: str, of: dict[int, Run], python_: float, small: float
) -> Row:
    """A row of a command, compared with an idle interpreter and with itself on few tasks."""
    costs = {OURS: of[tasks], PYTHON: python(place.store(SMALLEST).folder)}
    limits = {PYTHON: python_}
    if tasks != SMALLEST:
        itself = f"{name} at {SMALLEST}"
        costs[itself], limits[itself] = of[SMALLEST], small
    return Row(name, tasks, costs, limits)


def reading(place: Place, tasks: int) -> Iterator[Row]:
    """What agents ask all the time, warm."""

    def commands(made: Store) -> dict[str, Run]:
        folder, one, active = made.folder, made.picks["open"], made.picks["active"]
        return {
            "show": gittask(folder, "show", one),
            "status": gittask(folder, "status", one),
            "brief": gittask(folder, "--as", holder(made), "brief", active),
            "ready": gittask(folder, "ready"),
            "approve check": gittask(folder, "approve", "check", active, ACTION, ok=(4,)),
        }

    of = {size: commands(place.store(size)) for size in {tasks, SMALLEST}}
    for name in of[tasks]:
        yield _at_both(place, tasks, name, {size: of[size][name] for size in of}, 6, 1.3)


def writing(place: Place, tasks: int) -> Iterator[Row]:
    """What agents do all the time; each time one commit."""

    def commands(made: Store) -> dict[str, Run]:
        folder, one, active = made.folder, made.picks["open"], made.picks["active"]
        as_holder = ("--as", holder(made))
        return {
            "new": gittask(folder, "new", "Fix the queue", "--why", "It drops messages"),
            "note": gittask(folder, "note", one, "It fails only after midnight"),
            "handoff": gittask(folder, *as_holder, "handoff", active, *_HANDOFF),
        }

    of = {size: commands(place.copy(place.store(size))) for size in {tasks, SMALLEST}}
    for name in of[tasks]:
        yield _at_both(place, tasks, name, {size: of[size][name] for size in of}, 12, 1.5)


def searching(place: Place, tasks: int) -> Iterator[Row]:
    """What looks at all tasks."""
    folder = place.store(tasks).folder
    runs = {
        "find": gittask(folder, "find", "timeout", "replica"),
        "list --limit 20": gittask(folder, "list", "--limit", "20"),
        "inbox": gittask(folder, "inbox"),
        "route": gittask(folder, "route", "continue the replica task", ok=(0, 3)),
    }
    for name, run in runs.items():
        yield Row(name, tasks, {OURS: run, PYTHON: python(folder)})


def first(place: Place, tasks: int) -> Iterator[Row]:
    """The first reading of a fresh clone: what is kept of it on this machine is not there yet."""
    made = place.copy(place.store(tasks))
    kept = made.folder / ".git" / "gittask"

    def forget() -> None:
        shutil.rmtree(kept, ignore_errors=True)

    argv = [str(SCRIPTS / "gittask"), "ready"]
    took = process(argv, made.folder, before=forget, patience=20)
    yield Row("first reading", tasks, {OURS: took, PYTHON: python(made.folder)}, cold=True)
    held = peak(argv, made.folder, before=forget)
    costs = {OURS: held, "1 GiB": lambda: 1024.0}
    yield Row("first reading: memory", tasks, costs, {"1 GiB": 1}, unit="MiB", cold=True)


def changes(place: Place, tasks: int) -> Iterator[Row]:
    """Reading again after 100 tasks were changed, as a fetch brings them."""
    few = 1000
    if tasks < few:
        return

    def ready(made: Store) -> Run:
        repo, paths = opened(made).repo, task_paths(made)[::7][:100]

        def change() -> None:
            tip = repo.tip() or ""
            texts = {path: task_data(repo, tip, path) for path in paths}
            files = {p: changed(d, priority=(d["priority"] + 1) % 5) for p, d in texts.items()}
            repo.move(tip, commit(repo, tip, files), "fetched")

        return process([SCRIPTS / "gittask", "ready"], made.folder, before=change)

    name = f"of {few}"
    costs = {OURS: ready(place.copy(place.store(tasks)))}
    if tasks != few:
        costs[name] = ready(place.copy(place.store(few)))
    yield Row("ready after 100 changes", tasks, costs, {name: 2} if name in costs else {})


_FAR = """#!/bin/sh
# As ssh for git: options, a host, a command for its shell; by then hands were shaken.
sleep 0.1
for command; do :; done
exec sh -c "$command"
"""


def syncing(place: Place, tasks: int) -> Iterator[Row]:
    """An exchange with the remote in which there is nothing to exchange.

    Once beside git's own files, where a fetch takes less than to start an interpreter; and once
    where the remote has to be waited for, which only the clock on the wall can tell.
    """
    name, fetch = "sync, nothing to do", "git fetch"
    for far in (False, True):
        remote, here = place.copy(place.store(tasks)), place.copy(place.store(tasks))
        url = str(remote.folder)
        if far:
            ssh = here.folder.with_name(f"{here.folder.name}-ssh")
            ssh.write_text(_FAR)
            ssh.chmod(0o755)
            git(here.folder, "config", "core.sshCommand", str(ssh))
            git(here.folder, "config", "ssh.variant", "ssh")
            name, url = "sync, as before, 100 ms away (wall)", f"ssh://far.invalid{url}"
        git(here.folder, "remote", "add", "origin", url)
        clock = "wall" if far else None
        costs = {
            OURS: process([SCRIPTS / "gittask", "sync"], here.folder, clock=clock),
            fetch: process(["git", "fetch", "-q", "origin", "gittask"], here.folder, clock=clock),
        }
        yield Row(name, tasks, costs, {fetch: 1.5})


def histories(place: Place, _: int) -> Iterator[Row]:
    """A task of the same history in a long one and in a short one of others, beside git's search
    for its commits."""
    long, short, id = _told(place, place.long()), _told(place, place.store(1000)), _TOLD
    name, less = f"{long.tail:,} commits", f"{short.tail:,} commits"
    search = ("git", "log", "--format=%H", "gittask", "--", f"tasks/{id[-2:]}/{id}")
    log = process(search, long.folder)
    for command in ("timeline", "blame", "log"):
        here, there = (gittask(made.folder, command, id) for made in (long, short))
        costs = {OURS: here, less: there}
        yield Row(f"{command}, {name}", long.tasks, costs, {less: 1.5})
        yield Row(f"{command}, {name}", long.tasks, {OURS: here, "git log": log})
    both = "git log + show"
    shown = gittask(long.folder, "show", id)
    costs = {OURS: gittask(long.folder, "verify", "gittask~1..gittask")}
    costs[both] = lambda: log() + shown()
    yield Row(f"verify, {name}", long.tasks, costs, {both: 1})


def _told(place: Place, of: Store) -> Store:
    """A copy of a store with one task more, changed often; all of its history is indexed."""
    made = place.copy(of)
    repo, id = opened(made).repo, _TOLD
    data = task_data(repo, repo.tip() or "", task_path(of.picks["open"])) | {"id": id}
    for number in range(_CHANGES):
        field = ("priority", "due", "title")[number % 3]
        value = (number % 5, f"2026-10-{number + 1:02}", f"Step {number}")[number % 3]
        data |= {field: value, "changed": {**data["changed"], field: f"{200 + number} {AT} ann"}}
        files = {task_path(id): encode(data, schemas().order("task"))}
        tip = repo.tip() or ""
        repo.move(tip, commit(repo, tip, files), "set")
    argv = [sys.executable, "-P", "-m", "gittask.store.past", str(made.folder)]
    subprocess.run(argv, env=environment(), check=True)
    return made


def driving(place: Place, _: int) -> Iterator[Row]:
    """Git's merge driver, called for one file."""
    made = place.store(SMALLEST)
    repo = opened(made).repo
    path = task_path(made.picks["open"])
    base = task_data(repo, repo.tip() or "", path)
    versions = {"base": changed(base), "ours": changed(base, title="One")}
    versions |= {"theirs": changed(base, priority=4, title="Two")}
    folder = Path(place.scratch / "driver")
    folder.mkdir()

    def put() -> None:
        for name, text in versions.items():
            (folder / name).write_bytes(text)

    files = [str(folder / name) for name in versions]
    argv = [sys.executable, "-P", "-m", "gittask", "merge-driver", *files, path]
    costs = {OURS: process(argv, made.folder, before=put), PYTHON: python(folder)}
    yield Row("merge-driver", 0, costs, {PYTHON: 5})
