"""Where hosts show what was recorded."""

from __future__ import annotations

import pytest

from gittask.views.pr.compare import records

OLD, NEW = "a" * 40, "b" * 40


@pytest.mark.parametrize(
    ("remote", "url"),
    [
        ("https://github.com/o/r.git", f"https://github.com/o/r/compare/{OLD}...{NEW}"),
        ("https://u:secret@github.com/o/r", f"https://github.com/o/r/compare/{OLD}...{NEW}"),
        ("git@github.com:o/r.git", f"https://github.com/o/r/compare/{OLD}...{NEW}"),
        (
            "ssh://git@github.example.org:22/o/r.git/",
            f"https://github.example.org/o/r/compare/{OLD}...{NEW}",
        ),
        ("git@gitlab.com:g/sub/r.git", f"https://gitlab.com/g/sub/r/-/compare/{OLD}...{NEW}"),
        *((other, None) for other in ("https://example.org/o/r", "/srv/r.git", "file:///r", None)),
        *((other, None) for other in ("https://notgithub.com/o/r", "https://github.com/o/r) [x]")),
    ],
)
def test_by_the_address_of_the_remote(remote: str | None, url: str | None) -> None:
    found = records(remote, OLD, NEW, ["tasks/00/abcd00000000"])
    assert found["url"] == url
    assert found["command"] == f"git log -p {OLD[:12]}..{NEW[:12]} -- tasks/00/abcd00000000"
    assert "secret" not in str(found)


def test_where_nobody_knows_the_beginning() -> None:
    found = records("https://github.com/o/r", None, NEW, [])
    assert (found["url"], found["command"]) == (None, None)
