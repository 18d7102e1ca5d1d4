"""What of a record can be searched, and the normalisation by which texts are compared there.

Words are the same if they differ only in what people do not mean when they search:

- in case, by full case folding (``STRASSE`` = ``Straße``);
- in how a character is encoded, in width or in style (NFKC: ``Ａ`` = ``A``, ``ﬁ`` = ``fi``,
  ``é`` as one character or as two);
- in accents and points (``é`` = ``e``, ``ё`` = ``е``), which are marks of a combining class above
  9; those below make another letter, such as the voicing of kana (``が`` is not ``か``);
- in characters that are not seen, such as a soft hyphen or a zero-width space.

Control characters, line breaks among them, only separate words. Of scripts that are written
without spaces between words (Han, kana, Thai ...), and of hangul, each character is a word of its
own: so any part of a text is found. What is stored stays as it was typed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Any

from gittask.core.dataclass import dataclass
from gittask.core.index import Document, Span
from gittask.core.record import Record
from gittask.core.schema import Schemas


@dataclass(frozen=True)
class Text:
    """A text of a record; ``field`` is a dotted path (``acceptance.0.text``)."""

    field: str
    text: str
    head: bool


# -- the texts of a record --------------------------------------------------------------------

_APART = frozenset({"id", "task", "created", "changed"})
"""The fields that say which record it is, and who set what when."""


def document(schemas: Schemas, record: Record) -> Document[Record]:
    """What of a record can be searched. An id that somebody chose is a name, and so in the head."""
    found = list(texts(schemas, record))
    head = [each.text for each in found if each.head]
    body = "\n".join(each.text for each in found if not each.head)
    if record.kind in _NAMED:
        return Document(record, "\n".join([*head, record.id]), body)
    return Document(record, "\n".join(head), body, record.id)


_NAMED = ("actor", "project")
"""The kinds of record whose id is a name that somebody chose."""


def texts(schemas: Schemas, record: Record) -> Iterator[Text]:
    """The texts of a record in the order of its fields, whatever its kind.

    That is every string in it, save its own id, times, and words that its schema prescribes
    (``open``, ``approved``). What a schema calls a title is head. References to other records
    (but the task that it belongs to) and fields that the schema does not know are texts too.
    """
    places = _places(schemas, record.kind)
    for name, value in record.data.items():
        if name not in _APART:
            yield from _texts(places, value, name, name)


def _texts(places: Mapping[str, str], value: Any, field: str, place: str) -> Iterator[Text]:
    """``place`` is the field without the numbers of items, as the schema has it."""
    if isinstance(value, str):
        if value and places.get(place) != "apart":
            yield Text(field, value, places.get(place) == "head")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _texts(places, item, f"{field}.{index}", place)
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from _texts(places, inner, f"{field}.{name}", f"{place}.{name}")


@cache
def _places(schemas: Schemas, kind: str) -> Mapping[str, str]:
    """The places of a kind whose strings are ``head``, or no text and so ``apart``."""
    return dict(_roles(schemas, kind, (), ""))


def _roles(
    schemas: Schemas, kind: str, path: tuple[str, ...], place: str
) -> Iterator[tuple[str, str]]:
    shape = schemas.shape(kind, *path) or {}
    if shape.get("$ref", "").endswith("/title"):
        yield place, "head"
    elif "enum" in shape or shape.get("format") in ("date", "date-time"):
        yield place, "apart"
    if "items" in shape:
        yield from _roles(schemas, kind, (*path, "0"), place)
    for name in shape.get("properties", ()):
        yield from _roles(schemas, kind, (*path, name), f"{place}.{name}".lstrip("."))


# -- words as people say them -----------------------------------------------------------------

_WORD = re.compile(r"@|[^\W_]+(?:['’][^\W_]+)*")


def spoken(text: str) -> Iterator[tuple[str, Span, bool]]:
    """The words of a text, where they stand, and whether they had an ``'s``, which is left out.

    Of a script without spaces between words, each character is one.
    """
    for match in _WORD.finditer(text):
        plain = match[0].replace("’", "'")
        bare = plain[:-2] if plain[-2:].lower() == "'s" else plain
        for word in folded(bare).split():
            yield word, match.span(), bare != plain


# -- the normalisation ------------------------------------------------------------------------

_ALONE = re.compile(
    "((?:"
    "[\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\ud7b0-\ud7ff][\u1160-\u11ff\ud7b0-\ud7ff]*"  # hangul
    "|[\u3041-\u3098\u309d-\u30fa\u30fc-\u312f\u31a0-\u31bf\u31f0-\u31ff]"  # kana, bopomofo
    "|[\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3038-\u303b\u3400-\u4dbf\u4e00-\u9fff]"  # Han
    "|[\uf900-\ufaff\U00020000-\U0003ffff]"
    "|[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]"  # Thai, Lao, Burmese, Khmer
    ")[\u3099\u309a]?)"
)
"""What is a word of its own, in decomposed text: a character, with the voicing of kana."""

_OTHER_LETTER = 9
"""The highest combining class of marks that make another letter."""

_CONTROLS = dict.fromkeys((*range(0x20), 0x7F), " ")
_REPLACED = {"Cc": " ", "Cs": " ", "Zl": " ", "Zp": " ", "Cf": ""}
"""What stands for a character of a category: of controls and the like, and of unseen ones."""


def folded(text: str) -> str:
    """The text as it is compared in a search, in words with a space between; see the top.

    It holds no control character, and folding it once more changes nothing.
    """
    return " ".join(_fold(text).split())


def aligned(text: str) -> tuple[str, list[tuple[int, int]]]:
    """The text as ``folded`` but for the number of spaces, and whence each of its characters is.

    That is where the piece of the text that it came from begins and ends.
    """
    if text.isascii():
        return _fold(text), [(place, place + 1) for place in range(len(text))]
    parts: list[str] = []
    places: list[tuple[int, int]] = []
    start = 0
    for end in range(1, len(text) + 1):
        if end == len(text) or not _continues(text[end]):
            part = _fold(text[start:end])
            parts.append(part)
            places += [(start, end)] * len(part)
            start = end
    return "".join(parts), places


def _fold(text: str) -> str:
    if text.isascii():
        return text.translate(_CONTROLS).lower()
    letters = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return _ALONE.sub(r" \1 ", "".join(map(_kept, letters)))


@lru_cache(1 << 12)
def _kept(char: str) -> str:
    if unicodedata.combining(char) > _OTHER_LETTER:
        return ""
    return _REPLACED.get(unicodedata.category(char), char)


@lru_cache(1 << 12)
def _continues(char: str) -> bool:
    """Whether a character is part of the one before it: a mark, unseen, or the rest of hangul."""
    first = unicodedata.normalize("NFKD", char)[0]
    part = unicodedata.combining(first) > 0 or "\u1160" <= first <= "\u11ff"
    return part or unicodedata.category(first) == "Cf"
