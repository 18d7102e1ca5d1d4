"""Names of branches and remotes from the configuration: what git allows, less what could harm."""

from __future__ import annotations

import re
from collections.abc import Collection

_RULES = (
    (r"\A\Z", "it is empty"),
    (r"\A-", "it begins with a dash, like an option"),
    (r"\A(HEAD|@)\Z", "git gives this name a meaning of its own"),
    (r"\Arefs/", "it is the full name of a reference; give the part after refs/heads/"),
    (r"\.\.|@\{", "'..' and '@{' mean ranges and earlier values"),
    (r"[\x00-\x20\x7f~^:?*\[\\]", "it holds a space, a control character or one of ~^:?*[\\"),
    (r"[\ud800-\udfff]", "it is not UTF-8"),
    (r"\A/|/\Z|//", "a part between its slashes is empty"),
    (r"(\A|/)\.", "a part of it begins with a dot"),
    (r"\.lock(/|\Z)|\.\Z", "it ends with a dot, or a part of it with '.lock'"),
)


def branch_fault(name: str) -> str:
    """Why a name cannot be that of the data branch; empty if it can (git-check-ref-format)."""
    if name.isascii() and name.isalnum() and name != "HEAD":
        return ""  # as most are: to compile the patterns takes longer
    return next((reason for pattern, reason in _RULES if re.search(pattern, name)), "")


def remote_fault(name: str, remotes: Collection[str]) -> str:
    """Why a name cannot be that of the remote; empty if it can. ``remotes`` are configured."""
    if fault := branch_fault(name):
        return fault
    known = ", ".join(sorted(remotes)) or "none"
    return "" if name in remotes else f"it is not a configured remote (there are: {known})"
