"""What git is configured to, kept from one call to the next while nothing that it came from moved.

To ask git takes longer than to answer most calls (docs/decisions/0020). What it said is kept under
git's common folder with the state of every file that it read or would have read, and counts while
all of those are as they were. It is not kept where git may say something else although no such
file changed, or where a file is so young that it could change once more unseen.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from gittask.store import git
from gittask.store.git import Config
from gittask.store.local import replace_file

SECTIONS = frozenset(
    ("branch", "commit", "core", "diff", "gc", "gittask", "gpg", "maintenance", "merge", "push")
) | {"remote", "user"}
"""The sections of the configuration that this program reads; no other is kept."""

_STEERING = ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM")
_PLACES = ("HOME", "XDG_CONFIG_HOME", "USERPROFILE", "PATH", "SUDO_UID")
_YOUNG = 2_000_000_000  # nanoseconds, more than the times of any file system are apart
_SECRET = r"https?://[^/\s]*@|://[^/\s]*:[^/\s]*@|[?&][^=\s]*="

State = list[int] | None
"""What tells a file from itself after a change; None where there is none."""


def configuration(directory: Path, git_dir: Path, common_dir: Path) -> Config:
    """The configuration that holds in a work tree, of the sections that are read.

    Raises GittaskError as ``git.config`` does.
    """
    kept = common_dir / "gittask" / f"config-{git_dir.name}.json"
    around = _around(directory, git_dir)
    if any(name.startswith("GIT_CONFIG") and name not in _STEERING for name in os.environ):
        return _read(_asked(directory, git_dir, common_dir)[0])
    found = _kept(kept, around)
    if found is not None:
        return found
    begun = time.time_ns()
    values, files = _asked(directory, git_dir, common_dir)
    values = _read(values)
    if files is not None and _may_stay(values):
        with suppress(OSError, ValueError):  # a store that can only be read is read all the same
            states = {file: _state(file) for file in files}
            if all(state is None or max(state[-2:]) < begun - _YOUNG for state in states.values()):
                document = {"around": around, "files": states, "values": values}
                if kept.parent.is_dir():  # a store is in use; only its owner may read such a file
                    replace_file(kept, json.dumps(document).encode())
    return values


def _read(values: Config) -> Config:
    return {key: value for key, value in values.items() if key.partition(".")[0] in SECTIONS}


def _around(directory: Path, git_dir: Path) -> list[str | int | None]:
    """What of the surroundings decides which files git reads."""
    user = os.getuid() if hasattr(os, "getuid") else None
    named = [os.environ.get(name) for name in (*_STEERING, *_PLACES)]
    return [str(directory), str(git_dir), user, *named]


def _may_stay(values: Config) -> bool:
    """Whether no value may be a secret: a name and password in an address, a token."""
    return not any(re.search(_SECRET, each) for all in values.values() for each in all)


def _kept(file: Path, around: list[str | int | None]) -> Config | None:
    """What was kept, if it still holds."""
    try:
        kept = json.loads(file.read_bytes())
        same = kept["around"] == around
        if same and all(_state(each) == state for each, state in kept["files"].items()):
            values: Config = kept["values"]
            return values
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        pass
    return None


def _state(file: str) -> State:
    """What changes with any change of a file. Raises OSError where that cannot be seen."""
    try:
        found = os.stat(file)  # noqa: PTH116 - on every call, for every file
    except (FileNotFoundError, NotADirectoryError):
        return None
    moments = [found.st_mtime_ns, found.st_ctime_ns]
    return [found.st_dev, found.st_ino, found.st_size, found.st_mode, *moments]


# -- asking git -------------------------------------------------------------------------------


def _asked(directory: Path, git_dir: Path, common_dir: Path) -> tuple[Config, list[str] | None]:
    """What git says, and the files on which that depends; None where they are not all known."""
    listing = ("config", "--list", "-z", "--includes", "--show-origin")
    done = git.run(directory, *listing, hooks=True)  # none runs: else their folder is configured
    said = done.stdout.decode("utf-8", "surrogateescape").split("\0")
    origins, items = said[:-1:2], said[1::2]
    values = git.values(items)
    system = _system(directory)
    includes = list(_includes(directory, zip(origins, items, strict=True)))
    local = [str(common_dir / "config"), str(git_dir / "config.worktree")]
    files = [*_of(directory, origins), *includes, system, *_personal(), *local]
    return values, None if None in files else [each for each in files if each]


def _of(directory: Path, origins: Iterable[str]) -> Iterator[str | None]:
    for origin in dict.fromkeys(origins):
        kind, _, name = origin.partition(":")
        yield os.path.join(directory, name) if kind == "file" else None  # noqa: PTH118


def _system(directory: Path) -> str | None:
    """The system's configuration file; only git knows where that is, be it there or not."""
    if os.environ.get("GIT_CONFIG_SYSTEM"):
        return os.environ["GIT_CONFIG_SYSTEM"]
    done = git.run(directory, "config", "--system", "--list", "-z", "--show-origin", check=False)
    named = re.search(r"unable to read config file '(.+)': No such file", done.stderr)
    if named:
        return named[1]
    origin = done.stdout.decode("utf-8", "surrogateescape").partition("\0")[0]
    return origin.removeprefix("file:") if origin.startswith("file:/") else None


def _personal() -> Iterator[str | None]:
    """Where git looks for the user's configuration."""
    if "GIT_CONFIG_GLOBAL" in os.environ:
        yield os.environ["GIT_CONFIG_GLOBAL"]
        return
    home = os.environ.get("HOME")
    if not home:
        yield None
        return
    yield f"{home}/.gitconfig"
    yield f"{os.environ.get('XDG_CONFIG_HOME') or f'{home}/.config'}/git/config"


def _includes(directory: Path, said: Iterable[tuple[str, str]]) -> Iterator[str | None]:
    """The files that are included, be they there or not; None for what cannot be told.

    Where the repository is does not change from call to call; its branch and remotes do.
    """
    for origin, item in said:
        key, _, value = item.partition("\n")
        if not key.startswith(("include.", "includeif.")):
            continue
        steady = key.startswith(("include.", "includeif.gitdir:", "includeif.gitdir/i:"))
        file = next(_of(directory, [origin]))
        if not steady or not file or value.startswith("%"):
            yield None
        elif value.startswith("~"):
            yield os.path.expanduser(value) if value.startswith("~/") else None  # noqa: PTH111
        else:
            yield os.path.join(os.path.dirname(file), value)  # noqa: PTH118, PTH120
