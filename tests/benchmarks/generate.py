"""Stores of any size, the same for the same numbers: ``python -m tests.benchmarks.generate 1000``.

Everything is written through one ``git fast-import``: an import of old tasks in large commits,
then a tail of commits of one record each, as daily work makes them. Every text is made by the
program's own encoder.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import IO

from gittask.core import ids, stamp
from gittask.core.change import Change
from gittask.core.codec import encode
from gittask.core.record import Data, Record
from gittask.core.schema import FORMAT
from gittask.kinds.actor import address
from gittask.setup.initialise import ATTRIBUTES, README
from gittask.store.packaged import schema_texts, schemas
from tests.benchmarks.process import SCRIPTS, environment, git
from tests.benchmarks.stories import AGENTS, PEOPLE, PROJECTS, STORIES, Story, moment
from tests.benchmarks.words import text

VERSION = 1
"""Grows with every change of what is made, so that no store of an earlier make is taken for it."""

RECORDS = 5
"""How many records stand beside each task."""

BULK = 2000
"""How many tasks one commit of the import brings."""

_EPICS = 25  # every so many tasks one is an epic, of which later ones are parts
_FIRST = datetime(2021, 3, 1, tzinfo=UTC)
_IMPORTED = datetime(2026, 1, 5, tzinfo=UTC)  # after the root that all stores share
_ROOT = "gittask <gittask@gittask.invalid> 1767225600 +0000"


@dataclass(frozen=True)
class Store:
    """A made store: the folder of its repository, its size, and ids to ask for, by role.

    ``picks`` has one task of each status, the active one with an approval asked for, and
    ``edited``: the one that the tail changed most often.
    """

    folder: Path
    tasks: int
    tail: int
    picks: dict[str, str] = field(default_factory=dict)


def store(tasks: int, *, tail: int | None = None, cache: Path | None = None) -> Store:
    """The store of so many tasks, made unless it is in the folder ``cache`` already.

    ``tail`` is how many commits of one record end its history: 3,000, or 5 a task if fewer.
    """
    tail = min(3000, RECORDS * tasks) if tail is None else tail
    home = (cache or default_cache()) / f"v{VERSION}-{tasks}-{tail}"
    described = home / "store.json"
    if not described.exists():
        part = home.with_suffix(".part")
        for old in (part, home):
            shutil.rmtree(old, ignore_errors=True)
        made = generate(part / "repo", tasks, tail)
        (part / described.name).write_text(json.dumps(made.picks))
        part.rename(home)
    return Store(home / "repo", tasks, tail, json.loads(described.read_text()))


def default_cache() -> Path:
    """Where stores are kept unless said otherwise."""
    return Path(tempfile.gettempdir()) / "gittask-benchmarks"


def generate(folder: Path, tasks: int, tail: int, seed: int = 1) -> Store:
    """Make a repository in a new folder whose data branch holds so many tasks."""
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    for key, value in {
        "user.name": "Ann",
        "user.email": "ann@example.org",
        "gc.auto": "0",
        "maintenance.auto": "false",
    }.items():
        git(folder, "config", key, value)
    history = _History(tasks, tail, seed)
    command = ["git", "-C", str(folder), "fast-import", "--quiet"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, env=environment()) as importing:
        assert importing.stdin is not None
        history.write(importing.stdin)
    if importing.returncode:
        raise RuntimeError(f"git fast-import ended with {importing.returncode}")
    _settle(folder)
    return Store(folder, tasks, tail, history.picks)


def _settle(folder: Path) -> None:
    """Leave the repository as git's own maintenance would, and as ``gittask init`` does.

    fast-import makes chains of deltas that are far deeper than those of ``git gc``, and reading
    them would be all that is measured.
    """
    git(folder, "repack", "-adfq", "--depth=10", "--window=5")
    git(folder, "commit-graph", "write", "--reachable", "--changed-paths")
    argv = [str(SCRIPTS / "gittask"), "init"]
    subprocess.run(argv, cwd=folder, env=environment(), check=True, capture_output=True)


class _History:
    """The commits of one store, as a stream for ``git fast-import``."""

    def __init__(self, tasks: int, tail: int, seed: int) -> None:
        self._chance = Random(f"{VERSION} {tasks} {tail} {seed}")
        self._tasks = tasks
        self._tail = tail
        self._schemas = schemas()
        self._defaults = {k: self._schemas.complete(k, {}) for k in self._schemas.kinds}
        self._statuses = _statuses(self._chance, tasks)
        self._late = set(self._chance.sample(range(tasks), min(tasks, tail // 2)))
        """The tasks of which the last note is a commit of its own."""
        self._edited = set(self._chance.sample(range(tasks), min(tasks, 2000)))
        """The tasks that the tail goes on changing."""
        self._notes: list[Record] = []
        self._tasks_edited: list[Data] = []
        self._before: list[tuple[str, str]] = []  # id and status of earlier tasks
        self._epics: dict[str, str] = {}
        self._told: Counter[str] = Counter()
        self._edits: Counter[str] = Counter()
        self.picks: dict[str, str] = {}

    def write(self, out: IO[bytes]) -> None:
        """Write all of it: the code's only commit, the root, the frame, the import, the tail."""
        ann = _person("ann", _IMPORTED)
        _commit(out, "main", ann, "An empty project\n")
        _commit(out, "gittask", _ROOT, "gittask: root of a task store\n")
        _commit(out, "gittask", ann, "init: store Benchmarks\n\nActor: ann\n")
        for path, content in self._frame():
            _file(out, path, content)
        for begin in range(0, self._tasks, BULK):
            end = min(begin + BULK, self._tasks)
            _commit(out, "gittask", ann, f"import: {end - begin} tasks\n\nActor: ann\n")
            for index in range(begin, end):
                for record in self._story(index):
                    _file(out, *self._encoded(record))
        self._write_tail(out)

    def _encoded(self, record: Record) -> tuple[str, bytes]:
        data = {**self._defaults[record.kind], **record.data}
        return self._schemas.path_of(record), encode(data, self._schemas.order(record.kind))

    # -- the import ---------------------------------------------------------------------------

    def _frame(self) -> Iterator[tuple[str, bytes]]:
        """The files that frame the work: the store, its actors and projects, the schemas."""
        yield "README.md", README.format(name="Benchmarks", branch="gittask").encode()
        yield ".gitattributes", ATTRIBUTES.encode()
        for name, content in schema_texts().items():
            yield f"schemas/{name}", content
        created = {"at": moment(_FIRST), "by": "ann"}
        id = ids.task_id(self._chance.randbytes(8))
        named = {"name": "Benchmarks", "created": created}
        yield self._encoded(Record("store", id, {"format": FORMAT, "id": id, **named}))
        for name in (*PEOPLE, *AGENTS):
            person = name in PEOPLE
            data = {
                "id": name,
                "kind": "person" if person else "agent",
                "name": name.capitalize(),
                "email": f"{name}@example.org" if person else None,
                "created": created,
            }
            yield self._encoded(Record("actor", name, data))
        for name in PROJECTS:
            data = {"id": name, "name": name.capitalize(), "created": created}
            data |= {"instructions": text(self._chance, 3)}
            yield self._encoded(Record("project", name, data))

    def _story(self, index: int) -> Iterator[Record]:
        """What the import has of one task; what the tail needs of it is put aside."""
        status = self._statuses[index]
        stories = STORIES[status]
        kinds = stories[self._told[status] % len(stories)]
        self._told[status] += 1
        epic = index % _EPICS == 0 and status in ("open", "done", "cancelled")
        project = self._chance.choice(PROJECTS)
        began = _FIRST + index * timedelta(days=1700) / self._tasks
        story = Story(
            self._chance,
            ids.task_id(self._chance.randbytes(8)),
            status,
            began,
            kinds,
            project,
            type="epic" if epic else self._chance.choice(("task", "task", "bug", "feature")),
            parent=None if epic or self._chance.random() < 0.6 else self._epics.get(project),
            depends_on=[] if epic else self._needed(status),
        )
        records = list(story.records())
        if index in self._late:
            note = next(one for one in reversed(records) if one.kind == "note")
            records.remove(note)
            self._notes.append(note)
        if index in self._edited:
            self._tasks_edited.append({**self._defaults["task"], **records[-1].data})
        self._remember(story, epic)
        yield from records

    def _needed(self, status: str) -> list[str]:
        """What a task depends on: some of the tasks shortly before it; what is done, on done."""
        if self._chance.random() < 0.7:
            return []
        near = self._before[-200:]
        near = [one for one in near if status in ("open", "active") or one[1] == "done"]
        return [one[0] for one in self._chance.sample(near, min(len(near), 2))]

    def _remember(self, story: Story, epic: bool) -> None:
        if epic:  # never what others depend on: no part of it can then wait for the whole
            self._epics[story.project] = story.id
            return
        self._before.append((story.id, story.status))
        self.picks.setdefault(story.status, story.id)

    # -- the tail -----------------------------------------------------------------------------

    def _write_tail(self, out: IO[bytes]) -> None:
        """Commits of one record each, a few minutes apart: the notes put aside, and edits."""
        steps: list[Record | None] = [*self._notes, *[None] * (self._tail - len(self._notes))]
        self._chance.shuffle(steps)
        now = _IMPORTED
        for step in steps:
            now += timedelta(seconds=self._chance.randint(30, 400))
            by, change = self._note(step, moment(now)) if step else self._edit(moment(now))
            _commit(out, "gittask", _person(by, now), change.message(by))
            _file(out, *self._encoded(change.main))
        if self._edits:
            self.picks["edited"] = self._edits.most_common(1)[0][0]

    def _note(self, note: Record, at: str) -> tuple[str, Change]:
        """Who makes a note that was put aside, and the change that makes it now."""
        id = ids.event_id(at, self._chance.randbytes(8))
        by = note.data["created"]["by"]
        now = Record("note", id, {**note.data, "id": id, "created": {"at": at, "by": by}})
        what, execution = now.data["body"], now.data["execution"]
        epoch = 1 if execution else None
        return by, Change(now, (now,), "note", what, execution=execution, epoch=epoch)

    def _edit(self, at: str) -> tuple[str, Change]:
        """A person who changes one field of a task, and the change."""
        by, task = self._chance.choice(PEOPLE), self._chance.choice(self._tasks_edited)
        name = self._chance.choice(("priority", "due", "why"))
        value = {
            "priority": (task["priority"] + self._chance.randint(1, 4)) % 5,
            "due": at[:10] if task["due"] != at[:10] else None,
            "why": text(self._chance, 3),
        }[name]
        counter = stamp.following(stamp.stamps(task).values())
        task |= {name: value, "changed": {**task["changed"], name: f"{counter} {at} {by}"}}
        self._edits[task["id"]] += 1
        now = Record("task", task["id"], dict(task))
        return by, Change(now, (now,), "set", name)


def _statuses(chance: Random, tasks: int) -> list[str]:
    """How each task stands, the oldest first: most are done, and what is open is recent."""
    active, review, open_ = 3 + tasks // 2000, 2 + tasks // 3000, max(3, tasks * 8 // 100)
    recent = ["active"] * active + ["review"] * review + ["open"] * open_
    recent += ["done"] * (len(recent) // 2)
    chance.shuffle(recent)
    old = max(0, tasks - len(recent))
    statuses = chance.choices(("done", "cancelled"), weights=(19, 1), k=old) + recent
    return statuses[-tasks:]


def _person(actor: str, now: datetime) -> str:
    """Author and committer of a commit, as fast-import takes them."""
    email = f"{actor}@example.org" if actor in PEOPLE else None
    address_ = address({"id": actor, "email": email})
    return f"{actor.capitalize()} <{address_}> {int(now.timestamp())} +0000"


def _commit(out: IO[bytes], branch: str, who: str, message: str) -> None:
    """Begin a commit on top of a branch; the files that follow are in it."""
    words = message.encode()
    out.write(f"commit refs/heads/{branch}\nauthor {who}\ncommitter {who}\n".encode())
    out.write(b"data %d\n%s\n" % (len(words), words))


def _file(out: IO[bytes], path: str, content: bytes) -> None:
    out.write(b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(content), content))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tasks", type=int, nargs="+")
    parser.add_argument("--tail", type=int, help="commits of one record at the end")
    parser.add_argument("--store", type=Path, default=default_cache(), help="where to keep them")
    asked = parser.parse_args()
    for tasks in asked.tasks:
        print(store(tasks, tail=asked.tail, cache=asked.store).folder, flush=True)


if __name__ == "__main__":
    main()
