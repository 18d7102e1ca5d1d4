"""Taking up what another handed off: whoever goes on says first what they understood."""

from __future__ import annotations

from gittask.actions.records import made
from gittask.core.change import Act
from gittask.core.record import Data, Reader, Record
from gittask.core.text import one_line
from gittask.errors import Refused, Usage
from gittask.kinds.handoff import unacknowledged


def taking_up(
    reader: Reader, act: Act, task: Record, last: Record | None, ack: str | None, skip: str | None
) -> list[Record]:
    """What a claim has to say of the last handoff, as a record beside it.

    ``ack`` is what the receiver understood, ``skip`` the reason to do without; ``act`` names the
    new execution. Raises Refused if neither is there and the handoff is another's, and not
    reviewed by the receiver yet.
    """
    if ack is not None and skip is not None:
        raise Usage("--ack and --no-ack exclude each other", hint="give one of them")
    if last is None:
        if ack is not None or skip is not None:
            raise Usage(f"task {task.id} has no handoff to acknowledge", hint="leave it out")
        return []
    if ack is not None:
        said = {"handoff": last.id, "verdict": "acknowledged", "synthesis": ack}
        return [made(act, "review", task, said)]
    if skip is not None:
        if not skip.strip():
            raise Usage("--no-ack needs a reason", hint="say why it is not acknowledged")
        body = f"took the task up without acknowledging handoff {last.id}: {skip}"
        return [made(act, "note", task, {"kind": "event", "body": body})]
    unread = unacknowledged(reader, task.id, act.actor)
    if unread:
        raise _not_understood(task, unread.data)
    return []


def _not_understood(task: Record, handoff: Data) -> Refused:
    uncertain = [f"{item['question']} ({item['impact']})" for item in handoff["uncertain"]]
    following = handoff["next_action"]
    lines = [
        f"task {task.id} was handed off by {handoff['actor']}: say first what you understood",
        f"  {handoff['condition']}: {one_line(handoff['summary'])}",
        *(f"  uncertain: {one_line(text)}" for text in uncertain or ["none"]),
        f"  next: {one_line(following['do'])} (by {one_line(following['by'])})",
    ]
    return Refused(
        "\n".join(lines),
        hint=f'gittask start {task.id} --ack "what you understood", or --no-ack REASON; '
        f"all of it: gittask show {handoff['id']}",
        details={
            "handoff": handoff["id"],
            **{name: handoff[name] for name in ("summary", "uncertain", "next_action")},
        },
    )
