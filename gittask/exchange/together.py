"""Pushing a branch of code and the data branch at once: the remote takes both, or neither."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gittask.core.dataclass import dataclass
from gittask.errors import Contention, NeedsDecision, Refused, RemoteError
from gittask.exchange.asked import TIMEOUT
from gittask.exchange.sync import Pace, rounds, sync
from gittask.exchange.synced import Synced
from gittask.session import Session
from gittask.store.git import setting
from gittask.store.remote import Raced, Remote
from gittask.store.repo import Person, Repo

SAFE = "both branches are safe here and still unpushed"


@dataclass(frozen=True)
class Pushed:
    """What was pushed to a remote: a commit of code to a reference, and the data branch's tip."""

    remote: str
    ref: str
    code: str
    synced: Synced

    def as_json(self) -> dict[str, Any]:
        """The outcome as ``--json`` shows it."""
        return {
            "remote": self.remote,
            "ref": self.ref,
            "code": self.code,
            "tip": self.synced.tip,
            "sync": self.synced.as_json(),
        }


def remote_of_both(repo: Repo) -> str:
    """The remote to which the checked out branch and the data branch are pushed.

    Raises Refused, or NeedsDecision: no branch is checked out, there is no remote, or they are
    pushed to two different ones.
    """
    branch = repo.head_branch()
    if branch is None or branch == repo.branch:
        raise Refused(
            "no branch of code is checked out, so that none can be pushed",
            hint="make one: git switch -c NAME",
        )
    if repo.remote is None:
        raise NeedsDecision("there is no remote to push to", hint="git remote add origin URL")
    keys = (f"branch.{branch}.pushRemote", "remote.pushDefault", f"branch.{branch}.remote")
    values = (setting(repo.config, _key(key)) for key in keys)
    code = next(filter(None, values), repo.remote)
    if code != repo.remote:
        raise Refused(
            f"the branch {branch} is pushed to {code!r} and the tasks to {repo.remote!r}, which "
            "cannot take them both at once",
            hint="push them one after the other: git push; gittask sync",
        )
    return code


def push_together(
    session: Session,
    committer: Callable[[], Person],
    pace: Pace,
    *,
    progress: Callable[[str], None] = lambda _: None,
    timeout: float = TIMEOUT,
) -> Pushed:
    """Push the checked out branch and the data branch, after merging what the remote has of tasks.

    Nothing is forced. If others push tasks meanwhile, that is merged and pushed again. Raises as
    ``remote_of_both``, RemoteError, and Contention if others came first too often.
    """
    repo = session.repo
    name = remote_of_both(repo)
    ref, code = _target(repo), repo.head()
    if code is None:
        raise Refused("there is no commit of code to push", hint="git commit")
    remote = Remote(repo, name, timeout)
    for _ in rounds(pace):
        done = sync(session, committer, pace, progress=progress, timeout=timeout, push=False)
        progress(f"pushing to {name}")
        try:
            remote.push_together(done.tip, code, ref)
        except Raced:
            continue
        except RemoteError as error:
            message = f"{error.message}: {SAFE}"
            raise type(error)(message, hint=error.hint, details=error.details) from None
        return Pushed(name, ref, code, done)
    raise Contention(
        f"others wrote to {name} first, every time: {SAFE}", hint="push again in a moment"
    )


def _target(repo: Repo) -> str:
    """The reference that git would push the checked out branch to: as the remote's refspecs say,
    or its upstream where ``push.default`` says so; else the one of its own name."""
    name = repo.head_branch()
    branch = f"refs/heads/{name}"
    named = repo.git("for-each-ref", "--format=%(push:remoteref)", branch).stdout.decode().strip()
    if not named and setting(repo.config, "push.default") in ("upstream", "tracking"):
        named = setting(repo.config, f"branch.{name}.merge") or ""
    return named or branch


def _key(name: str) -> str:
    """A key of the configuration as it is listed: section and variable in lower case."""
    section, _, rest = name.partition(".")
    middle, _, variable = rest.rpartition(".")
    return ".".join(filter(None, (section.lower(), middle, variable.lower())))
