"""The layers: imports go only downward, and what is pure does no input, output, time or chance."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import gittask

PACKAGE = Path(gittask.__file__).parent
LAYERS = {
    "errors": 0,
    "core": 1,
    "kinds": 2,
    "store": 2,
    "actions": 3,
    "views": 3,
    "session": 4,
    "exchange": 5,
    "merging": 5,
    "judging": 5,
    "history": 5,
    "setup": 5,
    "cli": 6,
    "__main__": 7,
}
"""The layer of each part; those above the session may import one another."""
ORCHESTRATING = 5
PURE = ("errors", "core", "kinds", "actions", "views")
OUTSIDE = {
    *("io", "os", "sys", "subprocess", "time", "random", "secrets", "pathlib", "socket", "shutil"),
    *("tempfile", "threading", "asyncio", "signal", "logging", "getpass", "platform", "uuid"),
}
CLOCK = {"now", "utcnow", "today", "time", "monotonic", "time_ns", "perf_counter"}
DECIDES = ("session.py", "judging/verify.py")
"""What decides, beside the pure layers: nothing in it may depend on the moment of the call."""

FILES = sorted(PACKAGE.rglob("*.py"))


def name(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def part(module: str) -> str:
    """The part of the package to which a module (``gittask.core.ids``) belongs."""
    return [*module.split("."), ""][1]


def part_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def layer(part: str) -> int:
    return LAYERS[part]


def imports(path: Path) -> Iterator[str]:
    """The modules that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name(path)}: a relative import"
            assert node.module
            yield node.module
            if node.module == "gittask":
                yield from (f"gittask.{alias.name}" for alias in node.names)


def names_used(path: Path) -> Iterator[str]:
    """The dotted names that a file uses: ``os.environ``, ``datetime.now``."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield f"{node.value.id}.{node.attr}"
        elif isinstance(node, ast.Name):
            yield node.id


@pytest.mark.parametrize("path", FILES, ids=name)
def test_imports_go_downward(path: Path) -> None:
    here = part_of(path)
    if here == "__init__":
        return
    for module in imports(path):
        there = part(module)
        if module.split(".")[0] != "gittask" or there in ("", "__version__", here):
            continue
        message = f"{name(path)} imports {module}"
        assert layer(there) <= layer(here), message
        peers = layer(there) == layer(here) != ORCHESTRATING
        assert not peers, f"{message}, a part beside it"


@pytest.mark.parametrize("path", [path for path in FILES if part_of(path) in PURE], ids=name)
def test_the_pure_layers_are_pure(path: Path) -> None:
    found = {module.split(".")[0] for module in imports(path)} & OUTSIDE
    assert not found, f"{name(path)} imports {sorted(found)}"
    used = set(names_used(path))
    assert not used & {"open", "input", "print", "environ", "getenv"}
    assert not {each for each in used if each.rpartition(".")[2] in CLOCK and "." in each}


@pytest.mark.parametrize("path", [PACKAGE / file for file in DECIDES], ids=name)
def test_what_decides_asks_neither_clock_nor_chance(path: Path) -> None:
    found = {module.split(".")[0] for module in imports(path)} & OUTSIDE
    assert not found - {"pathlib"}, f"{name(path)} imports {sorted(found)}"


def test_only_the_command_line_reads_the_environment() -> None:
    """The storage layer may hand it on to git, and asks it where git itself would."""
    readers = {
        name(path)
        for path in FILES
        if any(used in ("os.environ", "os.getenv") for used in names_used(path))
    }
    assert {each for each in readers if not each.startswith("cli/")} <= {
        *(
            "store/configured.py",
            "store/git.py",
            "store/process.py",
            "store/library.py",
            "store/machine.py",
        ),
        "store/glance.py",
    }


def test_only_the_command_line_makes_ids_and_times() -> None:
    """Elsewhere they are handed in; the storage layer waits, and hence looks at the clock."""
    for path in FILES:
        if part_of(path) in ("cli", "store"):
            continue
        modules = {module.split(".")[0] for module in imports(path)}
        assert not modules & {"random", "secrets", "time", "uuid"}, name(path)
        calls = {used for used in names_used(path) if used.startswith(("datetime.", "date."))}
        assert not {call for call in calls if call.rpartition(".")[2] in CLOCK}, name(path)


def test_the_library_of_git_has_one_door() -> None:
    users = {name(path) for path in FILES if any(m.startswith("pygit2") for m in imports(path))}
    assert all(user.startswith("store/") for user in users)


def test_no_module_is_too_long() -> None:
    long = {name(path): len(path.read_text(encoding="utf-8").splitlines()) for path in FILES}
    assert not {file: lines for file, lines in long.items() if lines > 400}
