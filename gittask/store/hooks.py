"""Hooks of a repository: put in beside those that are there, and taken out to the byte.

A hook that was there is kept under another name in the same folder, and runs first. Our own says
in its last line what it is, so that one that somebody edited is known, and never overwritten.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from gittask.core.dataclass import dataclass
from gittask.errors import Refused
from gittask.store.repo import Repo

KEPT = ".before-gittask"
"""What is added to the name of the hook that was there before ours."""

_SEAL = re.compile(rb"# made by gittask: ([0-9a-f]{64})\n\Z")
_BY_NAME = (b"basename", b"husky")
"""What stands in hooks that find their work by the name under which they are called."""
_HUSKY = ("h", "husky.sh")
"""Files beside such hooks that do it for them."""

_SCRIPT = """\
#!/bin/sh
# Says in the message of a commit of code for which task it is made. To take it out:
# gittask hook uninstall prepare-commit-msg
before="${{0%/*}}/{name}{kept}"
if [ -x "$before" ]; then "$before" "$@" || exit; fi
git=${{1%/*}}
[ -n "$GITTASK_EXECUTION" ] || [ -f "$git/gittask/current.json" ] || exit 0
{quick}
# Without gittask the commit is made as ever.
[ -x {python} ] && [ -f {program} ] || exit 0
{python} -P -m {module} {name} "$GITTASK_EXECUTION" "$@" </dev/null 2>/dev/null >&2
exit 0
"""


@dataclass(frozen=True)
class Wanted:
    """A hook to be put in: its name, and how it sees at once that there is nothing to do (lines
    of a shell script that end with exit 0, or go on)."""

    name: str
    quick: str


@dataclass(frozen=True)
class Hook:
    """A hook as it is: ``absent``, ``installed``, ``edited`` since, or ``other``: somebody else's.
    ``kept`` is the one that was there before ours, and runs first."""

    path: Path
    state: str
    kept: Path | None


class Hooks:
    """The folder in which git looks for the hooks of a repository."""

    def __init__(self, repo: Repo) -> None:
        top = repo.worktree or repo.git_dir
        named = repo.git("rev-parse", "--git-path", "hooks", hooks=True).stdout
        self.folder = (top / os.fsdecode(named.rstrip(b"\n"))).resolve()
        self._worktree = repo.worktree
        self._own = repo.common_dir.resolve()
        self._configured = "core.hookspath" in repo.config

    @property
    def warning(self) -> str | None:
        """What is unusual about the folder, so that others may be concerned; or None."""
        if not self._configured:
            return None
        where = f"the hooks are in {self.folder} (core.hooksPath)"
        if self._own in self.folder.parents:
            return None
        if self._worktree and self._worktree.resolve() in self.folder.parents:
            return f"{where}: what changes there is part of the work tree, and may be committed"
        return f"{where}: they may be those of other repositories too"

    def look(self, name: str) -> Hook:
        """How a hook is."""
        path = self.folder / name
        kept = self.folder / (name + KEPT)
        return Hook(path, _state(path), kept if os.path.lexists(kept) else None)

    def install(self, wanted: Sequence[Wanted], python: str, program: Path, module: str) -> bool:
        """Put hooks in; whether that changed anything.

        ``python`` and ``program`` (a file) are looked for each time, and without them the hook
        does nothing; with them, ``python -m module`` is run. Raises Refused, before anything is
        changed, and OSError.
        """
        if os.path.lexists(self.folder) and not self.folder.is_dir():
            raise Refused(
                f"hooks are switched off here: core.hooksPath is {self.folder}",
                hint="git config --show-origin core.hooksPath says where",
            )
        texts = {}
        for each in wanted:
            hook = self.look(each.name)
            _check(hook)
            texts[hook] = _text(each, python, program, module)
        changed = [hook for hook, text in texts.items() if not _is(hook, text)]
        self.folder.mkdir(parents=True, exist_ok=True)
        for hook in changed:
            _put(hook, texts[hook])
        return bool(changed)

    def uninstall(self, names: Sequence[str]) -> bool:
        """Take our hooks out, and put back what was there; whether that changed anything.

        Raises Refused, before anything is changed, if one was edited, and OSError.
        """
        hooks = [self.look(name) for name in names]
        for hook in hooks:
            if hook.state == "edited":
                raise _edited(hook, f"then delete it: rm {shlex.quote(str(hook.path))}")
        changed = False
        for hook in hooks:
            if hook.kept and hook.state in ("installed", "absent"):
                hook.kept.replace(hook.path)
                changed = True
            elif hook.state == "installed":
                hook.path.unlink()
                changed = True
        return changed


def _state(path: Path) -> str:
    if not os.path.lexists(path):
        return "absent"
    try:
        content = path.read_bytes()
    except OSError:
        return "other"
    seal = _SEAL.search(content)
    if seal is None:
        return "edited" if b"\n# made by gittask: " in content else "other"
    body = content[: seal.start()]
    return "installed" if hashlib.sha256(body).hexdigest().encode() == seal[1] else "edited"


def _check(hook: Hook) -> None:
    """Refuse what cannot be put beside what is there."""
    if hook.state == "edited":
        raise _edited(hook, "delete it, and install again")
    if hook.state != "other":
        return
    if hook.kept:
        raise Refused(
            f"{hook.path} is not gittask's, and {hook.kept.name} was left beside it",
            hint="see which of the two is wanted, and remove the other",
        )
    if hook.path.is_dir():
        raise Refused(f"{hook.path} is a folder", hint="remove it")
    content = hook.path.read_bytes() if hook.path.exists() else b""
    beside = any((hook.path.parent / name).exists() for name in _HUSKY)
    if beside or any(word in content for word in _BY_NAME):
        raise Refused(
            f"{hook.path} finds its work by its own name, so that it cannot be kept under another",
            hint=f'add this line to your own hook instead: gittask hook run {hook.path.name} "$@"',
        )


def _edited(hook: Hook, then: str) -> Refused:
    return Refused(
        f"{hook.path} was edited since gittask made it",
        hint=f"move what was added to {hook.path.name}{KEPT} (it runs first); {then}",
    )


def _text(wanted: Wanted, python: str, program: Path, module: str) -> bytes:
    body = _SCRIPT.format(
        kept=KEPT,
        quick=wanted.quick.strip(),
        python=shlex.quote(python),
        program=shlex.quote(str(program)),
        module=module,
        name=wanted.name,
    ).encode("utf-8", "surrogateescape")
    return body + b"# made by gittask: " + hashlib.sha256(body).hexdigest().encode() + b"\n"


def _is(hook: Hook, text: bytes) -> bool:
    return hook.state == "installed" and hook.path.read_bytes() == text


def _put(hook: Hook, text: bytes) -> None:
    """Write a hook whole beside its place and rename it into it, after what is there."""
    new = hook.path.with_name(f"{hook.path.name}.{os.getpid()}.new")
    kept = hook.path.with_name(hook.path.name + KEPT)
    try:
        new.write_bytes(text)
        new.chmod(0o755)
        if hook.state == "other":
            hook.path.rename(kept)
        new.rename(hook.path) if hook.state != "installed" else new.replace(hook.path)
    except OSError:
        new.unlink(missing_ok=True)
        if hook.state == "other" and kept.exists() and not os.path.lexists(hook.path):
            with suppress(OSError):
                kept.rename(hook.path)
        raise
