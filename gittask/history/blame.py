"""Who set each field of a record, when, under which execution, and in which commit."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cached_property

from gittask.core.record import Data, Record
from gittask.core.stamp import creation
from gittask.history.versions import Versions
from gittask.store.repo import CommitInfo
from gittask.store.snapshot import Snapshot
from gittask.views.blame import Line, Origin, Origins, Version, shown, units
from gittask.views.versions import Maker


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
        self._versions = Versions(snapshot, self._path)

    def lines(self, fields: Collection[str]) -> Iterator[Line]:
        schemas, kind = self._snapshot.schemas, self._record.kind
        rules, data = schemas.rules(kind), schemas.complete(kind, self._record.data)
        origins = Origins(rules, self._versions, self._versions.commits[0])
        for unit, version in units(rules, data).items():
            if not fields or any(unit == name or unit.startswith(f"{name}.") for name in fields):
                yield self._line(data, unit, version, origins.of(unit))

    def _line(self, data: Data, unit: str, version: Version, origin: Origin) -> Line:
        info, maker = self._versions.info(origin.commit), self._versions.maker(origin.commit)
        stamp = version.stamp or creation(data)
        # What was set by hand is its author's, whatever stamp it was left with.
        by_author = origin.by_hand and origin.stamped is None
        who = maker.actor if by_author else stamp.by
        return Line(
            field=unit,
            value=shown(data, unit, version),
            removed=version.is_gone,
            by=who,
            at=maker.at if by_author else stamp.at,
            stamp=stamp,
            execution=maker.execution if maker.actor == who else None,
            commit=_commit(info, maker),
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


def _is_about(field: str, unit: str) -> bool:
    """Whether a conflict in a field (empty: in the whole record) concerns a unit."""
    return field == "" or unit == field or unit.startswith(f"{field}.")


def _commit(info: CommitInfo, maker: Maker) -> Data:
    author = {"name": info.author.name, "email": info.author.email, "actor": maker.actor}
    return {"id": info.id, "subject": info.subject, "author": author, "at": maker.at}
