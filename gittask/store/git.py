"""Running the git program, always in a named directory and never in another repository.

A hook exports GIT_DIR and its like. They are taken away here, as the library ignores them: the
repository is the one that stands around the directory, for both. What the user configured by
environment (GIT_CONFIG_*, GIT_SSH_COMMAND, GIT_ASKPASS ...) stays.
"""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

from gittask.errors import Contention, GittaskError
from gittask.store.process import Completed, execute

Config = dict[str, list[str]]
"""All values of each key, weakest first: ``{"user.name": ["global", "of the repository"]}``."""

# `git rev-parse --local-env-vars`, of all versions, less the two that carry configuration.
_REPOSITORY = (
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_DIR",
    "GIT_GRAFT_FILE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
)
_PATHSPECS = (
    "GIT_GLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
    "GIT_LITERAL_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS",
)
_FIXED = {
    "LC_ALL": "C",
    "GIT_NO_REPLACE_OBJECTS": "1",  # the library knows no replacements
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
}

_WITHOUT_HOOKS = ("-c", f"core.hooksPath={os.devnull}")
"""The hooks of a repository are for its code: a fetch would run some, and a push."""

_LOCKED = (
    r"could not lock config file (?P<config>.+): File exists"
    r"|Unable to create '(?P<lock>.+\.lock)': File exists"
)
_CREDENTIALS = r"://[^/\s]+@"
_QUERY = r"""(://[^\s?'"]+)\?[^\s'"]*"""


def environment() -> dict[str, str]:
    """The environment in which git and its programs run."""
    return {k: v for k, v in elsewhere(os.environ).items() if k not in _PATHSPECS} | _FIXED


def elsewhere(env: Mapping[str, str]) -> dict[str, str]:
    """An environment without what binds git to another repository than the one around it."""
    return {name: value for name, value in env.items() if name not in _REPOSITORY}


def version() -> tuple[int, int]:
    """The version of git: (2, 39). (0, 0) if it does not say."""
    found = re.search(r"(\d+)\.(\d+)", run(Path(), "version").stdout.decode("ascii", "replace"))
    return (int(found[1]), int(found[2])) if found else (0, 0)


def run(
    repo_dir: Path,
    *args: str,
    input: bytes | None = None,
    check: bool = True,
    timeout: float | None = None,
    env_extra: Mapping[str, str] | None = None,
    hooks: bool = False,
) -> Completed:
    """Run ``git -C repo_dir args...``; ``timeout`` in seconds. Hooks run only if asked for.

    Raises GittaskError if git is missing, takes too long, or (with ``check``) exits with a code
    other than 0.
    """
    env = environment() | dict(env_extra or {})
    argv = ["git", *(() if hooks else _WITHOUT_HOOKS), "-C", str(repo_dir), *args]
    try:
        done = execute(argv, env=env, input=input, timeout=timeout)
    except subprocess.TimeoutExpired:
        raise GittaskError(f"{_name(args)} did not end within {timeout:g} s") from None
    except (OSError, ValueError) as error:  # ValueError: an argument that no program can get
        hint = "install git 2.30 or later, and see that it is on PATH"
        raise GittaskError(f"git cannot be started: {error}", hint=hint) from None
    if check and done.code != 0:
        raise failure(done, *args, folder=repo_dir)
    return done


def failure(done: Completed, *args: str, folder: Path = Path()) -> GittaskError:
    """The error for a git command that ended badly in ``folder``, in git's own words.

    Contention if all that was in its way is a lock.
    """
    if found := re.search(_LOCKED, done.stderr):
        lock = folder / (found["lock"] or f"{found['config']}.lock")
        return held(lock.name.removesuffix(".lock"), lock)
    stderr = without_credentials(done.stderr)
    lines = [line.strip() for line in stderr.splitlines()]
    allow = next((line for line in lines if "--add safe.directory" in line), "")
    if allow:
        return GittaskError("git does not trust this repository: another user owns it", hint=allow)
    first = next((line for line in lines if line.startswith(("fatal:", "error:"))), "")
    said = first or next(filter(None, lines), f"exit code {done.code}")
    return GittaskError(
        f"{_name(args)} failed: {said}",
        details={"command": ["git", *args], "exit_code": done.code, "stderr": stderr},
    )


def held(what: str, lock: Path) -> Contention:
    """The error for a lock of git that stays, and is never broken: nobody knows who holds it."""
    age = age_of(lock)
    return Contention(
        f"{what} is locked by another git process, for {age or 0} s: {lock}",
        hint=f"call again; if no git process runs any more, delete it: rm '{lock}'",
        details={"lock": str(lock), "age_seconds": age or 0},
    )


def age_of(lock: Path) -> int | None:
    """For how many seconds a lock has been there; None if it is not."""
    try:
        return max(0, round(time.time() - lock.stat().st_mtime))
    except OSError:
        return None


def without_credentials(text: str) -> str:
    """What git says, without the names and passwords that addresses in it may hold."""
    return re.sub(_QUERY, r"\1", re.sub(_CREDENTIALS, "://", text))


def _name(args: tuple[str, ...]) -> str:
    words = list(args)
    while words[:1] == ["-c"]:
        words = words[2:]
    return " ".join(["git", *words[:1]])


def config(repo_dir: Path) -> Config:
    """The whole configuration that holds in a directory, as git itself reads it.

    Section and variable are in lower case; a key without a value is "true".
    """
    listed = run(repo_dir, "config", "--list", "-z", "--includes").stdout
    return values(listed.decode("utf-8", "surrogateescape").split("\0"))


def values(listed: Iterable[str]) -> Config:
    """The configuration of which ``git config --list -z`` wrote these parts."""
    found: Config = {}
    for item in listed:
        key, equals, value = item.partition("\n")
        if key:
            found.setdefault(key, []).append(value if equals else "true")
    return found


def setting(config: Config, key: str) -> str | None:
    """The value that holds for a key: the last one."""
    values = config.get(key)
    return values[-1] if values else None


def truth(config: Config, key: str) -> bool:
    """A yes or no of the configuration, in git's spelling; absent and unreadable mean no."""
    value = (setting(config, key) or "").strip().lower()
    return value in ("true", "yes", "on") or (value.lstrip("-").isdecimal() and int(value) != 0)


def denied(config: Config, keys: Iterable[str]) -> bool:
    """Whether the configuration says no to any of these, in git's spelling."""
    found = (setting(config, key) for key in keys)
    return any(each is not None and each.strip().lower() in _NO for each in found)


_NO = ("false", "no", "off", "0")


def quarantine(common_dir: Path) -> str | None:
    """The folder of pushed objects that a server hook of this repository is to judge.

    The only thing that is taken from a hook's environment, and only to read; it must lie in the
    repository's own folder of objects.
    """
    named = os.environ.get("GIT_QUARANTINE_PATH")
    if not named or (common_dir / "objects").resolve() not in Path(named).resolve().parents:
        return None
    return str(Path(named).resolve())
