"""What an action decides: ids from keys and entropy, and the words of its commit."""

from __future__ import annotations

import random
import re

from hypothesis import given
from hypothesis import strategies as st

from gittask.core.change import SUBJECT, Act, Change
from gittask.core.text import one_line
from tests.memory import event, task

AT = "2026-11-30T10:04:11.123Z"


def act(key: str | None = None, actor: str = "ann") -> Act:
    chance = random.Random(1)
    return Act(actor=actor, person=True, at=AT, entropy=lambda: chance.randbytes(16), key=key)


def test_without_a_key_every_id_is_new() -> None:
    one = act()
    assert one.fresh_task() != one.fresh_task()
    assert one.fresh_event("note", "t") != one.fresh_event("note", "t")
    assert one.fresh_item() != one.fresh_item()


def test_a_key_gives_the_same_id_to_the_same_actor() -> None:
    assert act("k").fresh_task() == act("k").fresh_task()
    made = {act("k").fresh_task(), act("l").fresh_task(), act("k", "bob").fresh_task()}
    assert len(made) == 3
    same = act("k").fresh_event("note", "t")
    assert same == act("k").fresh_event("note", "t")
    others = {("handoff", "t"), ("note", "u")}
    assert same not in {act("k").fresh_event(kind, owner) for kind, owner in others}


def test_a_key_outlasts_the_second() -> None:
    """A call that is repeated later finds the first one's record by the end of its id."""
    later = act("k")._replace(at="2026-12-01T00:00:00.000Z")
    first, second = act("k").fresh_event("note", "t"), later.fresh_event("note", "t")
    assert first != second
    assert first.partition("-")[2] == second.partition("-")[2]


def test_a_message() -> None:
    note = event("note", "abcd", 1)
    change = Change(note, (note,), "note", "seen\nmore", "x-1", 3, "f00")
    assert change.message("ann") == (
        "note abcd00000000: seen\\nmore\n\n"
        "Task: abcd00000000\nExecution: x-1\nEpoch: 3\nActor: ann\nCode-Commit: f00\n"
    )
    plain = Change(task("abcd"), (), "close", "done").message("ann")
    assert plain == "close abcd00000000: done\n\nTask: abcd00000000\nActor: ann\n"


@given(st.text())
def test_any_words_make_one_clean_line(what: str) -> None:
    message = Change(task("abcd"), (), "set", what).message("ann")
    subject, blank, *trailers = message.removesuffix("\n").split("\n")
    assert blank == ""
    assert trailers == ["Task: abcd00000000", "Actor: ann"]
    assert len(subject) <= SUBJECT
    assert subject == one_line(subject)
    assert re.match(r"set abcd00000000:", subject)
