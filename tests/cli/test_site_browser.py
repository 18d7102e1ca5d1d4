"""The site in a real browser, opened from the disk. Without one these tests are skipped."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser import PHONE, TOO_WIDE, browser, needed, requests, waiting, webdriver
from tests.golden import FAILS, repository, stored

pytestmark = needed

TAB = "\ue004"
FOCUS = """
const each = document.activeElement;
return [each.tagName, each.id || each.textContent, getComputedStyle(each).outlineStyle];
"""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser() as driver:
        yield driver


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the example, with one task whose texts are as wide as can be."""
    folder = tmp_path_factory.mktemp("browser") / "site"
    with repository() as program:
        stored(program)
        wide = "W" * 150
        task = program("--as", "alice", "new", wide, "--why", wide, "--label", "w" * 40).id
        program("--as", "alice", "say", task, f"{wide}\n{'| cell ' * 40}")
        program("--as", "alice", "note", task, f"line\n{wide}")
        program("site", "build", str(folder))
    return folder


def test_nothing_is_loaded_from_elsewhere_and_no_error_told(chromium: Any, site: Path) -> None:
    chromium.get_log("browser")
    requests(chromium)
    for path in sorted(site.rglob("*.html")):
        chromium.get(path.as_uri())
    assert chromium.get_log("browser") == []
    asked = requests(chromium)
    assert len(asked) > len(list(site.rglob("*.html")))
    assert all(url.startswith(f"{site.as_uri()}/") for url in asked)


def test_no_page_is_wider_than_a_phone(chromium: Any, site: Path) -> None:
    chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
    for path in sorted(site.rglob("*.html")):
        chromium.get(path.as_uri())
        assert chromium.execute_script(TOO_WIDE) == [], path
    chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def press(driver: Any, key: str) -> list[str]:
    """What has the focus after a key, and how that is shown."""
    webdriver.ActionChains(driver).send_keys(key).perform()
    found: list[str] = driver.execute_script(FOCUS)
    return found


def test_the_keyboard_gets_everywhere(chromium: Any, site: Path) -> None:
    chromium.get((site / "search.html").as_uri())
    seen = [press(chromium, TAB) for _ in range(15)]
    names = ("Skip to the content", "Board", "Tasks", "Attention", "Decisions", "People")
    ways = (*names, "Projects", "Search")
    fields = ("q", "stands", "project", "responsible", "holder", "label", "sort")
    assert [each[1] for each in seen] == [*ways, *fields]
    assert {each[2] for each in seen} == {"solid"}
    chromium.get((site / "index.html").as_uri())
    press(chromium, TAB)
    press(chromium, "\ue007")
    assert chromium.current_url.endswith("#main")
    first = press(chromium, TAB)
    assert first[0] == "A"
    assert first[1] not in ways


def wait_for(driver: Any, words: str) -> None:
    """Until the search says so many tasks."""
    count = driver.find_element("id", "count")
    waiting.WebDriverWait(driver, 20).until(lambda _: count.text == words)


def test_the_search_finds_filters_and_sorts(chromium: Any, site: Path) -> None:
    chromium.get((site / "search.html").as_uri())
    wait_for(chromium, "13 of 13 tasks")
    chromium.find_element("id", "q").send_keys("NIGHTLY faíls")
    wait_for(chromium, "1 of 13 tasks")
    link = chromium.find_element("css selector", "#found th a")
    assert link.text == "Nightly routing fails about one night in five"
    link.click()
    assert chromium.current_url == (site / "tasks" / FAILS[-2:] / f"{FAILS}.html").as_uri()
    chromium.get((site / "search.html").as_uri() + "#stands=done&sort=by title")
    wait_for(chromium, "2 of 13 tasks")
    titles = [each.text for each in chromium.find_elements("css selector", "#found th a")]
    assert titles == sorted(titles)


def test_all_but_the_search_works_without_javascript(site: Path) -> None:
    with browser(scripts=False) as driver:
        driver.get((site / "index.html").as_uri())
        driver.find_element("link text", "Nightly routing fails about one night in five").click()
        assert "three attempts may not be enough" in driver.page_source
        driver.get((site / "search.html").as_uri())
        assert "Searching needs JavaScript" in driver.find_element("tag name", "main").text
        assert not driver.find_element("id", "q").is_displayed()
        driver.find_element("link text", "closed tasks").click()
        assert driver.find_element("tag name", "h1").text == "Closed tasks, the last first"
