"""The remote's data branch, by the git program: credentials, ssh and proxies are the user's own.

Three answers are kept apart: the branch is there, it is not there, and nobody could tell, which
is an error. Nothing is ever forced. The hooks of the repository do not run: they judge code.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress

from gittask.core.dataclass import dataclass
from gittask.errors import Contention, GittaskError, Moved, NeedsDecision, RemoteError
from gittask.store.git import without_credentials
from gittask.store.process import Completed
from gittask.store.repo import Repo

_QUIET = (
    *("--refmap=", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"),
    "--no-auto-maintenance",  # that is seen to when the branch has moved, and nobody waits for it
)
_ALL = "1000000"  # commits; from 2147483647 on, git fetches the missing history of code as well
_RACED = re.compile(
    r"fetch first|non-fast-forward|stale info|failed to (update|lock) ref|cannot lock ref"
    r"|unable to (lock|update local ref)|incorrect old value|reference already exists|needs force"
)
_BEHIND = re.compile(r"fetch first|non-fast-forward|stale info|needs force")
_OVERTAKEN = re.compile(r"cannot lock ref '\S+': (is at \S+ but expected|reference already exists)")
_IN_THE_WAY = re.compile(r"cannot create|there are still refs under|directory/file conflict")
_PROTECTED = re.compile(r"(?i)protected|not allowed to push|pull request|merge request|GH0\d\d")
_BOILERPLATE = re.compile(
    r"hint:|To | ! |Please make sure|and the repository exists|error: failed to push some refs"
)


class Raced(Exception):
    """Another process moved or held the branch meanwhile, in git's words: try again."""


@dataclass(frozen=True)
class Seen:
    """What a remote answered: the tip of its data branch (None: no such branch), whether it has
    no branch of any name, and whether what was asked for beside the branch is here as well."""

    tip: str | None
    empty: bool = False
    also: bool = False


class Remote:
    """One configured remote of a repository; ``timeout`` in seconds for each call of git."""

    def __init__(self, repo: Repo, name: str, timeout: float) -> None:
        self.name = name
        self.tracking = f"refs/remotes/{name}/{repo.branch}"
        self._repo = repo
        self._timeout = timeout

    def fetch(self, *, whole: bool = False, also: Sequence[str] = ()) -> Seen:
        """Bring the remote's branch here; ``whole``: all its history, into a shallow clone too.

        ``also`` are refspecs of what comes by the same connection and is pruned, if that can be:
        the branch is fetched without it where not. Raises RemoteError if the remote does not say
        whether it has the branch, Raced if another process writes the same reference.
        """
        options = [f"--depth={_ALL}"] if whole else []
        options += ["--prune"] if also else []
        refspec = f"+{self._repo.ref}:{self.tracking}"
        done = self._git("fetch", *options, *_QUIET, "--", self.name, refspec, *also)
        if done.code == 0:
            return Seen(self._repo.refs.read(self.tracking), also=bool(also))
        if _RACED.search(done.stderr):
            raise Raced(without_credentials(done.stderr).strip())
        listed = self._git("ls-remote", "--", self.name)
        if listed.code != 0:
            raise self._error("could not be reached", listed)
        names = [line.partition(b"\t")[2] for line in listed.stdout.splitlines()]
        if os.fsencode(self._repo.ref) in names:
            if also:
                return self.fetch(whole=whole)
            raise self._error(f"has {self._repo.ref}, but it could not be fetched", done)
        if not names and not self._speaks_git():
            raise self._error("answered, but not as git does (a page for people?)", listed)
        return Seen(None, empty=not names)

    def _speaks_git(self) -> bool:
        """Whether a remote that lists nothing says so in git's protocol: git also takes a page of
        one line, as a proxy sends it, for a repository without any branch."""
        traced = {"GIT_TRACE_PACKET": "1"}
        return "packet:" in self._git("ls-remote", "--", self.name, env_extra=traced).stderr

    def push(self, commit: str, to: str | None = None) -> None:
        """Make the remote's branch stand at a commit that contains it; or another one, ``to``.

        Returns only if the remote said that it does. Raises Raced if the branch is no longer
        contained in the commit, RemoteError with the remote's words for anything else.
        """
        self._repo.restore_written()  # git may have pruned it since
        options = ("--porcelain", "--no-verify", "--no-follow-tags", "--recurse-submodules=no")
        ref = self._repo.ref if to is None else f"refs/heads/{to}"
        refspec = f"{commit}:{ref}"
        whole = f"remote.{self.name}.mirror=false"  # or git would push all there is, or nothing
        done = self._git("-c", whole, "push", *options, "--", self.name, refspec)
        flag, said = self._answer(done.stdout.decode("utf-8", "replace"), refspec)
        if flag in (" ", "*", "=") and done.code == 0:
            self._check_arrived(ref, commit)
            if to is None:
                self._track(commit)
            return
        if _RACED.search(said) and not _IN_THE_WAY.search(said):
            raise Raced(said)
        error = self._error(f"refused the push{said and f' ({said})'}", done)
        if flag == "!":  # it looked at what was pushed, and will say the same again
            branch = self._repo.branch
            hint = f"see what is wrong: gittask verify {self.name}/{branch}..{branch}"
            if to is None and _PROTECTED.search(f"{said} {done.stderr}"):
                hint = "if the branch takes only merge requests: gittask sync --to NAME"
            raise NeedsDecision(error.message, hint=hint, details=error.details)
        raise error

    def push_together(self, commit: str, code: str, ref: str) -> None:
        """Push a commit of the data branch, and one of code to the reference ``ref``: both or none.

        The user's pre-push hook runs, for this pushes code. Raises Raced if another came first
        with tasks, NeedsDecision where a person has to act (code that must be pulled first, a
        remote that cannot push atomically), RemoteError for anything else.
        """
        self._repo.restore_written()
        pairs = f"{code}:{ref}", f"{commit}:{self._repo.ref}"
        done = self._git("push", "--atomic", "--porcelain", "--", self.name, *pairs, hooks=True)
        porcelain = done.stdout.decode("utf-8", "replace")
        (code_flag, code_said), (flag, said) = (self._answer(porcelain, pair) for pair in pairs)
        if done.code == 0 and {code_flag, flag} <= {" ", "*", "="}:
            self._check_arrived(self._repo.ref, commit)
            self._track(commit)
            return
        if "does not support --atomic" in done.stderr:
            raise NeedsDecision(
                f"the remote {self.name!r} cannot take two branches at once (atomically)",
                hint=f"one after the other: git push {self.name} {ref}; gittask sync",
            )
        if code_flag == "!" and _BEHIND.search(code_said):
            raise NeedsDecision(
                f"{ref} of {self.name!r} has commits that are not here",
                hint="bring them here (git pull --rebase), then push again",
            )
        answers = f"{code_said}; {said}"
        raced = _RACED.search(answers) or _OVERTAKEN.search(done.stderr)
        if raced and not _IN_THE_WAY.search(answers):
            raise Raced(answers)
        error = self._error("did not take the push, or a hook here stopped it", done)
        raise (
            error
            if code_flag != "!"
            else NeedsDecision(error.message, hint=error.hint, details=error.details)
        )

    def _check_arrived(self, ref: str, commit: str) -> None:
        """Where pushes go to another address, see that the one that is fetched from has it."""
        if f"remote.{self.name}.pushurl" not in self._repo.config:
            return
        listed = self._git("ls-remote", "--", self.name, ref)
        if listed.code != 0 or not listed.stdout.startswith(commit.encode()):
            raise NeedsDecision(
                f"the push to {self.name!r} was taken at its pushurl, but its url does not have it",
                hint=f"make both name one repository: git config remote.{self.name}.pushurl URL",
            )

    def _answer(self, porcelain: str, refspec: str) -> tuple[str, str]:
        """The flag and the words that git push gives for the one reference that it pushed."""
        for line in porcelain.splitlines():
            flag, _, rest = line.partition("\t")
            pair, _, said = rest.partition("\t")
            if pair == refspec:
                return flag, said
        return "", ""

    def _track(self, commit: str) -> None:
        """Remember where the branch was seen; git does so itself for most configurations."""
        before = self._repo.refs.read(self.tracking)
        if before != commit:
            with suppress(Moved, Contention):  # another process saw something newer
                self._repo.refs.move(self.tracking, before, commit, "gittask: push")

    def _git(
        self, *args: str, hooks: bool = False, env_extra: Mapping[str, str] | None = None
    ) -> Completed:
        try:
            return self._repo.git(
                *args, check=False, timeout=self._timeout, hooks=hooks, env_extra=env_extra
            )
        except GittaskError as error:
            raise RemoteError(error.message, hint="call again") from None

    def _error(self, what: str, done: Completed) -> RemoteError:
        said = without_credentials(done.stderr)
        lines = [line.strip() for line in said.splitlines() if not _BOILERPLATE.match(line)]
        # What a hook of the remote objects to comes first, and whole; what it only warns of last.
        hook = [
            line.removeprefix("remote:").strip() for line in lines if line.startswith("remote:")
        ]
        hook.sort(key=lambda line: line.startswith("warning:"))
        others = [line for line in lines if not line.startswith("remote:")]
        shown = "; ".join(filter(None, [*hook, *others[:6]]))
        return RemoteError(
            f"the remote {self.name!r} {what}: {shown or done.code}",
            hint=f"see what git says: git ls-remote {self.name}; then call again",
            details={"stderr": said, "exit_code": done.code},
        )
