"""Who set each field of a record, when, under which execution, and in which commit."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime
from functools import cache, cached_property

from gittask.authors import Authors
from gittask.core.filemerge import read
from gittask.core.moment import written
from gittask.core.record import Data, Record
from gittask.core.stamp import creation
from gittask.errors import GittaskError, RemoteError
from gittask.lineage import trailers
from gittask.store import history
from gittask.store.repo import CommitInfo
from gittask.store.snapshot import Snapshot
from gittask.views.blame import Line, Origin, Origins, Version, shown, units


def blame(snapshot: Snapshot, record: Record, fields: Collection[str] = ()) -> list[Line]:
    """A line for each unit of a record that may change, or for those in some of its fields.

    A name in ``fields`` is that of a unit, or of a field or item all of whose units are meant.
    Costs by the record's own history; a shallow clone names the first commit that it has.
    """
    return list(_Blame(snapshot, record).lines(fields))


class _Blame:
    def __init__(self, snapshot: Snapshot, record: Record) -> None:
        self._repo = snapshot.repo
        self._snapshot = snapshot
        self._record = record
        self._path = snapshot.schemas.path_of(record)
        self._authors = Authors(snapshot)

    def lines(self, fields: Collection[str]) -> Iterator[Line]:
        versions = _Versions(self._snapshot, self._path)
        schemas, kind = self._snapshot.schemas, self._record.kind
        rules, data = schemas.rules(kind), schemas.complete(kind, self._record.data)
        origins = Origins(rules, versions, versions.tip)
        for unit, version in units(rules, data).items():
            if not fields or any(unit == name or unit.startswith(f"{name}.") for name in fields):
                yield self._line(data, unit, version, origins.of(unit))

    def _line(self, data: Data, unit: str, version: Version, origin: Origin) -> Line:
        info = self._repo.commit_info(origin.commit)
        stamp = version.stamp or creation(data)
        said = trailers(info.message)
        actor = said.get("Actor") or self._authors.actor(info.author)
        # What was set by hand is its author's, whatever stamp it was left with.
        by_author = origin.by_hand and origin.stamped is None
        who = actor if by_author else stamp.by
        return Line(
            field=unit,
            value=shown(data, unit, version),
            removed=version.is_gone,
            by=who,
            at=_time(info) if by_author else stamp.at,
            stamp=stamp,
            execution=said.get("Execution") if actor == who else None,
            commit=_commit(info, actor),
            boundary=not info.parents and (self._repo.common_dir / "shallow").exists(),
            by_hand=origin.by_hand,
            stamped_in=origin.stamped,
            conflicts=tuple(one for one in self._conflicts if _is_about(one["field"], unit)),
        )

    @cached_property
    def _conflicts(self) -> list[Data]:
        """Of each value of the record that lost in a merge: which conflict, and whose it was."""
        return [
            {
                "id": conflict.id,
                "field": conflict.data["field"],
                "status": conflict.data["state"]["status"],
                "lost": conflict.data["lost"],
                "by": conflict.data["lost_by"]["by"],
                "at": conflict.data["lost_by"]["at"],
            }
            for conflict in self._snapshot.all("conflict", task=self._record.task)
            if conflict.data["record"] == self._path
        ]


class _Versions:
    """The versions of one file; those that are asked for are read, each content once."""

    def __init__(self, snapshot: Snapshot, path: str) -> None:
        self._repo = snapshot.repo
        self._schemas = snapshot.schemas
        self._path = path
        git, tip = self._repo.git, snapshot.commit or "HEAD"
        self._parents = history.versions(git, tip, path)
        commits = list(self._parents)
        self._contents = dict(zip(commits, history.standing(git, commits, path), strict=True))
        self._repo.fetch_missing(filter(None, self._contents.values()))
        self._record = cache(self._read)
        self.tip = commits[0]

    def data(self, commit: str) -> Data | None:
        content = self._contents[commit]
        return self._record(content) if content else None

    def parents(self, commit: str) -> Sequence[str]:
        return self._parents[commit]

    def made(self, commit: str) -> int:
        return self._repo.commit_info(commit).author.time

    def _read(self, content: str) -> Data | None:
        place = self._schemas.locate(self._path)
        assert place is not None
        try:
            data = read(self._schemas, self._path, self._repo.blob(content))
        except RemoteError:
            raise
        except GittaskError:  # as one that was lost, or cannot be read
            return None
        return self._schemas.complete(place.kind, data)


def _is_about(field: str, unit: str) -> bool:
    """Whether a conflict in a field (empty: in the whole record) concerns a unit."""
    return field == "" or unit == field or unit.startswith(f"{field}.")


def _commit(info: CommitInfo, actor: str) -> Data:
    author = {"name": info.author.name, "email": info.author.email, "actor": actor}
    return {"id": info.id, "subject": info.subject, "author": author, "at": _time(info)}


def _time(info: CommitInfo) -> str:
    return written(datetime.fromtimestamp(info.author.time, UTC))
