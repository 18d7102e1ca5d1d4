"""Where commits are now: what counts as proof, over all combinations of what may agree."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gittask.core import trailers
from gittask.core.record import Data, Record
from gittask.core.seen import Seen, Survey
from gittask.views import where

EXECUTIONS = ("20261130t100411z-aaaaaa", "20261130t100411z-bbbbbb")
SUBJECTS = st.sampled_from(["Fix it", "Test it"])
DATES = st.sampled_from([None, "2026-11-30T10:00:00.000Z", "2026-11-30T10:00:01.000Z"])
PATCHES = st.sampled_from([None, "a" * 40, "b" * 40])
SHAS = st.sampled_from([digit * 40 for digit in "1234"])


@st.composite
def seen(draw: st.DrawFn) -> Seen:
    subject = draw(SUBJECTS)
    says = draw(st.sampled_from([*EXECUTIONS, None]))
    message = subject + (f"\n\nExecution: {says}\n" if says else "\n")
    return Seen(draw(SHAS), draw(DATES), "A <a@e.org>", subject, message, draw(PATCHES))


@st.composite
def handoffs(draw: st.DrawFn) -> list[Record]:
    commit = st.fixed_dictionaries(
        {"sha": SHAS, "at": DATES, "subject": SUBJECTS, "patch_id": PATCHES}
    )
    lists = st.lists(commit, min_size=1, max_size=3, unique_by=lambda one: str(one["sha"]))
    found = []
    for number in range(draw(st.integers(1, 2))):
        id = f"20261130t10000{number}z-cccccc"
        data: Data = {
            "task": "kaaaaaaaaa00",
            "execution": draw(st.sampled_from(EXECUTIONS)),
            "commits": draw(lists),
            "patch_id": draw(PATCHES),
        }
        found.append(Record("handoff", id, data))
    return found


@st.composite
def surveys(draw: st.DrawFn) -> Survey:
    commits = draw(st.lists(seen(), max_size=4, unique_by=lambda one: one.sha))
    reached = frozenset(one.sha for one in commits)
    return Survey(reached, reached, tuple(commits), "2026-11-29T10:00:00.000Z", 4, True)


@given(handoffs(), surveys())
def test_nothing_is_found_without_proof(records: list[Record], survey: Survey) -> None:
    wanted = where.wanted(records)
    found = where.find(wanted, survey)
    assert [one.wanted.sha for one in found] == [one.sha for one in wanted]
    for one in found:
        data = one.wanted.data
        assert (one.state == "here") == (one.wanted.sha in survey.reached)
        assert (one.state == "gone") == (not one.new and one.state != "here")
        for new in one.new:
            assert new.sha not in {one.wanted.sha, *one.wanted.beside}
            same_patch = new.patch_id is not None and new.patch_id in (
                {data["patch_id"], *one.wanted.wholes}
            )
            named = trailers.values(new.message, "Execution") == {one.wanted.execution}
            date = new.at == data["at"] if data["at"] else new.subject == data["subject"]
            assert same_patch or (named and date)


@given(handoffs(), surveys())
def test_a_patch_is_always_recognised(records: list[Record], survey: Survey) -> None:
    for one in where.find(where.wanted(records), survey):
        patches = {new.patch_id for new in survey.commits if new.sha not in one.wanted.beside}
        if one.wanted.data["patch_id"] in patches - {None}:
            assert one.state in ("here", "moved", "squashed")


@given(handoffs(), surveys())
def test_what_is_found_can_be_shown(records: list[Record], survey: Survey) -> None:
    for one in where.find(where.wanted(records), survey):
        shown = {**where.as_json(one), "branches": [], "tips": {}, "kept": False}
        document = {"commits": [shown], "searched": {"complete": False}}
        lines = list(where.lines(document))
        assert lines[0].startswith(one.wanted.sha[:12])
        assert len(lines) > 1
