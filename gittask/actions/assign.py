"""From ``field=value`` words to a record's fields, by the types that the schema gives them."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from gittask.actions.tasks import by_id, criterion
from gittask.core import names
from gittask.core.change import Act
from gittask.core.record import Data, Reader
from gittask.core.schema import Schemas
from gittask.errors import GittaskError, Invalid, Problem

_WORD = re.compile(r"([a-z_]+)((?:\.[A-Za-z0-9_-]+)*)(\+=|-=|=)(.*)", re.DOTALL)
_NOTHING = ("", "none", "null")
_ELSEWHERE = {
    "id": "an id never changes",
    "created": "it is set once, when the record is made",
    "changed": "it is kept by gittask",
    "state": "use start, handoff, release, close, cancel or reopen",
    "status": "use start, handoff, release, close, cancel or reopen",
}


class _Bad(Exception):
    """One word that cannot be carried out: what is wrong, and how to mend it."""


def assign(
    schemas: Schemas, reader: Reader, act: Act, kind: str, data: Data, words: Sequence[str]
) -> Data:
    """The data with every assignment carried out. Raises Invalid with the problems of all words.

    ``field=value`` sets, ``field+=value`` and ``field-=value`` add to and take from a list,
    ``field.key=value`` and ``list.ITEM.key=value`` set a part. An empty value or ``none`` clears.
    """
    after = copy.deepcopy(data)
    problems = []
    for word in words:
        match = _WORD.fullmatch(word)
        if not match:
            problems.append(Problem("", word[:40], "is not an assignment", "write field=value"))
            continue
        field, rest, operator, text = match.groups()
        try:
            fields = schemas.fields(kind)
            _known(fields, field)
            _assign(schemas, reader, act, kind, after, field, rest.split(".")[1:], operator, text)
        except _Bad as bad:
            problems.append(Problem("", field + rest, str(bad.args[0]), str(bad.args[1])))
        except GittaskError as error:
            problems.append(Problem("", field + rest, error.message, error.hint))
    if problems:
        raise Invalid(problems)
    return after


def _known(fields: Mapping[str, Data], field: str) -> None:
    if field in _ELSEWHERE:
        raise _Bad("cannot be set", _ELSEWHERE[field])
    if field not in fields:
        near = get_close_matches(field, list(fields), 1)
        settable = ", ".join(name for name in fields if name not in _ELSEWHERE)
        raise _Bad("is not a field", f"did you mean {near[0]}?" if near else f"there are {settable}")


def _assign(
    schemas: Schemas,
    reader: Reader,
    act: Act,
    kind: str,
    data: Data,
    field: str,
    keys: Sequence[str],
    operator: str,
    text: str,
) -> None:
    shape = schemas.fields(kind)[field]
    is_list = shape.get("type") == "array"
    if keys and is_list:
        _set_in_item(schemas, kind, data, field, keys, operator, text)
    elif keys:
        if operator != "=" or len(keys) != 1:
            raise _Bad("has no such part", f"write {field}.KEY=value")
        inner = schemas.shape(kind, field, *keys)
        if inner is None:
            raise _Bad("has no such part", "there are " + ", ".join(shape.get("properties", {})))
        data[field] = {**(data.get(field) or {}), keys[0]: _value(inner, text)}
    elif is_list:
        data[field] = _list(schemas, reader, act, kind, data, field, operator, text)
    elif operator != "=":
        raise _Bad("is not a list", f"write {field}=value")
    else:
        value = _value(shape, text)
        target = shape.get("x-ref")
        data[field] = _named(reader, target, value) if target and value else value


def _value(shape: Data, text: str) -> Any:
    """A text as the type that the schema says. The schema itself judges the value later."""
    types = {branch.get("type") for branch in shape.get("anyOf", ())} | {shape.get("type")}
    if "null" in types and text.strip().lower() in _NOTHING:
        return None
    if "boolean" in types:
        meant = {"true": True, "yes": True, "false": False, "no": False}.get(text.strip().lower())
        return text if meant is None else meant
    if "integer" in types and re.fullmatch(r"-?[0-9]{1,15}", text.strip()):
        return int(text)
    return text


def _named(reader: Reader, kind: str, text: str) -> str:
    if kind == "task":
        return names.task_id(reader, text)
    return names.named(reader, kind, text).id


def _list(
    schemas: Schemas,
    reader: Reader,
    act: Act,
    kind: str,
    data: Data,
    field: str,
    operator: str,
    text: str,
) -> list[Any]:
    present = list(data.get(field) or [])
    item = schemas.shape(kind, field, "0") or {}
    if item.get("type") == "object" or "properties" in item:
        return _items(act, field, present, operator, text)
    target = item.get("x-ref")
    texts = [part.strip() for part in text.split(",") if part.strip().lower() not in _NOTHING]
    if field == "keys":
        texts = [text.strip()] if text.strip() else []
    values = [_named(reader, target, part) if target else part for part in texts]
    if operator == "=":
        return sorted(set(values))
    if operator == "+=":
        return sorted({*present, *values})
    missing = [value for value in values if value not in present]
    if missing:
        raise _Bad(f"does not hold {missing[0]!r}", f"it holds: {', '.join(present) or 'nothing'}")
    return [value for value in present if value not in values]


def _items(act: Act, field: str, present: list[Data], operator: str, text: str) -> list[Data]:
    """A list of items with ids: one is added by its text, taken away by its id."""
    if operator == "-=":
        if text not in [item["id"] for item in present]:
            known = ", ".join(item["id"] for item in present) or "none"
            raise _Bad(f"has no item {text!r}", f"items: {known}")
        return [item for item in present if item["id"] != text]
    if operator == "=" and text.strip().lower() in _NOTHING:
        return []
    if operator != "+=":
        raise _Bad("is a list of items", f"add one: {field}+=text; take one away: {field}-=ID")
    if field == "acceptance":
        return by_id([*present, criterion(act, text)])
    first, _, second = text.partition(":")
    if not second:
        raise _Bad("needs two parts", f"write {field}+=REL:TARGET")
    first, second = first.strip(), second.strip()
    new: dict[str, Data] = {
        "links": {"rel": first, "target": second, "title": None},
        "identities": {"channel": first, "handle": second},
    }
    return by_id([*present, {"id": act.fresh_item(), **new[field]}])


def _set_in_item(
    schemas: Schemas,
    kind: str,
    data: Data,
    field: str,
    keys: Sequence[str],
    operator: str,
    text: str,
) -> None:
    if operator != "=" or len(keys) != 2:
        raise _Bad("has no such part", f"write {field}.ITEM.key=value")
    id, key = keys
    inner = schemas.shape(kind, field, "0", key)
    items = list(_items_by_id(data.get(field), id))
    if not items:
        known = ", ".join(item["id"] for item in data.get(field) or []) or "none"
        raise _Bad(f"has no item {id!r}", f"items: {known}")
    if inner is None or key == "id":
        raise _Bad(f"has no part {key!r} that can be set", "see: gittask schema " + kind)
    items[0][key] = _value(inner, text)


def _items_by_id(items: Any, id: str) -> Iterator[Data]:
    return (item for item in items or [] if item["id"] == id)
