"""Text that others wrote, as a quote in Markdown that nothing in it can leave.

Each line begins with ``> ``. Plain prose stands behind that as it is; whatever Markdown, or a host
that shows it, could take for more than prose (headings, HTML, emphasis, links, mentions, two
spaces) is set in by four more spaces, and so is shown as it was typed. Nothing is taken out and
nothing rewritten but characters that hide or move text, which are shown as escapes.
"""

from __future__ import annotations

import re

from gittask.core.text import many_lines

MARK = ">"

PROSE = re.compile(
    r"""
    (?!\d{1,9}[.)](?:\s|$))             # no numbered list
    ["'(]?(?=[^\W_]|[^\x00-\x7f\s])     # begins as a sentence does
    (?:
        (?! //|(?i:www\.|\.(?:com|net|org|info|biz|edu|gov)(?!\w))  # no address, as a link,
          | (?<!\w)(?i:gh-\d|ghsa-|cve-\d)|!\d|%["\w]  # no reference, as this host or that has it,
          | (?<!\w)[0-9a-fA-F]{7,}(?!\w)  # no id of a commit,
          | :(?!\d\d:)[\w+-]+: )        # no picture by its name; but 10:30:00
        (?: [^\W_]|[^\x00-\x7f\s]       # letters, digits and whatever is not ASCII
          | ["'(),./:;!?%+=-]           # the signs that mean nothing inside a line
          | (?<=[^\W_])_(?=[^\W_])      # as in read_orders
          | [^\S\t](?=\S) )             # one space, and none at the end
    )+
    """,
    re.VERBOSE,
)
"""A line that means no more than its words, to Markdown and to hosts."""


def quote(text: str) -> list[str]:
    """The lines of a quote of a text; at least one."""
    lines = many_lines(text).strip("\n").split("\n")
    prose = all(not line.strip() or PROSE.fullmatch(line) for line in lines)
    inset = " " if prose else " " * 5
    return [f"{MARK}{inset}{line}" if line.strip() else MARK for line in lines]
