"""The arithmetic of measuring: no time is measured here."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.benchmarks import report
from tests.benchmarks.plot import chart
from tests.benchmarks.timing import OURS, Measured, Row, Run, TooLong, measure, process


def costing(*costs: float) -> Run:
    """A run that costs these, one after another."""
    left = iter(costs)
    return lambda: next(left)


def test_the_first_run_warms_and_the_median_of_the_others_counts() -> None:
    row = Row("work", 100, {OURS: costing(99, 3, 1, 2), "git": costing(99, 4, 4, 5)}, {"git": 0.5})
    measured = measure(row, 3)
    assert measured.medians == {OURS: 2, "git": 4}
    (limit,) = measured.limits
    assert (limit.ratio, limit.met, measured.missed) == (0.5, True, False)


def test_runs_are_done_in_turn() -> None:
    done: list[str] = []

    def run(name: str) -> Run:
        def work() -> float:
            done.append(name)
            return 1

        return work

    measure(Row("work", 1, {OURS: run("a"), "other": run("b")}), 2)
    assert done == ["a", "b"] * 3


def test_cold_work_is_done_once() -> None:
    measured = measure(Row("work", 1, {OURS: costing(7), "other": costing(2)}, cold=True), 5)
    assert measured.medians == {OURS: 7, "other": 2}


@pytest.mark.parametrize(("most", "missed"), [(1.9, True), (2, False)])
def test_a_ratio_beyond_its_limit_is_a_miss(most: float, missed: bool) -> None:
    measured = Measured(Row("work", 100, {}, {"git": most}), {OURS: 2, "git": 1})
    assert measured.missed is missed
    assert ("**missed**" in next(report.lines(measured))) is missed


def test_what_was_stopped_is_a_miss() -> None:
    def stopped() -> float:
        raise TooLong(60)

    measured = measure(Row("work", 100, {OURS: stopped, "git": costing(1)}, {"git": 2}), 3)
    assert measured.missed
    assert list(report.lines(measured)) == [
        ("work", "100", "over 60 s", "2 x git", "-", "**missed**")
    ]


def test_a_process_that_fails_is_no_measure(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="128"):
        process(["git", "log"], tmp_path)()
    assert process(["git", "log"], tmp_path, ok=(128,))() >= 0


def test_preparing_comes_before(tmp_path: Path) -> None:
    made = tmp_path / "made"
    process(["git", "-C", "made", "version"], tmp_path, before=made.mkdir)()


def several() -> Iterator[Measured]:
    yield Measured(Row("show", 100, {}, {"git": 2}), {OURS: 0.1, "git": 0.2})
    yield Measured(Row("show", 1000, {}, {"git": 2}), {OURS: 1.25, "git": 0.2})
    yield Measured(Row("find", 1000, {OURS: costing(), "git": costing()}), {OURS: 20, "git": 2})
    yield Measured(Row("inbox", 1000, {OURS: costing()}), {}, stopped=60)


def test_the_page_names_every_miss() -> None:
    page = report.page(list(several()), [100, 1000], 7, "wall", "python -m tests.benchmarks")
    missed = page.partition("## Missed")[2].partition("\n\n## Why")[0]
    assert missed.split("\n- ")[1:] == [
        "show, 1,000 tasks: 1250 ms, 6.25 where 2 x git is allowed",
        "inbox, 1,000 tasks: over 60 s",
    ]
    assert "| show | 100 | 100 ms | 2 x git | 0.50 | met |" in page
    assert "| find | 1,000 | 20.0 s |  | 10.00 x git | reported |" in page
    assert "100 and 1,000 tasks" in page


def test_the_chart_has_each_series_once() -> None:
    svg = ElementTree.fromstring(chart(report.series(list(several()))))
    texts = [each.text for each in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert texts.count("show") == texts.count("find") == 1
    assert "inbox" not in texts
    assert {"100", "1,000", "0.1 s", "100 s"} <= set(texts)


def test_names_at_the_right_of_a_chart_stand_apart() -> None:
    svg = ElementTree.fromstring(chart({name: {10: 1, 100: 1} for name in "abc"}))
    texts = svg.iter("{http://www.w3.org/2000/svg}text")
    heights = sorted(float(each.attrib["y"]) for each in texts if each.text in ("a", "b", "c"))
    assert all(below - above >= 12 for above, below in pairwise(heights))


def test_nothing_cannot_be_drawn() -> None:
    with pytest.raises(ValueError, match="nothing"):
        chart({"show": {}})
