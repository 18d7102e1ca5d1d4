"""From ``field=value`` words to a record's fields, by the types that the schema gives them."""

from __future__ import annotations

import copy
import difflib
import re
from collections.abc import Sequence
from typing import Any

from gittask.actions.tasks import criterion
from gittask.core import names
from gittask.core.change import Act
from gittask.core.dataclass import dataclass
from gittask.core.record import Data, Reader
from gittask.core.schema import Schemas
from gittask.errors import GittaskError, Invalid, Problem
from gittask.kinds.approval import NOTHING

_WORD = re.compile(r"([a-z_]+)((?:\.[A-Za-z0-9_-]+)*)(\+=|-=|=)(.*)", re.DOTALL)
_CLEARS = ("", "none", "null")
_WHOLE = ("keys", "allowed")  # lists whose values may hold a comma
_SAYS_NONE = ("allowed",)  # lists in which NOTHING is a value of its own
_PAIRS = {"links": "REL:TARGET", "identities": "CHANNEL:HANDLE", "checks": "RULE:LEVEL"}
_ELSEWHERE = {
    "id": "an id never changes",
    "created": "it is set once, when the record is made",
    "changed": "it is kept by gittask",
    "format": "it says which versions of gittask can write the store",
    "state": "use start, handoff, release, close, cancel or reopen",
    "status": "use start, handoff, release, close, cancel or reopen",
}


class _BadWordError(Exception):
    """One word that cannot be carried out: what is wrong, and how to mend it."""


def assign(
    schemas: Schemas, reader: Reader, act: Act, kind: str, data: Data, words: Sequence[str]
) -> Data:
    """The data with every assignment carried out. Raises Invalid with the problems of all words.

    ``field=value`` sets, ``field+=value`` and ``field-=value`` add to and take from a list,
    ``field.key=value`` and ``list.ITEM.key=value`` set a part. An empty value or ``none`` clears.
    """
    draft = _Draft(schemas, reader, act, kind, copy.deepcopy(data))
    problems = []
    for word in words:
        match = _WORD.fullmatch(word)
        if not match:
            problems.append(Problem("", word[:40], "is not an assignment", "write field=value"))
            continue
        field, rest, operator, text = match.groups()
        try:
            draft.assign(field, rest.split(".")[1:], operator, text)
        except _BadWordError as bad:
            problems.append(Problem("", field + rest, str(bad.args[0]), str(bad.args[1])))
        except GittaskError as error:
            problems.append(Problem("", field + rest, error.message, error.hint))
    problems += schemas.check(kind, schemas.complete(kind, draft.data))
    if problems:
        raise Invalid(problems, what="set refused, nothing was written")
    return draft.data


def settable(schemas: Schemas, kind: str) -> dict[str, Data]:
    """The fields of a kind that can be assigned, and the schema of each."""
    fields = schemas.fields(kind)
    return {name: schema for name, schema in fields.items() if name not in _ELSEWHERE}


@dataclass
class _Draft:
    """A record's data on the way to what the words ask for."""

    schemas: Schemas
    reader: Reader
    act: Act
    kind: str
    data: Data

    def assign(self, field: str, keys: Sequence[str], operator: str, text: str) -> None:
        shape = self._known(field)
        is_list = shape.get("type") == "array"
        if is_list and keys:
            self._set_in_item(field, keys, operator, text)
        elif is_list:
            self.data[field] = self._list(field, operator, text)
        elif operator != "=":
            raise _BadWordError("is not a list", f"write {field}=value")
        elif keys:
            inner = self.schemas.shape(self.kind, field, *keys)
            if inner is None or len(keys) != 1:
                parts = ", ".join(shape.get("properties", {})) or "none"
                raise _BadWordError("has no such part", f"its parts: {parts}")
            self.data[field] = {**(self.data.get(field) or {}), keys[0]: _value(inner, text)}
        else:
            value = _value(shape, text)
            target = shape.get("x-ref")
            self.data[field] = self._named(target, value) if target and value else value

    def _known(self, field: str) -> Data:
        fields = self.schemas.fields(self.kind)
        if field in _ELSEWHERE:
            raise _BadWordError("cannot be set", _ELSEWHERE[field])
        if field not in fields:
            near = difflib.get_close_matches(field, list(fields), 1)
            there = ", ".join(settable(self.schemas, self.kind))
            hint = f"did you mean {near[0]}?" if near else f"there are {there}"
            raise _BadWordError("is not a field", hint)
        return fields[field]

    def _named(self, kind: str, text: str) -> str:
        if kind == "task":
            return names.task_id(self.reader, text)
        return names.named(self.reader, kind, text).id

    def _list(self, field: str, operator: str, text: str) -> list[Any]:
        present = list(self.data.get(field) or [])
        item = self.schemas.shape(self.kind, field, "0") or {}
        if "properties" in item:
            return self._items(field, present, operator, text)
        parts = [text] if field in _WHOLE else text.split(",")
        texts = [part.strip() for part in parts if part.strip()]
        if field in _SAYS_NONE:
            texts = [NOTHING if text.lower() == NOTHING else text for text in texts]
        else:
            texts = [text for text in texts if text.lower() not in _CLEARS]
        target = item.get("x-ref")
        values = [self._named(target, part) if target else part for part in texts]
        if operator == "=":
            return sorted(set(values))
        if operator == "+=":
            return sorted({*present, *values})
        missing = [value for value in values if value not in present]
        if missing:
            holds = ", ".join(present) or "nothing"
            raise _BadWordError(f"does not hold {missing[0]!r}", f"it holds: {holds}")
        return [value for value in present if value not in values]

    def _items(self, field: str, present: list[Data], operator: str, text: str) -> list[Data]:
        """A list of items with ids: one is added by its text, taken away by its id."""
        if operator == "-=":
            _item(field, present, text)
            return [item for item in present if item["id"] != text]
        if operator == "=" and text.strip().lower() in _CLEARS:
            return []
        if operator == "=":
            hint = f"add one: {field}+=TEXT; take one away: {field}-=ID"
            raise _BadWordError("is a list of items", hint)
        new = self._new_item(field, text, len(present))
        return [*(item for item in present if item["id"] != new["id"]), new]

    def _new_item(self, field: str, text: str, position: int) -> Data:
        if field == "acceptance":
            return criterion(self.act, text, position)
        first, _, second = (part.strip() for part in text.partition(":"))
        if field not in _PAIRS or not (first and second):
            raise _BadWordError("needs two parts", f"write {field}+=" + _PAIRS.get(field, "A:B"))
        if field == "checks":  # a check is known by its name
            return {"id": first, "level": second}
        parts = {"links": ("rel", "target"), "identities": ("channel", "handle")}[field]
        id = self.act.fresh_item(position)
        item = {"id": id, **dict(zip(parts, (first, second), strict=True))}
        return {**item, "title": None} if field == "links" else item

    def _set_in_item(self, field: str, keys: Sequence[str], operator: str, text: str) -> None:
        if operator != "=" or len(keys) != 2:
            raise _BadWordError("has no such part", f"write {field}.ITEM.key=value")
        item = _item(field, self.data.get(field) or [], keys[0])
        inner = self.schemas.shape(self.kind, field, "0", keys[1])
        if inner is None or keys[1] == "id":
            hint = f"see: gittask schema {self.kind}"
            raise _BadWordError(f"has no part {keys[1]!r} that can be set", hint)
        item[keys[1]] = _value(inner, text)


def _item(field: str, items: Sequence[Data], id: str) -> Data:
    for item in items:
        if item["id"] == id:
            return item
    known = ", ".join(item["id"] for item in items) or "none"
    raise _BadWordError(f"has no item {id!r}", f"items of {field}: {known}")


def _value(shape: Data, text: str) -> Any:
    """A text as the type that the schema says. The schema itself judges the value later."""
    types = {branch.get("type") for branch in shape.get("anyOf", ())} | {shape.get("type")}
    if "null" in types and text.strip().lower() in _CLEARS:
        return None
    if "boolean" in types:
        meant = {"true": True, "yes": True, "false": False, "no": False}.get(text.strip().lower())
        return text if meant is None else meant
    if "integer" in types and re.fullmatch(r"-?[0-9]{1,15}", text.strip()):
        return int(text)
    return text
