"""Checking the signatures of commits, by git: with ssh against keys that are handed in."""

from __future__ import annotations

import base64
import binascii
import hashlib
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from gittask.core.dataclass import dataclass
from gittask.store.process import Completed

_FORMAT = "%x00%H%x1f%G?%x1f%GF %GP%x1f%GS"


@dataclass(frozen=True)
class Signature:
    """What git makes of a commit's signature.

    ``state`` is good, untrusted (it fits, by a key that git does not trust here), expired or
    revoked (it fits, but that is what the key is by now, or the signature), missing, bad (it does
    not fit the commit), or unknown (no key here checks it). ``keys`` are the fingerprints of the
    key as git shows them, an openpgp subkey's before that of its primary key; ``signer`` is whom
    an openpgp key names. Both may be empty.
    """

    state: str
    keys: tuple[str, ...]
    signer: str


_STATES = {
    "G": "good",
    "U": "untrusted",
    "X": "expired",
    "Y": "expired",
    "R": "revoked",
    "N": "missing",
    "B": "bad",
    "E": "unknown",
}


def check(
    git: Callable[..., Completed], commits: Sequence[str], keys: Iterable[str]
) -> dict[str, Signature]:
    """The signature of each commit; ``keys`` are the public ssh keys that may have signed."""
    with tempfile.TemporaryDirectory(prefix="gittask-keys-") as folder:
        allowed = Path(folder, "allowed")
        lines = (f'* namespaces="git" {key}\n' for key in keys if key.startswith(("ssh-", "ecdsa")))
        allowed.write_text("".join(lines), "utf-8")
        done = git(
            *("-c", f"gpg.ssh.allowedSignersFile={allowed}", "log", "--no-walk=unsorted"),
            *("--stdin", f"--format={_FORMAT}"),
            input="\n".join(commits).encode(),
        )
    found = {}
    for row in done.stdout.decode("utf-8", "replace").split("\0")[1:]:
        commit, letter, prints, signer = row.rstrip("\n").split("\x1f")
        found[commit] = Signature(_STATES.get(letter, "bad"), tuple(prints.split()), signer)
    return found


def fingerprint(key: str) -> str | None:
    """The fingerprint of a key as an actor's record has it; None if it is none.

    ``SHA256:...`` of a public ssh key, the hexadecimal one of ``openpgp:FINGERPRINT``.
    """
    if key.startswith("openpgp:"):
        return key.removeprefix("openpgp:").replace(" ", "").upper()
    words = key.split()
    try:
        blob = base64.b64decode(words[1], validate=True)
    except (IndexError, binascii.Error, ValueError):
        return None
    digest = base64.b64encode(hashlib.sha256(blob).digest()).decode().rstrip("=")
    return f"SHA256:{digest}"
