"""Judging a push to a server's repository, before the server takes it.

What is pushed is in quarantine then: it can be read, and goes away if the push is refused.
"""

from __future__ import annotations

from gittask.errors import NotFound, Refused
from gittask.judging.verify import Report, verify
from gittask.session import Session

NOTHING = "0" * 40
"""What git names where there is no commit: before the first push, and after a removal."""


def receive(session: Session, old: str, new: str, now: str) -> Report:
    """What is found in the commits by which the data branch would go from ``old`` to ``new``.

    Raises Refused for a move that would lose something, whatever its commits hold.
    """
    branch = session.repo.branch
    if new == NOTHING:
        raise Refused(
            f"{branch} holds the tasks of this repository, and is not removed by a push",
            hint="whoever runs the server can remove it there",
        )
    if old != NOTHING and not _contains(session, new, old):
        raise Refused(
            f"{branch} would go from {old[:12]} to {new[:12]}, which does not contain it: what "
            "others pushed would be lost",
            hint="do not force it; exchange both sides with: gittask sync",
        )
    return verify(session, f"{old}..{new}", now)


def _contains(session: Session, new: str, old: str) -> bool:
    try:
        return old in session.repo.merge_bases(session.repo.resolve(new), old)
    except NotFound:  # no commit at all
        return False
