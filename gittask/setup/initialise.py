"""Making the store of a repository, or adopting the one that its remote has.

Written are the data branch and a few variables of the repository's own configuration, which are
named in the outcome; the work tree, the index, HEAD and the hooks are left alone.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import field
from pathlib import Path

from gittask.core.codec import encode
from gittask.core.dataclass import dataclass
from gittask.core.ids import task_id
from gittask.core.record import Record
from gittask.core.schema import FORMAT, Schemas
from gittask.core.text import one_line
from gittask.errors import Invalid, Moved, Refused, RemoteError, Usage
from gittask.session import Session, Writer
from gittask.setup import undo
from gittask.store import packaged
from gittask.store.git import setting
from gittask.store.names import branch_fault, remote_fault
from gittask.store.remote import Raced, Remote
from gittask.store.repo import Repo
from gittask.store.snapshot import Snapshot

STORE = "gittask.yaml"
MAIN = "__main__.py"

README = """\
# {name}: tasks

This branch holds the tasks of this repository as plain YAML files: what is to be done and why,
who works on it, handoffs, notes and decisions. It is written by gittask and shares no history
with the code. There is nothing to build here, and nothing to merge into another branch.

- `tasks/<last two characters of the id>/<id>/task.yaml` is a task. Beside it is what happened:
  `executions/` (who worked on it), `handoffs/` (what came of that), `notes/`, `messages/`,
  `decisions/`, `reviews/`, `waits/`, `approvals/`, `conflicts/` (values that lost in a merge).
- `projects/`, `actors/` and `gittask.yaml` frame the work.
- `schemas/` describes all files, for editors and other programs.

## Reading it

One commit is one thing that was done, and its first line says what: so where the host shows the
commits of this branch, that is its history, and those of a task's folder are the task's. So does
git alone:

    git fetch origin
    git log --oneline origin/{branch}

With gittask installed, in a clone of this repository:

    gittask init
    gittask list
    gittask log --patch

After that, git too shows changes of these files as sentences:

    git worktree add ../tasks {branch}
    git -C ../tasks log -p

## Writing

gittask commits to this branch, and `gittask sync` exchanges it. Git alone is enough for that too:

    git push origin {branch}

Edits by hand are fine. They are checked and stamped with the next `gittask sync`.
"""

ATTRIBUTES = """\
*.yaml text eol=lf merge=gittask diff=gittask
*.json text eol=lf
*.md text eol=lf
"""

XFUNCNAME = "^([A-Za-z_][A-Za-z0-9_ -]*:.*)$"
"""Git shows the last line like this above each part of a diff: the field that it is in."""

DRIVER_NAME = "gittask: merges task records field by field"


@dataclass(frozen=True)
class Plan:
    """What ``init`` was asked for.

    ``branch`` and ``remote`` (None: as configured) are kept in git's configuration. ``offline``
    asks no remote: it adopts the branch as last fetched, or makes a store that a later sync
    joins with the remote's. ``settings`` are the variables by which git merges and shows records.
    """

    name: str
    settings: Mapping[str, str]
    branch: str | None = None
    remote: str | None = None
    offline: bool = False
    timeout: float = 600.0
    strategy: bool = False
    """Whether git is to merge the data branch, and no other, by ``git-merge-gittask``."""


@dataclass
class Initialised:
    """What ``init`` came to: how the branch is there (``made``, ``adopted`` or ``already``), its
    tip, and the variables of git's configuration that were set."""

    how: str
    branch: str
    tip: str
    settings: dict[str, str] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)


def driver_command(python: str, package: Path) -> str:
    """The command for ``merge.gittask.driver``, to be run by a shell with any PATH.

    ``python`` is the interpreter's path. If it or the package is gone, git's own text merge
    takes over, with markers: without them, git would show our side alone as if it were merged.
    """
    interpreter, main = (shlex.quote(str(p)).replace("%", "%%") for p in (python, package / MAIN))
    # -P: what lies in the folder that git runs us in is data, never code.
    ours = f"{interpreter} -P -m gittask merge-driver %O %A %B %P"
    gits = "git merge-file -L ours -L base -L theirs %A %O %B"
    return f"test -x {interpreter} && test -f {main} && exec {ours}; exec {gits}"


def textconv_command(python: str, package: Path) -> str:
    """The command for ``diff.gittask.textconv``, to which git adds the name of a file.

    If the interpreter or the package is gone, the file is shown as it is: without that, git would
    end the whole diff.
    """
    interpreter, main = (shlex.quote(str(each)) for each in (python, package / MAIN))
    ours = f'{interpreter} -P -m gittask.cli.textconv "$1"'
    run = f'test -x {interpreter} && test -f {main} && exec {ours}; exec cat "$1"'
    return f"gittask_textconv() {{ {run}; }}; gittask_textconv"


def initialise(
    session: Session,
    plan: Plan,
    who: Callable[[Snapshot], Writer],
    at: str,
    entropy: bytes,
    progress: Callable[[str], None] = lambda _: None,
) -> Initialised:
    """Make the store, adopt the remote's, or find that it is there; then configure git.

    ``who`` says who writes, and is asked only for a new store. Raises Usage for a name that
    cannot be used, Refused for a branch that holds something else, RemoteError if nobody can
    tell whether the remote has a store, Invalid for a bad name of the store.
    """
    repo = session.repo
    _choose(repo, plan)
    done = Initialised("already", repo.branch, "")
    if repo.tip() is None:
        _refuse_checked_out(repo)
        done.how, tip = "adopted", _known_tip(repo, plan, done, progress)
        if tip is None:
            done.how, tip = "made", _first_commit(session, plan, who, at, entropy)
        else:
            _refuse_foreign(repo, tip)
        with repo.lock():  # so that what is remembered is what was made, of two at once
            if repo.tip() is None:
                undo.remember_tip(repo, tip)
            try:
                repo.move(None, tip, f"gittask: init ({done.how})")
            except Moved:  # another process was faster
                done.how = "already"
    done.tip = repo.tip() or ""
    _refuse_foreign(repo, done.tip)
    if repo.refs.read(f"refs/tags/{repo.branch}"):
        done.warnings.append(
            f"a tag is called {repo.branch!r} too, which confuses git: delete it, or choose "
            "another branch with --branch"
        )
    done.settings = _configure(repo, plan)
    return done


def _choose(repo: Repo, plan: Plan) -> None:
    """Let the repository stand for the branch and the remote that were asked for."""
    if plan.branch is not None:
        if fault := branch_fault(plan.branch):
            raise Usage(f"the branch cannot be {plan.branch!r}: {fault}", hint="choose another")
        repo.branch = plan.branch
    if plan.remote is not None:
        known = repo.git("remote").stdout.decode().split("\n")
        if fault := remote_fault(plan.remote, [name for name in known if name]):
            raise Usage(f"the remote cannot be {plan.remote!r}: {fault}", hint="choose another")
        repo.remote = plan.remote


def _refuse_checked_out(repo: Repo) -> None:
    if repo.head_branch() == repo.branch:
        raise Refused(
            f"the branch {repo.branch!r} is checked out here, to become one of code",
            hint="choose another for the tasks: gittask init --branch NAME",
        )


def _refuse_foreign(repo: Repo, tip: str) -> None:
    """Refuse a branch that is none of ours; it may be one of code."""
    if repo.lookup(tip, STORE) is None:
        raise Refused(
            f"the branch {repo.branch!r} holds something else: it has no {STORE}",
            hint="choose another for the tasks: gittask init --branch NAME",
        )


def _known_tip(
    repo: Repo, plan: Plan, done: Initialised, progress: Callable[[str], None]
) -> str | None:
    """The tip of the remote's branch; None if it is certain, or said, that there is none."""
    if plan.offline or repo.remote is None:
        return repo.tracking()
    progress(f"asking {repo.remote}")
    try:
        seen = Remote(repo, repo.remote, plan.timeout).fetch().tip
    except Raced:
        return repo.tracking()
    except RemoteError as error:
        if repo.tracking() is None:
            raise RemoteError(
                f"{error.message}; so nobody can tell whether it has a store already",
                hint="call again when it can be reached; or make a store that a later sync joins "
                "with the remote's: gittask init --offline",
                details=error.details,
            ) from None
        done.warnings.append(f"{error.message}; the branch was adopted as last fetched")
        return repo.tracking()
    if seen is None and repo.tracking():
        done.warnings.append(f"{repo.remote} has the branch no more; it was adopted as last seen")
    return seen or repo.tracking()


def _first_commit(
    session: Session, plan: Plan, who: Callable[[Snapshot], Writer], at: str, entropy: bytes
) -> str:
    """The commit of a new store, on the root that all stores share."""
    repo, schemas = session.repo, session.schemas
    writer = who(Snapshot(repo, schemas, None))
    assert writer.introduced is not None  # nobody is known in a store that is not there yet
    actor = writer.introduced
    id = task_id(entropy)
    created = {"at": at, "by": actor.id}
    data = {"format": FORMAT, "id": id, "name": plan.name, "created": created}
    files: dict[str, bytes | None] = {
        "README.md": README.format(name=plan.name, branch=repo.branch).encode(),
        ".gitattributes": ATTRIBUTES.encode(),
        **{f"schemas/{name}": text for name, text in packaged.schema_texts().items()},
        **dict(_encoded(schemas, record) for record in (Record("store", id, data), actor)),
    }
    message = f"init: store {one_line(plan.name)}\n\nActor: {actor.id}\n"
    tree = repo.write_tree(None, files)
    return repo.create_commit(tree, [repo.root()], writer.author, writer.committer, message)


def _encoded(schemas: Schemas, record: Record) -> tuple[str, bytes]:
    """A new record's path and file. Raises Invalid with what is wrong with it."""
    data = schemas.complete(record.kind, record.data)
    path = schemas.path_of(record)
    if problems := schemas.check(record.kind, data, path):
        raise Invalid(problems, what="init refused, nothing was written")
    return path, encode(data, schemas.order(record.kind))


def clone_settings(python: str, package: Path) -> dict[str, str]:
    """The variables of git's configuration by which it merges and shows records.

    Not among them is ``diff.gittask.cachetextconv``: git would keep what it showed as notes, on a
    reference of its own.
    """
    return {
        "merge.gittask.name": DRIVER_NAME,
        "merge.gittask.driver": driver_command(python, package),
        "diff.gittask.textconv": textconv_command(python, package),
        "diff.gittask.xfuncname": XFUNCNAME,
    }


def _configure(repo: Repo, plan: Plan) -> dict[str, str]:
    """Set what is not set yet in the repository's own configuration; returns what that was."""
    wanted = {
        "gittask.branch": plan.branch,
        "gittask.remote": plan.remote,
        **plan.settings,
        f"branch.{repo.branch}.mergeOptions": "-s gittask" if plan.strategy else None,
    }
    new = {k: v for k, v in wanted.items() if v is not None and setting(repo.config, k) != v}
    undo.remember(repo, new)
    for key, value in new.items():
        repo.git("config", "--local", key, value)
    return new
