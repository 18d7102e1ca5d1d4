"""Signing commits the way git is configured to (commit.gpgsign, gpg.format, user.signingkey).

The library signs nothing by itself, so the signing program is called here as git calls it.
"""

from __future__ import annotations

import shlex
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from gittask.errors import GittaskError
from gittask.store.commits import Person
from gittask.store.git import Config, environment, setting, truth
from gittask.store.process import Completed, execute

TIMEOUT = 60.0
"""Seconds that a signing program may take."""

_HINT = (
    "give user.signingkey a key that works without a prompt, or turn signing off for this "
    "repository: git config commit.gpgsign false"
)
_PROGRAMS = {"openpgp": "gpg", "x509": "gpgsm", "ssh": "ssh-keygen"}


def sign(payload: bytes, committer: Person, config: Config) -> str | None:
    """The signature of a commit's text, or None if git is not configured to sign.

    Raises GittaskError if the program fails, is missing, or takes more than 60 s.
    """
    if not truth(config, "commit.gpgsign"):
        return None
    form = (setting(config, "gpg.format") or "openpgp").lower()
    if form not in _PROGRAMS:
        raise GittaskError(f"gpg.format is {form!r}, not openpgp, x509 or ssh", hint=_HINT)
    old_name = setting(config, "gpg.program") if form == "openpgp" else None
    program = setting(config, f"gpg.{form}.program") or old_name or _PROGRAMS[form]
    program = str(Path(program).expanduser())
    key = setting(config, "user.signingkey")
    if form == "ssh":
        signature = _ssh(program, key or _default_ssh_key(config), payload)
    else:
        signature = _gpg(program, key or f"{committer.name} <{committer.email}>", payload)
    return signature.replace("\r\n", "\n")


def _gpg(program: str, key: str, payload: bytes) -> str:
    done = _call([program, "--status-fd=2", "-bsau", key], payload)
    if "[GNUPG:] SIG_CREATED " not in done.stderr:
        raise _failed(program, done)
    return done.stdout.decode("utf-8", "replace")


def _ssh(program: str, key: str, payload: bytes) -> str:
    with tempfile.TemporaryDirectory(prefix="gittask-sign-") as folder:
        text = Path(folder, "commit")
        text.write_bytes(payload)
        options = []
        if literal := _literal(key):
            public = Path(folder, "key")
            public.write_text(literal + "\n", encoding="utf-8")
            options, key = ["-U"], str(public)
        key = str(Path(key).expanduser())
        done = _call([program, "-Y", "sign", "-n", "git", "-f", key, *options, str(text)])
        try:
            return Path(folder, "commit.sig").read_text(encoding="utf-8")
        except OSError:
            raise _failed(program, done) from None


def _literal(key: str) -> str:
    """The public key that a setting holds itself; empty if it names a file."""
    return key if key.startswith("ssh-") else key[5:] if key.startswith("key::") else ""


def _default_ssh_key(config: Config) -> str:
    command = setting(config, "gpg.ssh.defaultkeycommand")
    if not command:
        raise GittaskError("commits are to be signed, but user.signingkey is not set", hint=_HINT)
    done = _call(shlex.split(command))
    first = next(iter(done.stdout.decode("utf-8", "replace").splitlines()), "")
    if not _literal(first):
        raise GittaskError("gpg.ssh.defaultKeyCommand gave no ssh key", hint=_HINT)
    return first


def _call(argv: Sequence[str], input: bytes | None = None) -> Completed:
    env: Mapping[str, str] = {k: v for k, v in environment().items() if k != "GPG_TTY"}
    try:
        done = execute(argv, env=env, input=input, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        message = f"the commit was not signed: {argv[0]} did not end within {TIMEOUT:g} s"
        raise GittaskError(message, hint=_HINT) from None
    except (OSError, ValueError) as error:
        message = f"the commit was not signed: {argv[0]} cannot be started: {error}"
        raise GittaskError(message, hint=_HINT) from None
    if done.code != 0:
        raise _failed(argv[0], done)
    return done


def _failed(program: str, done: Completed) -> GittaskError:
    lines = [line for line in done.stderr.splitlines() if not line.startswith("[GNUPG:]")]
    said = next((line.strip() for line in reversed(lines) if line.strip()), "no reason given")
    message = f"the commit was not signed: {Path(program).name}: {said}"
    return GittaskError(message, hint=_HINT, details={"stderr": done.stderr})
