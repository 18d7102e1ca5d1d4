"""No text of a record is more than words, wherever it stands in a pull request."""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from gittask.core.text import one_line
from gittask.views.pr import layout, safe
from gittask.views.pr.html import html
from gittask.views.pr.layout import Mode
from gittask.views.pr.markdown import GITHUB, markdown
from gittask.views.pr.plain import plain
from tests.views.hostile import INLINE, LINES, TEXTS
from tests.views.pr.pulls import records, reported

WORDS = {"text", "code_inline", "softbreak", "inline", "paragraph_open", "paragraph_close"}
"""The tokens that words are made of."""

MADE_MORE_OF = re.compile(
    r"""
    (?<![\w/])@[a-z0-9] | \#\d | (?<!\w)GH-\d | (?<!\w)[0-9a-f]{7,40}(?!\w) | ://|www\.
    | !\d | (?<!\w):[\w+-]+: | \[\[ | \$\w | ~\w | &\d | %\w
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""What hosts turn into mentions, references, links and pictures: outside of code."""

NOT_KEPT = {chr(code) for code in (*range(9), *range(11, 32), *range(127, 160))}
"""What no record may hold."""

HOSTILE = (
    *(*INLINE, "fixes #1", "Closes GH-1", "resolves owner/repo#1", "@team/all look", "fixes: #2"),
    *("</details>", "</summary><script>x()</script>", "<!-- gittask:end -->", "--> <b>", "|", "||"),
    *("a | b | c", "![x](http://evil/x.png)", "[x]: http://evil", "<img src=http://evil/x.png>"),
    *("- [ ] task", "[x] done", "1. one", "# Head", "> quote", "    code", "```", "~~~", "\\", "`"),
    *("``` `` `", "ends with \\", "\\|", "`|`", "* * *", "&lt;b&gt;", "a\u202eb", "x" * 200),
    *(
        "::error::x",
        "/close",
        "/assign @me",
        "<!-- gittask:begin abc -->",
        "$(rm)",
        "a  b",
        " lead",
        "@",
        "http://e.org",
    ),
)


@cache
def host() -> MarkdownIt:
    """Markdown as hosts read it before they clean it: HTML is let through, addresses are links."""
    made = MarkdownIt("gfm-like", {"linkify": True, "html": True})
    assert made.linkify is not None
    made.linkify.tlds(["com", "net", "org", "info", "biz", "edu", "gov"])
    return made


def rendered(line: str, block: str, mode: Mode = "body") -> str:
    return markdown(layout.page(reported(records(line, block)), mode), GITHUB)


def structure(text: str) -> list[tuple[str, str]]:
    """What a document is made of, words aside; HTML with what it says."""
    found = []
    for token in host().parse(text):
        for each in (token, *(token.children or ())):
            if each.type not in WORDS:
                content = each.content if each.type.startswith("html") else ""
                found.append((each.type, content.strip()))
    return found


def bare(text: str) -> str:
    """The words of a document outside of code, a line for each run of them."""
    pieces = [child for token in host().parse(text) for child in token.children or ()]
    return "\n".join(each.content if each.type == "text" else "" for each in pieces)


PLAIN = structure(rendered("plain", "plain"))
LONG = structure(rendered("plain", "plain\nplain"))


@pytest.mark.parametrize("text", HOSTILE)
def test_a_text_changes_nothing_but_words(text: str) -> None:
    made = rendered(text.replace("\t", " "), text)
    assert structure(made) == PLAIN
    assert not MADE_MORE_OF.search(bare(made)), MADE_MORE_OF.search(bare(made))
    assert made.count("<!-- gittask:") == 2
    assert not re.search(r"^\s*/", made, re.MULTILINE)  # what GitLab does when it reads it


@pytest.mark.parametrize(
    "text", [text for text in TEXTS if text.strip() and not NOT_KEPT & {*text}]
)
def test_long_texts_stay_where_they_are(text: str) -> None:
    """A text of several paragraphs may have more of them, inside its quote."""
    made = rendered("plain", f"Plain.\n{text}")
    assert structure(made) == LONG
    assert not MADE_MORE_OF.search(bare(made))


@settings(max_examples=30, deadline=None)
@given(st.text(st.sampled_from("a1 @#|`*_<>[]()!&\\~$-:/.\"'"), min_size=1).filter(str.strip))
def test_no_text_changes_anything_but_words(text: str) -> None:
    made = rendered(text, text)
    assert structure(made) == PLAIN
    assert not MADE_MORE_OF.search(bare(made))


@pytest.mark.parametrize("mode", ["comment", "summary"])
def test_nor_in_the_other_modes(mode: Mode) -> None:
    plain_one = structure(rendered("plain", "plain", mode))
    for text in HOSTILE:
        assert structure(rendered(text.replace("\t", " "), text, mode)) == plain_one


ONE_LINE = st.text(st.sampled_from("aB1 _*~`&;\\<>|[]()!#@:.-+='/\"$%é漢"), min_size=1)


def typed(markdown: str) -> str:
    """The words that a reader sees of Markdown in one line, and copies."""
    (inline,) = [token for token in host().parse(markdown) if token.type == "inline"]
    return "".join(token.content for token in inline.children or ())


@given(st.one_of(st.sampled_from([*HOSTILE, *LINES]), ONE_LINE))
def test_words_are_read_and_copied_as_they_were_typed(text: str) -> None:
    line = one_line(text)
    if line.strip() and "gittask:" not in line:
        assert typed(f"- Ours: {safe.prose(text)}!") == f"Ours: {line}!"
        assert typed(f"- Ours: {safe.code(text)}!") == f"Ours: {line}!"


def test_what_is_plain_stands_as_it_is() -> None:
    assert safe.prose("Reads the new table (see read_orders), 3 of 4") == (
        "Reads the new table (see read_orders), 3 of 4"
    )
    assert safe.prose("fixes #1 for @alice now") == "fixes `#1` for `@alice` now"
    assert safe.code("a`b") == "``a`b``"
    assert safe.code("`") == "`` ` ``"


class Tags(HTMLParser):
    """The elements of a page with their attributes, without its style."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, tuple[tuple[str, str | None], ...]]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, tuple(attrs)))


@pytest.mark.parametrize("text", HOSTILE)
def test_a_text_adds_no_element_to_the_page(text: str) -> None:
    plain_one = Tags(html(layout.page(reported(records("plain", "plain")), "body"))).found
    assert (
        Tags(html(layout.page(reported(records(text.replace("\t", " "), text)), "body"))).found
        == plain_one
    )


@pytest.mark.parametrize("text", HOSTILE)
def test_no_line_of_the_plain_text_is_a_command(text: str) -> None:
    """CI systems take lines that begin with ``::`` or ``##[`` for commands."""
    for line in plain(layout.page(reported(records(text.replace("\t", " "), text)), "body")):
        assert not line.lstrip().startswith(("::", "##["))
