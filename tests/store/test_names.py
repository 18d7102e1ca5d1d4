from __future__ import annotations

import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gittask.store.names import branch_fault, remote_fault


def ours(name: str) -> bool:
    """Whether git allows a name as a reference, and we do not as a branch."""
    return name.startswith(("-", "refs/")) or name in ("HEAD", "@")


@pytest.mark.parametrize(
    "name", ["gittask", "a/b", "x.y-z", "refs", "head", "a@b", "tâche", "a-b/-c"]
)
def test_good_names(name: str) -> None:
    assert branch_fault(name) == ""


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "empty"),
        ("-f", "option"),
        ("--all", "option"),
        ("HEAD", "meaning of its own"),
        ("@", "meaning of its own"),
        ("@{-1}", "earlier values"),
        ("refs/heads/x", "full name"),
        ("a..b", "ranges"),
        ("a b", "space"),
        ("a\n", "control"),
        ("a:b", "space"),
        ("a\udcffb", "UTF-8"),
        ("/a", "slashes"),
        ("a//b", "slashes"),
        ("a/.b", "dot"),
        ("a.lock", "lock"),
        ("a.", "dot"),
    ],
)
def test_bad_names_are_refused_with_the_reason(name: str, reason: str) -> None:
    assert reason in branch_fault(name)


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="ab/.@{-~ \x7f", max_size=6) | st.sampled_from(["a.lock", "a.lock/b"]))
def test_the_rules_are_gits_own(name: str) -> None:
    command = ["git", "check-ref-format", f"refs/heads/{name}"]
    allowed = subprocess.run(command, check=False).returncode == 0
    if ours(name):
        assert branch_fault(name)
    else:
        assert (branch_fault(name) == "") is allowed


@pytest.mark.parametrize("name", ["--all", "-c x", "a b", "../x", "", "."])
def test_a_bad_remote_is_refused_even_if_it_is_configured(name: str) -> None:
    assert remote_fault(name, {name})


def test_a_remote_must_be_configured() -> None:
    assert remote_fault("origin", {"origin"}) == ""
    fault = "it is not a configured remote (there are: a, b)"
    assert remote_fault("origin;id", {"b", "a"}) == fault
    assert remote_fault("x", set()) == "it is not a configured remote (there are: none)"
