"""Names of files that anybody may have pushed: which of them could do harm in a work tree.

This program makes no path of the disk from any of them. Git does, for whoever checks the data
branch out; and a name that one system cannot keep, or takes for another, breaks the branch there.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from gittask.core.text import UNSAFE

_HARMLESS = r"[a-z0-9][a-z0-9_-]*(\.[a-z0-9]+)*"
_HIDDEN = rf"(?:{UNSAFE})|[\t\n]"
_GITS_OWN = r"(\.git|git~[0-9]+)[ .]*(:.*)?"


def name_fault(name: str) -> str:
    """What is wrong with the name of a file or folder; empty if it can do no harm.

    The rules are those of git's fsck, and of what Windows and macOS make of a name.
    """
    if re.fullmatch(_HARMLESS, name):
        return ""
    if name in ("", ".", "..") or "/" in name:
        return "has a name that leads out of its folder"
    # macOS leaves characters out that are not shown; Windows, dots and spaces at the end.
    if re.fullmatch(_GITS_OWN, re.sub(_HIDDEN, "", name).casefold()):
        return "has a name that git could take for its own folder"
    if "\\" in name or ":" in name:
        return "has a name that leads elsewhere on Windows"
    if re.search(_HIDDEN, name):
        return "has a name with characters that are not shown, or that are not UTF-8"
    return ""


def collisions(names: Iterable[str]) -> list[tuple[str, ...]]:
    """The names of one folder that some systems take for one: they differ by case or form only."""
    alike: dict[str, list[str]] = {}
    for name in names:
        key = (
            name if re.fullmatch(_HARMLESS, name) else unicodedata.normalize("NFC", name).casefold()
        )
        alike.setdefault(key, []).append(name)
    return [tuple(sorted(found)) for found in alike.values() if len(found) > 1]
