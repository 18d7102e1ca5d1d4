"""Signs of life: what an execution says of itself, and what an observer makes of it.

A beat never stands on the data branch. Its count moves and says nothing else; a time in it means
something only on the machine that wrote it.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any, NamedTuple

from gittask.core.dataclass import dataclass

LEASE = 15 * 60.0
"""Seconds of silence after which an execution counts as lost, where nothing else was said."""


@dataclass(frozen=True)
class Beat:
    """The last beat of an execution in one clone.

    ``source`` names the clone, ``runtime`` the runtime that beats (None: not known). ``host``,
    ``boot`` and ``space`` say on which machine, in which run of it, and in which space of process
    ids (None where the system does not say). ``uptime`` and ``wall`` are that machine's clocks, in
    seconds. ``pid`` is the process that works, ``born`` the system's own words for when it began,
    ``ended`` how it ended (0 and up: its exit code, below: the signal). ``written`` counts the
    records that were written under the execution in this clone.
    """

    count: int
    source: str
    task: str
    runtime: str | None
    host: str
    boot: str | None
    space: str | None
    uptime: float
    wall: float
    pid: int | None = None
    born: str | None = None
    ended: int | None = None
    written: int = 0


class Watched(NamedTuple):
    """An execution that an observer asks about.

    ``former`` are the runtimes that another one has replaced; ``written`` is how many records of
    it are in the store.
    """

    id: str
    task: str
    former: frozenset[str] = frozenset()
    written: int = 0


class Signs(NamedTuple):
    """What an observer knows of an execution's life.

    ``silence`` is the time since it was last heard, in seconds of the observer's own clock.
    ``gone`` says how its process is known to have ended; None while that is not known.
    """

    silence: float
    gone: str | None = None
    lease: float = LEASE


def encode(beat: Beat) -> str:
    """A beat as one line of JSON."""
    return json.dumps(asdict(beat), sort_keys=True)


def decode(text: str | bytes) -> Beat | None:
    """The beat that a text says, which anybody may have written; None if it says none."""
    try:
        data = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict):
        return None
    known: dict[str, Any] = {name: data.get(name) for name in _TYPES}
    if not all(_fits(known[name], name) for name in known):
        return None
    beat = Beat(**known)
    return beat if beat.pid is None or beat.pid > 0 else None


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")


_TYPES: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("source", "task", "host"), (str,)),
    **dict.fromkeys(("runtime", "boot", "space", "born"), (str, type(None))),
    **dict.fromkeys(("count", "written"), (int,)),
    **dict.fromkeys(("pid", "ended"), (int, type(None))),
    **dict.fromkeys(("uptime", "wall"), (int, float)),
}
"""What each field of a beat may be; truth values are no numbers here."""


def _fits(value: Any, name: str) -> bool:
    return isinstance(value, _TYPES[name]) and not isinstance(value, bool)
