"""Taking back what ``init`` set in a repository: exactly that, and nothing that came since.

What a variable of git's configuration held before is kept beside the other state of this machine.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

from gittask.core.dataclass import dataclass
from gittask.errors import NotFound, Refused
from gittask.store import sound
from gittask.store.index import database
from gittask.store.local import Local
from gittask.store.past import asked
from gittask.store.repo import Repo


@dataclass
class Undone:
    """What was taken back: variables of git's configuration, perhaps the branch.

    ``kept`` says what was left, and why.
    """

    settings: list[str] = field(default_factory=list)
    branch: bool = False
    kept: list[str] = field(default_factory=list)


def remember(repo: Repo, new: dict[str, str]) -> None:
    """Keep what the variables that are about to be set hold now; the first time counts."""
    local = Local(repo.common_dir)
    known = local.initialised()
    settings = _settings(known)
    for key, value in new.items():
        before = settings[key]["before"] if key in settings else _local(repo, key)
        settings[key] = {"before": before, "set": value}
    if new:
        local.keep_initialised({**known, "settings": settings})


def remember_tip(repo: Repo, tip: str) -> None:
    """Keep the commit at which the branch is about to be made here."""
    local = Local(repo.common_dir)
    local.keep_initialised({**local.initialised(), "tip": tip})


def undo(repo: Repo) -> Undone:
    """Take back what ``init`` set. The branch goes only if nothing was written to it since.

    Raises NotFound where ``init`` set nothing, Refused while the branch is checked out.
    """
    local = Local(repo.common_dir)
    known = local.initialised()
    if not known:
        raise NotFound("init has set nothing in this repository", hint="there is nothing to undo")
    places = repo.checked_out()
    if places:
        hint = f"first: git worktree remove {places[0]}, or check out another branch there"
        raise Refused(f"the branch {repo.branch!r} is checked out in {places[0]}", hint=hint)
    done = Undone()
    for key, values in _settings(known).items():
        now = _local(repo, key)
        if now == values["set"]:
            _set(repo, key, values["before"])
            done.settings.append(key)
        elif now != values["before"]:  # else an undo that was broken off has set it back
            done.kept.append(f"{key}: it was changed since")
    _branch(repo, known.get("tip"), done)
    repo.forget_written()
    database.remove(repo.common_dir / "gittask")
    asked.remove(repo.common_dir / "gittask")
    sound.forget(repo)
    local.forget_initialised()
    return done


def _settings(known: dict[str, Any]) -> dict[str, dict[str, str | None]]:
    """What each variable held before and was set to, as far as that can be read."""
    found = known.get("settings")
    return {
        key: {"before": values.get("before"), "set": values["set"]}
        for key, values in (found.items() if isinstance(found, dict) else ())
        if isinstance(values, dict)
        and isinstance(values.get("set"), str)
        and isinstance(values.get("before"), str | None)
    }


def _branch(repo: Repo, made: str | None, done: Undone) -> None:
    tip = repo.tip()
    if tip is None:
        return
    if tip == made:
        repo.git("update-ref", "-d", repo.ref, tip)
        done.branch = True
    else:
        done.kept.append(f"the branch {repo.branch}: it holds tasks; git branch -D {repo.branch}")


def _local(repo: Repo, key: str) -> str | None:
    """What the repository's own configuration says."""
    found = repo.git("config", "--local", "--get", key, check=False)
    return None if found.code else found.stdout.decode("utf-8", "surrogateescape").rstrip("\n")


def _set(repo: Repo, key: str, value: str | None) -> None:
    if value is None:
        repo.git("config", "--local", "--unset", key)
    else:
        repo.git("config", "--local", key, value)
