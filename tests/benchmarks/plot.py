"""A small chart as SVG: cost against number of tasks, both by powers of ten, light and dark."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from math import ceil, floor, log10

WIDTH, HEIGHT = 720, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 150, 16, 44
_LINE = 15  # the least distance of two names at the right

# Colours of one lightness that stay apart for people who see few of them, on white and on black.
_COLOURS = ("#3b82c4", "#d97706", "#2f9e6e", "#c4508e", "#8a7a2c", "#7c6bd6", "#d1564a", "#4b9fae")
_STYLE = """
text { font: 12px system-ui, sans-serif; fill: #333 }
.grid { stroke: #8884; stroke-width: 1 }
.line { fill: none; stroke-width: 2 }
@media (prefers-color-scheme: dark) { text { fill: #ddd } }
"""

Series = Mapping[str, Mapping[int, float]]
"""For each name seconds by number of tasks."""


def chart(series: Series) -> str:
    """The chart of all series that have a point; raises ValueError if none has one."""
    xs = sorted({x for points in series.values() for x in points})
    ys = [y for points in series.values() for y in points.values()]
    if not xs:
        raise ValueError("nothing to draw")
    scale = _Scale(xs[0], xs[-1], floor(log10(min(ys))), ceil(log10(max(ys))))
    return "\n".join(_drawn({n: p for n, p in series.items() if p}, xs, scale)) + "\n"


class _Scale:
    """Where a point lies; ``low`` and ``high`` are powers of ten."""

    def __init__(self, first: int, last: int, low: int, high: int) -> None:
        self.powers = range(low, max(high, low + 1) + 1)
        self._x = (log10(first), max(log10(last) - log10(first), 1e-9))

    def x(self, tasks: int) -> float:
        part = (log10(tasks) - self._x[0]) / self._x[1]
        return round(_LEFT + part * (WIDTH - _LEFT - _RIGHT), 1)

    def y(self, seconds: float) -> float:
        part = (log10(seconds) - self.powers[0]) / (self.powers[-1] - self.powers[0])
        return round(HEIGHT - _BOTTOM - part * (HEIGHT - _TOP - _BOTTOM), 1)


def _drawn(series: Series, xs: list[int], scale: _Scale) -> Iterator[str]:
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">'
    yield "<title>Cost of commands against the number of tasks</title>"
    yield f"<style>{_STYLE}</style>"
    for power in scale.powers:
        y = scale.y(10.0**power)
        yield f'<path class="grid" d="M{_LEFT} {y}H{WIDTH - _RIGHT}"/>'
        yield _text(_LEFT - 8, y + 4, f"{10.0**power:g} s", "end")
    for x in xs:
        yield f'<path class="grid" d="M{scale.x(x)} {_TOP}V{HEIGHT - _BOTTOM}"/>'
        yield _text(scale.x(x), HEIGHT - _BOTTOM + 20, f"{x:,}", "middle")
    yield _text((_LEFT + WIDTH - _RIGHT) / 2, HEIGHT - 6, "tasks, each with five records", "middle")
    free = 0.0
    ends = sorted(series, key=lambda name: -scale.y(series[name][max(series[name])]))
    for name in reversed(ends):  # the highest first, each name below the one before
        free = max(scale.y(series[name][max(series[name])]) + 4, free)
        yield from _curve(name, series[name], scale, _COLOURS[ends.index(name) % 8], free)
        free += _LINE
    yield "</svg>"


def _curve(
    name: str, points: Mapping[int, float], scale: _Scale, colour: str, y: float
) -> Iterator[str]:
    places = [(scale.x(x), scale.y(points[x])) for x in sorted(points)]
    path = "L".join(f"{x} {y}" for x, y in places)
    yield f'<path class="line" stroke="{colour}" d="M{path}"/>'
    for x, at in places:
        yield f'<circle cx="{x}" cy="{at}" r="3" fill="{colour}"/>'
    yield f'<rect x="{WIDTH - _RIGHT + 10}" y="{y - 9}" width="10" height="10" fill="{colour}"/>'
    yield _text(WIDTH - _RIGHT + 26, y, name, "start")


def _text(x: float, y: float, words: str, anchor: str) -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}">{escape(words)}</text>'
