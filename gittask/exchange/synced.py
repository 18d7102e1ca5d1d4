"""What a sync comes to, and how it is told."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from gittask.core.dataclass import dataclass
from gittask.core.record import Record
from gittask.errors import Problem
from gittask.views import unread


@dataclass
class Synced:
    """What a sync came to.

    ``pulled`` and ``pushed`` count the files that changed here and at the remote, ``merged``
    those that both sides had changed, ``stamped`` those that were edited by hand. ``bad`` is
    what was exchanged and cannot be read. ``rewritten`` is the remote's former tip if its
    history was rewritten; ``dropped`` are then the files that it dropped although they were
    changed here.
    """

    remote: str
    branch: str
    tip: str
    pulled: int = 0
    pushed: int = 0
    merged: int = 0
    stamped: int = 0
    conflicts: list[Record] = field(default_factory=list)
    bad: list[Problem] = field(default_factory=list)
    rewritten: str | None = None
    dropped: list[str] = field(default_factory=list)
    restored: list[str] = field(default_factory=list)
    """Records that somebody had removed or altered by hand, and that were brought back."""
    left: list[str] = field(default_factory=list)
    """Records of which a rebase here left something behind, at the commit ``left_at``."""
    left_at: str | None = None
    before: str | None = None
    """The branch's tip here before the sync; None if there was no branch."""
    proposed: str | None = None
    """The other branch of the remote that was pushed to; its own is as it was then."""

    @property
    def moved(self) -> bool:
        """Whether anything was exchanged."""
        return bool(self.pulled or self.pushed)

    @property
    def summary(self) -> str:
        """The outcome in a line."""
        if not self.moved:
            return f"up to date with {self.remote}"
        words = [f"{self.pulled} pulled", f"{self.pushed} pushed"]
        counts = {
            "merged": self.merged,
            "stamped": self.stamped,
            "in conflict": len(self.conflicts),
        }
        words += [f"{count} {what}" for what, count in counts.items() if count]
        said = ", ".join(words)
        if self.proposed:
            return (
                f"pushed to {self.remote}/{self.proposed}: {said}; next: have it merged into "
                f"{self.branch} there (do not squash), then: gittask sync"
            )
        return f"synced with {self.remote}: {said}"

    def as_json(self) -> dict[str, Any]:
        """The outcome as ``--json`` shows it."""
        return {
            **self.__dict__,
            "conflicts": [record.data for record in self.conflicts],
            **unread.fields(self.bad, "bad"),
        }
