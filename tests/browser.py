"""A real browser for tests of pages that are opened from the disk."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
waiting = pytest.importorskip("selenium.webdriver.support.wait")

BROWSER = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)
DRIVER = shutil.which("chromedriver")
needed = pytest.mark.skipif(
    not (BROWSER and DRIVER), reason="no chromium with its chromedriver on the PATH"
)

QUIET = (
    *("headless", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run"),
    *("disable-background-networking", "disable-component-update", "disable-sync"),
    "disable-dev-shm-usage",
)
PHONE = {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True}
TOO_WIDE = """
return [...document.querySelectorAll("body *")]
  .filter(each => !each.closest("thead, .skip"))
  .filter(each => each.getBoundingClientRect().right > innerWidth + 1)
  .map(each => each.outerHTML.slice(0, 100))
  .concat(document.documentElement.scrollWidth > innerWidth ? ["the page"] : []);
"""


@contextmanager
def browser(*, scripts: bool = True) -> Iterator[Any]:
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER or ""
    for name in QUIET:
        options.add_argument(f"--{name}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    if not scripts:
        setting = "profile.managed_default_content_settings.javascript"
        options.add_experimental_option("prefs", {setting: 2})
    service = webdriver.ChromeService(executable_path=DRIVER or "")
    driver = webdriver.Chrome(options=options, service=service)
    try:
        yield driver
    finally:
        driver.quit()


def requests(driver: Any) -> list[str]:
    """The addresses that the browser asked for since this was asked last."""
    told = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    return [
        each["params"]["request"]["url"]
        for each in told
        if each["method"] == "Network.requestWillBeSent"
    ]
