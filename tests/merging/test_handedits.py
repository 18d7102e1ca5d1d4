"""Which edits by hand are stamped, and as whose: decided from commits alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from gittask.core.codec import decode, encode
from gittask.core.record import Data
from gittask.merging.handedits import stamped_edits
from gittask.store.repo import Person, Repo
from tests.clones import SECONDS
from tests.store.test_treemerge import LATER, PATH, SCHEMAS, task

TIME = "2026-11-30T00:53:20.000Z"
"""When ``Author`` commits, as stamps say it."""


class Author:
    """Commits versions of one task by hand."""

    def __init__(self, repo: Path) -> None:
        self.repo = Repo.discover(repo)

    def commit(self, data: Data | bytes, *parents: str, name: str = "Ann Lee") -> str:
        content = data if isinstance(data, bytes) else encode(data, SCHEMAS.order("task"))
        person = Person(name, "lee@example.org", SECONDS)
        tree = self.repo.write_tree(None, {PATH: content})
        return self.repo.create_commit(tree, list(parents), person, person, "m\n")

    def changed(self, base: str, tip: str) -> Data | None:
        """The stamps after stamping; None if there was nothing to stamp."""
        files = stamped_edits(self.repo, SCHEMAS, base, tip)
        if not files:
            return None
        data: Data = decode(files.pop(PATH))
        assert files == {}
        assert SCHEMAS.check("task", data) == []
        changed: Data = data["changed"]
        return changed


@pytest.fixture
def author(repo: Path) -> Author:
    return Author(repo)


def test_each_unit_has_the_author_of_the_last_commit_that_edited_it(author: Author) -> None:
    base = author.commit(task())
    one = author.commit(task(title="x"), base, name="Bob")
    two = author.commit(task(title="x", labels=["new"]), one)
    tip = author.commit(task(title="x", labels=["new"], priority=0), two, name="Bob")
    assert author.changed(base, tip) == {
        "title": f"1 {TIME} bob",
        "labels.new": f"1 {TIME} ann-lee",
        "priority": f"1 {TIME} bob",
    }
    assert author.changed(two, tip) == {"priority": f"1 {TIME} bob"}


def test_the_counter_is_one_more_than_any_that_was_there(author: Author) -> None:
    base = author.commit(task(labels=["a"], changed={"labels.a": f"7 {TIME} bob"}))
    tip = author.commit(task(title="x"), base)
    assert author.changed(base, tip) == {
        "labels.a": f"8 {TIME} ann-lee",
        "title": f"8 {TIME} ann-lee",
    }


def test_what_is_stamped_new_or_unreadable_is_left_alone(author: Author) -> None:
    base = author.commit(task())
    stamped = author.commit(task(title="x", changed={"title": LATER}), base)
    assert author.changed(base, stamped) is None
    broken = author.commit(b"title: [\n", stamped)
    assert author.changed(base, broken) is None
    assert author.changed(broken, author.commit(task(title="y"), broken)) is None
    nothing = author.repo.root()
    assert author.changed(nothing, author.commit(task(title="y"), nothing)) is None


def test_what_only_a_merge_explains_is_nobodys_edit(author: Author) -> None:
    old = author.commit(task())
    base = author.commit(task(title="older edit by hand"), old)
    side = author.commit(task(title="older edit by hand"), base)
    merge = author.commit(task(title="made in the merge"), base, side)
    assert author.changed(base, merge) is None


def test_who_made_a_record_has_no_stamp(author: Author) -> None:
    base = author.commit(task())
    tip = author.commit(task(created={"at": TIME, "by": "eve"}, title="x"), base)
    assert author.changed(base, tip) == {"title": f"1 {TIME} ann-lee"}


def test_an_item_added_by_hand_has_one_stamp_of_its_own(author: Author) -> None:
    item = {"id": "a1", "text": "p", "met": False, "evidence": None}
    inner = {"acceptance.a1.met": f"3 {TIME} bob"}
    base = author.commit(task(acceptance=[item], changed=inner))
    gone = author.commit(task(changed=inner), base)
    assert author.changed(base, gone) == {"acceptance.a1": f"4 {TIME} ann-lee"}


@pytest.mark.parametrize(
    ("name", "actor"), [("†", "lee"), ("con", "lee"), ("Ann  Lee!", "ann-lee")]
)
def test_an_unknown_author_gets_a_name_for_machines(author: Author, name: str, actor: str) -> None:
    base = author.commit(task())
    tip = author.commit(task(title="x"), base, name=name)
    assert author.changed(base, tip) == {"title": f"1 {TIME} {actor}"}
