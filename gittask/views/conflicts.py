"""An open conflict for people: what it is about, how that stands now, and what settles it."""

from __future__ import annotations

from gittask.core.record import Reader, Record, same
from gittask.core.stamp import Stamp, latest
from gittask.core.text import one_line, shorten
from gittask.core.units import value_of
from gittask.kinds import readable
from gittask.kinds.conflict import AUTHORITY
from gittask.views.words import first_line, short, value

SHOWN = 30
"""How many characters of a value are shown."""

TITLE = 40
"""How many characters of the task's title."""


def sentence(reader: Reader, conflict: Record) -> str:
    """``priority of k3m9 Fix it: 1 by codex-1 stands, 0 by alice does not``."""
    task = readable(reader, "task", conflict.data.get("task"), task=None)
    of = ""
    if task is not None:
        title = shorten(first_line(task.data["title"]), TITLE)
        of = f" of {short(reader, task.id)} {title}"
    return f"{_subject(conflict)}{of}: {standing(reader, conflict)}"


def within(reader: Reader, conflict: Record) -> str:
    """The same where the task is named already."""
    return f"{_subject(conflict)}: {standing(reader, conflict)}"


def standing(reader: Reader, conflict: Record) -> str:
    """Which of the two values stands; or what was set since the merge, and by whom."""
    data = conflict.data
    kept, lost = (
        f"{value(data[side], SHOWN)} by {data[f'{side}_by']['by'] or 'nobody'}"
        for side in ("kept", "lost")
    )
    since = _since(reader, conflict)
    if since is None:
        return f"{kept} stands, {lost} does not"
    now, stamp = since
    return f"now {value(now, SHOWN)} by {stamp.by}; {kept} stood, {lost} did not"


def may_lose(reader: Reader, conflict: Record) -> bool:
    """Whether the value that does not stand can be chosen in a word."""
    field = conflict.data["field"]
    if not field or field.partition(".")[0] in AUTHORITY:
        return False
    since = _since(reader, conflict)
    return since is None or any(same(since[0], conflict.data[side]) for side in ("kept", "lost"))


def command(conflict: Record) -> str:
    """The command that settles the conflict, and that is always allowed."""
    return f"gittask resolve {conflict.id} --keep kept"


def _subject(conflict: Record) -> str:
    """The field, and of which record it is, save of the task itself."""
    data = conflict.data
    path = str(data["record"])
    if _is_task(conflict):
        return one_line(data["field"] or "all of it")
    inside = path.partition(f"/{data.get('task')}/")[2] or path
    return one_line(f"{data['field']} of {inside}" if data["field"] else inside)


def _is_task(conflict: Record) -> bool:
    return str(conflict.data["record"]).endswith(f"/{conflict.data.get('task')}/task.yaml")


def _since(reader: Reader, conflict: Record) -> tuple[object, Stamp] | None:
    """The value and stamp of the field of a task, if it was set after the two met."""
    data = conflict.data
    task = readable(reader, "task", data.get("task"), task=None) if _is_task(conflict) else None
    if task is None or not data["field"]:
        return None
    now, stamp = value_of(task.data, data["field"]), latest(task.data, data["field"])
    met = max(data[side]["counter"] for side in ("kept_by", "lost_by"))
    if same(now, data["kept"]) and stamp.counter <= met:
        return None
    return now, stamp
