"""Instructions that govern, and the files of the code that they name."""

from __future__ import annotations

import pytest

from gittask.views.brief.files import named, section
from tests.memory import store, task
from tests.views.briefs import labels, made, texts

FILE = "# All\nTop\n\n## Testing\nRun it.\n\n### More\n```\n# no heading\n```\n\n## Other\nNo\n"


def test_the_section_that_an_instruction_names_is_shown() -> None:
    found = made(task("abcd", instructions="Keep to AGENTS.md#testing."), files={"AGENTS.md": FILE})
    assert "A file to read at the code's present commit: there" in labels(found, "instructions")
    (shown_file,) = texts(found, "files")
    assert (
        shown_file == "AGENTS.md#testing\n\n## Testing\nRun it.\n\n### More\n```\n# no heading\n```"
    )


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("AGENTS.md#nothing", "there, but without such a section"),
        ("docs/none.md", "no such file there"),
    ],
)
def test_what_is_not_there_is_said(name: str, said: str) -> None:
    found = made(task("abcd", instructions=f"See {name}"), files={"AGENTS.md": FILE})
    assert labels(found, "instructions").endswith(f"present commit: {said}")
    assert texts(found, "instructions")[-1] == name
    assert texts(found, "files") == []


def test_a_link_names_a_file_too() -> None:
    link = {"id": "l1", "rel": "instructions", "target": "AGENTS.md", "title": None}
    found = made(task("abcd", links=[link]), files={"AGENTS.md": FILE})
    assert texts(found, "files") == [f"AGENTS.md\n\n{FILE}"]


@pytest.mark.parametrize("unit", ["links.l1.target", "links.l1.rel"])
def test_a_file_governs_by_who_last_had_the_link_name_it(unit: str) -> None:
    link = {"id": "l1", "rel": "instructions", "target": "AGENTS.md", "title": None}
    changed = {
        "links.l1": "1 2026-11-30T10:01:00.000Z alice",
        unit: "2 2026-11-30T10:02:00.000Z bob",
        "links.l1.title": "3 2026-11-30T10:03:00.000Z codex-1",
    }
    found = made(task("abcd", links=[link], changed=changed), files={"AGENTS.md": FILE})
    assert "A file that instructions set by bob name" in labels(found, "files")


def test_who_set_an_instruction_is_said() -> None:
    found = made(task("abcd", instructions="Do."), store(instructions="Be brief."))
    first, *instructed = labels(found, "instructions").splitlines()
    assert first == "Where two of these differ, the one above decides"
    assert instructed == [
        f"Instructions of the task {task('abcd').id}, set by alice (person), 2026-11-30 10:00 UTC",
        "Instructions of the store, set by alice (person), 2026-11-30 10:00 UTC",
    ]


@pytest.mark.parametrize(
    ("anchor", "heading"),
    [
        ("how-to-test", "## How to test"),
        ("How-To-Test", "## How to test ##"),
        ("whats-new-in-20", "###  What's new in 2.0?"),
        ("same-1", "# Same"),
        ("größe_x", "# Größe_x"),
    ],
)
def test_sections_are_named_as_hosts_name_them(anchor: str, heading: str) -> None:
    text = f"# Same\n#not a heading\n    # nor this\n{heading}\nhere"
    assert section(text, anchor) == f"{heading}\nhere"


def test_what_only_looks_like_a_heading_names_no_section() -> None:
    assert section("```\n# Same\n```\n~~~~\n# Same\n~~~\n# Same", "same") is None


def test_a_hostile_file_is_read_in_time() -> None:
    for said in (f"# {' #' * 100_000}", "#" * 200_000, f"# a{' ' * 200_000}b"):
        assert section(said, "none") is None
    for said in ("a/" * 10_000, "a." * 10_000, "a.md/" * 4_000, "-" * 20_000):
        assert named(said) == []
