"""How a page is fitted into a limit, and the page as HTML."""

from __future__ import annotations

import base64
import hashlib
import re
from itertools import pairwise

import pytest

from gittask.errors import Usage
from gittask.views.pr import layout
from gittask.views.pr.html import STYLE, html
from gittask.views.pr.markdown import GITHUB, GITLAB, length, markdown
from gittask.views.pr.page import Chapter, Item, Page, Section, fit, ours
from tests.memory import event
from tests.views.pr.pulls import records, reported

NOTES = [event("note", "abcd", minute % 60, body=f"Note {minute}") for minute in range(400)]
LARGE = layout.page(reported([*records("A plain line", "plain words " * 75), *NOTES]), "body")


@pytest.mark.parametrize("limit", [GITLAB, GITHUB, 20_000, 8_000, 4_000, 3_000])
def test_it_fits_and_says_what_is_missing(limit: int) -> None:
    whole, shown = markdown(LARGE, GITLAB), markdown(LARGE, limit)
    assert length(shown) <= limit
    assert ("Left out for want of room" in shown) == (shown != whole)
    assert shown.endswith("<!-- gittask:end -->")


def test_a_little_less_room_costs_a_little() -> None:
    whole = markdown(LARGE, GITLAB)
    shown = markdown(LARGE, len(whole) - 1)
    assert len(shown) > len(whole) - 1_500


def test_the_least_worthy_goes_first() -> None:
    shown = markdown(LARGE, 9_000)
    assert "400" not in shown
    assert "Uncertain 2" in shown
    assert "Not verified" in shown
    smaller = markdown(LARGE, 4_000)
    assert "Uncertain 2" in smaller
    assert "Note " not in smaller


def test_of_a_history_the_oldest_goes_first() -> None:
    items = tuple(Item((ours(f"item {number}."),), worth=10) for number in range(9))
    sections = (Section("s", "S", items, old_first=True), Section("t", "T", items))
    page = Page((), (), (Chapter("abcd00000000", "A", (), sections),), ())

    def kept(limit: int) -> list[list[str]]:
        cut = fit(page, lambda page: sum(len(s.items) for s in page.chapters[0].sections), limit)
        return [[item.line[0].text[5] for item in s.items] for s in cut.chapters[0].sections]

    assert kept(18) == [list("012345678")] * 2
    assert kept(9) == [list("012345678"), []] or kept(9)[0][-1:] == ["8"]
    assert kept(4)[1] == list("0123")[: len(kept(4)[1])]


def test_tasks_that_find_no_room_are_named() -> None:
    title = "A title of some words " * 10
    many = tuple(Chapter(f"abcd0000000{number}", title, (), ()) for number in range(9))
    shown = markdown(Page(("a",), (), many, ()), 1_500)
    assert len(shown) <= 1_500
    assert "Left out, for want of room: task `abcd00000008`" in shown


def test_what_cannot_fit_is_refused() -> None:
    with pytest.raises(Usage, match="cannot be said in 10 characters"):
        markdown(LARGE, 10)


def test_characters_are_counted_as_hosts_do() -> None:
    assert length("aé漢🧭") == 5


def test_the_page_asks_for_nothing_and_runs_nothing() -> None:
    page = html(LARGE)
    digest = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'"
    assert policy in page
    assert f"<style>{STYLE}</style>" in page
    assert not re.search(r"<(script|img|link|iframe|object|form)\b|@import|url\(", page)
    assert not re.search(r"<[^>]*\s(src|srcset|on\w+|style)=", page)
    assert "prefers-color-scheme: dark" in page
    assert 'name="viewport"' in page


def test_its_headings_and_landmarks_are_in_order() -> None:
    page = html(LARGE)
    assert page.startswith('<!DOCTYPE html>\n<html lang="en">')
    levels = [int(level) for level in re.findall(r"<h(\d)", page)]
    assert levels[:3] == [1, 2, 3]
    assert levels.count(1) == 1
    assert all(later <= earlier + 1 for earlier, later in pairwise(levels))
    for tag in ("main", "header", "article", "section"):
        assert f"<{tag}" in page
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'aria-labelledby="([^"]+)"', page)) <= set(ids)
    assert page.count('<th scope="col">') == 6
