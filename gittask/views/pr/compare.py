"""Where a host shows what changed on the data branch between two commits."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gittask.core.record import Data

_URL = re.compile(
    r"(?:https?|ssh|git)://(?:[^/@]*@)?(?P<host>[a-z0-9.-]+)(?::\d+)?/(?P<path>[\w./~-]+?)/*"
)
_SCP = re.compile(r"(?:[^/@:]*@)?(?P<host>[a-z0-9.-]+):(?P<path>[\w./~-]+?)/*")
_FORMS = {"github": "compare", "gitlab": "-/compare"}


def records(remote: str | None, old: str | None, new: str, folders: Sequence[str]) -> Data:
    """``{from, to, url, command}``: how to see what was recorded from one commit to another.

    ``old`` None: nobody can tell where it began. ``url`` is None unless the address of the remote
    is one of GitHub or GitLab, in any of the ways in which git takes it; nothing secret of it is
    kept. ``command`` does the same with git.
    """
    shown: Data = {"from": old, "to": new, "url": None, "command": None}
    if old is None:
        return shown
    shown["command"] = f"git log -p {old[:12]}..{new[:12]} -- {' '.join(folders)}"
    match = _URL.fullmatch(remote or "") or _SCP.fullmatch(remote or "")
    if match:
        path = match["path"].removesuffix(".git")
        names = match["host"].split(".")
        form = next((form for name, form in _FORMS.items() if name in names), None)
        if form:
            shown["url"] = f"https://{match['host']}/{path}/{form}/{old}...{new}"
    return shown
