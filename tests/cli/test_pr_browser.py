"""The page of a pull request in a real browser. Without one these tests are skipped."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser import PHONE, TOO_WIDE, browser, needed, requests
from tests.golden import FAILS, repository, stored

pytestmark = needed

HOSTILE = (
    '"><img src=https://evil.example/x.png onerror=alert(1)><script>alert(2)</script>'
    "<link rel=stylesheet href=https://evil.example/x.css></details></main>"
)
COLOURS = "const at = getComputedStyle(document.body); return [at.color, at.backgroundColor];"
CELLS = """
const cells = [...document.querySelector("tbody tr").children];
return cells.map(each => [each.dataset.head, getComputedStyle(each).display]);
"""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser() as driver:
        yield driver


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the example, with texts as wide and as hostile as can be."""
    file = tmp_path_factory.mktemp("pull") / "pr.html"
    with repository() as program:
        repo = stored(program)
        repo.git("commit", "-q", "--allow-empty", "-m", "Code")
        wide = program("--as", "alice", "new", "W" * 150, "--why", "W" * 400, "--accept", HOSTILE)
        program("start", wide.id)
        program("note", wide.id, HOSTILE)
        handoff = (
            *("--condition", "watch", "--summary", HOSTILE, "--not-verified", f"{'N' * 99} :: no"),
            *("--run", "true", "--uncertain", f"{'U' * 99} :: {HOSTILE}", "--next", "n" * 99),
            *("--next-by", "alice"),
        )
        program("handoff", wide.id, *handoff, "--changed", f"{'f' * 120}.txt :: {HOSTILE}")
        program("decide", wide.id, "D" * 150, "--outcome", HOSTILE)
        tasks = ("--task", FAILS, "--task", wide.id)
        text = program("pr", "render", *tasks, "--format", "html").out
    file.write_text(text, encoding="utf-8")
    return file


def test_it_asks_for_nothing_and_no_error_is_told(chromium: Any, page: Path) -> None:
    chromium.get_log("browser")
    requests(chromium)
    chromium.get(page.as_uri())
    assert chromium.get_log("browser") == []
    assert requests(chromium) == [page.as_uri()]
    assert len(chromium.find_elements("css selector", "article")) == 2
    assert chromium.find_elements("css selector", "img, script, link") == []
    assert "evil.example" in chromium.find_element("tag name", "main").text


def test_it_is_read_on_a_phone(chromium: Any, page: Path) -> None:
    chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
    chromium.get(page.as_uri())
    chromium.execute_script("document.querySelectorAll('details').forEach(each => each.open = 1)")
    assert chromium.execute_script(TOO_WIDE) == []
    heads = ("Who", "As", "Execution", "From", "State", "Objective")
    assert chromium.execute_script(CELLS) == [[head, "block"] for head in heads]
    chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert chromium.execute_script(TOO_WIDE) == []


def test_it_is_light_or_dark_as_its_reader_wants(chromium: Any, page: Path) -> None:
    seen = {}
    for scheme in ("light", "dark"):
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        chromium.get(page.as_uri())
        seen[scheme] = chromium.execute_script(COLOURS)
    assert seen == {
        "light": ["rgb(28, 30, 33)", "rgb(255, 255, 255)"],
        "dark": ["rgb(230, 237, 243)", "rgb(13, 17, 23)"],
    }
