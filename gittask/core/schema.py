"""The schemas: shape, folder, defaults, references and merge rules of each kind, from one source.

A schema (``schemas/<kind>.schema.json``) is JSON Schema of the draft 2020-12 with these keywords
of our own: ``x-folder`` (where records of the kind are kept), ``x-file`` (the file's name, if it
is not the id), ``x-index`` (the fields by which records are looked up), ``x-merge`` (how two
versions become one, see docs/merge.md) and ``x-ref`` (the kind of record that a value names).
A document without ``x-folder`` holds shared definitions.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias
from zlib import crc32

from gittask.core import formats
from gittask.core.codec import Order
from gittask.core.record import Data, Record, canonical
from gittask.core.text import is_text
from gittask.core.units import Prefer, Rule, Rules
from gittask.errors import Problem

_Template = list[tuple[str, str]]
"""A path as ``x-folder`` and ``x-file`` say it, name by name (see ``_piece``)."""

_Lead: TypeAlias = "str | list[_Lead] | dict[str, _Lead]"
"""Where a value names other records: it is the id of one of this kind, or its items or fields
lead there."""

_SHARD = ":shard"
COMMON = "common.schema.json"
FORMAT = 1
"""The version of the store's format that this program reads and writes."""


class Place(NamedTuple):
    """What a path on the data branch should hold: a kind, an id, and the owner it is kept under."""

    kind: str
    id: str
    task: str | None = None
    project: str | None = None


class Reference(NamedTuple):
    """A value of a record that names another record; ``field`` is a dotted path."""

    field: str
    kind: str
    id: str


def shard(id: str) -> str:
    """The folder that spreads tasks: the last two characters of an id."""
    return id[-2:]


def _validator() -> Any:
    import jsonschema_rs

    return jsonschema_rs.Draft202012Validator


class Schemas:
    """All kinds and their rules. ``documents`` maps file names to parsed schema documents.

    ``validator`` gives the class of validators that decides, once that is needed.
    """

    def __init__(
        self, documents: Mapping[str, Data], validator: Callable[[], Any] = _validator
    ) -> None:
        self._sources = documents
        self._validator = validator
        definitions = _localise(documents[COMMON]["$defs"])
        self._documents = {
            str(document["title"]): {**_localise(document), "$defs": definitions}
            for document in documents.values()
            if "x-folder" in document
        }

    @property
    def kinds(self) -> tuple[str, ...]:
        """The names of all kinds, sorted."""
        return tuple(sorted(self._documents))

    @cached_property
    def digest(self) -> str:
        """What tells these schemas from others: 12 hexadecimal digits."""
        text = canonical(self._sources).encode()  # a checksum: hashes take long to load
        return f"{crc32(text):08x}{len(text) % 16**4:04x}"

    def document(self, kind: str) -> Data:
        """The kind's schema in one piece, shared definitions included. KeyError if unknown."""
        return self._documents[kind]

    # -- where a record is kept ---------------------------------------------------------------

    def path(
        self, kind: str, id: str, *, task: str | None = None, project: str | None = None
    ) -> str:
        """The path of a record's file on the data branch."""
        values = {"id": id, "task": task, "project": project}
        for needed, filled in self._paths[kind]:
            if all(values[name] for name in needed):
                return filled(values)
        raise ValueError(f"a {kind} without a task or project has no place")

    @cached_property
    def _paths(self) -> dict[str, list[tuple[set[str], Callable[[Mapping[str, str | None]], str]]]]:
        """The paths of each kind: what must be known for one, and how that makes it."""
        found = {}
        for kind, document in self._documents.items():
            file = document.get("x-file", "{id}.yaml")
            folders = document["x-folder"]
            found[kind] = [
                (set(re.findall(r"{(\w+)", folder)), _filling(f"{folder}/{file}".lstrip("/")))
                for folder in folders
            ]
        return found

    def path_of(self, record: Record) -> str:
        """The path at which this record is kept."""
        data = record.data
        return self.path(record.kind, record.id, task=data.get("task"), project=data.get("project"))

    def locate(self, path: str) -> Place | None:
        """What a path should hold, or None if records are never kept there."""
        if not is_text(path):
            return None
        parts = path.split("/")
        for word in parts[-2:]:
            for kind, template in self._templates.get((len(parts), word), ()):
                found = _fields(template, parts)
                if found is not None:
                    return Place(kind, found.get("id", ""), found.get("task"), found.get("project"))
        return None

    @cached_property
    def _templates(self) -> dict[tuple[int, str], list[tuple[str, _Template]]]:
        """The paths of each kind, by their length and the last word that is always the same: the
        folder's or the file's name."""
        found: dict[tuple[int, str], list[tuple[str, _Template]]] = {}
        for kind, document in self._documents.items():
            for folder in document["x-folder"]:
                file = document.get("x-file", "{id}.yaml")
                pieces = f"{folder}/{file}".lstrip("/").split("/")
                word = next(each for each in pieces[-2:] if "{" not in each)
                template = [_piece(each) for each in pieces]
                found.setdefault((len(pieces), word), []).append((kind, template))
        return found

    # -- what the schema says of a kind -------------------------------------------------------

    def mutable(self, kind: str) -> bool:
        """Whether records of this kind may change after they were made."""
        return bool(self._documents[kind]["x-merge"] == "units")

    def rules(self, kind: str) -> Rules:
        """How two versions of a record of this kind become one."""
        if kind not in self._rules:
            fields = {
                name: _rule(schema, self._definition(kind, schema))
                for name, schema in self._documents[kind]["properties"].items()
                if "x-merge" in schema
            }
            self._rules[kind] = Rules(mutable=self.mutable(kind), fields=fields)
        return self._rules[kind]

    @cached_property
    def _rules(self) -> dict[str, Rules]:
        return {}

    def order(self, kind: str) -> Order:
        """The order in which the keys of a record are written."""
        if kind not in self._orders:
            document = self._documents[kind]
            self._orders[kind] = _order(document, document["$defs"]) or {}
        return self._orders[kind]

    @cached_property
    def _orders(self) -> dict[str, Order]:
        return {}

    def complete(self, kind: str, data: Data) -> Data:
        """The data with every key that has a default and is absent, in the schema's order.

        A mutable record always shows all its keys, so that two sides which set different fields
        change different lines.
        """
        properties = self._documents[kind]["properties"]
        known = {
            name: data[name] if name in data else copy.deepcopy(schema["default"])
            for name, schema in properties.items()
            if name in data or "default" in schema
        }
        return known | {name: value for name, value in data.items() if name not in known}

    def indexed(self, kind: str) -> tuple[str, ...]:
        """The fields (dotted paths) by which records of a kind are looked up."""
        return tuple(self._documents[kind].get("x-index", ()))

    def fields(self, kind: str) -> Mapping[str, Data]:
        """The schema of each field of a kind, with references resolved one level deep."""
        document = self._documents[kind]
        return {
            name: {**self._definition(kind, schema), **schema}
            for name, schema in document["properties"].items()
        }

    def shape(self, kind: str, *path: str) -> Data | None:
        """The schema of one part of a record, or None; any number stands for a list's items."""
        found: Data | None = self._documents[kind]
        for part in path:
            inner = _resolve(found or {}, self._documents[kind]["$defs"])
            found = inner.get("items") if part.isdigit() else inner.get("properties", {}).get(part)
            if found is None:
                return None
        resolved: Data = {**self._definition(kind, found or {}), **(found or {})}
        return resolved

    def _definition(self, kind: str, schema: Data) -> Data:
        return _resolve(schema, self._documents[kind]["$defs"])

    def references(self, kind: str, data: Data) -> Iterator[Reference]:
        """Every value of a record that names another record."""
        if kind not in self._leads:
            document = self._documents[kind]
            self._leads[kind] = _lead(document, document["$defs"]) or {}
        yield from _references(self._leads[kind], data, "")

    @cached_property
    def _leads(self) -> dict[str, _Lead]:
        return {}

    # -- checking -----------------------------------------------------------------------------

    def valid(self, kind: str, data: Any) -> bool:
        """Whether the data has the shape of the kind; the fast answer, without reasons."""
        if kind not in self._validators:
            self._validators[kind] = self._validator()(
                self._documents[kind], validate_formats=True, formats=formats.CHECKS
            )
        return bool(self._validators[kind].is_valid(data))

    @cached_property
    def _validators(self) -> dict[str, Any]:
        return {}

    def check(self, kind: str, data: Any, file: str = "") -> list[Problem]:
        """Everything that is wrong with the data, each with its field and how to mend it."""
        if self.valid(kind, data):
            return []
        # The one that explains costs more to load than most commands: only when it is needed.
        from gittask.core.explain import explain

        return explain(self._documents[kind], data, file)

    def unknown(self, kind: str, data: Data) -> list[str]:
        """The fields (dotted paths) that the kind's schema does not name: often a slip of the pen.

        In stored records they are kept, since a newer program may have written them.
        """
        document = self._documents[kind]
        return list(_unknown(document, document["$defs"], data, ""))


def _localise(node: Any) -> Any:
    """A copy in which references to the shared document lead into this one."""
    if isinstance(node, dict):
        return {
            key: value.removeprefix(COMMON) if key == "$ref" else _localise(value)
            for key, value in node.items()
        }
    if isinstance(node, list):
        return [_localise(item) for item in node]
    return node


def _filling(template: str) -> Callable[[Mapping[str, str | None]], str]:
    """What puts values into a path as ``x-folder`` and ``x-file`` say it."""
    format = re.sub(r"{(\w+)(:shard)?}", lambda m: f"%({m[1]}{'.' if m[2] else ''})s", template)
    shards = re.findall(r"{(\w+):shard}", template)

    def filled(values: Mapping[str, str | None]) -> str:
        return format % {**values, **{f"{name}.": shard(values[name] or "") for name in shards}}

    return filled


def _piece(text: str) -> tuple[str, str]:
    """One name of a template: the field in it, and what follows that."""
    field, _, ending = text[1:].partition("}") if text.startswith("{") else ("", "", text)
    return field, ending


def _fields(template: _Template, parts: Sequence[str]) -> dict[str, str] | None:
    """What stands in a path for the fields of a template of the same length; None if it is none."""
    found: dict[str, str] = {}
    for (field, ending), part in zip(template, parts, strict=True):
        if not part.endswith(ending) or (part == ending) == bool(field):
            return None
        found[field] = part.removesuffix(ending)
    for field, part in found.items():
        if field.endswith(_SHARD):
            id = found[field.removesuffix(_SHARD)]
            if len(part) != 2 or part != shard(id):
                return None
    return found


def _resolve(schema: Data, definitions: Data) -> Data:
    """The schema that says the shape: through ``$ref`` and through "or null"."""
    for branch in schema.get("anyOf", ()):
        if branch.get("type") != "null":
            return _resolve(branch, definitions)
    reference = schema.get("$ref", "")
    name = reference.rpartition("/")[2]
    return {**definitions[name], **schema} if reference else schema


def _rule(schema: Data, definition: Data) -> Rule:
    said = schema["x-merge"]
    limits = {
        "max_length": definition.get("maxLength"),
        "max_items": definition.get("maxItems"),
    }
    if isinstance(said, str):
        return Rule(said, **limits)  # type: ignore[arg-type]
    prefer = tuple(_prefer(criterion) for criterion in said["ordered"])
    return Rule("ordered", prefer=prefer, **limits)


def _prefer(criterion: Data) -> Prefer:
    how = criterion["prefer"]
    if isinstance(how, list):
        return Prefer(criterion["field"], "listed", tuple(how))
    return Prefer(criterion["field"], how)


def _order(schema: Data, definitions: Data) -> Order | None:
    shape = _resolve(schema, definitions)
    if "items" in shape:
        return _order(shape["items"], definitions)
    if "properties" not in shape:
        return None
    return {name: _order(inner, definitions) for name, inner in shape["properties"].items()}


def _lead(schema: Data, definitions: Data) -> _Lead | None:
    """Where in a value of this shape other records are named."""
    shape = _resolve(schema, definitions)
    target: str | None = schema.get("x-ref") or shape.get("x-ref")
    if target:
        return target
    if "items" in shape:
        inner = _lead(shape["items"], definitions)
        return [inner] if inner else None
    parts = (
        (name, _lead(inner, definitions)) for name, inner in shape.get("properties", {}).items()
    )
    return {name: lead for name, lead in parts if lead} or None


def _references(lead: _Lead, value: Any, field: str) -> Iterator[Reference]:
    if isinstance(lead, str):
        if isinstance(value, str):
            yield Reference(field, lead, value)
    elif isinstance(lead, list):
        for index, item in enumerate(value if isinstance(value, list) else ()):
            yield from _references(lead[0], item, f"{field}.{index}")
    elif isinstance(value, dict):
        for name, inner in lead.items():
            if name in value:
                path = f"{field}.{name}" if field else name
                yield from _references(inner, value[name], path)


def _unknown(schema: Data, definitions: Data, value: Any, field: str) -> Iterator[str]:
    shape = _resolve(schema, definitions)
    if isinstance(value, list) and "items" in shape:
        for index, item in enumerate(value):
            yield from _unknown(shape["items"], definitions, item, f"{field}.{index}")
    elif isinstance(value, dict) and "properties" in shape:
        for name, inner in value.items():
            path = f"{field}.{name}" if field else name
            if name in shape["properties"]:
                yield from _unknown(shape["properties"][name], definitions, inner, path)
            else:
                yield path
