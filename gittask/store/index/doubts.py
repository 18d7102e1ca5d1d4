"""Which tasks may have late reports, an epoch that nobody can have got to, or an open question.

As with circles, this is looked for where something changed. What is found may be none after all:
whoever asks looks at those tasks alone.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import TYPE_CHECKING

from gittask.core.stamp import ABSURD

if TYPE_CHECKING:
    from sqlite3 import Connection

KINDS = ("task", "execution", "note", "handoff", "review", "message")
"""The kinds of record that decide it for their task."""

# A report may be late if nobody reviewed it, and of its execution another claim says that it saw
# fewer reports than there are or, where none says what it saw, was made before it.
_LATE = """
    select distinct mine.task from record as mine
    join record as other on other.kind = 'execution' and other.task = mine.task
        and other.project = mine.project and other.key <> mine.key
        and json_extract(other.data, '$.lane') = 'edit'
        and json_extract(other.data, '$.epoch') >= json_extract(mine.data, '$.epoch')
    join record as report on report.kind in ('note', 'handoff') and report.task = mine.task
        and json_extract(report.data, '$.execution') = mine.id
    where mine.kind = 'execution' and json_extract(mine.data, '$.lane') = 'edit' {around}
        and not exists (
            select 1 from record as review where review.kind = 'review'
                and review.task = mine.task and report.id in (
                    json_extract(review.data, '$.handoff'), json_extract(review.data, '$.note')))
        and (json_extract(other.data, '$.epoch') = json_extract(mine.data, '$.epoch')
            or coalesce(
                (select count(*) from record as each where each.kind in ('note', 'handoff')
                    and each.task = mine.task
                    and json_extract(each.data, '$.execution') = mine.id)
                > (select min(json_extract(claim.data, '$.overtakes.reports'))
                    from record as claim where claim.kind = 'execution' and claim.task = mine.task
                    and json_extract(claim.data, '$.overtakes.execution') = mine.id),
                json_extract(report.data, '$.created.at')
                > json_extract(other.data, '$.created.at')))
"""
_FORGED = f"""
    select mine.id from record as mine where mine.kind = 'task' {{around}} and (
        json_extract(mine.data, '$.state.epoch') > (
            select count(*) from record as claim
            where claim.kind = 'execution' and claim.task = mine.id)
        or exists (select 1 from json_each(mine.data, '$.changed')
            where cast(value as integer) >= {ABSURD}))
"""
_ASKED = """
    select distinct mine.task from record as mine
    join task on task.id = mine.task and task.unfinished
    where mine.kind = 'message' and json_extract(mine.data, '$.kind') = 'question' {around}
        and not exists (
            select 1 from record as reply where reply.kind = 'message' and reply.task = mine.task
                and json_extract(reply.data, '$.kind') = 'answer'
                and json_extract(reply.data, '$.in_reply_to') = mine.id)
"""
_DOUBTS = (
    ("late", _LATE, "mine.task"),
    ("forged", _FORGED, "mine.id"),
    ("asked", _ASKED, "mine.task"),
)
"""What is doubted, how to find it, and the column of the task."""


def find_all(connection: Connection) -> None:
    """Note which tasks are in doubt."""
    connection.execute("delete from doubt")
    for what, sql, _ in _DOUBTS:
        found = sql.format(around="")
        connection.execute(f"insert or ignore into doubt select '{what}', * from ({found})")


def find_of(connection: Connection, tasks: Collection[str]) -> None:
    """Note which of some tasks are in doubt; the rest is left as it was."""
    told, of_told = [json.dumps([*tasks])], "in (select value from json_each(?1))"
    connection.execute(f"delete from doubt where id {of_told}", told)
    for what, sql, column in _DOUBTS:
        found = sql.format(around=f"and {column} {of_told}")
        connection.execute(f"insert or ignore into doubt select '{what}', * from ({found})", told)
