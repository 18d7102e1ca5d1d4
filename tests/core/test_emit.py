"""What is written comes back as it was, in every reader, and always in the same form."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from gittask.core.codec import Order, decode, encode
from gittask.core.record import canonical
from gittask.errors import Invalid

law = settings(max_examples=300, deadline=None)

TRAPS = [
    *" \n\t\r:#-?'\"\\018eExob_.,~nyt=<|>&*!%@`[]{}+/$Zé",
    *"\x00\x1b\x7f\x85\xa0\xad\u200b\u200d\u200e\u2028\u2029\u202e\u2066\u3000\ufeff\uffff",
    *["\U0001f469", "\U0001fffe", "\U000e0041", ": ", " #", "- ", "\n\n", "\n ", "---", "..."],
    *["no", "on", "off", "null", "true", ".inf", ".nan", "<<", "2026-01-01", "12:30", "0o17"],
]
pieces = st.sampled_from(TRAPS)
texts = st.one_of(
    st.lists(pieces, max_size=8).map("".join),
    st.lists(pieces, max_size=3).map(lambda some: "".join(some) * 200),
    st.from_regex(r"[-+0-9.:_,eExXoObBTZ ]{1,8}", fullmatch=True),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
)
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(-(10**60), 10**60),
    st.floats(allow_nan=False, allow_infinity=False),
    texts,
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=10,
)


def written(value: Any, order: Order | None = None) -> str:
    return encode(value, order).decode()


@law
@given(values)
def test_reading_gives_what_was_written_and_writing_it_again_the_same_bytes(value: Any) -> None:
    data = encode(value)
    again = decode(data)
    assert canonical(again) == canonical(value)
    assert encode(again) == data


@law
@given(values)
def test_the_pure_parser_reads_the_same(value: Any) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(yaml, "__with_libyaml__", False)
        assert canonical(decode(encode(value))) == canonical(value)


@law
@given(values)
def test_a_reader_of_yaml_1_1_gets_the_same_value(value: Any) -> None:
    assert canonical(yaml.safe_load(encode(value))) == canonical(value)


def shuffled(value: Any, chance: random.Random) -> Any:
    if isinstance(value, list):
        return [shuffled(item, chance) for item in value]
    if not isinstance(value, dict):
        return value
    keys = list(value)
    chance.shuffle(keys)
    return {key: shuffled(value[key], chance) for key in keys}


@law
@given(values, st.randoms(use_true_random=False), st.lists(texts, max_size=3))
def test_equal_data_gives_equal_bytes(value: Any, chance: random.Random, named: list[str]) -> None:
    order: Order = dict.fromkeys(named)
    assert encode(shuffled(value, chance), order) == encode(value, order)


# What the specifications say is no string: 1.2.2, chapter 10.3.2, and the types of 1.1.
NO_STRING = re.compile(
    r"null|~||true|false|yes|no|on|off|y|n|=|<<"
    r"|[-+]?[0-9]+|0o[0-7]+|0x[0-9a-f]+|[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)(e[-+]?[0-9]+)?"
    r"|[-+]?\.inf|\.nan"
    r"|[-+]?0b[01_]+|[-+]?0x[0-9a-f_]+|[-+]?[0-9][0-9_]*(:[0-5]?[0-9])*(\.[0-9_]*)?"
    r"|[-+]?([0-9][0-9_]*)?\.[0-9._]*(e[-+]?[0-9]+)?"
    r"|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([t \t].*)?",
    re.IGNORECASE,
)


@law
@given(texts)
def test_a_text_stands_plain_only_where_no_reader_can_take_it_for_anything_else(text: str) -> None:
    for value in ({"a": text}, {text: "a"}, [text]):
        for event in yaml.parse(encode(value), Loader=yaml.SafeLoader):
            if isinstance(event, yaml.ScalarEvent) and event.implicit[0]:
                assert not NO_STRING.fullmatch(event.value)


def leaf_lines(node: yaml.Node) -> Iterator[int]:
    """The line of every key, and of every list item that is not a collection with content."""
    if not node.value or isinstance(node, yaml.ScalarNode):
        return
    for part in node.value:
        key, item = part if isinstance(node, yaml.MappingNode) else (None, part)
        if key is not None:
            yield key.start_mark.line
        elif isinstance(item, yaml.ScalarNode) or not item.value:
            yield item.start_mark.line
        yield from leaf_lines(item)


@law
@given(values)
def test_every_key_and_every_item_has_a_line_of_its_own(value: Any) -> None:
    root = yaml.compose(encode(value), Loader=yaml.SafeLoader)
    assert root is not None
    lines = list(leaf_lines(root))
    assert len(lines) == len(set(lines))


@law
@given(values)
def test_nothing_hidden_reaches_a_file(value: Any) -> None:
    text = written(value)
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    hidden = r"[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u200b\u200e\u2028-\u202e\u2066\ufeff\uffff]"
    assert not re.search(hidden, text)


def test_a_record_as_it_stands_in_a_file() -> None:
    record = {
        "changed": {"title": "7 2026-11-30T10:04:11.123Z alice"},
        "zeta": [],
        "title": "Fix routing: part 2",
        "why": "It fails.\n\nDaily.\n",
        "labels": ["urgent", "on"],
        "acceptance": [{"met": False, "id": "a1"}, {"id": "a2", "links": ["x"]}],
        "due": "2026-12-24",
        "id": "k3m9q2abc0f1",
        "alpha": {"q": 1, "p": None, "empty": {}},
    }
    order: Order = {
        **dict.fromkeys(["id", "title", "why", "labels"]),
        "acceptance": {"met": None, "id": None},
        "changed": None,
    }
    assert written(record, order) == (
        "id: k3m9q2abc0f1\n"
        'title: "Fix routing: part 2"\n'
        "why: |\n"
        "  It fails.\n"
        "\n"
        "  Daily.\n"
        "labels:\n"
        "  - urgent\n"
        '  - "on"\n'
        "acceptance:\n"
        "  - met: false\n"
        "    id: a1\n"
        "  - id: a2\n"
        "    links:\n"
        "      - x\n"
        "alpha:\n"
        "  empty: {}\n"
        "  p: null\n"
        "  q: 1\n"
        'due: "2026-12-24"\n'
        "zeta: []\n"
        "changed:\n"
        "  title: 7 2026-11-30T10:04:11.123Z alice\n"
    )


@pytest.mark.parametrize(
    ("order", "keys"),
    [
        (None, "a b changed z"),
        ({"z": None}, "z a b changed"),
        ({"z": None, "changed": None}, "z a b changed"),
        ({"changed": None, "z": None}, "changed z a b"),
        ({"z": None, "b": None, "missing": None, "a": None, "changed": None}, "z b a changed"),
    ],
)
def test_named_keys_come_first_and_changed_last(order: Order | None, keys: str) -> None:
    value = dict.fromkeys(["changed", "a", "z", "b"])
    assert list(decode(encode(value, order))) == keys.split()


@pytest.mark.parametrize(
    "text",
    [
        *[
            "plain words",
            "Übergröße",
            "パ",
            "\U0001f469\u200d\U0001f467",
            "it's",
            "a:b",
            "a#b",
            "(x)",
        ],
        *["https://example.org/?a=b#c", "$15,000", "C:\\new", "20261130t100411z-k3m9q2", "3 of 4"],
    ],
)
def test_harmless_texts_stay_plain(text: str) -> None:
    assert written({"a": text}) == f"a: {text}\n"


@pytest.mark.parametrize(
    "text",
    [
        *["No", "ON", "off", "y", "N", "Yes", "true", "False", "Null", "~", "", "=", "<<", "e3"],
        *[
            "0",
            "08",
            "0755",
            "-5",
            "+1",
            ".5",
            "1.",
            "1_000",
            "12e4",
            "0x1F",
            "0b1",
            "0o17",
            ".inf",
        ],
        *["12:30:45", "2026-01-01", "2026-1-1", "2026-11-30T10:04:11Z", "2026-01-01 10:00:00"],
        *["- x", "? x", ": x", "a: b", "a:", "a #b", "#a", " a", "a ", "---", "...", "--- a", "%a"],
        *["@a", "`a`", "&a", "*a", "!a", "|", ">", "[a", "{a", ",a", "]", "}", "'a'", "<<<<<<< a"],
    ],
)
def test_texts_that_some_reader_would_take_for_something_else_are_quoted(text: str) -> None:
    assert written({"a": text}) == f'a: "{text}"\n'
    assert written({text: 1}) == f'"{text}": 1\n'


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a\nb", "|-\n  a\n  b\n"),
        ("a\nb\n", "|\n  a\n  b\n"),
        ("a\n\n", "|+\n  a\n\n...\n"),
        (" a\nb", "|2-\n   a\n  b\n"),
        ("\n\na", "|2-\n\n\n  a\n"),
        ("a\n\tb", "|-\n  a\n  \tb\n"),
        ("a\n---\n# b", "|-\n  a\n  ---\n  # b\n"),
        ("a\n ", '"a\\n "\n'),
        ("\n", '"\\n"\n'),
        ("a\r\nb", '"a\\r\\nb"\n'),
        ("a\u2028b\n", '"a\\u2028b\\n"\n'),
        ("\ufeffa", '"\\ufeffa"\n'),
        ("\U000e0041", '"\\U000e0041"\n'),
        ('"\\\t', '"\\"\\\\\\t"\n'),
        ("e12", '"e12"\n'),
    ],
)
def test_the_form_of_a_text(text: str, lines: str) -> None:
    assert written({"a": text}) == f"a: {lines}"


def test_a_long_line_is_never_folded() -> None:
    long = "word " * 30_000 + "end"
    assert written({"a": long}) == f"a: {long}\n"


def test_a_key_too_long_for_one_line_is_written_as_an_explicit_key() -> None:
    key = "k" * 1100
    assert written([{key: [1]}]) == f"- ? {key}\n  :\n    - 1\n"


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1e16, "1.0e+16"),
        (1e-07, "1.0e-07"),
        (2.5e30, "2.5e+30"),
        (1.0, "1.0"),
        (-0.0, "-0.0"),
        (-7, "-7"),
    ],
)
def test_the_form_of_a_number(number: float, text: str) -> None:
    assert written({"a": number}) == f"a: {text}\n"


@pytest.mark.parametrize(
    ("value", "field", "message"),
    [
        ({"a": [1, {"b": math.nan}]}, "a.1.b", "not a finite number"),
        (math.inf, "", "not a finite number"),
        ([-(10**1000)], "0", "at most 1,000 digits"),
        ({"a": (1,)}, "a", "tuple is not a JSON type"),
        ({"a": date(2026, 1, 1)}, "a", "date is not a JSON type"),
        ({"a": {1: 2}}, "a", "the key 1 is not text"),
        ({"a": {"b": 1, None: 2}}, "a", "the key None is not text"),
        ({"a": "x\ud800"}, "a", "U+D800"),
        ({"x\udcff": 1}, "x\\udcff", "U+DCFF"),
        ({"a": "x" * (1 << 20)}, "", "1,048,576"),
    ],
)
def test_what_cannot_be_stored_is_refused(value: Any, field: str, message: str) -> None:
    with pytest.raises(Invalid) as caught:
        encode(value)
    (problem,) = caught.value.problems
    assert problem.field == field
    assert message in problem.message
    assert problem.hint
    str(caught.value).encode()
