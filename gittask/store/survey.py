"""Looking for commits of code: which are where they were, and which came since.

A bounded number of git processes, whatever the size of the repository.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice

from gittask.core.seen import Seen, Survey
from gittask.store.code import shown
from gittask.store.patches import patch_ids, time
from gittask.store.repo import Repo

MOST_SEEN = 20_000
"""Commits whose messages are read."""

MOST_PATCHES = 1_000
"""Commits whose patches are looked at; each takes some milliseconds."""

STORE = "gittask.yaml"

FORM = "--format=%H%x00%P%x00%at%x00%an <%ae>%x00%s%x00%B"
"""What ``parsed`` reads; with ``-z``."""

_FIELDS = 6


def parsed(listed: bytes) -> dict[str, tuple[Seen, tuple[str, ...]]]:
    """The commits that git listed in ``FORM``, by id and in that order, each with its parents."""
    words = iter(listed.decode("utf-8", "replace").split("\0"))
    found = {}
    while len(row := list(islice(words, _FIELDS))) == _FIELDS:
        sha, parents, at, author, subject, message = row
        seen = Seen(sha, time(at), shown(author), shown(subject), message)
        found[sha] = seen, tuple(parents.split())
    return found


class Looker:
    """Looks through the branches and tags of code: those that hold no store."""

    def __init__(self, repo: Repo) -> None:
        self._repo = repo
        named = ("--format=%(refname)", "refs/heads", "refs/remotes", "refs/tags")
        listed = repo.git("for-each-ref", *named).stdout.decode("utf-8", "surrogateescape")
        refs = [ref for ref in listed.split("\n") if ref and not ref.endswith("/HEAD")]
        self._refs = [ref for ref, ours in zip(refs, self._stores(refs), strict=True) if not ours]
        if repo.head_branch() is None and repo.head():
            self._refs.append("HEAD")

    def _stores(self, refs: Sequence[str]) -> list[bool]:
        """Which of these hold a store, whatever they are called."""
        asked = "".join(f"{ref}:{STORE}\n" for ref in refs).encode("utf-8", "surrogateescape")
        said = self._repo.git("cat-file", "--batch-check=%(objecttype)", input=asked).stdout
        return [line == b"blob" for line in said.split(b"\n")[: len(refs)]]

    def survey(self, wanted: Sequence[str], since: str, likely: Callable[[Seen], bool]) -> Survey:
        """The commits of code since a time, and which of the wanted ones are among the branches.

        The patches of ``likely`` ones are looked at; if one of the wanted is missing, those of
        others too, the oldest first.
        """
        kept = self._kept(wanted)
        reached = self._reached(kept)
        seen, merges = self._seen(since)
        single = [each for each in reversed(seen) if each.sha not in merges]
        patched = [each.sha for each in single if likely(each)]
        left_out = 0
        if reached != frozenset(wanted):
            chosen = {*patched}
            others = [each.sha for each in single if each.sha not in chosen]
            more = [] if self._repo.promisors else others[:MOST_PATCHES]
            left_out = len(others) - len(more)
            patched += more
        found = patch_ids(self._repo, patched)
        shallow = (self._repo.common_dir / "shallow").exists()
        return Survey(
            reached,
            frozenset(kept),
            tuple(replace(each, patch_id=found.get(each.sha)) for each in seen),
            since,
            len(patched),
            complete=not (left_out or shallow or len(seen) == MOST_SEEN),
        )

    def places(self, sha: str) -> list[str]:
        """The branches and tags of code that contain a commit, by the names that people use."""
        form = "--format=%(refname)%00%(refname:short)"
        listed = self._repo.git("for-each-ref", f"--contains={sha}", form, check=False).stdout
        pairs = [line.split("\0") for line in listed.decode("utf-8", "replace").splitlines()]
        return [short for full, short in pairs if full in self._refs]

    def tips(self, branch: str) -> dict[str, str]:
        """Where a branch of this name stands now, here and at the remotes: commits by name."""
        patterns = (f"refs/heads/{branch}", f"refs/remotes/*/{branch}")
        form = "--format=%(objectname)%00%(refname:short)"
        listed = self._repo.git("for-each-ref", form, *patterns, check=False).stdout
        pairs = [line.split("\0") for line in listed.decode("utf-8", "replace").splitlines()]
        return {name: sha for sha, name in pairs}

    def _kept(self, wanted: Sequence[str]) -> list[str]:
        """Those of the commits that this clone has."""
        asked = "".join(f"{sha}\n" for sha in wanted).encode()
        said = self._repo.git("cat-file", "--batch-check", input=asked).stdout.decode()
        return [line.split()[0] for line in said.splitlines() if line.split()[1:2] == ["commit"]]

    def _reached(self, kept: Sequence[str]) -> frozenset[str]:
        """Those of the commits that stand on a branch or a tag of code."""
        outside = self._walk("rev-list", [*kept, *(f"^{ref}" for ref in self._refs)])
        return frozenset(kept) - frozenset(outside.decode().split())

    def _seen(self, since: str) -> tuple[list[Seen], frozenset[str]]:
        """The commits of code since a time, the newest first, and which of them are merges."""
        options = ("-z", "--no-show-signature", "--encoding=UTF-8", f"--since={since}", FORM)
        found = parsed(self._walk("log", self._refs, f"-{MOST_SEEN}", *options))
        merges = frozenset(sha for sha, (_, parents) in found.items() if len(parents) > 1)
        return [seen for seen, _ in found.values()], merges

    def _walk(self, command: str, revisions: Sequence[str], *options: str) -> bytes:
        """What git says of these revisions; nothing of none, which git would take for HEAD."""
        if not revisions:
            return b""
        lines = "".join(f"{each}\n" for each in revisions).encode("utf-8", "surrogateescape")
        return self._repo.git(command, *options, "--stdin", input=lines).stdout
