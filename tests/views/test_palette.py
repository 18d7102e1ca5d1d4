"""Every colour of text can be read on every ground that it stands on, in light and in dark."""

from __future__ import annotations

import re
from itertools import product

import pytest

from gittask.views.palette import PALETTE
from gittask.views.pr.html import STYLE as PR
from gittask.views.site.look import STYLE as SITE

LIGHT, DARK = (
    dict(re.findall(r"--(\w+): (#[0-9a-f]{3,6});", part)) for part in PALETTE.split("@media")
)
TEXT, GROUNDS = ("ink", "soft", "bad", "good", "link"), ("paper", "tint")
LEAST = 4.5
"""The contrast that WCAG 2 asks for at level AA."""


def luminance(colour: str) -> float:
    """The relative luminance of a colour, as WCAG 2 defines it."""
    digits = colour.lstrip("#")
    pairs = [digits[n : n + 2] for n in (0, 2, 4)] if len(digits) == 6 else [d * 2 for d in digits]
    parts = [int(pair, 16) / 255 for pair in pairs]
    linear = [
        each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted(map(luminance, (one, other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_the_measure_is_right() -> None:
    assert contrast("#000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#fff") == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), [*product(TEXT, GROUNDS)])
def test_text_can_be_read(colours: dict[str, str], text: str, ground: str) -> None:
    assert contrast(colours[text], colours[ground]) >= LEAST


@pytest.mark.parametrize("style", [PR, SITE], ids=["pr", "site"])
def test_no_other_colours_are_used(style: str) -> None:
    assert PALETTE in style
    rest = style.replace(PALETTE, "")
    assert not re.search(r"#[0-9a-f]{3}|rgba?\(|hsl|opacity", rest)
    named = set(re.findall(r"(?<![-\w])(?:color|background): ([^;}]+)", rest))
    assert named <= {f"var(--{name})" for name in (*TEXT, *GROUNDS)} | {"inherit"}
    grounds = set(re.findall(r"background: ([^;}]+)", rest))
    assert grounds <= {f"var(--{name})" for name in GROUNDS}
