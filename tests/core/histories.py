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

_WHAT = st.one_of(
    st.tuples(st.just("field"), st.just("title"), st.sampled_from("pqr")),
    st.tuples(st.just("field"), st.just("extra"), st.sampled_from(["absent", 1, True, [1]])),
    st.tuples(st.just("label"), st.sampled_from("abc"), st.booleans()),
    st.tuples(st.just("item"), st.sampled_from(["a1", "a2", "a10"]), st.sampled_from("pq")),
    st.tuples(st.just("item"), st.sampled_from(["a1", "a2"]), st.just("absent")),
    st.tuples(st.just("met"), st.sampled_from(["a1", "a2"]), st.sampled_from([True, False, None])),
    st.tuples(
        st.just("line"), st.sampled_from("0123"), st.sampled_from([["x"], ["y"], [], ["x", "y"]])
    ),
    st.tuples(
        st.just("state"),
        st.sampled_from(["claim", "release", "status"]),
        st.sampled_from(["open", "done"]),
    ),
    st.tuples(st.just("size"), st.just(""), st.integers(0, 2)),
)


def edits(*kinds: str) -> st.SearchStrategy[Edit]:
    """Any edit, or any of these kinds."""
    what = _WHAT.filter(lambda found: found[0] in kinds) if kinds else _WHAT
    return st.builds(
        lambda found, at, by: Edit(*found, at, by),
        what,
        st.sampled_from(TIMES),
        st.sampled_from(ACTORS),
    )


def written(rules: Rules, data: Data, script: list[Edit]) -> Data:
    """The record after a script of stamped edits."""
    for edit in script:
        data = edit(rules, data)
    return data


def limited(rules: Rules, data: Data, script: list[Edit]) -> Data:
    """As ``written``, without the edits that the limits forbid."""
    most, longest = rules.rule("labels").max_items, rules.rule("why").max_length
    assert most is not None
    assert longest is not None
    for edit in script:
        new = edit(rules, data)
        if max(len(new["labels"]), len(new["acceptance"])) <= most and len(new["why"]) <= longest:
            data = new
    return data


def scripts(most: int = 5) -> st.SearchStrategy[list[Edit]]:
    """What one side does."""
    return st.lists(edits(), max_size=most)


@st.composite
def forks(draw: st.DrawFn, sides: int = 2) -> tuple[Data, ...]:
    """A base and that many versions of it, all properly stamped."""
    base = written(RULES, ORIGIN, draw(scripts()))
    return base, *(written(RULES, base, draw(scripts())) for _ in range(sides))


@st.composite
def mixed_forks(draw: st.DrawFn) -> tuple[Data, Data, Data]:
    """A base and two versions of it, edited by the writer and by hand."""
    base, *sides = draw(forks())
    for edit in draw(scripts(3)):
        base = edit.by_hand(base)
    hand = [draw(scripts(3)), draw(scripts(3))]
    for i, script in enumerate(hand):
        if draw(st.booleans()):
            sides[i] = base
        for edit in script:
            sides[i] = edit.by_hand(sides[i])
    return base, sides[0], sides[1]


_JUNK = st.sampled_from(
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
