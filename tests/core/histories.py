"""Small records and edits that collide often: few values, few actors, few times."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from gittask.core.record import Data
from gittask.core.units import Prefer, Rule, Rules, stamped

TIMES = [f"2026-01-0{day}T00:00:00.000Z" for day in (1, 2, 3)]
ACTORS = ["ann", "bob", "cyd"]
STATE = Rule(
    "ordered",
    prefer=(Prefer("epoch", "greatest"), Prefer("since", "least"), Prefer("holder", "least")),
)


def rules(max_items: int | None = None, max_length: int | None = None) -> Rules:
    """The rules of a small task, with or without limits."""
    fields = {
        "why": Rule("text", max_length=max_length),
        "size": Rule("greatest"),
        "labels": Rule("set", max_items=max_items),
        "acceptance": Rule("by-id", max_items=max_items),
        "state": STATE,
    }
    return Rules(mutable=True, fields=fields)


RULES = rules()
WHY = "one\ntwo\nthree\nfour\n"
ORIGIN: Data = {
    "id": "t1",
    "title": "p",
    "created": {"at": TIMES[0], "by": "ann"},
    "why": WHY,
    "state": {"status": "open", "epoch": 0, "holder": None, "since": None},
    "size": 0,
    "labels": [],
    "acceptance": [],
    "changed": {},
}
"""A record as it was made."""

START = ORIGIN | {
    "labels": ["a"],
    "acceptance": [
        {"id": "a1", "text": "p", "met": False},
        {"id": "a10", "text": "q", "met": True},
    ],
}
"""The same, made with more in it."""


@dataclass(frozen=True)
class Edit:
    """One thing that somebody does to a record; what makes no sense does nothing."""

    what: str
    which: str
    value: Any
    at: str
    by: str

    def by_hand(self, data: Data) -> Data:
        """The record after the edit, its stamps as they were."""
        result = copy.deepcopy(data)
        _EDITS[self.what](result, self)
        return result

    def __call__(self, rules: Rules, data: Data) -> Data:
        """The record after the edit, stamped."""
        return stamped(rules, data, self.by_hand(data), self.at, self.by)


def _field(data: Data, edit: Edit) -> None:
    if edit.value == "absent":
        data.pop(edit.which, None)
    else:
        data[edit.which] = edit.value


def _label(data: Data, edit: Edit) -> None:
    rest = set(data["labels"]) - {edit.which}
    data["labels"] = sorted(rest | {edit.which} if edit.value else rest)


def _item(data: Data, edit: Edit) -> None:
    rest = [item for item in data["acceptance"] if item["id"] != edit.which]
    if edit.value != "absent":
        rest.append({"id": edit.which, "text": edit.value, "met": False})
    data["acceptance"] = sorted(rest, key=lambda item: str(item["id"]))


def _met(data: Data, edit: Edit) -> None:
    for item in data["acceptance"]:
        if item["id"] == edit.which:
            item["met"] = edit.value


def _line(data: Data, edit: Edit) -> None:
    lines = data["why"].split("\n")
    place = min(int(edit.which), len(lines) - 1)
    lines[place : place + 1] = edit.value
    data["why"] = "\n".join(lines)


def _state(data: Data, edit: Edit) -> None:
    state = data["state"]
    if edit.which == "claim":
        state |= {"epoch": state["epoch"] + 1, "holder": edit.by, "since": edit.at}
    elif edit.which == "release":
        state["holder"] = None
    else:
        state["status"] = edit.value


def _size(data: Data, edit: Edit) -> None:
    data["size"] += edit.value


_EDITS: dict[str, Callable[[Data, Edit], None]] = {
    "field": _field,
    "label": _label,
    "item": _item,
    "met": _met,
    "line": _line,
    "state": _state,
    "size": _size,
}


CHOICES: dict[str, list[tuple[str, list[str], list[Any]]]] = {
    "title": [("field", ["title"], ["p", "q", "r"])],
    "extra": [("field", ["extra"], ["absent", 1, True, [1]])],
    "label": [("label", ["a", "b", "c"], [True, False])],
    "item": [
        ("item", ["a1", "a2", "a10"], ["p", "q", "absent"]),
        ("met", ["a1", "a2", "a10"], [True, False, None]),
    ],
    "line": [("line", ["0", "1", "2", "3"], [["x"], ["y"], [], ["x", "y"]])],
    "state": [("state", ["claim", "release", "status"], ["open", "done"])],
    "size": [("size", [""], [0, 1, 2])],
}
"""The edits on each topic: what is done, to which of it, with which value."""

_EDITS_ON = {
    topic: st.one_of(
        *(
            st.builds(
                Edit,
                what=st.just(what),
                which=st.sampled_from(which),
                value=st.sampled_from(values),
                at=st.sampled_from(TIMES),
                by=st.sampled_from(ACTORS),
            )
            for what, which, values in choices
        )
    )
    for topic, choices in CHOICES.items()
}


def scripts(least: int, most: int, *topics: str) -> st.SearchStrategy[list[Edit]]:
    """What one side does, about anything or about these topics."""
    some = st.one_of(*(_EDITS_ON[topic] for topic in topics or CHOICES))
    return st.lists(some, min_size=least, max_size=most)


def topics() -> st.SearchStrategy[list[str]]:
    """What all sides work on: few things, so that they meet."""
    return st.lists(st.sampled_from(list(CHOICES)), min_size=1, max_size=2)


def written(rules: Rules, data: Data, script: list[Edit]) -> Data:
    """The record after a script of stamped edits."""
    for edit in script:
        data = edit(rules, data)
    return data


def fits(rules: Rules, data: Data) -> bool:
    """Whether the record keeps to the limits of the rules."""
    for field, rule in rules.fields.items():
        most = rule.max_length if rule.name == "text" else rule.max_items
        if most is not None and len(data[field]) > most:
            return False
    return True


def limited(rules: Rules, data: Data, script: list[Edit]) -> Data:
    """As ``written``, without the edits that the limits forbid."""
    for edit in script:
        new = edit(rules, data)
        data = new if fits(rules, new) else data
    return data


@st.composite
def forks(draw: st.DrawFn, sides: int = 2) -> tuple[Data, ...]:
    """A base and that many versions of it, all properly stamped."""
    about = draw(topics())
    base = written(RULES, START, draw(scripts(0, 3, *about)))
    return base, *(written(RULES, base, draw(scripts(1, 4, *about))) for _ in range(sides))


@st.composite
def mixed_forks(draw: st.DrawFn) -> tuple[Data, Data, Data]:
    """A base and two versions of it, edited by the writer and by hand."""
    about = draw(topics())
    base = written(RULES, START, draw(scripts(0, 3, *about)))
    for edit in draw(scripts(0, 2, *about)):
        base = edit.by_hand(base)
    sides = [base, base]
    for i, hand in enumerate(draw(st.tuples(st.booleans(), st.booleans()))):
        sides[i] = written(RULES, base, draw(scripts(0, 3, *about)))
        for edit in draw(scripts(0, 2, *about)) if hand else ():
            sides[i] = edit.by_hand(sides[i])
    return base, sides[0], sides[1]


_JUNK: st.SearchStrategy[Any] = st.sampled_from(
    [
        None,
        True,
        1,
        1.0,
        "",
        "x\ny",
        [],
        {},
        ["b", "a", "b"],
        ["a", 1],
        [{"id": "a1", "met": 1}, {"id": "a10"}, {"id": "a2", "met": None, "k.k": 0}],
        [{"id": "a1"}, {"id": "a1", "met": 2}],
        [{"id": "a.1"}],
        [{"met": 1}],
        {"at": TIMES[1], "by": "bob"},
        {"epoch": "1", "since": 2},
        {"epoch": 2, "since": None, "holder": []},
    ]
)
_UNITS = ["id", "title", "labels", "labels.a", "acceptance.a1", "acceptance.a1.met", "state", "why"]
_LINES = st.one_of(
    st.builds(
        lambda n, at, by: f"{n} {at} {by}",
        st.integers(1, 3),
        st.sampled_from(TIMES),
        st.sampled_from(ACTORS),
    ),
    st.sampled_from(["0 oops", None, 7]),
)


def wild() -> st.SearchStrategy[Data]:
    """Any record at all, with little respect for its shape or its stamps."""
    return st.fixed_dictionaries(
        {},
        optional={
            **{field: _JUNK for field in ORIGIN if field != "changed"},
            "extra": _JUNK,
            "changed": st.one_of(_JUNK, st.dictionaries(st.sampled_from(_UNITS), _LINES)),
        },
    )


def units(data: Data) -> dict[str, Any]:
    """The record cut into units, without its texts and stamps."""
    found = {
        field: value
        for field, value in data.items()
        if field not in ("why", "labels", "acceptance", "changed")
    }
    found |= {f"labels.{label}": True for label in data["labels"]}
    for item in data["acceptance"]:
        found[f"acceptance.{item['id']}"] = True
        found |= {f"acceptance.{item['id']}.{key}": value for key, value in item.items()}
    return found
