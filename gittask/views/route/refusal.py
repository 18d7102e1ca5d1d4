"""Refusals to guess: what came near, and what to say or to call instead."""

from __future__ import annotations

from collections.abc import Sequence

from gittask.core.dataclass import dataclass
from gittask.core.record import Data, Reader, Record
from gittask.core.text import one_line
from gittask.errors import Ambiguous, NotFound
from gittask.views.onward import LATER
from gittask.views.route.candidates import RANKED, Candidate
from gittask.views.route.utterance import Utterance
from gittask.views.words import short

ENOUGH = 0.5
"""The least score of an answer."""
MARGIN = 0.1
"""By how much the best candidate must be better than the second."""
SHOWN = 5
LEAST = 0.2
"""How many candidates are shown at most, and their least score."""

COMMANDS = {
    "cancel": f"cancel ID --reason {LATER}",
    "close": f"close ID --outcome {LATER}",
    "release": "release ID",
    "reopen": f"reopen ID --reason {LATER}",
    "takeover": f"takeover ID --reason {LATER}",
    "handoff": "handoff ID",
    "note": f"note ID {LATER}",
    "approve": "approve list ID",
    "set": "set ID FIELD=VALUE",
}
"""How other commands take a task."""

_NOT_ROUTED = "what can be meant: continue, review, status, retry, a new task; see gittask --help"
_SAY_MORE = "say more: words of its title, its day, or its id; if it is new: gittask new TITLE"
_NAME_IT = (
    "name it by words of its title; if it is new: gittask new TITLE; all of them: "
    "gittask list --all"
)
_OF_ALL = (
    "of all tasks: gittask status (what is yours), gittask ready (what can be started), "
    "gittask list --blocked; or name one by words of its title"
)


@dataclass(frozen=True)
class Refusals:
    """What is refused of an utterance; ``said`` is what a message repeats of it.

    ``found`` is what may be meant, the best first.
    """

    said: str
    utterance: Utterance
    reader: Reader
    found: Sequence[Candidate]

    @property
    def close(self) -> list[Candidate]:
        """The candidates that fit well enough, and about as well as the best."""
        if not self.found or self.found[0].score < ENOUGH:
            return []
        return [one for one in self.found if round(self.found[0].score - one.score, 2) < MARGIN]

    def nothing(self) -> NotFound:
        """No task fits well enough."""
        hint = _SAY_MORE if self.found else _NAME_IT
        if not self.found and self.utterance.intent in (None, "status"):
            hint = _OF_ALL
        message = self._message(f"no task fits {self.said!r} well enough")
        return NotFound(message, hint=hint, details=self._details)

    def several(self) -> Ambiguous:
        """Several fit about as well."""
        message = self._message(f"{self.said!r} could mean {self._count(self.close)} tasks")
        hint = f"say more: words of its title, its day, or its id ({self._id(self.found[0].task)})"
        return Ambiguous(message, hint=hint, details=self._details)

    def other(self) -> NotFound:
        """It is another command's to do: of which task, if that is clear."""
        name = self.utterance.command
        hint = f"there is a command for it: gittask {name} --help" if name else _NOT_ROUTED
        if name in COMMANDS and len(self.close) == 1:
            line = COMMANDS[name].replace("ID", self._id(self.found[0].task))
            hint = f"there is a command for it: gittask {line}"
        message = self._message(f"{self.said!r} asks for nothing that is routed")
        return NotFound(message, hint=hint, details=self._details)

    def review_or_retry(self, chosen: Candidate) -> Ambiguous:
        """To look at something again may mean to try it again, where it failed."""
        id = self._id(chosen.task)
        message = self._message(f"{self.said!r} could mean to review it, or to try it again")
        hint = f'gittask route "review {id}", or gittask route "retry {id}"'
        return Ambiguous(message, hint=hint, details=self._details)

    def _id(self, task: Record) -> str:
        return short(self.reader, task.id)

    def _message(self, message: str) -> str:
        """A refusal with what comes near, a line each, and how many more there are."""
        lines = [
            f"  {self._id(one.task)}  {one.score:.2f}  {one_line(one.task.data['title'])}"
            + f"  ({'; '.join(map(one_line, one.why))})"
            for one in shown(self.found)
        ]
        near = [one for one in self.found if one.score >= LEAST]
        more = f"{len(near) - len(lines)} more" if len(near) < RANKED else "more"
        return "\n".join([message, *lines, *([f"  and {more}"] if near[len(lines) :] else [])])

    def _count(self, found: Sequence[Candidate]) -> str:
        """How many there are of those that were ranked."""
        return str(len(found)) if len(found) < RANKED else f"{RANKED} or more"

    @property
    def _details(self) -> Data:
        candidates = [one.as_json() for one in shown(self.found)]
        return {"intent": self.utterance.intent, "candidates": candidates}


def shown(found: Sequence[Candidate], least: float = LEAST) -> list[Candidate]:
    """The candidates that are worth to be shown."""
    return [one for one in found if one.score >= least][:SHOWN]
