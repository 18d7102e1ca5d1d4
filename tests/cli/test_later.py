"""Modules that are held back are the modules, once something of them is used."""

from __future__ import annotations

import subprocess
import sys


def run(code: str) -> str:
    start = "import importlib, sys\nfrom gittask.cli import later\n"
    done = subprocess.run([sys.executable, "-c", start + code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_module_is_loaded_when_something_of_it_is_used() -> None:
    assert run(
        "later.hold_back()\n"
        "import shlex, yaml, inspect, textwrap\n"
        "print(later.loaded() & {'shlex', 'yaml', 'inspect', 'textwrap'})\n"
        "print(shlex.quote('a b'), yaml.safe_load('[1]'), inspect.cleandoc(' a '))\n"
        "print(sorted(later.loaded() & {'shlex', 'yaml', 'inspect', 'textwrap'}))\n"
        "print([hasattr(shlex, '__path__'), hasattr(shlex, 'none'), hasattr(yaml, '__path__')])"
    ).splitlines() == [
        "set()",
        "'a b' [1] a ",
        "['shlex', 'yaml']",
        "[False, False, True]",
    ]


def test_each_module_becomes_the_module_that_it_is() -> None:
    """With all its names, none of them ours."""
    show = "print([sorted(set(dir(importlib.import_module(n)))) for n in later.HELD_BACK])"
    use = "[hasattr(importlib.import_module(n), 'x') for n in later.HELD_BACK]\n"
    assert run(f"later.hold_back()\n{use}{show}") == run(use + show)


def test_the_first_function_of_inspect_is_that_of_inspect() -> None:
    texts = ["", "a", "  a ", "\ta\n  b", "a\n   b\n  c\n\n", "\n\n x", "a\n", " ", " \n "]
    show = f"import inspect\nprint([inspect.cleandoc(each) for each in {texts!r}])"
    assert run(f"later.hold_back()\n{show}") == run(show)


def test_what_is_loaded_or_gone_is_left_alone() -> None:
    assert run(
        "import shlex\nbefore = sys.modules['shlex']\n"
        "later.HELD_BACK = ('shlex', 'no_such_module')\nlater.hold_back()\n"
        "print(sys.modules['shlex'] is before, 'no_such_module' in sys.modules)"
    ).split() == ["True", "False"]


def test_two_threads_that_want_a_module_both_get_all_of_it() -> None:
    assert (
        run(
            "import threading\nlater.hold_back()\nimport subprocess\nfound = []\n"
            "start = threading.Barrier(4)\n"
            "def use():\n    start.wait()\n    found.append(subprocess.TimeoutExpired)\n"
            "all_ = [threading.Thread(target=use) for _ in range(4)]\n"
            "[each.start() for each in all_], [each.join() for each in all_]\n"
            "print(len(found), len(set(found)))"
        )
        == "4 1"
    )
