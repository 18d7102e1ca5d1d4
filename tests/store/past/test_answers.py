"""The index of history answers as git does, whatever the history."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gittask.store import history
from gittask.store.past import asked
from gittask.store.repo import Person, Repo

Git = Callable[..., str]

FILES = ("t/a/1/x", "t/a/1/y", "t/a/2/x", "u")
CHANGES = st.dictionaries(st.sampled_from(FILES), st.sampled_from([b"0", b"1", None]), max_size=2)
COMMIT = st.tuples(st.lists(st.integers(0, 9), max_size=3), CHANGES)
"""How far back each parent is, and what is done on top of the first: with several the merge takes
its side of what the others did, save for that."""
Commits = list[tuple[list[int], dict[str, bytes | None]]]


def grown(repo: Repo, commits: Commits) -> list[str]:
    """The commits of a history in which lines part, meet, go back and copy each other."""
    made: list[str] = []
    for number, (back, changes) in enumerate(commits):
        parents = list(dict.fromkeys(made[-1 - each % len(made)] for each in back if made))
        base = repo.tree(parents[0]) if parents else None
        who = Person("Ann", "ann@example.org", 1_767_225_600 + number)
        tree = repo.write_tree(base, changes)
        made.append(repo.create_commit(tree, parents, who, who, str(number)))
    return made


def answers(repo: Repo, tip: str) -> dict[str, object]:
    found: dict[str, object] = {}
    for path in FILES:
        parents, contents = asked.versions(repo, tip, path)
        found[f"versions {path}"] = [*parents.items()], {each: contents[each] for each in parents}
    for path in ("t/a/1", "t/a/2", "u"):
        touching = asked.touching(repo, tip, path)
        found[f"touching {path}"] = touching
        stood = {
            commit: history.contents(repo.git, [commit, *repo.parents(commit)], path)
            for commit in asked.merges(repo, tip, path)
        }
        found[f"merges {path}"] = {
            commit for commit, (now, *before) in stood.items() if now not in before
        }
    return found


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    commits=st.lists(COMMIT, min_size=2, max_size=14),
    several=st.lists(st.integers(0, 13), max_size=3),
)
def test_answers_are_those_of_git(
    tmp_path_factory: pytest.TempPathFactory, git: Git, commits: Commits, several: list[int]
) -> None:
    folder = tmp_path_factory.mktemp("repo")
    git(folder, "init", "-q")
    repo = Repo.discover(folder)
    made = grown(repo, commits)
    tips = [*(made[each % len(made)] for each in several), made[-1], made[0]]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asked, "_connection", lambda _: None)
        by_git = [answers(repo, tip) for tip in tips]
    with pytest.MonkeyPatch.context() as patch:
        for name in ("versions", "merges", "revisions"):
            patch.delattr(history, name)
        assert [answers(repo, tip) for tip in tips] == by_git
