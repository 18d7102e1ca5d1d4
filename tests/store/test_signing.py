from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gittask.errors import GittaskError
from gittask.store import signing
from gittask.store.repo import Person, Repo
from tests.branch import commit_to

Git = Callable[..., str]
ANN = Person("Ann", "ann@example.org", 1_767_225_600)


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """A private ssh key without a passphrase; its public half lies beside it."""
    path = tmp_path / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)], check=True)
    return path


@pytest.fixture
def signed(repo: Path, git: Git, tmp_path: Path, key: Path) -> Path:
    """A repository that signs with the ssh key, and trusts it as Ann's."""
    trusted = tmp_path / "trusted"
    trusted.write_text(f"ann@example.org {key.with_suffix('.pub').read_text()}")
    git(repo, "config", "commit.gpgsign", "true")
    git(repo, "config", "gpg.format", "ssh")
    git(repo, "config", "gpg.ssh.allowedSignersFile", str(trusted))
    git(repo, "config", "user.signingkey", str(key))
    return repo


def write(folder: Path, message: str = "subject\n\nbody: ü\n") -> str:
    repo = Repo.discover(folder)
    return commit_to(repo, repo.tip(), {"a": message.encode()}, ANN, ANN, message)


def verify(git: Git, folder: Path, commit: str) -> None:
    git(folder, "verify-commit", commit)
    assert git(folder, "log", "-1", "--format=%G? %GS %s", commit) == "G ann@example.org subject"


def test_nothing_is_signed_unless_git_is_told_to(repo: Path, git: Git) -> None:
    assert git(repo, "log", "-1", "--format=%G?", write(repo)) == "N"
    git(repo, "config", "commit.gpgsign", "false")
    assert git(repo, "log", "-1", "--format=%G?", write(repo)) == "N"


def test_a_key_in_a_file_signs(signed: Path, git: Git) -> None:
    first = write(signed)
    verify(git, signed, first)
    second = write(signed)
    verify(git, signed, second)
    info = Repo.discover(signed).commit_info(second)
    assert (info.parents, info.author, info.subject) == ((first,), ANN, "subject")
    git(signed, "fsck", "--strict")


def test_a_key_in_the_home_is_found(signed: Path, git: Git, key: Path, home: Path) -> None:
    shutil.copy(key, home / "mine")
    git(signed, "config", "user.signingkey", "~/mine")
    verify(git, signed, write(signed))


@pytest.mark.parametrize("prefix", ["", "key::"])
def test_a_literal_key_signs_through_the_agent(
    signed: Path, git: Git, key: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, prefix: str
) -> None:
    socket = tmp_path / "s"
    agent = subprocess.Popen(["ssh-agent", "-D", "-a", str(socket)], stdout=subprocess.PIPE)
    try:
        assert agent.stdout is not None
        agent.stdout.readline()
        monkeypatch.setenv("SSH_AUTH_SOCK", str(socket))
        subprocess.run(["ssh-add", "-q", str(key)], check=True)
        public = key.with_suffix(".pub").read_text().strip()
        key.unlink()
        git(signed, "config", "user.signingkey", prefix + public)
        verify(git, signed, write(signed))
        git(signed, "config", "--unset", "user.signingkey")
        git(signed, "config", "gpg.ssh.defaultKeyCommand", f"echo '{prefix}{public}'")
        verify(git, signed, write(signed))
    finally:
        agent.kill()
        agent.communicate()


def refused(folder: Path) -> GittaskError:
    """The error of a commit that cannot be signed; the branch has not moved."""
    before = Repo.discover(folder).tip()
    with pytest.raises(GittaskError) as caught:
        write(folder)
    assert Repo.discover(folder).tip() == before
    assert "git config commit.gpgsign false" in caught.value.hint
    return caught.value


def test_without_a_usable_key_nothing_is_written(signed: Path, git: Git, key: Path) -> None:
    git(signed, "config", "user.signingkey", str(key) + "-missing")
    assert "was not signed: ssh-keygen: " in refused(signed).message
    git(signed, "config", "--unset", "user.signingkey")
    assert "user.signingkey is not set" in refused(signed).message
    git(signed, "config", "gpg.ssh.defaultKeyCommand", "echo nothing")
    assert "gave no ssh key" in refused(signed).message
    git(signed, "config", "gpg.format", "pgp")
    assert "'pgp'" in refused(signed).message


def test_a_passphrase_is_never_asked_for(signed: Path, key: Path) -> None:
    command = ["ssh-keygen", "-q", "-p", "-P", "", "-N", "secret", "-f", str(key)]
    subprocess.run(command, check=True)
    assert "passphrase" in refused(signed).message


def test_a_missing_program_is_named(signed: Path, git: Git) -> None:
    git(signed, "config", "gpg.ssh.program", "/nowhere/signer")
    assert "/nowhere/signer cannot be started" in refused(signed).message


def test_a_program_that_hangs_is_ended(
    signed: Path, git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signing, "TIMEOUT", 0.2)
    script = program(tmp_path, "import signal; signal.pause()")
    git(signed, "config", "gpg.ssh.program", str(script))
    assert "did not end within 0.2 s" in refused(signed).message


def program(folder: Path, code: str) -> Path:
    script = folder / "signer"
    script.write_text(f"#!{sys.executable}\nimport os, sys\n{code}\n")
    script.chmod(0o755)
    return script


GPG = "\n".join(
    (
        "payload = sys.stdin.read()",
        'print(f\'[GNUPG:] {os.environ.get("STATUS", "SIG_CREATED")} x\', file=sys.stderr)',
        "print('-----BEGIN SIGNATURE-----', sys.argv[1:], os.environ.get('GPG_TTY'), sep='\\r\\n')",
        "print(payload.splitlines()[-1])",
    )
)


@pytest.mark.parametrize(
    ("form", "setting"),
    [("openpgp", "gpg.program"), ("openpgp", "gpg.openpgp.program"), ("x509", "gpg.x509.program")],
)
def test_gpg_and_gpgsm_are_called_as_git_calls_them(
    repo: Path,
    git: Git,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    form: str,
    setting: str,
) -> None:
    monkeypatch.setenv("GPG_TTY", "/dev/pts/1")
    git(repo, "config", "commit.gpgsign", "true")
    git(repo, "config", "gpg.format", form)
    git(repo, "config", setting, str(program(tmp_path, GPG)))
    raw = Repo.discover(repo).git("cat-file", "commit", write(repo)).stdout.decode()
    arguments = ["--status-fd=2", "-bsau", "Ann <ann@example.org>"]
    assert f"gpgsig -----BEGIN SIGNATURE-----\n {arguments}\n None\n body: ü\n" in raw
    git(repo, "config", "user.signingkey", "ABC")
    assert "'ABC'" in git(repo, "cat-file", "commit", write(repo))
    monkeypatch.setenv("STATUS", "KEY_EXPIRED")
    assert "was not signed: signer" in refused(repo).message


@pytest.mark.skipif(shutil.which("gpg") is None, reason="needs gpg")
def test_a_real_gpg_key(repo: Path, git: Git, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = home / "g"
    keys.mkdir(mode=0o700)
    monkeypatch.setenv("GNUPGHOME", str(keys))
    make = ["gpg", "--batch", "-q", "--passphrase", "", "--quick-gen-key", "Ann <ann@example.org>"]
    try:
        subprocess.run(make, check=True, capture_output=True)
        git(repo, "config", "commit.gpgsign", "true")
        assert git(repo, "log", "-1", "--format=%G?", write(repo)) in ("G", "U")
        git(repo, "config", "user.signingkey", "nobody@example.org")
        assert "was not signed: gpg: " in refused(repo).message
    finally:
        subprocess.run(["gpgconf", "--kill", "all"], check=False)
