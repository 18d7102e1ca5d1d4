"""Whole versions of the data branch against each other: what stands, and that nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gittask.core.codec import decode, encode
from gittask.core.record import Data
from gittask.store import packaged
from gittask.store.repo import Entry, Person, Repo
from gittask.store.treemerge import MergedTree, merge_commits, merge_trees
from tests.clones import SECONDS

SCHEMAS = packaged.schemas()
ID = "k0000000aa01"
PATH = f"tasks/01/{ID}/task.yaml"
NOTE = f"tasks/01/{ID}/notes/20261130t100000z-aaaaaa.yaml"
TIME = "2026-11-30T10:00:00.000Z"
LATER = "1 2026-11-30T11:00:00.000Z bob"
LATEST = "2 2026-11-30T12:00:00.000Z ann"


def task(**fields: Any) -> Data:
    state = {"status": "open", "epoch": 0, "holder": None, "since": None}
    data = {
        "id": ID,
        "title": "p",
        "created": {"at": TIME, "by": "ann"},
        "state": {**state, "outcome": None, "reason": None},
        "responsible": "ann",
    }
    return SCHEMAS.complete("task", {**data, **fields})


def text(**fields: Any) -> bytes:
    return encode(task(**fields), SCHEMAS.order("task"))


def titled(title: str, stamp: str) -> bytes:
    return text(title=title, changed={"title": stamp})


BASE = text()
EARLY, LATE = titled("early", LATER), titled("late", LATEST)
BROKEN = b"title: [\n"


class Trees:
    """Writes folders from contents by path, merges them both ways round, and reads them."""

    def __init__(self, repo: Repo) -> None:
        self.repo = repo
        self.last = MergedTree("", (), ())

    def __call__(self, files: dict[str, bytes]) -> str:
        return self.repo.write_tree(None, dict(files))

    def merge(
        self, base: dict[str, bytes] | None, ours: dict[str, bytes], theirs: dict[str, bytes]
    ) -> dict[str, bytes]:
        """What the merge holds, save for conflicts; those are in ``conflicts``."""
        return self.merge_ids(None if base is None else self(base), self(ours), self(theirs))

    def merge_ids(self, base: str | None, ours: str, theirs: str) -> dict[str, bytes]:
        self.last = merge_trees(self.repo, SCHEMAS, base, ours, theirs)
        assert merge_trees(self.repo, SCHEMAS, base, theirs, ours).tree == self.last.tree
        found = dict(self.read(self.last.tree))
        return {path: content for path, content in found.items() if "conflicts/" not in path}

    @property
    def conflicts(self) -> list[Data]:
        """The conflicts in the merged folder, each of them valid and where it belongs."""
        found = []
        for path, content in self.read(self.last.tree):
            if "conflicts/" in path:
                data = decode(content)
                assert SCHEMAS.check("conflict", data) == []
                assert SCHEMAS.locate(path) is not None
                found.append(data)
        return found

    def read(self, tree: str) -> Iterator[tuple[str, bytes]]:
        for path, entry in self.repo.files(tree):
            if not entry.is_tree:
                yield path, self.repo.blob(entry.id)

    def entry(self, tree: str, name: str) -> Entry | None:
        return next((e for e in self.repo.entries(tree) if e.name == name), None)


@pytest.fixture
def trees(repo: Path) -> Trees:
    return Trees(Repo.discover(repo))


def test_what_only_one_side_changed_is_taken_byte_for_byte(trees: Trees) -> None:
    odd = BASE + b"# a remark\n"
    assert trees.merge({PATH: BASE}, {PATH: BASE}, {PATH: odd, "new.txt": b"x"}) == {
        PATH: odd,
        "new.txt": b"x",
    }
    assert trees.last.merged == ()


def test_both_sides_fields_come_together_canonically(trees: Trees) -> None:
    ours = text(priority=0, changed={"priority": LATER})
    theirs = text(labels=["x"], changed={"labels.x": LATEST}) + b"# a remark\n"
    merged = trees.merge({PATH: BASE}, {PATH: ours}, {PATH: theirs})
    both = {"priority": LATER, "labels.x": LATEST}
    assert merged == {PATH: text(priority=0, labels=["x"], changed=both)}
    assert trees.last.merged == (PATH,)
    assert trees.conflicts == []


def test_a_value_that_loses_becomes_a_conflict_of_its_task(trees: Trees) -> None:
    merged = trees.merge({PATH: BASE}, {PATH: EARLY}, {PATH: LATE})
    assert merged == {PATH: LATE}
    (conflict,) = trees.conflicts
    assert conflict["task"] == ID
    assert (conflict["record"], conflict["field"]) == (PATH, "title")
    assert (conflict["base"], conflict["kept"], conflict["lost"]) == ("p", "late", "early")
    assert conflict["kept_by"] == {"counter": 2, "at": "2026-11-30T12:00:00.000Z", "by": "ann"}
    assert conflict["created"] == {"at": "2026-11-30T12:00:00.000Z", "by": "gittask"}
    assert conflict["state"]["status"] == "open"


def test_the_same_loss_makes_the_same_conflict_whatever_lies_around_it(trees: Trees) -> None:
    trees.merge({PATH: BASE}, {PATH: EARLY}, {PATH: LATE})
    first = trees.conflicts
    trees.merge({PATH: BASE, "a": b"1"}, {PATH: EARLY, "b": b"2"}, {PATH: LATE})
    assert trees.conflicts == first


def test_a_conflict_that_was_settled_is_not_opened_again(trees: Trees) -> None:
    trees.merge({PATH: BASE}, {PATH: EARLY}, {PATH: LATE})
    (conflict,) = trees.conflicts
    state = {"status": "resolved", "at": TIME, "by": "ann", "reason": "seen"}
    settled = {**conflict, "state": state, "changed": {"state": LATER}}
    path = SCHEMAS.path("conflict", conflict["id"], task=ID)
    known = {path: encode(settled, SCHEMAS.order("conflict"))}
    trees.merge({PATH: BASE}, {PATH: EARLY, **known}, {PATH: LATE})
    assert trees.conflicts == [settled]


def test_a_conflict_of_no_task_stands_at_the_top(trees: Trees) -> None:
    def actor(name: str, stamp: str) -> dict[str, bytes]:
        data: Data = {"id": "ann", "kind": "person", "name": name}
        data |= {"created": {"at": TIME, "by": "ann"}, "changed": {"name": stamp}}
        whole = SCHEMAS.complete("actor", data)
        return {"actors/ann.yaml": encode(whole, SCHEMAS.order("actor"))}

    trees.merge(None, actor("Ann", LATER), actor("Anna", LATEST))
    assert [c["record"] for c in trees.conflicts] == ["actors/ann.yaml"]
    assert any(name.startswith("conflicts/") for name, _ in trees.read(trees.last.tree))


@pytest.mark.parametrize("edited", [BASE, LATE])
def test_a_record_that_one_side_deleted_stays(trees: Trees, edited: bytes) -> None:
    base = {PATH: BASE, NOTE: b"x: 1\n", "junk.txt": b"junk"}
    merged = trees.merge(base, {"junk.txt": b"junk"}, {PATH: edited, NOTE: b"x: 1\n"})
    assert merged == {PATH: edited}, "the note is none, and so is junk: they were deleted"


def test_merged_folders_are_in_the_order_that_git_asks_for(trees: Trees) -> None:
    merged = trees.merge({}, {"a/x": b"1", "a-": b"2"}, {"a.": b"3", "a/y": b"4", "a0": b"5"})
    assert len(merged) == 5
    assert trees.last.tree == trees(merged)


def test_junk_that_one_side_deleted_and_the_other_changed_stays(trees: Trees) -> None:
    assert trees.merge({"a/junk": b"1"}, {}, {"a/junk": b"2"}) == {"a/junk": b"2"}


def test_a_valid_version_comes_before_one_that_cannot_be_read(trees: Trees) -> None:
    merged = trees.merge({PATH: BASE}, {PATH: BROKEN}, {PATH: LATE})
    assert merged == {PATH: LATE}
    (conflict,) = trees.conflicts
    assert (conflict["field"], conflict["lost"]) == ("", "title: [\n")


def test_of_two_unreadable_versions_one_is_kept_in_place(trees: Trees) -> None:
    merged = trees.merge({PATH: BASE}, {PATH: BROKEN}, {PATH: b"\xff\x00"})
    assert merged == {PATH: b"\xff\x00"}
    (conflict,) = trees.conflicts
    assert conflict["lost"] == "title: [\n"


def test_a_merge_that_would_not_be_valid_keeps_the_later_side_whole(trees: Trees) -> None:
    # Each side alone fits into a file; both together are too large.
    ours = text(x="a" * 600_000, changed={"x": LATER})
    theirs = text(y="b" * 600_000, changed={"y": LATEST})
    merged = trees.merge({PATH: BASE}, {PATH: ours}, {PATH: theirs})
    assert merged == {PATH: theirs}
    (conflict,) = trees.conflicts
    assert (conflict["field"], conflict["lost"]["x"]) == ("", "a" * 600_000)


def test_another_text_merges_line_by_line(trees: Trees) -> None:
    merged = trees.merge(
        {"README.md": b"1\n2\n3\n"}, {"README.md": b"0\n2\n3\n"}, {"README.md": b"1\n2\n4\n"}
    )
    assert merged == {"README.md": b"0\n2\n4\n"}
    assert trees.conflicts == []


def test_of_two_texts_that_touch_the_other_becomes_a_conflict(trees: Trees) -> None:
    merged = trees.merge({"README.md": b"1\n"}, {"README.md": b"2\n"}, {"README.md": b"3\n"})
    assert merged == {"README.md": b"3\n"}
    (conflict,) = trees.conflicts
    assert (conflict["record"], conflict["kept"], conflict["lost"]) == ("README.md", "3\n", "2\n")


def test_what_is_no_text_is_named_by_its_object(trees: Trees) -> None:
    merged = trees.merge(None, {"x.bin": b"\xff1"}, {"x.bin": b"\xff2"})
    assert merged == {"x.bin": b"\xff2"}
    (conflict,) = trees.conflicts
    lost = conflict["lost"].split()[2].rstrip(",")
    assert trees.repo.blob(lost) == b"\xff1"


def test_copies_of_schemas_make_no_conflict(trees: Trees) -> None:
    path = "schemas/task.schema.json"
    assert trees.merge({path: b"1"}, {path: b"2"}, {path: b"3"}) == {path: b"3"}
    assert trees.conflicts == []


def test_a_folder_comes_before_a_file(trees: Trees) -> None:
    merged = trees.merge({}, {"a": b"file"}, {"a/b": b"in it"})
    assert merged == {"a/b": b"in it"}
    assert [c["lost"] for c in trees.conflicts] == ["file"]


def test_records_outlive_a_file_in_place_of_their_folder(trees: Trees) -> None:
    base = {PATH: BASE}
    assert trees.merge(base, base, {"tasks": b"gone"}) == base
    assert [c["lost"] for c in trees.conflicts] == ["gone"]


def test_a_file_in_place_of_the_conflicts_gives_way_to_them(trees: Trees) -> None:
    sides = [{"conflicts": b"mine", "x": b"1"}, {"conflicts": b"mine", "x": b"2"}]
    trees.merge(None, *sides)
    assert sorted(c["lost"] for c in trees.conflicts) == ["1", "mine"]


def test_hostile_entries_are_carried_and_never_opened(trees: Trees) -> None:
    repo = trees.repo
    blob = repo.entries(trees({"x": b"/etc/passwd"}))[0].id
    raw = b"".join(
        b"%s %s\0%s" % (mode, name, bytes.fromhex(blob))
        for mode, name in ((b"100644", b"..\\x"), (b"120000", b"link"), (b"160000", b"sub"))
    )
    odd = b"100644 \xff\xfe\0" + bytes.fromhex(blob)
    theirs = str(repo._odb.write(2, raw + odd))
    trees.last = merge_trees(repo, SCHEMAS, trees({}), trees({PATH: BASE}), theirs)
    again = merge_trees(repo, SCHEMAS, trees({}), theirs, trees({PATH: BASE}))
    assert again.tree == trees.last.tree
    entries = {e.name: e.mode for e in repo.entries(trees.last.tree)}
    assert entries == {
        "..\\x": 0o100644,
        "link": 0o120000,
        "sub": 0o160000,
        "tasks": 0o040000,
        "\udcff\udcfe": 0o100644,
    }


def test_a_link_in_place_of_a_record_loses_to_the_record(trees: Trees) -> None:
    repo = trees.repo
    blob = repo.entries(trees({"x": b"/etc/passwd"}))[0].id
    link = str(repo._odb.write(2, b"120000 task.yaml\0" + bytes.fromhex(blob)))
    for name in (ID, "01", "tasks"):
        link = str(repo._odb.write(2, b"40000 %s\0%s" % (name.encode(), bytes.fromhex(link))))
    assert trees.merge_ids(trees({PATH: BASE}), trees({PATH: LATE}), link) == {PATH: LATE}
    assert f"(git object {blob}, mode 120000)" in [c["lost"] for c in trees.conflicts]


def test_a_path_that_would_control_a_terminal_is_recorded_in_plain_letters(trees: Trees) -> None:
    path = "odd\x1b[2Jname"
    trees.merge(None, {path: b"1"}, {path: b"2"})
    assert [c["record"] for c in trees.conflicts] == ["odd\\e[2Jname"]


def test_folders_too_deep_to_enter_are_kept_as_they_are(trees: Trees) -> None:
    path = "/".join("d" * 40)
    trees.merge(None, {path: b"1"}, {path: b"2"})
    assert [c["lost"].endswith("mode 040000)") for c in trees.conflicts] == [True]


def test_of_a_conflict_met_from_two_bases_only_the_answer_counts(trees: Trees) -> None:
    trees.merge({PATH: BASE}, {PATH: EARLY}, {PATH: LATE})
    (one,) = trees.conflicts
    path = SCHEMAS.path("conflict", one["id"], task=ID)
    files = [
        {path: encode(data, SCHEMAS.order("conflict"))} for data in (one, {**one, "base": None})
    ]
    trees.merge(None, *files)
    assert [{**conflict, "base": "p"} for conflict in trees.conflicts] == [one]


# -- commits ------------------------------------------------------------------------------------


def commit(trees: Trees, files: dict[str, bytes], *parents: str) -> str:
    person = Person("Ann", "ann@example.org", SECONDS)
    return trees.repo.create_commit(trees(files), list(parents), person, person, "m\n")


def test_crossed_merges_have_their_bases_merged_first(trees: Trees) -> None:
    def both(x: str, z: str) -> dict[str, bytes]:
        return {"x": x.encode(), "z": z.encode()}

    root = commit(trees, both("1\n2\n3\n", "1\n2\n3\n"))
    one = commit(trees, both("one\n2\n3\n", "one\n2\n3\n"), root)
    two = commit(trees, both("1\n2\ntwo\n", "1\n2\ntwo\n"), root)
    ours = commit(trees, both("one\n2\ntwo\n", "one\n2\ntwo\n"), one, two)
    # Against either base alone, one of the two files was edited in the same line on both sides.
    edited = both("one\n2\nTWO\n", "ONE\n2\ntwo\n")
    theirs = commit(trees, edited, two, one)
    assert len(trees.repo.merge_bases(ours, theirs)) == 2
    trees.last = merge_commits(trees.repo, SCHEMAS, ours, theirs)
    assert dict(trees.read(trees.last.tree)) == edited
    assert merge_commits(trees.repo, SCHEMAS, theirs, ours).tree == trees.last.tree


def test_commits_without_a_common_one_keep_everything(trees: Trees) -> None:
    ours, theirs = commit(trees, {"x": b"1", PATH: EARLY}), commit(trees, {"y": b"2", PATH: LATE})
    trees.last = merge_commits(trees.repo, SCHEMAS, ours, theirs)
    found = dict(trees.read(trees.last.tree))
    assert (found["x"], found["y"], found[PATH]) == (b"1", b"2", LATE)


# -- laws ---------------------------------------------------------------------------------------

CONTENTS = st.sampled_from([BASE, EARLY, LATE, text(priority=0), BROKEN, b"", b"1\n2\n"])
PATHS = st.sampled_from([PATH, NOTE, "README.md", "a", "a/b", "tasks/01", "conflicts", "actors"])


@st.composite
def versions(draw: st.DrawFn) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    for path, content in draw(st.dictionaries(PATHS, CONTENTS, max_size=4)).items():
        clash = any(p.startswith(f"{path}/") or path.startswith(f"{p}/") for p in files)
        if not clash:
            files[path] = content
    return files


law = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@law
@given(base=st.none() | versions(), ours=versions(), theirs=versions())
def test_merging_is_symmetric_settles_and_loses_no_record(
    trees: Trees,
    base: dict[str, bytes] | None,
    ours: dict[str, bytes],
    theirs: dict[str, bytes],
) -> None:
    merged = trees.merge(base, ours, theirs)
    valid = {content for side in (ours, theirs) for p, content in side.items() if p == PATH}
    if valid & {BASE, EARLY, LATE}:
        assert merged[PATH] not in (BROKEN, b"", b"1\n2\n") or (base or {}).get(PATH) in valid
    result, sides = trees.last.tree, [trees(ours), trees(theirs)]
    for side in sides:  # each side is now an ancestor: merging it again finds nothing new
        assert merge_trees(trees.repo, SCHEMAS, side, result, side).tree == result


@law
@given(ours=versions(), theirs=versions())
def test_a_side_that_did_nothing_changes_nothing(
    trees: Trees, ours: dict[str, bytes], theirs: dict[str, bytes]
) -> None:
    both = {**theirs, **{p: c for p, c in ours.items() if p in theirs}}  # nothing is deleted
    assert trees.merge(theirs, theirs, both) == both
