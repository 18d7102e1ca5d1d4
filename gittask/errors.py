"""Everything that can go wrong, as a small tree: one class for each exit code or remedy.

Every error carries one sentence for people, an optional hint that names the next step, and
whether calling again unchanged can help (``retryable``). Exit codes follow docs/cli.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple


class Problem(NamedTuple):
    """One thing that is wrong with one piece of data, and how to mend it.

    ``file`` is a path on the data branch or of an input (empty if there is none), ``field`` a
    dotted path into the record (``acceptance.0.text``; empty for the whole), ``line`` counts
    from 1 (0 if unknown).
    """

    file: str
    field: str
    message: str
    hint: str = ""
    line: int = 0

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        parts = [part for part in (place, self.field, self.message) if part]
        return ": ".join(parts) + (f" ({self.hint})" if self.hint else "")

    def as_json(self) -> dict[str, Any]:
        """The problem as the ``details`` of an error show it; empty parts are left out."""
        shown = {
            "file": self.file,
            "line": self.line,
            "field": self.field,
            "message": self.message,
            "hint": self.hint,
        }
        return {name: value for name, value in shown.items() if value}


class GittaskError(Exception):
    """The root of all errors that a user may see. A fault of ours or of the machine: exit 1."""

    code = "fault"
    exit = 1
    retryable = False

    def __init__(self, message: str, *, hint: str = "", details: Any = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.details = details

    def as_json(self) -> dict[str, Any]:
        """The one shape in which every command reports an error under ``--json``."""
        body: dict[str, Any] = {"code": self.code, "message": self.message}
        body["hint"] = self.hint
        body["retryable"] = self.retryable
        body["details"] = self.details if self.details is not None else {}
        return {"error": body}


class Usage(GittaskError):
    """The call itself is wrong."""

    code = "usage"
    exit = 2


class NoIdentity(Usage):
    """Nobody said who acts."""

    code = "no_identity"


class NoStore(GittaskError):
    """There is no repository, or no store in it."""

    code = "no_store"
    exit = 3


class NotFound(GittaskError):
    """A name that nothing answers to."""

    code = "not_found"
    exit = 3


class Ambiguous(GittaskError):
    """A name that more than one thing answers to; ``details["candidates"]`` lists them."""

    code = "ambiguous"
    exit = 3


class Refused(GittaskError):
    """Understood, valid, and not allowed now: held by another, a stale epoch, a wrong state."""

    code = "refused"
    exit = 4


class Invalid(GittaskError):
    """Data that breaks a rule; all problems are listed at once."""

    code = "invalid"
    exit = 5

    def __init__(self, problems: Iterable[Problem], *, what: str = "", hint: str = "") -> None:
        self.problems = tuple(problems)
        count = len(self.problems)
        first = str(self.problems[0]) if self.problems else "invalid data"
        rest = "; ".join(map(str, self.problems))
        message = first if count == 1 else f"{count} problems: {rest}"
        details = {"problems": [problem.as_json() for problem in self.problems]}
        super().__init__(f"{what}: {message}" if what else message, hint=hint, details=details)

    def as_json(self) -> dict[str, Any]:
        """As every error, with the hint of the first problem where there is no other."""
        shown = super().as_json()
        shown["error"]["hint"] = self.hint or next((p.hint for p in self.problems if p.hint), "")
        return shown


class Hidden(Invalid, NotFound):
    """Nothing that can be read answers to a name, but what cannot be read may hold it."""


class RemoteError(GittaskError):
    """The remote refused or could not be reached; the data is safe here and still unpushed."""

    code = "remote"
    exit = 6
    retryable = True


class NeedsDecision(RemoteError):
    """The remote is not as it must be: asking again will not help, a person has to act first."""

    retryable = False


class Contention(GittaskError):
    """Others were faster every time; nothing was written."""

    code = "contention"
    exit = 7
    retryable = True


class Moved(Exception):
    """The branch is no longer where the decision was made. Never shown: decide again."""
