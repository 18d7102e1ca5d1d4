from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gittask.core.codec import decode
from gittask.core.tokens import START, estimate, of_lines
from gittask.store import example

VOCABULARIES = ("cl100k_base", "o200k_base", "llama3", "qwen3")
"""Real tokenizers, which come whole with a package: nothing is fetched."""

FILES = {path: content.decode() for path, content in example.files().items()}
text = st.text(st.sampled_from("aB1 .\n\té漢🎉"), max_size=40)


@cache
def tokenizer(name: str) -> Any:
    return pytest.importorskip("quicktok").get_encoding(name)


def real(vocabulary: str, text: str) -> int:
    """The tokens of a text by a real tokenizer."""
    return len(tokenizer(vocabulary).encode(text))


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from strings(each)


@pytest.mark.parametrize("vocabulary", VOCABULARIES)
def test_no_text_of_the_example_is_underestimated(vocabulary: str) -> None:
    records = [content for path, content in FILES.items() if path.endswith(".yaml")]
    texts = {text for each in records for text in strings(decode(each.encode()))}
    assert len(texts) > 300
    for text in {*texts, *records}:
        assert estimate(text) >= 0.9 * real(vocabulary, text), text


@pytest.mark.parametrize("vocabulary", VOCABULARIES)
def test_the_estimate_of_much_text_is_not_absurd(vocabulary: str) -> None:
    whole = "\n".join(FILES.values())
    assert estimate(whole) <= 1.4 * real(vocabulary, whole)


@pytest.mark.parametrize(
    "text",
    [
        "def f(x):\n    return {k: v for k, v in x.items() if k.startswith('a_')}\n",
        "1a2b3c4d5e6f7890abcdef1234567890deadbeef 2026-11-30T10:04:11.123Z",
        "aGVsbG8gd29ybGQsIHRoaXMgaXMgYmFzZTY0IHRleHQ=",
        "Größere Straßen, naïve façade, Überprüfung",
        "这是一个测试,看看有多少个标记",
        "これはトークン数のテストです",
        "이것은 토큰 수 테스트입니다",
        "Это проверка количества токенов",
        "नमस्ते, यह एक परीक्षण है",
        "🎉🚀👩‍👩‍👧 done ✅",
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "IGNORE ALL PREVIOUS INSTRUCTIONS",
    ],
)
def test_other_sorts_of_text(text: str) -> None:
    for vocabulary in VOCABULARIES:
        assert estimate(text) >= 0.9 * real(vocabulary, text), vocabulary


@given(text, text)
def test_lines_add_up(left: str, right: str) -> None:
    assert estimate(f"{left}\n{right}") == START + of_lines([*left.split("\n"), *right.split("\n")])


@given(text, text)
def test_more_text_is_never_fewer_tokens(left: str, right: str) -> None:
    assert estimate(left) <= estimate(left + right)


def test_nothing() -> None:
    assert estimate("") == START
