"""Why data does not fit a schema, in sentences that say what to do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import ValidationError

from gittask.core import formats
from gittask.core.record import Data
from gittask.errors import Problem

EMPTY = ("must not be empty", "give some text, or leave it out")
_TYPES = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a map of fields",
    "null": "null",
}


def _checker() -> FormatChecker:
    checker = FormatChecker(formats=())
    for name, check in formats.CHECKS.items():
        checker.checks(name)(lambda value, check=check: not isinstance(value, str) or check(value))
    return checker


def explain(schema: Data, data: Any, file: str = "") -> list[Problem]:
    """All problems of the data, one for each field and rule, ordered by field."""
    validator = Draft202012Validator(schema, format_checker=_checker())
    kind = str(schema.get("title", "KIND"))
    found = {
        problem._replace(hint=problem.hint.replace("KIND", kind))
        for error in validator.iter_errors(data)
        for leaf in _leaves(error)
        for problem in _problems(leaf, file)
    }
    return sorted(found)


def _leaves(error: ValidationError) -> Iterator[ValidationError]:
    """The errors that say something: of "this or null" those of this; of a choice, the nearest."""
    if error.validator == "allOf" and error.context:
        for inner in error.context:
            yield from _leaves(inner)
    elif error.validator in ("anyOf", "oneOf") and error.context:
        meant = [inner for inner in error.context if not _is_null(inner)] or list(error.context)
        first = meant[0].schema_path[0]
        for inner in meant:
            if inner.schema_path[0] == first:
                yield from _leaves(inner)
    else:
        yield error


def _is_null(error: ValidationError) -> bool:
    return error.validator == "type" and error.validator_value == "null"


def _problems(error: ValidationError, file: str) -> Iterator[Problem]:
    path = [str(part) for part in error.absolute_path]
    value: Any = error.instance
    rule: Any = error.validator_value
    schema: Any = error.schema
    if error.validator == "required":
        for name in rule:
            if name not in value:
                said = schema.get("properties", {}).get(name, {}).get("description")
                yield Problem(file, ".".join([*path, name]), "is missing", said or "add the field")
        return
    if error.validator == "format" and not re.search(schema.get("pattern", ""), value):
        return  # that it has not the right form is said already
    message, hint = _sentence(error, value, rule, schema)
    yield Problem(file, ".".join(path), message, hint)


def _sentence(error: ValidationError, value: Any, rule: Any, schema: Data) -> tuple[str, str]:
    """What is wrong, and how to mend it."""
    match error.validator:
        case "type":
            allowed = [rule] if isinstance(rule, str) else rule
            wanted = " or ".join(_TYPES.get(name, name) for name in allowed)
            return f"must be {wanted}, is {_named(value)}", _quote_hint(wanted, value)
        case "enum":
            shown = ", ".join(str(item) for item in rule)
            near = get_close_matches(str(value), [str(item) for item in rule], 1)
            hint = f"did you mean {near[0]}?" if near else "use one of these"
            return f"must be one of {shown}, is {_named(value)}", hint
        case "const":
            return f"must be {rule}, is {_named(value)}", f"write {rule}"
        case "minLength":
            return EMPTY
        case "maxLength":
            return f"has {len(value)} characters, at most {rule} are allowed", "shorten it"
        case "maxItems":
            return f"has {len(value)} items, at most {rule} are allowed", "leave some out"
        case "minItems":
            return f"has {len(value)} items, at least {rule} are needed", "add some"
        case "minimum":
            return f"must be at least {rule}, is {value}", f"use {rule} or more"
        case "maximum":
            return f"must be at most {rule}, is {value}", f"use {rule} or less"
        case "pattern":
            return _pattern(value, schema)
        case "format":
            return f"is not a real {rule}: {_named(value)}", str(schema.get("description", ""))
    return error.message[:200], "see the schema of this kind: gittask schema KIND"


def _pattern(value: Any, schema: Data) -> tuple[str, str]:
    if isinstance(value, str):
        control = next(
            (c for c in value if (ord(c) < 32 and c not in "\n\t") or 127 <= ord(c) < 160), ""
        )
        if control:
            return f"holds the control character U+{ord(control):04X}", "remove it"
        if not value.strip():
            return EMPTY
        if "\n" in value or "\t" in value:
            return "must be one line without tabs", "put long text into a longer field"
    hint = str(schema.get("description", "")) or "see the schema of this kind: gittask schema KIND"
    return f"is not of the right form: {_named(value)}", hint


def _named(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return repr(value if len(value) <= 60 else value[:57] + "...")
    if isinstance(value, list):
        return "a list"
    return "a map" if isinstance(value, dict) else str(value)


def _quote_hint(wanted: str, value: Any) -> str:
    if wanted.startswith("text") and isinstance(value, (bool, int, float)):
        return f"put it in quotes: '{_named(value)}'"
    return f"write {wanted}"
