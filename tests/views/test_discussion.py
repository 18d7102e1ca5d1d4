"""The messages of a task by thread."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gittask.core.ids import derived, event_id
from gittask.core.record import Record
from gittask.views.discussion import lines, thread_of, threads
from tests.memory import MemoryReader, at, event, task_id

ASKED = event("message", "a", 1, kind="question", to="alice", body="May I?\nIt is big.")
ANSWER = event(
    *("message", "a", 3),
    **{"kind": "answer", "from": "alice", "to": "codex-1", "channel": "chat", "body": "Yes"},
    in_reply_to=ASKED.id,
    created_by="alice",
)
COMMENT = event("message", "a", 2, body="Me too", thread=ASKED.id, in_reply_to=ASKED.id)
AGAIN = event(
    "message", "a", 4, kind="question", body="When?", thread=ASKED.id, in_reply_to=ANSWER.id
)
OTHER = event("message", "a", 0, body="Hello")


def shape(*records: Record) -> list[list[tuple[int, str, bool]]]:
    found = threads(MemoryReader(*records), task_id("a"))
    return [
        [(each["depth"], each["message"]["body"], each["open"]) for each in thread["messages"]]
        for thread in found
    ]


def test_threads_in_order_of_their_beginning_and_replies_below_what_they_reply_to() -> None:
    assert shape(ASKED, ANSWER, COMMENT, AGAIN, OTHER) == [
        [(0, "Hello", False)],
        [
            (0, ASKED.data["body"], False),
            (1, "Me too", False),
            (1, "Yes", False),
            (2, "When?", True),
        ],
    ]


def test_a_thread_is_open_while_a_question_in_it_is() -> None:
    assert [each["open"] for each in threads(MemoryReader(ASKED, OTHER), task_id("a"))] == [
        False,
        True,
    ]
    assert thread_of(MemoryReader(ASKED, ANSWER), ANSWER)["open"] is False
    assert thread_of(MemoryReader(ASKED, ANSWER, AGAIN), ANSWER)["open"] is True


def test_a_task_without_messages() -> None:
    assert threads(MemoryReader(event("message", "b", 1)), task_id("a")) == []


def test_a_comment_in_reply_to_a_question_answers_nothing() -> None:
    assert shape(ASKED, COMMENT)[0][0] == (0, ASKED.data["body"], True)


def test_for_people() -> None:
    thread = thread_of(MemoryReader(ASKED, ANSWER, AGAIN), AGAIN)
    asked, answer, again = (each.id.partition("-")[2] for each in (ASKED, ANSWER, AGAIN))
    assert list(lines(thread, when=lambda at: (at or "")[14:16])) == [
        f"01  codex-1 to alice by cli  question {asked}",
        "    May I?",
        "    It is big.",
        f"    03  alice to codex-1 by chat  answer {answer}",
        "        Yes",
        f"        04  codex-1 by cli  question {again} (open)",
        "            When?",
    ]


IDS = sorted(event_id(at(0), derived(str(number))) for number in range(4))


@given(st.lists(st.tuples(st.sampled_from([None, *IDS]), st.integers(0, 2)), max_size=4))
def test_nothing_is_left_out_whatever_replies_to_what(said: list[tuple[str | None, int]]) -> None:
    """Also where replies seem older than what they reply to, or were made a circle by hand."""
    messages = []
    for id, (above, minute) in zip(IDS, said, strict=False):
        made = event("message", "a", minute, thread=IDS[0], in_reply_to=above)
        messages.append(Record("message", id, {**made.data, "id": id}))
    found = threads(MemoryReader(*messages), task_id("a"))
    shown = [each for thread in found for each in thread["messages"]]
    assert sorted(each["message"]["id"] for each in shown) == IDS[: len(messages)]
    depths = {each["message"]["id"]: each["depth"] for each in shown}
    for each in shown:
        if each["depth"]:
            assert each["depth"] == depths[each["message"]["in_reply_to"]] + 1


def test_a_long_chain_of_replies_stays_on_the_screen() -> None:
    messages = [ASKED]
    for minute in range(2, 60):
        messages.append(
            event("message", "a", minute, thread=ASKED.id, in_reply_to=messages[-1].id, body="x")
        )
    shown = list(lines(thread_of(MemoryReader(*messages), ASKED)))
    assert len(shown) == 2 * len(messages) + 1
    assert max(map(len, shown)) < 100
