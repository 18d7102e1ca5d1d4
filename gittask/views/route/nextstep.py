"""The command that carries out what is wanted of a task."""

from __future__ import annotations

from gittask.kinds import readable
from gittask.kinds.execution import last_runtime
from gittask.kinds.task import CLOSED
from gittask.views.onward import LATER, acknowledging, beside, onward
from gittask.views.route.standing import Standing
from gittask.views.route.utterance import Utterance


def command(standing: Standing, utterance: Utterance, id: str) -> str:
    """The next call for a task, which is named by ``id``."""
    intent = utterance.intent
    if intent in _COMMANDS and standing.task.data["state"]["status"] in CLOSED:
        return _onward(standing, utterance, id)
    only = utterance.charged.only if utterance.charged else None
    actor = readable(standing.reader, "actor", only, task=None)
    if actor and actor.data["kind"] == "person":
        return f"gittask ask {id} {LATER} --to {only}"
    return _COMMANDS.get(intent or "", _status)(standing, utterance, id)


def _status(_: Standing, __: Utterance, id: str) -> str:
    return f"gittask status {id}"


def _continue(standing: Standing, utterance: Utterance, id: str) -> str:
    worker, charged = standing.worker, utterance.charged
    another = worker and charged and worker.data["actor"] not in charged.actors
    if worker is None or another or _lost(standing):
        return _onward(standing, utterance, id)
    runtime = last_runtime(worker.data)
    if worker.data["actor"] != standing.asker.actor and runtime and runtime["resume"]:
        return f"gittask resume {id}"
    return f"gittask brief {id}"


def _review(_: Standing, utterance: Utterance, id: str) -> str:
    return beside(id, utterance.role, _by(utterance))


def _retry(standing: Standing, utterance: Utterance, id: str) -> str:
    if standing.attempt is None or _lost(standing):
        return _onward(standing, utterance, id)
    if standing.worker:
        return f"gittask status {id}"
    ack = acknowledging(standing.reader, standing.task, _who(standing, utterance))
    return f"gittask retry {id}{_by(utterance)}{ack}"


_COMMANDS = {"continue": _continue, "review": _review, "retry": _retry}


def _onward(standing: Standing, utterance: Utterance, id: str) -> str:
    who, by = _who(standing, utterance), _by(utterance)
    lost = _lost(standing)
    return onward(standing.reader, standing.task, who, lost=lost, id=id, by=by).line


def _lost(standing: Standing) -> bool:
    return standing.life is not None and standing.life.state == "lost"


def _who(standing: Standing, utterance: Utterance) -> str | None:
    """Who acts if the command is called: whom it names by ``--as``, else whoever asks."""
    charged = utterance.charged
    return (charged.only if charged else None) or standing.asker.actor


def _by(utterance: Utterance) -> str:
    """The options that say who does it."""
    charged = utterance.charged
    if charged is None:
        return ""
    provider = f" --provider {charged.provider}" if charged.provider else ""
    return provider + (f" --as {charged.only}" if charged.only else "")
