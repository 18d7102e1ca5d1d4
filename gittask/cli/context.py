"""What a command acts on and as whom: repository, session, actor, execution, time."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import click

from gittask.cli.output import Output
from gittask.cli.signs import keep_signs
from gittask.cli.waiting import READING, Waiting
from gittask.core import ids, names
from gittask.core.change import Act, Change
from gittask.core.ids import AUTHOR
from gittask.core.moment import written
from gittask.core.record import Data, Reader, Record
from gittask.core.text import one_line
from gittask.errors import GittaskError, Invalid, NoIdentity, NotFound, Problem, Usage
from gittask.kinds import readable
from gittask.kinds.actor import address
from gittask.kinds.execution import FINAL, own
from gittask.session import Outcome, Session, Writer
from gittask.store import packaged
from gittask.store.beats import Beats
from gittask.store.git import setting
from gittask.store.local import Local
from gittask.store.machine import Machine, this_machine
from gittask.store.repo import Person, Repo
from gittask.store.snapshot import Snapshot
from gittask.views.words import When, ago, when

LARGEST_INPUT = 1024 * 1024
"""Bytes of text that are read from a file or from standard input."""


class Context:
    """Everything around one call, each part found when it is first asked for."""

    def __init__(self, ctx: click.Context) -> None:
        self._meta = ctx.meta
        self.output: Output = ctx.find_object(Output) or Output(json=False)
        self.now = datetime.now(UTC)
        self._doubted = False

    @property
    def at(self) -> str:
        """The time of this call, as records write it."""
        return written(self.now)

    def tick(self) -> None:
        """Take the time of this call anew, after something that took a while."""
        self.now = datetime.now(UTC)

    @property
    def when(self) -> When:
        """How times are said: how long ago to somebody at a terminal, unless in full is asked."""
        if self.output.terminal.width is None or "gittask.exact" in self._meta:
            return when
        return partial(ago, now=self.at)

    @cached_property
    def folder(self) -> Path:
        """Where to work: the folder that was named, else the one that one is in."""
        folder = Path(self._meta.get("gittask.folder", "."))
        if not folder.is_dir():
            raise Usage(f"no folder {str(folder)!r}", hint="give an existing one: -C DIR")
        return folder

    @cached_property
    def repo(self) -> Repo:
        repo = Repo.discover(self.folder.resolve())
        repo.behind = self._behind
        return repo

    def _behind(self, place: Path) -> None:
        self.output.warn(
            f"the branch {self.repo.branch} is checked out in {place}, where edits are in the way "
            "of bringing its files up to date: a commit from there would take back what others "
            "did; see: git status"
        )

    @cached_property
    def session(self) -> Session:
        made = Session(self.repo, packaged.schemas())
        made.index.progress = partial(Waiting(self.output.message), READING)
        return made

    @cached_property
    def reader(self) -> Snapshot:
        """The records at the tip, for commands that only read."""
        return self.session.reader()

    # -- who acts -----------------------------------------------------------------------------

    def git(self, name: str) -> str | None:
        """The last value of a git configuration variable, None if it is not set or empty."""
        return setting(self.repo.config, name) or None

    @cached_property
    def local(self) -> Local:
        """What is kept on this machine only."""
        return Local(self.repo.common_dir)

    @cached_property
    def machine(self) -> Machine:
        """The machine that this call runs on."""
        return this_machine()

    @cached_property
    def beats(self) -> Beats:
        """The signs of life of executions, as this clone keeps them."""
        return Beats(self.repo, self.machine)

    @cached_property
    def current(self) -> dict[str, Any]:
        """The execution that was last started in this work tree: ids and actor; may be empty."""
        return self.local.current(self.repo.worktree_key) or {}

    def remember(self, execution: Data) -> None:
        """Keep an execution as this work tree's current one.

        Whoever is named by the environment goes on being named by it: others at work in the same
        tree, such as the person whom an agent works for, are not taken for them.
        """
        kept = {"execution": execution["id"], "task": execution["task"]}
        if not os.environ.get("GITTASK_ACTOR"):
            kept["actor"] = execution["actor"]
        with self.afterwards():
            self.local.set_current(self.repo.worktree_key, kept)

    @property
    def named_for_once(self) -> bool:
        """Whether an option alone says who acts: nothing that a later call would find again."""
        return "gittask.actor" in self._meta and not os.environ.get("GITTASK_ACTOR")

    def actor(self, reader: Reader) -> Record:
        """The actor: by option, environment, current execution, configuration or git identity.

        A record that is not in the store yet is that of somebody who acts for the first time; one
        that cannot be read there is taken as if it said no more than the name.
        """
        named = (
            self._meta.get("gittask.actor")
            or os.environ.get("GITTASK_ACTOR")
            or self.current.get("actor")
            or self.git("gittask.actor")
        )
        if named == AUTHOR:
            raise Usage(f"{AUTHOR!r} is the name of the program", hint="act by another name")
        if named:
            found = readable(reader, "actor", str(named), task=None)
            return found or self._newcomer(str(named))
        email = os.environ.get("GIT_AUTHOR_EMAIL") or self.git("user.email")
        if not email:
            raise NoIdentity(
                "nobody is named as the one who acts",
                hint='say who you are to git (git config user.name "..." and git config '
                "user.email ...), or act as an agent: --as NAME or GITTASK_ACTOR=NAME",
            )
        known = next(reader.having("actor", "email", (email,)), None)
        return known or self._person(reader, email)

    def _newcomer(self, name: str) -> Record:
        if ids.slug(name) != name:
            raise Usage(
                f"{name!r} cannot name an actor",
                hint=f"use lower-case letters, digits and hyphens: {ids.slug(name) or 'codex-1'}",
            )
        return self._actor(name, "agent", name, None)

    def _person(self, reader: Reader, email: str) -> Record:
        name = os.environ.get("GIT_AUTHOR_NAME") or self.git("user.name") or email
        id = ids.slug(name) or ids.slug(email.partition("@")[0]) or "person"
        if readable(reader, "actor", id, task=None) or id == AUTHOR:
            id = f"{id[:34]}-{ids.derived(email).hex()[:4]}"
        return self._actor(id, "person", name, email)

    def _actor(self, id: str, kind: str, name: str, email: str | None) -> Record:
        data = {
            "id": id,
            "kind": kind,
            "name": name,
            "email": email,
            "created": {"at": self.at, "by": id},
        }
        return Record("actor", id, data)

    def writer(self, reader: Reader, actor: Record) -> Writer:
        """The author and the committer of what this call writes."""
        seconds = int(self.now.timestamp())
        author = Person(one_line(actor.data["name"]), address(actor.data), seconds, 0)
        if not author.clean().name:
            author = author._replace(name=actor.id)
        name = os.environ.get("GIT_COMMITTER_NAME") or self.git("user.name")
        email = os.environ.get("GIT_COMMITTER_EMAIL") or self.git("user.email")
        committer = Person(name, email, seconds, 0) if name and email else author
        introduced = None if actor.id in reader.ids("actor") else actor
        return Writer(author, committer, introduced)

    def committer(self) -> Person:
        """Who commits what the program writes in its own name; looked up as things stand now."""
        reader = self.session.reader()
        return self.writer(reader, self.actor(reader)).committer

    # -- acting -------------------------------------------------------------------------------

    def act(self, decide: Callable[[Reader, Act], Change], *, task: str | None = None) -> Outcome:
        """Carry out an action as whoever calls; ``task`` is what was typed to name the task.

        ``decide`` may be called several times; each time the actor's place is looked up again.
        """
        reader, act = self.acting(task)
        self.announce(reader, act.actor)
        writer = self.writer(reader, self.actor(reader))
        outcome = self.session.run(self._deciding(decide, act, task), act, writer)
        with self.afterwards():
            self._forget_ended(outcome)
            if outcome.commit:
                keep_signs(self.beats, outcome.change)
        return outcome

    def rehearse(self, decide: Callable[[Reader, Act], Change], *, task: str | None = None) -> None:
        """See that an action would be taken now, and write nothing. Raises as ``act`` does."""
        reader, act = self.acting(task)
        writer = self.writer(reader, self.actor(reader))
        self.session.rehearse(self._deciding(decide, act, task), act, writer)

    def _deciding(
        self, decide: Callable[[Reader, Act], Change], act: Act, task: str | None
    ) -> Callable[[Snapshot], Change]:
        def decide_here(snapshot: Snapshot) -> Change:
            execution = self.execution(snapshot, act, task)
            return decide(snapshot, act._replace(execution=execution))

        return decide_here

    @contextmanager
    def afterwards(self) -> Iterator[None]:
        """What this machine keeps of a thing that is done: a failure does not undo it."""
        try:
            yield
        except OSError as error:
            self.output.warn(f"it was done, but this machine could not keep note of it: {error}")

    def announce(self, reader: Reader, actor: str) -> None:
        """Say who acts where only this work tree's current execution says so, and git another."""
        said = self._meta.get("gittask.actor") or os.environ.get("GITTASK_ACTOR")
        email = self.git("user.email")
        if said or actor != self.current.get("actor") or not email:
            return
        known = readable(reader, "actor", actor, task=None)
        if known is None or known.data.get("email") != email:
            self.output.message(
                f"as {actor}, who began this work tree's execution; to act as another: --as NAME"
            )

    def _forget_ended(self, outcome: Outcome) -> None:
        """Clear the work tree's current execution once it ended, or its task was let go."""
        for record in outcome.change.records:
            ended = record.id == self.current.get("execution") and _is_final(record)
            free = record.id == self.current.get("task") and not record.data["state"]["holder"]
            if ended or free:
                self.local.clear_current(self.repo.worktree_key)

    def acting(self, task: str | None) -> tuple[Snapshot, Act]:
        """The store as it is now, and who acts in it on the task that was named."""
        reader = self.reader
        actor = self.actor(reader)
        act = Act(
            actor=actor.id,
            person=actor.data["kind"] == "person",
            at=self.at,
            entropy=lambda: os.urandom(16),
            key=self._meta.get("gittask.key"),
        )
        return reader, act._replace(execution=self.execution(reader, act, task))

    def execution(self, reader: Reader, act: Act, task: str | None) -> str | None:
        """The execution under which the actor acts on a task; None for work without one.

        What was said in so many words must be right; what the work tree remembers counts only
        where it fits the actor and the task. A person is not bound by an execution of theirs
        that no longer holds the task.
        """
        if task is None:
            return None
        try:
            id = names.task_id(reader, task)
        except NotFound:
            return None
        said = self._meta.get("gittask.execution")
        if said:
            execution = names.event(reader, "execution", said, task=id)
            own(execution, act.actor, act.person)
            return execution.id
        holder = names.task(reader, id).data["state"]["holder"]
        mine = [
            one
            for one in reader.all("execution", task=id)
            if one.data["actor"] == act.actor
            and (not act.person or one.id == holder or one.data["lane"] == "review")
        ]
        named = os.environ.get("GITTASK_EXECUTION")
        chosen = [one.id for one in mine if one.id == (named or self.current.get("execution"))]
        if named and not chosen:
            self._doubt(named)
        holding = [one.id for one in mine if one.id == holder]
        working = [one.id for one in mine if not _is_final(one)]
        candidates = chosen or holding or working
        return candidates[-1] if candidates else None

    def _doubt(self, named: str) -> None:
        """Warn, once, if the store has no execution as the environment names it."""
        if not self._doubted and self.reader.owner("execution", named) is None:
            self.output.warn(f"GITTASK_EXECUTION is {named!r}, and there is no such execution")
        self._doubted = True

    @property
    def said_execution(self) -> str | None:
        """The execution that was named, or that this work tree remembers; it may not exist."""
        said = self._meta.get("gittask.execution") or os.environ.get("GITTASK_EXECUTION")
        return said or self.current.get("execution")

    def under(self, execution: Record) -> dict[str, str]:
        """The environment of a command that acts under an execution."""
        names = {"GITTASK_EXECUTION": execution.id, "GITTASK_ACTOR": execution.data["actor"]}
        return os.environ | names

    def use_key(self, key: str | None) -> None:
        """Remember the caller's idempotency key for this call."""
        if key is not None and not key.strip():
            raise Usage("the idempotency key is empty", hint="give any text that names the call")
        if key:
            self._meta["gittask.key"] = key

    # -- text from outside --------------------------------------------------------------------

    def text(self, words: str | None, file: str | None, what: str) -> str:
        """Text that was given as an argument, in a file, or on standard input (``-F -``).

        One final line break of a file is not part of the text; CRLF is read as LF.
        """
        if words is not None and file is not None:
            raise Usage(f"{what} is given twice", hint="as an argument or with -F, not both")
        if words is None and file is None:
            raise Usage(
                f"{what} is missing", hint="give it as an argument, or with -F FILE (- is stdin)"
            )
        text = words if words is not None else read_text(str(file))
        text = text.replace("\r\n", "\n").removesuffix("\n")
        if not text.strip():
            raise Invalid([Problem("", what, "is empty", "give some text")])
        return text


def read_text(file: str) -> str:
    """The text of a file, or of standard input for ``-``. Raises Invalid or Usage."""
    name = "standard input" if file == "-" else file
    try:
        if file == "-" and sys.stdin is None:
            raise Usage("standard input is closed", hint="pipe the text in, or name a file")
        if file == "-":
            data = sys.stdin.buffer.read(LARGEST_INPUT + 1)
        else:
            with Path(file).open("rb") as stream:
                data = stream.read(LARGEST_INPUT + 1)
    except OSError as error:
        raise Usage(f"cannot read {name}: {error.strerror}", hint="give a readable file") from None
    if len(data) > LARGEST_INPUT:
        limit = f"at most {LARGEST_INPUT} bytes are read"
        raise Invalid([Problem(name, "", f"is too large: {limit}", "shorten it, or link to it")])
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        place = f"is not valid UTF-8 at byte {error.start}"
        raise Invalid([Problem(name, "", place, "save it as UTF-8")]) from None


def _is_final(record: Record) -> bool:
    """Whether a record is an execution that has ended."""
    return record.kind == "execution" and record.data["state"]["status"] in FINAL


def context() -> Context:
    """The context of the command that is running."""
    return Context(click.get_current_context())


__all__ = ["Context", "GittaskError", "context", "read_text"]
