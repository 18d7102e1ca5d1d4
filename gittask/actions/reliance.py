"""Whether an answer about an action can be relied on: not on what failed verification."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from gittask.core.change import Act, Change
from gittask.core.record import Record
from gittask.core.schema import Schemas
from gittask.core.text import one_line
from gittask.errors import Refused

Doubts = Mapping[str, tuple[str, Iterable[str]]]
"""By range of commits that failed verification what was wrong first, and the paths of what they
changed; an empty path stands for anything."""


def refuse_doubtful(
    schemas: Schemas, act: Act, task: Record, action: str, found: Change, doubts: Doubts
) -> None:
    """Raise Refused if what allows an action rests on what came by commits that may not count.

    ``found`` is the answer. What it rests on is the task, its project, the store, who acts and
    who granted it, and every approval that could have said no.
    """
    approval = found.main if found.main.kind == "approval" else None
    if approval and approval.data["state"]["status"] != "granted":
        return
    basis = tuple(_basis(schemas, act, task, approval))
    for span, (said, paths) in doubts.items():
        doubtful = next((path for path in paths if _touches(path, basis)), None)
        if doubtful is None:
            continue
        what = one_line(doubtful) or "what came with too much else to tell"
        raise Refused(
            f"{action!r} is not allowed: that rests on {what}, which came by commits that failed "
            f"verification: {said}",
            hint=f"a person looks at them (gittask verify {span}), sets right what is wrong, and "
            "then it can be asked again",
            details={
                "action": action,
                "approval": approval.id if approval else None,
                "status": "doubtful",
                "commits": span,
                "file": doubtful,
            },
        )


def _touches(path: str, basis: tuple[str, ...]) -> bool:
    """Whether a path is, holds or lies in one of these files and folders."""
    above = f"{path}/" if path else ""
    return path.startswith(basis) or any(one.startswith(above) for one in basis)


def _basis(schemas: Schemas, act: Act, task: Record, approval: Record | None) -> Iterator[str]:
    """The paths of the records, and of the folders, that the answer rests on."""
    project = task.data.get("project")
    owners = [{"task": task.id}, *([{"project": project}] if project else [])]
    yield schemas.path("store", "")
    yield schemas.path_of(task)
    if project:
        yield schemas.path("project", project)
    for owner in owners:
        yield schemas.path("approval", "", **owner).removesuffix(".yaml")
    for actor in {act.actor, *([approval.data["state"]["by"]] if approval else [])}:
        yield schemas.path("actor", actor)
    if act.execution:
        yield schemas.path("execution", act.execution, task=task.id)
