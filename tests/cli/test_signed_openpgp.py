"""Whether commits are signed by whom they name, by keys of GnuPG: made, revoked, let expire."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import Git
from tests.program import Program

GPG = shutil.which("gpg") if shutil.which("gpgconf") else None
pytestmark = pytest.mark.skipif(not GPG, reason="needs gpg and gpgconf")

LONG_AGO = "20200101T000000"
ANN = "Ann <ann@example.org>"
NOT_OURS = "is signed by a key that is not known as one of ann"


class Keyring:
    """A home of GnuPG with a key for each name, without a passphrase."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.keys = {
            "ann": self.make(ANN),
            "codex-1": self.make("Codex <codex@example.org>"),
            "stranger": self.make("Somebody <somebody@else.example>"),
            "untrusted": self.make(ANN),
            "several": self.make("Ann Several <ann-two@else.example>", usage="cert"),
        }
        self("--quick-add-key", self.keys["several"], "ed25519", "sign", "never")
        self("--import-ownertrust", input=f"{self.keys['untrusted']}:2:\n")

    def __call__(self, *args: str, input: str = "") -> str:
        done = subprocess.run(
            [
                str(GPG),
                "--batch",
                "--quiet",
                "--passphrase",
                "",
                "--pinentry-mode",
                "loopback",
                *args,
            ],
            env={**os.environ, "GNUPGHOME": self.folder},
            input=input,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, (args, done.stderr)
        return done.stdout

    def make(self, name: str, *options: str, usage: str = "sign") -> str:
        """A new key, by its fingerprint."""
        self(*options, "--quick-generate-key", "--yes", name, "ed25519", usage, "never")
        listed = self("--with-colons", "--list-keys").splitlines()
        primary = [at for at, line in enumerate(listed) if line.startswith("pub:")]
        return listed[primary[-1] + 1].split(":")[9]

    def revoke(self, name: str) -> None:
        text = Path(self.folder, "openpgp-revocs.d", f"{self.keys[name]}.rev").read_text()
        self("--import", input=text.replace(":-----BEGIN", "-----BEGIN"))

    def let_expire(self, name: str) -> None:
        later = ("--faked-system-time", "20200201T000000")
        self(*later, "--quick-set-expire", self.keys[name], "20200301T000000")


@pytest.fixture(scope="module")
def keyring() -> Iterator[Keyring]:
    """The path is short, as that of a socket must be; the agent of the keys ends with the tests."""
    with tempfile.TemporaryDirectory(prefix="gpg-", ignore_cleanup_errors=True) as folder:
        try:
            yield Keyring(folder)
        finally:
            stop_agents(folder)


def stop_agents(folder: str) -> None:
    subprocess.run(["gpgconf", "--kill", "all"], env={**os.environ, "GNUPGHOME": folder})


class Signing:
    """A store; each call signs with the key that is named, and the record of Ann may name it."""

    def __init__(self, program: Program, git: Git, keyring: Keyring) -> None:
        self.program = program
        self._git = git
        self._keyring = keyring
        git(program.folder, "config", "gpg.program", str(GPG))
        program("actor", "add", "codex-1")
        program("actor", "add", "ann", "--kind", "person", code=None)
        self.start = self.tip

    @property
    def tip(self) -> str:
        return self._git(self.program.folder, "rev-parse", "gittask")

    def name_key(self, actor: str, key: str) -> None:
        """Let the record of an actor name a key; what is judged begins after that."""
        self.program("actor", "set", actor, f"keys+=openpgp:{self._keyring.keys[key]}")
        self.start = self.tip

    def by(self, key: str | None, *args: str) -> str:
        """Run a command, signing with a key; returns what it printed."""
        folder = self.program.folder
        self._git(folder, "config", "commit.gpgsign", "true" if key else "false")
        self._git(folder, "config", "user.signingkey", self._keyring.keys.get(key or "", "none"))
        return self.program(*args).out.strip()

    def said(self) -> list[str]:
        """What verify says of the signatures since the start; the exit code is 5 if anything."""
        words = ("--json", "verify", f"{self.start}..", "--signatures")
        result = self.program(*words, code=None)
        problems = result.error["details"]["problems"] if result.code else []
        assert result.code == (5 if problems else 0)
        assert all(each["rule"] == "signature" and each["hint"] for each in problems)
        return [each["message"] for each in problems]


@pytest.fixture
def signing(
    gittask: Program, git: Git, keyring: Keyring, monkeypatch: pytest.MonkeyPatch
) -> Signing:
    monkeypatch.setenv("GNUPGHOME", keyring.folder)
    return Signing(gittask, git, keyring)


@pytest.mark.parametrize("key", ["ann", "untrusted", "several"])
def test_a_key_that_the_record_names(signing: Signing, git: Git, key: str) -> None:
    """Whether git trusts it does not matter; of a key with parts the record names the first."""
    signing.name_key("ann", key)
    signing.by(key, "new", "One")
    raw = git(signing.program.folder, "cat-file", "commit", "gittask")
    assert "gpgsig -----BEGIN PGP SIGNATURE-----" in raw
    assert signing.said() == []


def test_a_key_that_git_trusts_and_that_names_the_address(signing: Signing) -> None:
    signing.by("ann", "new", "One")
    assert signing.said() == []


def test_a_key_that_only_says_that_it_is_theirs(signing: Signing) -> None:
    signing.by("untrusted", "new", "One")
    assert signing.said() == ["no key of ann is known"]
    signing.name_key("ann", "ann")
    signing.by("untrusted", "new", "Two")
    assert signing.said() == [NOT_OURS]


def test_what_is_not_signed(signing: Signing) -> None:
    signing.name_key("ann", "ann")
    signing.by(None, "new", "One")
    assert signing.said() == ["is not signed, but ann has keys"]


def test_a_key_of_another_actor(signing: Signing) -> None:
    signing.name_key("ann", "ann")
    signing.name_key("codex-1", "codex-1")
    signing.by("codex-1", "new", "One")
    assert signing.said() == ["is signed by a key of codex-1, not of ann"]


def test_a_key_that_no_record_names(signing: Signing) -> None:
    signing.name_key("ann", "ann")
    signing.by("stranger", "new", "One")
    assert signing.said() == [NOT_OURS]


def test_a_key_that_is_not_here(signing: Signing, monkeypatch: pytest.MonkeyPatch) -> None:
    signing.name_key("ann", "ann")
    signing.by("ann", "new", "One")
    with tempfile.TemporaryDirectory(prefix="gpg-", ignore_cleanup_errors=True) as empty:
        monkeypatch.setenv("GNUPGHOME", empty)
        try:
            assert signing.said() == [NOT_OURS]
        finally:
            stop_agents(empty)


def test_an_actor_that_is_not_there(signing: Signing, git: Git) -> None:
    signing.by("ann", "new", "One")
    signing.start = signing.tip
    folder = signing.program.folder
    unknown = ("-c", "user.email=x@else.example", "commit-tree", "-S", "-p", "gittask", "-m", "x")
    commit = git(folder, *unknown, "gittask^{tree}")
    git(folder, "update-ref", "refs/heads/gittask", commit)
    assert signing.said() == ["names no actor of this store, so nobody's key can be looked up"]


def test_a_signature_that_was_moved_to_another_commit(signing: Signing, git: Git) -> None:
    signing.name_key("ann", "ann")
    signing.by("ann", "new", "One")
    folder = signing.program.folder
    text = git(folder, "cat-file", "commit", "gittask") + "\n"
    forged = text.replace("One", "Two")
    commit = git(folder, "hash-object", "-t", "commit", "-w", "--stdin", input=forged)
    git(folder, "update-ref", "refs/heads/gittask", commit)
    assert signing.said() == ["has a signature that does not fit it"]


@pytest.mark.parametrize("named", [True, False])
def test_a_key_that_counts_no_more(signing: Signing, keyring: Keyring, named: bool) -> None:
    """It is told so too where only the key itself says whose it is."""
    keyring.keys["revoked"] = keyring.make(ANN)
    keyring.keys["old"] = keyring.make(ANN, "--faked-system-time", LONG_AGO)
    if named:
        signing.name_key("ann", "revoked")
        signing.name_key("ann", "old")
    signing.by("revoked", "new", "One")
    signing.by("old", "new", "Two")
    keyring.revoke("revoked")
    keyring.let_expire("old")
    assert signing.said() == [
        "is signed by a key of ann that was revoked",
        "is signed by a key of ann that has expired",
    ]
