"""What is the same for everybody, said at once: version, help, and the words of a completion.

To load the commands takes twenty times as long as to say what they would. Their words are in
``atonce.txt``, made from the commands by ``python -m tests.reference``. What depends on anything
but the call (a terminal and its width, colours, a store) is left to the commands, and so is
whatever this cannot say for certain.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence

from gittask import __version__

COMPLETE = "_GITTASK_COMPLETE"
"""The variable by which a shell asks for completions."""

_HELP = ("-h", "--help")
_VERSION = ("-V", "--version")
_COLOURS = ("FORCE_COLOR", "CLICOLOR_FORCE")
_WIDTH = 80  # of the help, unless there is less room
_QUOTING = frozenset("'\"\\")


def answer(argv: Sequence[str]) -> bool:
    """Answer a call if that can be done at once; whether it was."""
    if not is_plain():
        return False
    completing = os.environ.get(COMPLETE)
    text = _completed(completing) if completing else _said(argv)
    return text is not None and written(text)


def is_plain() -> bool:
    """Whether standard output takes text as it is: no terminal, no colours, no narrow lines."""
    stream = sys.__stdout__
    if os.name != "posix" or stream is None or sys.stdout is not stream:
        return False
    columns = os.environ.get("COLUMNS", str(_WIDTH))
    if not (columns.isdecimal() and int(columns) >= _WIDTH):
        return False
    return not (stream.isatty() or any(name in os.environ for name in _COLOURS))


def written(text: str) -> bool:
    """Write a text; False if it cannot be, which a command says better."""
    rest = f"{text}\n".encode()
    try:
        while rest:
            rest = rest[os.write(sys.stdout.fileno(), rest) :]
    except OSError:
        return False
    return True


def _said(argv: Sequence[str]) -> str | None:
    words = [word for word in argv if word != "--json"]
    if len(words) == 1 and words[0] in _VERSION:
        document = {"version": __version__}
        text = f"gittask {__version__}"
    elif not argv or (words and words[-1] in _HELP) or words[:1] == ["help"]:
        path = words[:-1] if words and words[-1] in _HELP else words[1:]
        text = "\n".join(_Words(path).help)
        document = {"help": text}
    else:
        return None
    if len(words) == len(argv) or not text:
        return text or None
    import json

    return json.dumps(document, ensure_ascii=False, indent=2)


class _Words:
    """What is known of the command at a path (``["approve", "check"]``); nothing if it is none."""

    def __init__(self, path: Sequence[str]) -> None:
        self.help: list[str] = []
        self.options: list[tuple[str, str]] = []
        self.commands: list[tuple[str, str]] = []
        if not all(word.replace("-", "").isalnum() for word in path):
            return
        file = os.path.join(os.path.dirname(__file__), "atonce.txt")  # noqa: PTH118, PTH120 - fast
        with open(file, encoding="utf-8") as opened:  # noqa: PTH123 - pathlib loads slowly
            _, _, found = f"\n{opened.read()}".partition(f"\n@ {' '.join(path)}\n")
        for line in found.partition("\n@ ")[0].splitlines():
            if line.startswith(("@option ", "@command ")):
                what, _, rest = line.partition(" ")
                name, _, help = rest.partition("\t")
                (self.options if what == "@option" else self.commands).append((name, help))
            else:
                self.help.append(line)


# -- completion -------------------------------------------------------------------------------


def _completed(instruction: str) -> str | None:
    """The completions of a word that can only be an option or a command, as the shell reads them.

    Any other word may be a value of the store. So may one behind an option, and where there is one
    already it is not offered again: that too is left to who can read a call.
    """
    shell, _, wanted = instruction.partition("_")
    said = os.environ.get("COMP_WORDS", "")
    at = os.environ.get("COMP_CWORD", "")
    if wanted != "complete" or shell not in ("bash", "zsh", "fish") or _QUOTING & {*said, *at}:
        return None
    words = said.split()[1:]
    if shell == "fish":
        typed = at
        if typed and words[-1:] == [typed]:
            words.pop()
    elif at.isdecimal() and int(at) > 0:
        typed = "".join(words[int(at) - 1 : int(at)])
        words = words[: int(at) - 1]
    else:
        return None
    if len(typed.split()) > 1 or "=" in typed or any(word.startswith("-") for word in words):
        return None
    offers = _offers(words, typed)
    return None if offers is None else "\n".join(_shown(shell, *each) for each in offers)


def _offers(words: list[str], typed: str) -> Iterator[tuple[str, str]] | None:
    """The names that begin as typed, and what each is; None where they are not all there is."""
    known, path = _Words(()), list[str]()
    for word in words:
        if not known.commands:
            break
        path.append(word)
        known = _Words(path)
    if not known.help:
        return None
    if typed.startswith("-"):
        return (each for each in known.options if each[0].startswith(typed))
    if known.commands and (not typed or typed[0].isalnum()):
        return (each for each in known.commands if each[0].startswith(typed))
    return None


def _shown(shell: str, name: str, help: str) -> str:
    """One completion, as click's script for the shell takes it apart."""
    if shell == "zsh":
        return f"plain\n{name}\n{help or '_'}"
    return f"plain,{name}\t{help}" if shell == "fish" and help else f"plain,{name}"
