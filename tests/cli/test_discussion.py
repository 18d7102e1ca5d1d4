"""Questions, answers and threads, and what a handoff does about questions that are open."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gittask.actions import records as actions
from gittask.core.codec import encode
from gittask.store.packaged import schemas
from tests.cli.acting import HANDOFF, Actor, person
from tests.forging import agent, told
from tests.program import Program
from tests.stored import session

DONE = ("review_request", "deliverable", "final")
GOES_ON = ("progress", "retry_context", "auto")


@pytest.fixture
def asked(ann: Actor, held: str) -> str:
    """A question by ann to codex-1, who holds the task."""
    return ann("ask", held, "Did you test it under load?", "--to", "codex-1").id


def threads(actor: Actor, task: str, *args: str) -> list[list[tuple[int, str]]]:
    """The messages of each thread: how deep they stand, and what they say."""
    document = actor.json("discussion", task, *args)
    return [
        [(each["depth"], each["message"]["body"]) for each in thread["messages"]]
        for thread in document["threads"]
    ]


class TestThreads:
    def test_a_reply_stands_in_the_thread_of_what_it_replies_to(
        self, ann: Actor, codex: Actor, held: str
    ) -> None:
        first = codex("ask", held, "May I?", "--to", "ann").id
        answer = ann("answer", first, "Yes").id
        codex("say", held, "Good", "--reply-to", answer.partition("-")[2])
        codex("ask", held, "Today?", "--to", "ann", "--reply-to", answer)
        ann("say", held, "Elsewhere")
        assert threads(ann, held) == [
            [(0, "May I?"), (1, "Yes"), (2, "Good"), (2, "Today?")],
            [(0, "Elsewhere")],
        ]
        assert threads(ann, held, "--open") == threads(ann, held)[:1]
        assert threads(ann, held, "--limit", "1") == threads(ann, held)[1:]

    def test_a_second_question_in_a_thread_waits_for_its_own_answer(
        self, ann: Actor, codex: Actor, held: str
    ) -> None:
        first = codex("ask", held, "May I?", "--to", "ann").id
        codex("ask", held, "And then?", "--to", "ann", "--reply-to", first)
        ann("answer", first, "Yes")
        assert codex.line(held).endswith(": And then?")
        assert codex.waiting(held)
        ann("answer", held, "Rest")
        assert not codex.waiting(held)
        assert threads(ann, held, "--open") == []

    def test_a_reply_is_to_a_message_of_the_same_task(self, ann: Actor, held: str) -> None:
        elsewhere = ann("say", ann.program.new(), "Hello").id
        for name in (elsewhere, "20261130t100411z-k3m9q2"):
            assert ann.error("say", held, "x", "--reply-to", name, code=3)["code"] == "not_found"

    def test_for_people(self, ann: Actor, codex: Actor, held: str) -> None:
        first = codex("ask", held, "May I?\nIt is big.", "--to", "ann").id
        ann("answer", first, "Yes", "--channel", "chat")
        codex("say", held, "Thanks")
        shown = codex("discussion", held).out.splitlines()
        assert shown[0].endswith(f"UTC  codex-1 to ann by cli  question {first.partition('-')[2]}")
        assert shown[1:3] == ["    May I?", "    It is big."]
        assert "UTC  ann to codex-1 by chat  answer " in shown[3]
        assert shown[3].startswith("    2")
        assert shown[4:6] == ["        Yes", ""]

    def test_nothing_was_said(self, ann: Actor, held: str) -> None:
        assert ann("discussion", held).err == "no threads\n"
        assert ann.json("discussion", held) == {"threads": [], "total": 0}

    @pytest.mark.parametrize("which", [0, 1])
    def test_a_message_is_shown_with_its_thread(
        self, ann: Actor, codex: Actor, held: str, which: int
    ) -> None:
        first = codex("ask", held, "May I?", "--to", "ann").id
        message = (first, ann("answer", first, "Yes").id)[which]
        thread = ann("show", message).out.partition("\nthread\n")[2]
        assert thread.index("May I?") < thread.index("Yes")
        found = ann.json("show", message)
        assert found["message"]["id"] == message
        assert found["computed"]["thread"] == ann.json("discussion", held)["threads"][0]


class TestChannels:
    @pytest.mark.parametrize("words", [["say"], ["ask"]])
    def test_which_way_a_message_came(
        self, ann: Actor, held: str, words: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def channel(*args: str) -> str:
            found: str = ann.json(*words, held, "x", *args)["message"]["channel"]
            return found

        assert channel() == "cli"
        monkeypatch.setenv("GITTASK_CHANNEL", "web")
        assert channel() == "web"
        assert channel("--channel", "chat") == "chat"

    def test_an_answer_may_come_another_way(
        self, ann: Actor, asked: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("GITTASK_CHANNEL", "chat")
        assert ann.json("answer", asked, "x")["message"]["channel"] == "chat"

    def test_a_channel_is_a_name(self, ann: Actor, held: str) -> None:
        assert "channel" in ann("--json", "say", held, "x", "--channel", "A B", code=5).problems


class TestAnswers:
    def test_who_was_asked_any_person_and_who_asked_may_answer(
        self, gittask: Program, ann: Actor, codex: Actor, held: str
    ) -> None:
        bob = person(gittask, "bob")
        for actor in (ann, bob, codex):
            question = codex("ask", held, "May I?", "--to", "ann").id
            assert codex.waiting(held)
            actor("answer", question, "Yes")
            assert not codex.waiting(held)
            assert ann.kinds() == []

    def test_another_agent_may_not_but_may_speak_beside(
        self, ann: Actor, codex: Actor, claude: Actor, held: str
    ) -> None:
        question = codex("ask", held, "May I?", "--to", "ann").id
        error = claude.error("answer", question, "Yes", code=4)
        assert (
            error["message"] == f"question {question} is put to ann, and not for claude-1 to answer"
        )
        assert f"--reply-to {question}" in error["hint"]
        claude("say", held, "I would", "--reply-to", question)
        assert codex.waiting(held)
        assert ann.kinds() == ["question"]

    @pytest.mark.parametrize("speaker", ["ann", "codex-1"])
    def test_verify_finds_the_answer_that_an_agent_wrote_for_another(
        self, gittask: Program, codex: Actor, claude: Actor, held: str, speaker: str
    ) -> None:
        question = codex("ask", held, "May I?", "--to", "ann").id
        said = claude.json("say", held, "Yes", "--reply-to", question)["message"]
        forged = {**said, "id": "20261130t100411z-k3m9q2", "kind": "answer", "from": speaker}
        path = schemas().path("message", forged["id"], task=held)
        opened, author = session(gittask.folder).repo, agent("claude-1")
        tip, message = opened.tip(), "answer: yes\n\nActor: claude-1\n"
        made = opened.commit(tip, {path: encode(forged)}, author, author, message)
        opened.move(tip, made, "test")
        (found,) = told(gittask.folder, f"{tip}..{made}")
        assert f"claude-1 may not speak for {speaker}" in found

    def test_anybody_answers_what_nobody_in_particular_was_asked(
        self, codex: Actor, claude: Actor, held: str
    ) -> None:
        claude("answer", codex("ask", held, "Why?").id, "Because")
        assert "no open question" in codex.error("answer", held, "x", code=3)["message"]

    def test_what_is_no_question_has_no_answer(self, ann: Actor, held: str) -> None:
        said = ann("say", held, "Hello").id
        error = ann.error("answer", said, "Yes", code=5)
        assert "names no question but a message of kind comment" in error["message"]

    def test_a_second_answer_is_kept_and_said_to_be_one(self, ann: Actor, asked: str) -> None:
        ann("answer", asked, "Yes")
        document = ann.json("answer", asked, "No, wait")
        assert document["warnings"] == ["ann has answered it already: Yes"]
        assert len(ann.program.records("message")) == 3

    def test_an_answer_that_came_in_between_is_said_too(
        self, ann: Actor, codex: Actor, asked: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        look_up = actions.question

        def slow(*args: Any) -> Any:
            monkeypatch.undo()
            found = look_up(*args)
            codex("answer", asked, "Meanwhile")
            return found

        monkeypatch.setattr(actions, "question", slow)
        document = ann.json("answer", asked, "Yes")
        assert document["warnings"] == ["codex-1 has answered it already: Meanwhile"]


class TestRepeatedCalls:
    def test_one_record_for_one_key(self, gittask: Program, ann: Actor, held: str) -> None:
        key = ("--idempotency-key", "call-1")
        calls = (
            ("ask", held, "Why?", "--to", "codex-1"),
            ("say", ann.program.new(), "Hello"),
        )
        for call in calls:
            first = ann.json(*call, *key)
            again = ann.json(*call, *key)
            assert again["message"] == first["message"]
            assert again["commit"] is None
        assert len(gittask.records("message")) == 2
        assert len(gittask.records("wait")) == 1

    @pytest.mark.parametrize("by_task", [True, False])
    def test_an_answer_although_the_question_is_open_no_more(
        self, gittask: Program, ann: Actor, held: str, asked: str, by_task: bool
    ) -> None:
        call = ("answer", held if by_task else asked, "Yes", "--idempotency-key", "k")
        first = ann.json(*call)
        again = ann.json(*call)
        assert again["message"] == first["message"]
        assert (again["commit"], again.get("warnings")) == (None, None)
        assert len(gittask.records("message")) == 2


def handoff(actor: Actor, task: str, kind: str, *args: str, code: int = 0) -> Any:
    result = actor("--json", "handoff", task, "--kind", kind, *HANDOFF, *args, code=code)
    return result.error if code else result.document["handoff"]


class TestHandoff:
    """A report that the work is done waits for the answers of who reports."""

    @pytest.mark.parametrize("kind", DONE)
    def test_refused_while_a_question_is_open(
        self, gittask: Program, codex: Actor, held: str, asked: str, kind: str
    ) -> None:
        error = handoff(codex, held, kind, code=4)
        assert error["message"] == (
            f"a question to codex-1 is open:\n  {asked} ann asks: Did you test it under load?"
        )
        assert f'gittask answer {asked} "..."' in error["hint"]
        assert '--anyway "..."' in error["hint"]
        assert [one["id"] for one in error["details"]["questions"]] == [asked]
        assert gittask.records("handoff") == []
        assert gittask.task(held)["state"]["status"] == "active"
        codex("answer", asked, "Yes, for an hour")
        assert "unanswered" not in handoff(codex, held, kind)

    @pytest.mark.usefixtures("asked")
    def test_refused_when_it_closes_the_task(self, codex: Actor, held: str) -> None:
        handoff(codex, held, "final", "--close", "It works", code=4)
        handoff(codex, held, "final", "--close", "It works", "--anyway", "not mine")

    @pytest.mark.usefixtures("asked")
    @pytest.mark.parametrize("kind", GOES_ON)
    def test_not_refused_while_the_work_is_not_said_to_be_done(
        self, codex: Actor, held: str, kind: str
    ) -> None:
        assert "unanswered" not in handoff(codex, held, kind)
        assert codex.kinds() == ["question"]

    @pytest.mark.usefixtures("asked")
    def test_all_questions_are_shown(self, ann: Actor, codex: Actor, held: str) -> None:
        ann("ask", held, f"And\n{'why' * 500}", "--to", "codex-1")
        error = handoff(codex, held, "final", code=4)
        assert error["message"].startswith("2 questions to codex-1 are open:\n")
        assert len(error["details"]["questions"]) == 2
        assert len(error["message"]) < 1000
        assert "error: 2 questions to codex-1" in codex("handoff", held, *HANDOFF, code=4).err

    @pytest.mark.parametrize(
        ("who", "to"), [("ann", None), ("ann", "claude-1"), ("codex-1", "ann"), ("codex-1", None)]
    )
    def test_other_questions_do_not_stand_in_the_way(
        self, gittask: Program, claude: Actor, held: str, who: str, to: str | None
    ) -> None:
        claude("say", held, "Here I am")
        question = Actor(gittask, who)("ask", held, "Why?", *(["--to", to] if to else [])).id
        codex = Actor(gittask, "codex-1")
        assert "unanswered" not in handoff(codex, held, "final")
        assert question in codex("discussion", held, "--open", "--json").out

    def test_a_question_to_oneself_does_not_either(self, ann: Actor, held: str) -> None:
        ann("takeover", held, "--reason", "mine")
        ann("ask", held, "Am I sure?", "--to", "ann")
        assert "unanswered" not in handoff(ann, held, "final")

    def test_questions_on_another_task_do_not_either(
        self, gittask: Program, ann: Actor, codex: Actor, held: str
    ) -> None:
        ann("ask", gittask.new(), "Why?", "--to", "codex-1")
        assert "unanswered" not in handoff(codex, held, "final")

    @pytest.mark.usefixtures("asked")
    def test_nothing_is_run_before_it_is_refused(
        self, codex: Actor, held: str, tmp_path: Path
    ) -> None:
        handoff(codex, held, "final", "--run", f"touch {tmp_path / 'ran'}", code=4)
        assert not (tmp_path / "ran").exists()

    def test_a_question_that_comes_while_a_check_runs_is_seen(
        self, gittask: Program, codex: Actor, held: str
    ) -> None:
        ask = f"'{sys.executable}' -m gittask --as ann ask {held} Why? --to codex-1"
        error = handoff(codex, held, "final", "--run", ask, code=4)
        assert "ann asks: Why?" in error["message"]
        assert gittask.records("handoff") == []

    def test_anyway_is_kept_and_shown(
        self, gittask: Program, ann: Actor, codex: Actor, held: str, asked: str
    ) -> None:
        made = handoff(codex, held, "final", "--anyway", "there is no machine for it")
        assert made["unanswered"] == {"questions": [asked], "reason": "there is no machine for it"}
        for command in (["show", held], ["show", made["id"]], ["timeline", held]):
            shown = ann(*command).out
            assert "left open, because there is no machine for it" in shown
            assert f"- question {asked}" in shown
        assert codex.kinds() == ["question"]
        assert gittask.task(held)["state"]["status"] == "review"
        gittask("verify")

    def test_anyway_without_a_question_is_not_kept(self, codex: Actor, held: str) -> None:
        result = codex("--json", "handoff", held, *HANDOFF, "--anyway", "whatever").document
        assert "unanswered" not in result["handoff"]
        assert result["warnings"] == [
            "--anyway: no question stood in the way, so the reason is not kept"
        ]

    @pytest.mark.usefixtures("asked")
    def test_anyway_says_why(self, codex: Actor, held: str) -> None:
        result = codex("--json", "handoff", held, *HANDOFF, "--anyway", " ", code=5)
        assert set(result.problems) == {"unanswered.reason"}

    def test_a_file_does_not_say_what_was_left_open(
        self, gittask: Program, held: str, asked: str
    ) -> None:
        text = f"unanswered: {{questions: [{asked}], reason: x}}\n"
        args = ("--json", "--as", "codex-1", "handoff", held, *HANDOFF, "-F", "-")
        gittask(*args, "--anyway", "y", input=text, code=5)
        assert gittask.records("handoff") == []


@pytest.fixture
def two(clones: Callable[[int], list[Path]]) -> tuple[Actor, Actor, str]:
    """ann in one clone, codex-1 in another, and a task that codex-1 holds in both."""
    one, other = (Program(folder) for folder in clones(2))
    ann, codex = Actor(one, "clone0"), Actor(other, "codex-1")
    one("init")
    one("sync")
    other("init")
    task = ann("new", "Fix it", "--why", "It is needed").id
    ann("sync")
    codex("sync")
    codex("start", task)
    ann("sync")
    return ann, codex, task


class TestTwoClones:
    def test_a_question_that_did_not_come_yet_refuses_nothing(
        self, two: tuple[Actor, Actor, str]
    ) -> None:
        ann, codex, task = two
        question = ann("ask", task, "Did you test it?", "--to", "codex-1").id
        ann("sync")
        made = handoff(codex, task, "final")
        codex("sync")
        ann("sync")
        for actor in (ann, codex):
            assert [one["id"] for one in actor.program.records("handoff")] == [made["id"]]
            (item,) = [one for one in actor.inbox("--all") if one["kind"] == "question"]
            assert (item["record"], item["to"]) == (question, ["codex-1"])
            actor("verify")

    def test_one_that_came_does(self, two: tuple[Actor, Actor, str]) -> None:
        ann, codex, task = two
        question = ann("ask", task, "Did you test it?", "--to", "codex-1").id
        ann("sync")
        codex("sync")
        assert question in handoff(codex, task, "final", code=4)["message"]
        codex("answer", question, "Yes")
        handoff(codex, task, "final")
        codex("sync")
        ann("sync")
        assert threads(ann, task) == [[(0, "Did you test it?"), (1, "Yes")]]

    def test_two_answers_in_two_clones_are_both_kept(self, two: tuple[Actor, Actor, str]) -> None:
        ann, codex, task = two
        question = codex("ask", task, "May I?", "--to", "clone0").id
        codex("sync")
        ann("sync")
        ann("answer", question, "Yes")
        codex("answer", question, "I found out")
        ann("sync")
        codex("sync")
        ann("sync")
        assert threads(ann, task) == [[(0, "May I?"), (1, "Yes"), (1, "I found out")]]
        assert ann.inbox("--all") == codex.inbox("--all")
        assert not codex.waiting(task)
