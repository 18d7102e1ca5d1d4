"""What came from the remote, judged as it comes; what fails is kept until a person has looked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from gittask.cli.commands.verify import as_problem
from gittask.cli.context import Context
from gittask.core.text import one_line, shorten
from gittask.errors import GittaskError
from gittask.judging.verify import changed_by, verify
from gittask.store.local import Failed

_LONGEST = 400
"""Characters of a warning about one commit."""


@contextmanager
def arrivals_judged(here: Context) -> Iterator[None]:
    """Judge the commits that came to the branch in the block, even if that ended in an error.

    What is wrong is warned of, and kept for the inbox and for whoever asks whether something is
    allowed, with what these commits changed. What came first of all is taken on trust.
    """
    before = here.repo.tip()
    try:
        yield
    except GittaskError:
        _judge(here, before)
        raise
    _judge(here, before)


def _judge(here: Context, before: str | None) -> None:
    tip = here.repo.tip()
    if before is None or tip is None or tip == before or here.repo.parents(tip) == (before,):
        return
    if (here.repo.common_dir / "shallow").exists():  # its edge cannot be judged
        return
    span = f"{before[:12]}..{tip[:12]}"
    found = verify(here.session, span, here.at).errors
    if not found:
        return
    said = [shorten(one_line(as_problem(each, several=True)), _LONGEST) for each in found]
    changed = changed_by(here.repo, {each.commit for each in found})
    with here.afterwards():
        here.local.keep_failed(span, Failed(said[0], changed))
    more = f", and {len(said) - 1} more" if len(said) > 1 else ""
    here.output.warn(f"came, but failed verification: {said[0]}{more}; see: gittask verify {span}")
