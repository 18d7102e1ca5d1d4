"""The files that come with the program: the schemas and the example store."""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path

from gittask.core.schema import Schemas
from gittask.store.validator import validator


def _folder(installed: str, checkout: str) -> Path:
    """Where a folder is: inside the installed package, or beside it in a checkout."""
    package = Path(__file__).parent.parent
    inside = package / installed
    return inside if inside.is_dir() else package.parent / checkout


def schema_texts() -> dict[str, bytes]:
    """The schema files by name, as they are copied to the data branch."""
    folder = _folder("_schemas", "schemas")
    names = sorted(name for name in os.listdir(folder) if name.endswith(".schema.json"))  # noqa: PTH208 - fast
    return {name: (folder / name).read_bytes() for name in names}


def example() -> Path:
    """The folder of the example store."""
    return _folder("_example", ".tasks-example")


@cache
def schemas() -> Schemas:
    """The schemas of all kinds that this program knows."""
    documents = {name: json.loads(text) for name, text in schema_texts().items()}
    return Schemas(documents, validator)
