"""The command that carries out what is wanted of a task."""

from __future__ import annotations

from gittask.kinds import readable
from gittask.kinds.execution import last_runtime
from gittask.kinds.handoff import last_handoff
from gittask.kinds.task import CLOSED
from gittask.views.route.standing import Standing
from gittask.views.route.utterance import Utterance

LATER = '"..."'
"""Stands in a command for words that are the caller's to choose."""


def command(standing: Standing, utterance: Utterance, id: str) -> str:
    """The next call for a task, which is named by ``id``."""
    intent = utterance.intent
    if intent in _COMMANDS and standing.task.data["state"]["status"] in CLOSED:
        return f"gittask reopen {id} --reason {LATER}"
    only = utterance.charged.only if utterance.charged else None
    actor = readable(standing.reader, "actor", only, task=None)
    if actor and actor.data["kind"] == "person":
        return f"gittask ask {id} {LATER} --to {only}"
    return _COMMANDS.get(intent or "", _status)(standing, utterance, id)


def _status(_: Standing, __: Utterance, id: str) -> str:
    return f"gittask status {id}"


def _continue(standing: Standing, utterance: Utterance, id: str) -> str:
    if standing.worker is None:
        return f"gittask start {id}{_by(utterance)}{_taking_up(standing, utterance)}"
    actor, charged = standing.worker.data["actor"], utterance.charged
    if charged and actor not in charged.actors:
        return f"gittask takeover {id} --reason {LATER}{_by(utterance)}"
    if standing.life and standing.life.state == "lost":
        return f"gittask recover {id}"
    runtime = last_runtime(standing.worker.data)
    if actor != standing.asker.actor and runtime and runtime["resume"]:
        return f"gittask resume {id}"
    return f"gittask brief {id}"


def _review(_: Standing, utterance: Utterance, id: str) -> str:
    return f"gittask start {id} --lane review --role {utterance.role}{_by(utterance)}"


def _retry(standing: Standing, utterance: Utterance, id: str) -> str:
    if standing.attempt is None:
        return f"gittask start {id}{_by(utterance)}"
    if standing.life and standing.life.state == "lost":
        return f"gittask recover {id}"
    if standing.worker:
        return f"gittask status {id}"
    return f"gittask retry {id}{_by(utterance)}{_taking_up(standing, utterance)}"


_COMMANDS = {"continue": _continue, "review": _review, "retry": _retry}


def _by(utterance: Utterance) -> str:
    """The options that say who does it."""
    charged = utterance.charged
    if charged is None:
        return ""
    provider = f" --provider {charged.provider}" if charged.provider else ""
    return provider + (f" --as {charged.only}" if charged.only else "")


def _taking_up(standing: Standing, utterance: Utterance) -> str:
    """What a claim has to say of another's last handoff."""
    last = last_handoff(standing.reader, standing.task.id)
    takes = utterance.charged.actors if utterance.charged else {standing.asker.actor}
    return f" --ack {LATER}" if last and last.data["actor"] not in takes else ""
