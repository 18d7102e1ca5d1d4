"""How much of a brief's items is shown, what that costs, and what is said of the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from gittask.views.brief.item import ABSENT, CUT, WHOLE, About, Item, Section
from gittask.views.brief.tokens import of_lines


class Missing(NamedTuple):
    """What a brief does not show, and the commands that do."""

    what: str
    see: Sequence[str]

    def __str__(self) -> str:
        return f"- {self.what}: {', '.join(f'`{command}`' for command in self.see)}"

    def as_json(self) -> dict[str, Any]:
        """As ``--json`` shows it."""
        return {"what": self.what, "see": list(self.see)}


class Shown:
    """How much is shown of each item of some sections: nothing at first, more with each step.

    ``cost`` is how many tokens what is shown takes. There may be thousands of items, so that this
    and what the naming of the rest takes are kept up to date, and not counted anew.
    """

    def __init__(self, about: About, sections: Sequence[Section]) -> None:
        self.sections = sections
        self.cost = 0
        self._about = about
        self._levels = [[ABSENT] * len(section.items) for section in sections]
        self._absent = [len(section.items) for section in sections]
        self._lines = [_cost(self._missing(number)) for number in range(len(sections))]
        self._cut: Counter[str] = Counter()
        self._cut_cost = 0
        self._always = of_lines([_LEFT_OUT, *map(str, self._always_named())])

    def steps(self) -> Iterator[int]:
        """Show more, a bit with each step, until all is shown; yields how many steps were made.

        First each item with the beginning of its text, then the long ones whole.
        """
        made = 0
        yield made
        for level in (CUT, WHOLE):
            for number, section in enumerate(self.sections):
                for place, item in enumerate(section.items):
                    if level == CUT or item.is_long:
                        self._show(number, place, level)
                        made += 1
                        yield made

    def _show(self, number: int, place: int, level: int) -> None:
        section, levels = self.sections[number], self._levels[number]
        item, before = section.items[place], levels[place]
        if self._absent[number] == len(levels):
            self.cost += of_lines([section.heading])
        if before == ABSENT:
            self._absent[number] -= 1
            self._lines[number] = _cost(self._missing(number))
        self.cost += item.cost(level) - item.cost(before)
        if item.is_long:
            self._count_cut(item, 1 if level == CUT else -1)
        levels[place] = level

    def _count_cut(self, item: Item, more: int) -> None:
        """Keep count of what is shortened, each command that shows it once."""
        known = self._cut[item.see] > 0
        self._cut[item.see] += more
        named = self._cut[item.see] > 0
        self._cut_cost += (named - known) * (of_lines([f"`{item.see}`,"]) - _END)

    @property
    def rest(self) -> int:
        """How many tokens it takes to name what is not shown."""
        cut = _cost(Missing("Shortened", [])) + self._cut_cost - _COMMA if self._cut_cost else 0
        return self._always + sum(self._lines) + cut

    # -- in words -----------------------------------------------------------------------------

    def lines(self) -> Iterator[str]:
        """What is shown, in Markdown."""
        for section, levels in zip(self.sections, self._levels, strict=True):
            if any(levels):
                yield section.heading
            for item, level in zip(section.items, levels, strict=True):
                yield from item.lines(level)

    def left_out(self) -> list[str]:
        """What is not shown, in Markdown."""
        return [_LEFT_OUT, *map(str, self.missing())]

    def missing(self) -> Iterator[Missing]:
        """What is not shown, or shortened."""
        numbers = range(len(self.sections))
        yield from filter(None, (self._missing(number) for number in numbers))
        cut = {
            item.see: None
            for section, levels in zip(self.sections, self._levels, strict=True)
            for item, level in zip(section.items, levels, strict=True)
            if level == CUT and item.is_long
        }
        if cut:
            yield Missing("Shortened", list(cut))
        yield from self._always_named()

    def _missing(self, number: int) -> Missing | None:
        section, absent = self.sections[number], self._absent[number]
        if not absent:
            return None
        return Missing(f"{section.title}, {absent} of {len(section.items)}", section.see)

    def _always_named(self) -> Iterator[Missing]:
        problems, id = self._about.reader.problems, self._about.task.id
        if problems:
            yield Missing(f"Files that cannot be read, {len(problems)}", ["gittask verify"])
        yield Missing("Everything", [f"gittask show {id}", f"gittask timeline {id} --all"])

    def as_json(self) -> list[dict[str, Any]]:
        """The sections as ``--json`` shows them."""
        pairs = zip(self.sections, self._levels, strict=True)
        return [section.as_json(levels, always=False) for section, levels in pairs]


_LEFT_OUT = "## Left out"
_END, _COMMA = 1, 1
"""What the end of a line and a comma cost."""


def _cost(missing: Missing | None) -> int:
    return of_lines([str(missing)]) if missing else 0
