"""No answer about history depends on git's graph of commits."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gittask.store import history
from gittask.store.repo import Person, Repo

Git = Callable[..., str]

FILES = ("d/x", "d/y", "e/x")
STEP = st.tuples(st.sampled_from(FILES), st.sampled_from([b"0", b"1", None]), st.integers(0, 3))
"""A file, its content or that it goes, and when by a clock that runs as it likes."""
COMMIT = st.tuples(st.lists(st.integers(0, 9), min_size=1, max_size=2), STEP)
"""How far back each parent is, and what is done on top of the first."""


def grown(repo: Repo, commits: list[tuple[list[int], tuple[str, bytes | None, int]]]) -> str:
    """The last commit of a history in which lines part, meet, go back and copy each other."""
    made: list[str] = []
    for back, (path, content, hour) in commits:
        parents = list(dict.fromkeys(made[-1 - each % len(made)] for each in back if made))
        base = repo.tree(parents[0]) if parents else None
        who = Person("Ann", "ann@example.org", 1_767_225_600 + hour * 3600)
        tree = repo.write_tree(base, {path: content})
        made.append(repo.create_commit(tree, parents, who, who, str(len(made))))
    return made[-1]


def answers(repo: Repo, tip: str) -> list[object]:
    asked: list[object] = []
    for path in ("d", *FILES):
        asked.append(history.versions(repo.git, tip, path))
        asked.append(history.merges(repo.git, tip, path))
        asked.append(history.revisions(repo.git, tip, path=path, by_date=True))
        asked.append(history.revisions(repo.git, tip, path=path))
    return asked


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(commits=st.lists(COMMIT, min_size=2, max_size=12))
def test_answers_are_the_same_with_a_graph_and_as_git_has_them(
    tmp_path_factory: pytest.TempPathFactory,
    git: Git,
    commits: list[tuple[list[int], tuple[str, bytes | None, int]]],
) -> None:
    folder = tmp_path_factory.mktemp("repo")
    git(folder, "init", "-q")
    repo = Repo.discover(folder)
    tip = grown(repo, commits)
    without = answers(repo, tip)
    git(folder, "update-ref", "refs/heads/gittask", tip)
    git(folder, "commit-graph", "write", "--reachable", "--changed-paths")
    assert answers(repo, tip) == without
    for path in FILES:
        listed = git(
            folder, "rev-list", "--parents", "--simplify-merges", "--topo-order", tip, "--", path
        )
        rows = [line.split() for line in listed.splitlines()]
        found = history.versions(repo.git, tip, path)
        assert found == {commit: parents for commit, *parents in rows}
        place = {commit: number for number, commit in enumerate(found)}
        assert all(place[each] < place[above] for each in found for above in found[each])
