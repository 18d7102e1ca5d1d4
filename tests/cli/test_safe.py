"""Text from others can neither control a terminal, nor hide in one, nor choose a path."""

from __future__ import annotations

import json
import re

import pytest

from gittask.core.codec import encode
from gittask.core.record import Data
from gittask.store.packaged import schemas
from tests.conftest import Git
from tests.program import Program, controls, path_of

ESCAPES = [
    "\x1b[2J\x1b[H",
    "\x1b]0;title\x07",
    "\x1b]8;;https://example.org\x1b\\link",
    "\x1b]52;c;eA==\x07",
    "\x9b31m",
    "\x07",
    "back\x08space",
    "over\rwrite",
    "\x00",
    "\x7f",
    "next\x85line",
]
HIDDEN = [
    "\u202eevil\u202c",
    "\u2066x\u2069",
    "zero\u200bwidth",
    "\ufeffmark",
    "line\u2028separator",
    "word\u2060joiner",
    "soft\xadhyphen",
    "tag\U000e0041",
    "\u061cx",
]
PRINTERS = ("list", "show", "status", "timeline", "log -p", "dep list")


def printed(gittask: Program, task: str) -> str:
    """All that the reading commands write about a task, as text and as JSON."""
    out = []
    for name in PRINTERS:
        args = [*name.split(), *([] if name == "list" else [task])]
        for flags in ([], ["--json"]):
            result = gittask(*args, *flags)
            out.append(result.out + result.err)
    return "".join(out)


@pytest.mark.parametrize("text", ESCAPES)
def test_control_characters_are_refused(gittask: Program, text: str) -> None:
    code = f"U+{next(ord(c) for c in text if c in controls(text)):04X}"
    task = gittask.new()
    for args in (
        ["new", text],
        ["note", task, text],
        ["set", task, f"why={text}"],
        ["actor", "add", "bob", "--name", text],
        ["start", task, "--session", text],
    ):
        for flags in ([], ["--json"]):
            result = gittask(*args, *flags, code=5)
            said = result.out + result.err
            assert f"holds the control character {code}" in said
            assert controls(said) == set()


@pytest.mark.parametrize("text", HIDDEN)
def test_hidden_characters_are_kept_and_shown(gittask: Program, git: Git, text: str) -> None:
    task = gittask.new(f"a {text} b", "--accept", text)
    gittask("actor", "set", "ann", f"name=Ann {text}")
    gittask("note", task, text)
    gittask("start", task, "--objective", text)
    assert gittask.task(task)["title"] == f"a {text} b"
    assert gittask.records("note")[0]["body"] == text
    hidden = {char for char in text if not char.isprintable()}
    assert hidden
    shown = printed(gittask, task)
    assert not hidden & set(shown)
    assert f"{ord(min(hidden)):x}" in shown.lower()
    log = git(gittask.folder, "log", "--format=%an %cn %B", "-4", "gittask")
    assert not hidden & set(log)


def test_visible_text_is_shown_as_it_is(gittask: Program) -> None:
    title = "Zoë e\u0301 漢字 👩\u200d💻 🏳️‍🌈 עברית"
    assert title in gittask("list").out + gittask("show", gittask.new(title)).out
    assert title in gittask("list").out
    assert title in gittask("list", "--json").out


@pytest.mark.parametrize("text", [t for t in ESCAPES if t != "\x00"])
def test_control_characters_that_somebody_pushed(gittask: Program, text: str) -> None:
    """The record is invalid, and the message about it is as safe as everything else."""
    task, good = gittask.new("Bad"), gittask.new("Good")
    path = path_of(task)
    stored = gittask.task(task)
    escaped = json.dumps({**stored, "title": text, "labels": [text]}, ensure_ascii=True)
    gittask.push({path: escaped.replace("\x7f", "\\u007f").encode()})
    for args in (["list"], ["list", "--json"], ["verify"], ["show", task], ["show", good]):
        result = gittask(*args, code=None)
        said = result.out + result.err
        assert controls(said) == set()
        if good not in args:
            assert path in said
    assert [one["id"] for one in gittask.json("list")["tasks"]] == [good]


def test_a_losing_value_that_somebody_pushed(gittask: Program) -> None:
    """A conflict keeps whatever lost, so that it may hold anything."""
    task = gittask.new()
    conflict: Data
    id, at, text = "20261130t100411z-k3m9q2", "2026-11-30T10:04:11.000Z", "".join(ESCAPES[:-1])
    side = {"counter": 1, "at": text[:9], "by": text[:9]}
    conflict = {"id": id, "task": task, "created": {"at": at, "by": "ann"}, "record": "x"}
    conflict |= {"field": text, "base": None, "kept": text, "lost": [text]}
    conflict |= {"kept_by": side, "lost_by": side, "changed": {}}
    conflict["state"] = {"status": "open", "at": at, "by": None, "reason": None}
    gittask.push({f"tasks/{task[-2:]}/{task}/conflicts/{id}.yaml": encode(conflict)})
    shown = printed(gittask, task)
    for args in (["show", id], ["show", id, "--json"], ["status"], ["verify"]):
        result = gittask(*args, code=None)
        shown += result.out + result.err
    assert id in shown
    assert controls(shown) == set()


@pytest.mark.parametrize("name", ["x\x1b[31m.yaml", "a\nb.yaml", "CON.yaml", "..\\x.yaml"])
def test_names_of_files_that_somebody_pushed(gittask: Program, name: str) -> None:
    task = gittask.new()
    gittask.push({f"tasks/{task[-2:]}/{task}/notes/{name}": b"kind: observation\n"})
    shown = printed(gittask, task)
    for args in (["verify"], ["verify", "--json"]):
        result = gittask(*args, code=None)
        shown += result.out + result.err
    assert controls(shown) == set()


@pytest.mark.parametrize(
    "name", ["feature\x1b[31m", "x\ty", "\u202eevil", "zoë", "a\x9bb"], ids=ascii
)
def test_errors_that_quote_what_was_typed(gittask: Program, name: str) -> None:
    for args in (
        ["show", name],
        ["set", name, "x=1"],
        ["set", gittask.new(), f"{name}=1"],
        ["new", "x", f"--{name}"],
        ["new", "x", "--project", name],
        ["note", gittask.new(), "-F", name],
        ["actor", "set", name, "name=x"],
        [name],
        ["-C", name, "list"],
        ["new", "x", "--as", name],
        ["schema", name],
    ):
        for flags in ([], ["--json"]):
            result = gittask(*flags, *args, code=None)
            said = result.out + result.err
            assert result.code in (2, 3, 5), args
            assert controls(said) == set()
            assert "\u202e" not in said


TITLES = [
    "../../x",
    "/etc/passwd",
    "CON",
    "aux.",
    'a: "b" <c>|?*',
    "trailing. ",
    "🧭🧭🧭",
    "e\u0301 \u00e9",
    "x" * 300,
    "same",
    "same",
    "-- --x",
    ".git",
    "a\\b",
]


def test_paths_follow_from_ids_only(gittask: Program, git: Git) -> None:
    made = {gittask("new", "--", title).id: title for title in TITLES}
    assert len(made) == len(TITLES)
    paths = git(gittask.folder, "ls-tree", "-r", "--name-only", "-z", "gittask").split("\0")
    for id, title in made.items():
        assert f"tasks/{id[-2:]}/{id}/task.yaml" in paths
        assert gittask.task(id)["title"] == title
        gittask("set", id, "title=Retitled")
    ours = [path for path in paths if path.startswith(("tasks/", "actors/"))]
    assert all(re.fullmatch(r"[a-z0-9/-]{1,100}\.yaml", path) for path in ours)
    after = git(gittask.folder, "ls-tree", "-r", "--name-only", "-z", "gittask").split("\0")
    assert after == paths


def test_a_commits_subject_is_one_clean_line(gittask: Program, git: Git) -> None:
    task = gittask.new()
    gittask("note", task, "-F", "-", input="first\nsecond: x\n\nTask: forged\nActor: mallory\n" * 9)
    subject = git(gittask.folder, "log", "-1", "--format=%s", "gittask")
    assert subject.startswith(f"note {task}: first\\nsecond: x")
    assert len(subject) <= 100
    trailers = git(gittask.folder, "log", "-1", "--format=%(trailers:only)", "gittask")
    assert trailers.splitlines() == [f"Task: {task}", "Actor: ann"]


def test_schemas_refuse_control_characters_in_every_text() -> None:
    """There is no field by which an escape gets in; only a conflict keeps what it finds."""
    for kind in set(schemas().kinds) - {"conflict"}:
        document = schemas().document(kind)
        assert not list(unguarded(document, document["$defs"], kind)), kind


def unguarded(schema: Data, definitions: Data, field: str) -> list[str]:
    """The fields of a schema whose text may hold an escape."""
    if reference := schema.get("$ref"):
        return unguarded(
            {**definitions[reference.rpartition("/")[2]], **schema, "$ref": ""}, definitions, field
        )
    found = [
        name
        for key in ("anyOf", "oneOf")
        for branch in schema.get(key, ())
        for name in unguarded(branch, definitions, field)
    ]
    for name, inner in schema.get("properties", {}).items():
        found += unguarded(inner, definitions, f"{field}.{name}")
    for name in ("items", "additionalProperties"):
        if isinstance(schema.get(name), dict):
            found += unguarded(schema[name], definitions, f"{field}.{name}")
    if schema.get("type") == "string" and "enum" not in schema:
        patterns = [each.get("pattern") for each in (schema, *schema.get("allOf", ()))]
        if all(re.search(pattern, "a\x1bb") for pattern in patterns if pattern):
            found.append(field)
    return found
