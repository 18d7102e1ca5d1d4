"""Whether commits are signed by whom they name."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from gittask.store.signatures import Signature
from tests.conftest import Git
from tests.program import Program, path_of


class Signing:
    """A store whose person and agent have keys; each call signs with the key that is named."""

    def __init__(self, program: Program, git: Git, keys: Path) -> None:
        self.program = program
        self._git = git
        self._keys = keys
        git(program.folder, "config", "gpg.format", "ssh")
        for name in ("ann", "codex-1", "stranger"):
            file = str(keys / name)
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", file], check=True)
        program("actor", "add", "codex-1")
        for name in ("ann", "codex-1"):
            program("actor", "set", name, f"keys+={self.public(name)}")
        self.start = self.tip

    def public(self, name: str) -> str:
        return " ".join((self._keys / f"{name}.pub").read_text().split()[:2])

    @property
    def tip(self) -> str:
        return self._git(self.program.folder, "rev-parse", "gittask")

    def by(self, key: str | None, *args: str) -> str:
        """Run a command, signing with a key; returns what it printed."""
        folder = self.program.folder
        self._git(folder, "config", "commit.gpgsign", "true" if key else "false")
        if key:
            self._git(folder, "config", "user.signingkey", str(self._keys / key))
        return self.program(*args).out.strip()

    def said(self, *args: str) -> list[str]:
        """What verify says of the signatures since the start."""
        result = self.program(
            "--json", "verify", f"{self.start}..", "--signatures", *args, code=None
        )
        problems = result.error["details"]["problems"] if result.code else []
        assert all(each["rule"] == "signature" for each in problems)
        return [each["message"] for each in problems]


@pytest.fixture
def signing(gittask: Program, git: Git, tmp_path: Path) -> Signing:
    folder = tmp_path / "keys"
    folder.mkdir()
    return Signing(gittask, git, folder)


def test_each_by_their_own_key(signing: Signing) -> None:
    task = signing.by("ann", "new", "One", "--why", "w")
    signing.by("codex-1", "--as", "codex-1", "note", task, "seen")
    assert signing.said() == []


def test_what_is_not_signed(signing: Signing) -> None:
    signing.by(None, "new", "One")
    assert signing.said() == ["is not signed, but ann has keys"]


def test_a_key_of_another_actor(signing: Signing) -> None:
    signing.by("codex-1", "new", "One")
    assert signing.said() == ["is signed by a key of codex-1, not of ann"]


def test_a_key_that_nobody_knows(signing: Signing) -> None:
    signing.by("stranger", "new", "One")
    assert signing.said() == ["is signed by a key that is not known as one of ann"]


def test_an_actor_that_is_not_there(signing: Signing) -> None:
    task = signing.by("ann", "new", "One")
    signing.program.push({path_of(task): signing.program.stored(path_of(task)) + b"# x\n"})
    assert signing.said() == ["names no actor of this store, so nobody's key can be looked up"]


def test_a_signature_that_was_moved_to_another_commit(signing: Signing, git: Git) -> None:
    signing.by("ann", "new", "One")
    folder = signing.program.folder
    text = git(folder, "cat-file", "commit", "gittask") + "\n"
    forged = git(
        folder, "hash-object", "-t", "commit", "-w", "--stdin", input=text.replace("One", "Two")
    )
    git(folder, "update-ref", "refs/heads/gittask", forged)
    assert signing.said() == ["has a signature that does not fit it"]


def test_an_actor_without_keys_is_told_only_if_it_is_required(signing: Signing) -> None:
    signing.by(None, "--as", "claude-1", "new", "One")
    assert signing.said() == ["no key of claude-1 is known"]


def test_nobody_vouches_for_themselves(signing: Signing) -> None:
    """A key that a commit adds does not count for that commit."""
    signing.by("stranger", "actor", "set", "ann", f"keys+={signing.public('stranger')}")
    assert signing.said() == ["is signed by a key that is not known as one of ann"]


def test_an_agent_may_not_give_keys_to_others(signing: Signing) -> None:
    said = signing.program(
        *("--json", "--as", "codex-1", "actor", "set", "ann"),
        f"keys+={signing.public('stranger')}",
        code=4,
    ).error["message"]
    assert said == "only ann or a person may change the record of ann"


@pytest.mark.parametrize(("policy", "code"), [("off", 0), ("warn", 0), ("require", 5)])
def test_the_store_says_what_follows(signing: Signing, policy: str, code: int) -> None:
    stored = signing.program.stored("gittask.yaml").decode()
    text = stored.replace("signatures: null", f"signatures: {policy}")
    if policy == "off":
        text = text.replace("signatures: off", 'signatures: "off"')
    signing.program.push({"gittask.yaml": text.encode()})
    start = signing.tip
    signing.by(None, "new", "One")
    result = signing.program("--json", "verify", f"{start}..", code=code)
    warnings = [] if code else result.document["verify"]["warnings"]
    assert [each["message"] for each in warnings] == (
        ["is not signed, but ann has keys"] if policy == "warn" else []
    )


def test_only_people_say_whether_it_is_required(signing: Signing) -> None:
    signing.program("store", "set", "signatures=require")
    said = signing.program(
        *("--json", "--as", "codex-1", "store", "set", "signatures=off"), code=4
    ).error["message"]
    assert said == "only a person may say whether commits must be signed"


@pytest.mark.parametrize(("state", "faults"), [("good", 0), ("untrusted", 1), ("unknown", 1)])
def test_an_openpgp_key_counts_only_where_git_trusts_it(
    signing: Signing, monkeypatch: pytest.MonkeyPatch, state: str, faults: int
) -> None:
    """Whoever makes a key can write any name into it."""
    signing.by("ann", "new", "One")
    found = {signing.tip: Signature(state, ("0123",), "Ann <ann@example.org>")}
    monkeypatch.setattr("gittask.judging.signed.check", lambda *_: found)
    assert len(signing.said()) == faults
