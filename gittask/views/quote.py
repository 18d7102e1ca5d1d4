"""Text that others wrote, as a quote in Markdown that nothing in it can leave.

Each line begins with ``> ``. Plain prose stands behind that as it is; whatever Markdown could
take for more than prose (headings, fences, HTML, links, mentions, lists) is set in by four more
spaces, and so is shown as it was typed. Nothing is taken out and nothing rewritten but characters
that hide or move text, which are shown as escapes.
"""

from __future__ import annotations

import re

from gittask.core.text import many_lines

MARK = ">"

_PROSE = re.compile(
    r"""
    (?!\d{1,9}[.)])      # no numbered list
    ["'(]?[^\W_]         # begins as a sentence does
    (?:(?!://|www\.)     # no address that would become a link
       [^<>\[\]&\\@\#])* # no HTML, link, image, entity, escape, mention or reference
    """,
    re.VERBOSE,
)


def quote(text: str) -> list[str]:
    """The lines of a quote of a text; at least one."""
    lines = many_lines(text).strip("\n").split("\n")
    prose = all(not line or _PROSE.fullmatch(line) for line in lines)
    inset = " " if prose else " " * 5
    return [f"{MARK}{inset}{line}" if line.strip() else MARK for line in lines]
