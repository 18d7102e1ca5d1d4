"""Whether each commit is signed by whom it names: the only proof of who wrote.

A key counts for an actor from the commit after the one that added it, so that nobody vouches for
themselves; the first keys of a new actor are taken on trust. What is committed in the program's
own name has to be signed by any actor of the store: by whoever ran it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from gittask.core.record import Data
from gittask.core.schema import Schemas
from gittask.errors import Invalid, Problem
from gittask.judging.lineage import trailers
from gittask.judging.verify import Finding, Report
from gittask.kinds.actor import PROGRAM, addresses
from gittask.session import Session
from gittask.store.repo import CommitInfo
from gittask.store.signatures import Signature, check, fingerprint
from gittask.store.snapshot import Snapshot


def policy(session: Session, commits: list[str]) -> str:
    """How the store wants the signatures of commits, oldest first, to be treated.

    off, warn or require, as it said before the first of them: none of them changes that for
    itself.
    """
    first = session.repo.commit_info(commits[0]) if commits else None
    at = first.parents[0] if first and first.parents else first.id if first else None
    try:
        store = session.reader(at).get("store", "")
    except Invalid:  # which is told of the commit that broke it
        return "warn"
    return str((store.data.get("signatures") if store else None) or "off")


def add_signatures(session: Session, report: Report, asked: bool = False) -> None:
    """Look at the signatures of what was checked, as asked for or as the store says."""
    said = policy(session, report.commits)
    if asked or said != "off":
        report.findings += signatures(session, report.commits, asked or said == "require")


def signatures(session: Session, commits: list[str], required: bool) -> list[Finding]:
    """What is wrong with the signatures of commits, as errors if they are ``required``.

    Told apart are a missing signature, one that does not fit, a key that has expired or was
    revoked, an unknown key, another actor's key, and a commit that names nobody whose keys could
    be looked up.
    """
    return list(_Signatures(session).findings(commits, required))


_UNPROVEN = ("missing", "unknown", "untrusted")
"""The states of a signature that say nothing of who signed, unless a record names the key."""

_FITS = ("good", "untrusted")

_ENDED = {"expired": "has expired", "revoked": "was revoked"}
"""The states of a signature that fits, by a key that counts no more."""


class _Signatures:
    def __init__(self, session: Session) -> None:
        self._repo = session.repo
        self._schemas: Schemas = session.schemas
        self._actors = lru_cache(64)(self._read_actors)

    def findings(self, commits: list[str], required: bool) -> Iterator[Finding]:
        infos = [self._repo.commit_info(commit) for commit in commits]
        infos = [info for info in infos if info.parents]  # the root is the same everywhere
        groups: dict[str | None, list[CommitInfo]] = {}
        for info in infos:
            groups.setdefault(self._folder(info.parents[0]), []).append(info)
        for group in groups.values():
            before = self._actors(group[0].parents[0])
            known = {info.id: {**self._actors(info.id), **before} for info in group}
            found = check(self._repo.git, list(known), _keys(known.values()))
            for info in group:
                said = self._fault(info, known[info.id], found.get(info.id))
                if said and (required or not said[2]):
                    problem = Problem("", "", said[0], said[1])
                    yield Finding(info.id, problem, required, "signature")

    def _fault(
        self, info: CommitInfo, actors: dict[str, Data], signature: Signature | None
    ) -> tuple[str, str, bool] | None:
        """What is wrong, what to do, and whether only a strict store minds."""
        who = self._who(info, actors)
        if who is None:
            hint = "commit by the program, or make the address known: gittask actor set"
            return "names no actor of this store, so nobody's key can be looked up", hint, False
        known = {name: _fingerprints(actor) for name, actor in actors.items()}
        mine = set().union(*known.values()) if who == PROGRAM else known[who]
        name = "whoever ran the program" if who == PROGRAM else who
        if not mine and (signature is None or signature.state in _UNPROVEN):
            hint = f'make one known: gittask actor set {who} keys+="ssh-ed25519 ..."'
            return f"no key of {name} is known", hint, True
        if signature is None or signature.state == "missing":
            return f"is not signed, but {name} has keys", "sign: git config commit.gpgsign", False
        if signature.state == "bad":
            return "has a signature that does not fit it", "find out who changed it", False
        listed = not mine.isdisjoint(signature.keys)
        names = who != PROGRAM and _names(signature.signer, actors[who])
        if signature.state in _ENDED and (listed or names):
            message = f"is signed by a key of {name} that {_ENDED[signature.state]}"
            return message, "sign with another key, which their record names", False
        if (names and signature.state == "good") or (listed and signature.state in _FITS):
            return None
        others = [other for other, keys in known.items() if not keys.isdisjoint(signature.keys)]
        if others:
            return f"is signed by a key of {others[0]}, not of {name}", "ask both of them", False
        return f"is signed by a key that is not known as one of {name}", "ask them", False

    def _who(self, info: CommitInfo, actors: dict[str, Data]) -> str | None:
        """The actor that a commit names; the program, if it says so."""
        if info.author.email == PROGRAM:
            return PROGRAM
        named = trailers(info.message).get("Actor")
        if named is not None:
            return named if named in actors else None
        return next((id for id, a in actors.items() if info.author.email in addresses(a)), None)

    def _folder(self, commit: str) -> str | None:
        """The id of the folder of actors at a commit."""
        found = self._repo.lookup(commit, "actors")
        return found.id if found else None

    def _read_actors(self, commit: str) -> dict[str, Data]:
        reader = Snapshot(self._repo, self._schemas, commit)
        return {actor.id: actor.data for actor in reader.all("actor")}


def _keys(known: Iterable[Mapping[str, Data]]) -> set[str]:
    """All keys of several lots of actors."""
    return {key for lot in known for actor in lot.values() for key in actor.get("keys") or ()}


def _fingerprints(actor: Data) -> set[str]:
    return {found for key in actor.get("keys") or () if (found := fingerprint(key))}


def _names(signer: str, actor: Data) -> bool:
    """Whether an openpgp key that git trusts here names an address of the actor."""
    address = signer.rpartition("<")[2].removesuffix(">")
    return bool(address) and address in addresses(actor)
