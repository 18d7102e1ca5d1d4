"""What the faults happen to: repositories, each with a command that writes, and how one looks."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.cli.acting import HANDOFF
from tests.conftest import Git
from tests.program import Program, path_of

Build = Callable[[Program, Git], None]

TASK = "first"
"""By this the arguments of a scene name its first task: its id is known when it is built."""


@dataclass(frozen=True)
class Scene:
    """A command to be called in ``here``, a repository that ``build`` makes in a folder.

    ``configures`` says that the command sets git's configuration, which may then be between.
    ``settled`` are the exit codes that a second call may have after a first that came to anything.
    """

    name: str
    args: tuple[str, ...]
    build: Build
    configures: bool = False
    settled: tuple[int, ...] = (0,)

    def make(self, folder: Path, git: Git) -> tuple[str, ...]:
        """Build it in a folder, which is made; the arguments of the command."""
        folder.mkdir()
        repository(folder, git)
        program = Program(folder / "here")
        self.build(program, git)
        if TASK not in self.args:
            return self.args
        tasks = program.json("list", "--all")["tasks"]
        first = min(tasks, key=lambda task: str(task["created"]["at"]))["id"]
        return tuple(first if word == TASK else word for word in self.args)


@dataclass(frozen=True)
class Look:
    """What of a scene nobody but its user may change: code, index, HEAD and configuration."""

    files: dict[str, bytes]

    @classmethod
    def at(cls, folder: Path, *, config: bool) -> Look:
        """The files as they are now; the configuration only if asked for."""
        here = folder / "here"
        named = [".git/HEAD", ".git/index", *([".git/config"] if config else [])]
        paths = [*(here / name for name in named), *(p for p in here.iterdir() if p.is_file())]
        return cls({str(path.relative_to(here)): path.read_bytes() for path in paths})


def repository(folder: Path, git: Git) -> None:
    """``here``, a repository with code, and ``there.git``, a bare copy of it."""
    here = folder / "here"
    git(folder, "init", "-q", "-b", "main", "--template=", str(here))
    git(here, "config", "user.name", "Ann")
    git(here, "config", "user.email", "ann@example.org")
    (here / "code.txt").write_text("code\n")
    git(here, "add", "code.txt")
    git(here, "commit", "-q", "-m", "first")
    git(folder, "clone", "-q", "--bare", "--template=", str(here), "there.git")
    git(folder / "there.git", "remote", "remove", "origin")
    git(folder / "there.git", "config", "core.logAllRefUpdates", "true")


def nothing(_program: Program, _git: Git) -> None:
    """No store."""


def made(program: Program, _git: Git) -> None:
    """A store that holds nothing."""
    program("init")


def held(program: Program, git: Git) -> None:
    """A store with a task that ann holds, and another one."""
    made(program, git)
    task = program.new("Fix it")
    program("start", task)
    program.new("Another")


def free(program: Program, git: Git) -> None:
    """A store with a task that nobody holds."""
    made(program, git)
    program.new("Fix it")


def shared(program: Program, git: Git) -> None:
    """A store that the remote has too, with a task."""
    git(program.folder, "remote", "add", "origin", "../there.git")
    free(program, git)
    program("sync")


def published(program: Program, git: Git) -> None:
    """A remote with a store, that is not here yet."""
    other = elsewhere(program, git)
    other("init")
    other.new("Made there")
    other("sync")
    git(program.folder, "remote", "add", "origin", "../there.git")


def ahead(program: Program, git: Git) -> None:
    """More here than at the remote."""
    shared(program, git)
    program.new("Only here")


def parted(program: Program, git: Git) -> None:
    """Both sides have set the same field, and each has more."""
    shared(program, git)
    task = program.json("list")["tasks"][0]["id"]
    other = elsewhere(program, git)
    other("init")
    other("set", task, "title=Theirs", "priority=0")
    other.new("Made there")
    other("sync")
    program("set", task, "title=Ours", "labels=x")


def in_conflict(program: Program, git: Git) -> None:
    """A merge has left a value that lost."""
    parted(program, git)
    program("sync")


def damaged(program: Program, git: Git) -> None:
    """Somebody removed a note and altered a task by hand, and took out the merge driver."""
    made(program, git)
    task = program.new("Fix it")
    note = program("note", task, "seen").id
    program.push({f"{path_of(task).removesuffix('task.yaml')}notes/{note}.yaml": None})
    git(program.folder, "config", "--unset", "merge.gittask.driver")


def elsewhere(program: Program, git: Git) -> Program:
    """The program in another clone of the remote, by another person."""
    folder = program.folder.parent
    git(folder, "clone", "-q", "--template=", "there.git", "other")
    git(folder / "other", "config", "user.name", "Bob")
    git(folder / "other", "config", "user.email", "bob@example.org")
    return Program(folder / "other")


def copy(scene: Path, place: Path) -> None:
    """The scene as it was, at the same place each time."""
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(scene, place, symlinks=True)


def tips(repository: Path, git: Git) -> list[str]:
    """All commits at which the data branch ever stood, the newest first; none if it never was."""
    return git(repository, "reflog", "show", "--format=%H", "gittask", check=False).split()


def tip(repository: Path, git: Git) -> str:
    """Where the data branch stands; empty if it is not there."""
    return git(repository, "rev-parse", "-q", "--verify", "refs/heads/gittask", check=False)


def problems(repository: Path, git: Git) -> str:
    """What git finds damaged, and what is missing that a reference leads to.

    A fetch that was killed leaves folders without their files, to which nothing leads.
    """
    parts = "fsck.gitattributesMissing=ignore"
    return git(repository, "-c", parts, "fsck", "--no-dangling", "--no-progress")


def locks(place: Path) -> list[Path]:
    """The locks that a killed git left. Ours is held by the kernel, and so none of them."""
    return sorted(place.rglob("*.lock"))


def records(program: Program) -> str:
    """All tasks in full, as the program shows them."""
    listed = program.json("list", "--all")["tasks"]
    return json.dumps([program.json("show", task["id"]) for task in listed])


SCENES = (
    Scene("init", ("init",), nothing, configures=True),
    Scene("init adopts", ("init",), published, configures=True),
    Scene("init --undo", ("init", "--undo"), made, configures=True, settled=(0, 3)),
    Scene("new", ("new", "Made now", "--why", "It is needed"), made),
    Scene("note", ("note", TASK, "seen"), held),
    Scene("set", ("set", TASK, "title=Other", "labels+=x"), held),
    Scene("start", ("start", TASK), free, settled=(0, 4)),
    Scene("handoff", ("handoff", TASK, *HANDOFF), held, settled=(0, 4)),
    Scene("start at the remote", ("start", TASK), shared, settled=(0, 4)),
    Scene("sync pushes", ("sync",), ahead),
    Scene("sync merges", ("sync",), parted),
    Scene("resolve", ("resolve", TASK, "--keep", "lost"), in_conflict, settled=(0, 3, 4)),
    Scene("doctor --fix", ("doctor", "--fix"), damaged, configures=True),
)
