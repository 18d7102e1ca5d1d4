"""A fuzzer over what strangers can push: YAML, three versions of a file, folders of git.

``python -m tests.fuzz --minutes 10`` runs it and prints the seed of whatever it finds; ``--seed``
plays one input again. Its corpus is the example store.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import count, takewhile
from pathlib import Path

from gittask.core.codec import decode, encode
from gittask.core.filemerge import read
from gittask.core.record import same
from gittask.errors import GittaskError, Invalid
from gittask.judging.verify import verify
from gittask.merging.driver import merge_file
from gittask.session import Session
from gittask.store import example
from gittask.store.packaged import schemas
from gittask.store.repo import Person, Repo
from gittask.store.treemerge import merge_trees
from gittask.views.inbox import inbox
from gittask.views.timeline import Timeline

NOW = "2026-12-01T00:00:00.000Z"
ANN = Person("Ann", "ann@example.org", 1_795_000_000)
RECORDS = {path: text for path, text in example.files().items() if schemas().locate(path)}
PATHS = sorted(RECORDS)
TASK = next(path for path in PATHS if path.endswith("/task.yaml"))

_PIECES = (
    *(
        b"\n",
        b": ",
        b"- ",
        b"  ",
        b"\t",
        b"'",
        b'"',
        b"|\n",
        b">-\n",
        b"#",
        b"&a ",
        b"*a",
        b"!!",
        b"%",
    ),
    *(
        b"---\n",
        b"...\n",
        b"{",
        b"}",
        b"[",
        b"]",
        b",",
        b"? ",
        b"<<: ",
        b"<<<<<<< a\n",
        b"=======\n",
    ),
    *(
        b"\x00",
        b"\r",
        b"\r\n",
        b"\x85",
        b"\xc2\x85",
        b"\xe2\x80\xa8",
        b"\xef\xbb\xbf",
        b"\xff",
        b"\xed\xa0\x80",
    ),
    *(
        b"null",
        b"true",
        b"no",
        b"0123",
        b"1e400",
        b".inf",
        b"-0.0",
        b"9" * 40,
        b"2026-02-30",
        b"=",
        b"~",
    ),
    *(b"changed:", b"state:", b"created:", b"id: ", b"\\x1b[2J", b"[" * 70, b"a: &b [*b]\n"),
)
"""What is put into a file; much of it has a meaning in YAML."""


def mangled(chance: random.Random, text: bytes) -> bytes:
    """A text with a few pieces cut out, doubled, moved or put in."""
    for _ in range(chance.randint(1, 6)):
        at, to = sorted(chance.randrange(len(text) + 1) for _ in range(2))
        to = min(to, at + 40)
        how = chance.randrange(4)
        if how == 0:
            text = text[:at] + text[to:]
        elif how == 1:
            text = text[:to] + text[at:to] + text[to:]
        elif how == 2:
            text = text[:at] + chance.choice(_PIECES) + text[at:]
        else:
            text = text[:at] + bytes([chance.randrange(256)]) + text[at + 1 :]
    return text


# -- targets ----------------------------------------------------------------------------------


def codec(text: bytes) -> None:
    """What can be read comes out the same when it is written and read again."""
    try:
        value = decode(text)
    except Invalid:
        return
    if isinstance(value, dict):
        assert same(decode(encode(value)), value)


def record(text: bytes) -> None:
    """A file is a valid record of its place, or says what is wrong with it."""
    for path in (TASK, PATHS[0], PATHS[-1]):
        try:
            read(schemas(), path, text)
        except Invalid as error:
            said = [problem.message for problem in error.problems]
            if not said or not all(said):
                raise AssertionError("nothing is said of what is wrong") from error


def driver(base: bytes, ours: bytes, theirs: bytes) -> None:
    """The driver leaves a valid record, or our file as it was; and says which."""
    with tempfile.TemporaryDirectory() as folder:
        one, two, three = (Path(folder, name) for name in ("base", "ours", "theirs"))
        for file, text in ((one, base), (two, ours), (three, theirs)):
            file.write_bytes(text)
        try:
            merge_file(schemas(), one, two, three, TASK, lambda *_: None)
        except GittaskError:
            assert two.read_bytes() == ours
            return
        read(schemas(), TASK, two.read_bytes())


class Trees:
    """Folders of git, written byte by byte, as the tip of a store's branch."""

    def __init__(self, folder: Path) -> None:
        subprocess.run(["git", "init", "-q", "-b", "main", str(folder)], check=True)
        self._repo = Repo.discover(folder)
        self._good = self._repo.write_tree(None, dict(example.files()))

    def __call__(self, chance: random.Random) -> None:
        """All that reads goes on, whatever stands there; merging makes a folder, or refuses."""
        repo = self._repo
        bad = self._folder(chance, self._good, 0)
        commit = repo.create_commit(bad, [repo.root()], ANN, ANN, "pushed\n")
        session = Session(repo, schemas())
        reader = session.reader(commit)
        for kind in schemas().kinds:
            for found in reader.all(kind):
                if kind == "task":
                    list(Timeline(reader, schemas(), found).entries())
        inbox(reader, None, NOW)
        verify(session, commit, NOW)
        with suppress(GittaskError):  # what is lost or damaged is not merged, but named
            merge_trees(repo, schemas(), None, self._good, bad)

    def _folder(self, chance: random.Random, tree: str, depth: int) -> str:
        """A folder with some entries turned into something else."""
        entries = list(self._repo.entries(tree))
        rows = []
        for entry in entries:
            mode, name, id = f"{entry.mode:o}".encode(), entry.name.encode(), entry.id
            if entry.is_tree and chance.random() < 0.5 and depth < 5:
                id = self._folder(chance, id, depth + 1)
            if chance.random() < 0.08:
                mode = chance.choice((b"100644", b"120000", b"160000", b"40000", b"100755", b"0"))
            if chance.random() < 0.04:
                name = chance.choice(
                    (b"..", b".git", b"a\\b", b"\xff", b"CON", b"\x1b[2J", name.upper())
                )
            if chance.random() < 0.04:
                id = chance.choice(
                    (self._repo.write_object(3, b"title: [\n"), tree, "0" * 39 + "1")
                )
            rows.append((name, mode, bytes.fromhex(id)))
        rows = list({name: (name, mode, id) for name, mode, id in rows}.values())
        rows.sort(key=lambda row: row[0] + (b"/" if row[1] == b"40000" else b""))
        return self._repo.write_object(2, b"".join(b"%s %s\0%s" % (m, n, i) for n, m, i in rows))


def once(seed: int, trees: Callable[[random.Random], None] | None = None) -> None:
    """Try one input. Raises whatever the program should not have raised."""
    chance = random.Random(seed)
    text = RECORDS[chance.choice(PATHS)]
    codec(mangled(chance, text))
    record(mangled(chance, RECORDS[TASK]))
    task = RECORDS[TASK]
    if seed % 5 == 0:
        driver(*(chance.choice((task, mangled(chance, task), b"")) for _ in range(3)))
    if trees and seed % 20 == 0:
        trees(chance)


def found(seeds: Iterable[int], trees: Callable[[random.Random], None]) -> Iterator[str]:
    """What the program should not have raised, with the seed of the input that it met."""
    for seed in seeds:
        try:
            once(seed, trees)
        except Exception as error:
            yield f"seed {seed}: {type(error).__name__}: {str(error)[:300]}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int)
    asked = parser.parse_args()
    first = random.SystemRandom().randrange(10**9) * 100
    end = time.time() + 60 * asked.minutes
    seeds = (
        [asked.seed]
        if asked.seed is not None
        else takewhile(lambda _: time.time() < end, count(first))
    )
    with tempfile.TemporaryDirectory() as folder:
        bad = 0
        for said in found(seeds, Trees(Path(folder))):
            bad += 1
            print(said, flush=True)
    print(f"{bad} found")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
