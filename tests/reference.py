"""The documentation, and the words of the program, that are made from the program itself.

``python tests/reference.py`` writes them; tests/test_docs.py fails while they differ.
"""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import click

from gittask.cli.app import SECTIONS, program
from gittask.cli.command import COMMON
from gittask.core.schema import Schemas
from gittask.store import packaged

DOCS = Path(__file__).parent.parent / "docs"

EXIT_CODES = """\
| exit | meaning |
|---|---|
| 0 | all of it was done |
| 1 | a fault of gittask, or of the machine |
| 2 | the call is wrong, or nobody is named as the one who acts |
| 3 | not found, or ambiguous |
| 4 | refused: held by another, stale, or not allowed |
| 5 | invalid data: the file, the field and the rule are named |
| 6 | the remote refused or could not be reached; the data is safe here and still unpushed |
| 7 | contention: try again later |
| 130 | interrupted |
| 141 | the reader of a pipe left early |

`beat -- COMMAND` and `resume --exec` end as the command does (126 or 127 if it cannot be started),
`hook pre-receive` with 1 for a push that is refused, as git expects.
"""

CLI_HEAD = """\
# Commands

Made from the program by `python tests/reference.py`; do not edit by hand.

Every command takes `--json` (one JSON document on standard output, also for an error),
`--as ACTOR`, `--execution ID` and `-C DIR`, before or after its name. Without `--json` the result
is text on standard output, and messages go to standard error. Nothing prompts. Commands that
read change nothing in git; there are no dry runs, since every write is one commit. A TASK is any
unique beginning of an id, of at least four characters, in any case.

Who acts: `--as`, else `GITTASK_ACTOR`, else the actor of the work tree's current execution, else
git's `gittask.actor`, else the actor with git's `user.email`; who acts for the first time is added
to the store. Under which execution: `--execution`, else `GITTASK_EXECUTION`, else the work tree's
current one, else the one by which the actor holds the task.

An error under `--json` is
`{"error": {"code", "message", "hint", "retryable", "details"}}`. `retryable` says whether the
same call can succeed later.

"""


def cli() -> str:
    """docs/cli.md."""
    parts = [CLI_HEAD, EXIT_CODES]
    context = click.Context(program, info_name="gittask", **program.context_settings)
    for section, names in SECTIONS.items():
        parts.append(f"\n## {section}\n")
        for name in names.split():
            command = program.get_command(context, name)
            assert command is not None
            parts += _command(command, click.Context(command, context, name), f"gittask {name}")
    return "".join(parts)


def _command(command: click.Command, context: click.Context, name: str) -> Iterator[str]:
    pieces = " ".join(command.collect_usage_pieces(context))
    yield f"\n### {name}\n\n    {name} {pieces}\n"
    if isinstance(command, click.Group):
        yield f"\n{_prose(command)}\n"
        for inner_name in command.list_commands(context):
            inner = command.get_command(context, inner_name)
            assert inner is not None
            inner_context = click.Context(inner, context, inner_name)
            yield from _command(inner, inner_context, f"{name} {inner_name}")
        return
    yield f"\n{_prose(command)}\n"
    common = {option.name for option in COMMON()} | {"help"}
    rows = [
        record
        for parameter in command.get_params(context)
        if parameter.name not in common and (record := parameter.get_help_record(context))
    ]
    if rows:
        yield "\n| option | meaning |\n|---|---|\n"
        for option, meaning in rows:
            said = meaning.replace("|", "\\|")
            yield f"| `{option}` | {said} |\n"


def _prose(command: click.Command) -> str:
    """The help text, with its examples as indented blocks."""
    text = inspect.cleandoc(command.help or "")
    paragraphs = []
    for paragraph in text.split("\n\n"):
        lines = paragraph.splitlines()
        if lines and lines[0].strip() == "\b":
            paragraphs.append("\n".join(f"    {line}" for line in lines[1:]))
        else:
            paragraphs.append(paragraph)
    return "\n\n".join(paragraphs)


def at_once() -> str:
    """gittask/cli/atonce.txt: of each command its options, its commands and its help."""
    root = click.Context(program, info_name="gittask", **program.context_settings)
    return "".join(_words(program, root, []))


def _words(command: click.Command, context: click.Context, path: list[str]) -> Iterator[str]:
    yield f"@ {' '.join(path)}\n"
    for option in command.get_params(context):
        if isinstance(option, click.Option) and not option.hidden:
            names = [*option.opts, *option.secondary_opts]
            yield from (_offer("option", name, option.help or "") for name in names)
    inner: dict[str, click.Command] = {}
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            if found and not found.hidden:
                inner[name] = found
                yield _offer("command", name, found.get_short_help_str())
    with mock.patch.dict(os.environ, {"COLUMNS": "80"}):
        help = context.get_help()
    assert not re.search(r"(?m)^@|[^\n\x20-\x7e]", help), f"{path}: not as atonce.py reads it"
    yield f"{help}\n"
    for name, found in inner.items():
        below = click.Context(found, context, name, **found.context_settings)
        yield from _words(found, below, [*path, name])


def _offer(what: str, name: str, help: str) -> str:
    assert not re.search(r"[\n\t]", help), f"{name}: its help has more than one line"
    return f"@{what} {name}\t{help}\n"


def fields(schemas: Schemas) -> str:
    """The tables of fields in docs/format.md."""
    parts = []
    for kind in schemas.kinds:
        document = schemas.document(kind)
        file = document.get("x-file", "ID.yaml")
        places = " or ".join(
            f"`{f'{folder}/{file}'.lstrip('/')}`" for folder in document["x-folder"]
        )
        changes = "may change, field by field" if schemas.mutable(kind) else "is write-once"
        parts.append(f"\n### {kind}\n\n{document['description']} Kept at {places}; {changes}.\n")
        parts.append("\n| field | type | merge | meaning |\n|---|---|---|---|\n")
        for name, shape in schemas.fields(kind).items():
            star = " ★" if name in document["required"] else ""
            merge = _merge(shape.get("x-merge")) if schemas.mutable(kind) else "fixed"
            meaning = str(shape.get("description", "")).replace("|", "\\|")
            parts.append(
                f"| `{name}`{star} | {_type(shape, schemas, kind)} | {merge} | {meaning} |\n"
            )
    return "".join(parts)


def _merge(said: Any) -> str:
    if said is None:
        return "later"
    return said if isinstance(said, str) else "ordered"


def _type(shape: dict[str, Any], schemas: Schemas, kind: str) -> str:
    if "anyOf" in shape and any(branch.get("type") == "null" for branch in shape["anyOf"]):
        inner = {key: value for key, value in shape.items() if key != "anyOf"}
        branch = next(branch for branch in shape["anyOf"] if branch.get("type") != "null")
        return _type({**branch, **inner}, schemas, kind) + " or null"
    if "enum" in shape:
        return ", ".join(f"`{value}`" for value in shape["enum"])
    if "x-ref" in shape:
        return f"id of {_article(shape['x-ref'])} {shape['x-ref']}"
    if shape.get("type") == "array":
        item = shape["items"]
        inside = _type(
            {**schemas.document(kind)["$defs"].get(_name(item), {}), **item}, schemas, kind
        )
        return f"list of {inside}"
    if shape.get("type") == "object" and "properties" in shape:
        return "map of " + ", ".join(f"`{name}`" for name in shape["properties"])
    if "$ref" in shape:
        return _name(shape).replace("_", " ")
    return str(shape.get("type", "any value"))


def _name(shape: dict[str, Any]) -> str:
    return str(shape.get("$ref", "")).rpartition("/")[2]


def _article(word: str) -> str:
    return "an" if word[0] in "aeiou" else "a"


def replaced(document: str, made: str) -> str:
    """A document with what stands between its markers made anew."""
    return re.sub(
        r"(<!-- made: fields -->\n).*?(<!-- end -->)",
        lambda match: match[1] + made + match[2],
        document,
        flags=re.DOTALL,
    )


def documents() -> dict[Path, str]:
    """What each document with made parts should be."""
    format_book = DOCS / "format.md"
    return {
        DOCS / "cli.md": cli(),
        DOCS.parent / "gittask" / "cli" / "atonce.txt": at_once(),
        format_book: replaced(format_book.read_text("utf-8"), fields(packaged.schemas())),
    }


if __name__ == "__main__":
    for path, text in documents().items():
        path.write_text(text, "utf-8")
