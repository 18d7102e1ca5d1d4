"""``edit``: what the user wrote is taken, or comes back with the reason, or is kept in a file."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Git
from tests.program import Program, Result

Editor = Callable[..., None]
"""``editor(*steps)``: set an editor that does one step each time it is opened.

A step is Python that works on ``text``, the content of the file.
"""

SCRIPT = """
import pathlib, re, subprocess, sys

folder, path = pathlib.Path(__file__).parent, pathlib.Path(sys.argv[1])
text = path.read_text()
count = len(list(folder.glob("shown*")))
(folder / f"shown{count}").write_text(text)
exec(STEPS[count])
path.write_text(text)
"""


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Editor:
    def make(*steps: str) -> None:
        script = tmp_path / "editor" / "script.py"
        script.parent.mkdir(exist_ok=True)
        script.write_text(f"STEPS = {steps!r}\n{SCRIPT}")
        monkeypatch.setenv("EDITOR", f"'{sys.executable}' '{script}'")

    return make


def shown(tmp_path: Path) -> list[str]:
    """What the editor was shown, each time it was opened."""
    return [path.read_text() for path in sorted((tmp_path / "editor").glob("shown*"))]


def kept(gittask: Program) -> list[Path]:
    """The files in which text was kept."""
    return sorted((gittask.folder / ".git" / "gittask" / "edit").glob("*"))


@pytest.fixture
def task(gittask: Program) -> str:
    return gittask.new("Fix routing", "--label", "late", "--accept", "It works")


def test_a_change(gittask: Program, task: str, editor: Editor, tmp_path: Path, git: Git) -> None:
    editor("text = text.replace('Fix routing', 'Fix it').replace('priority: 2', 'priority: 0')")
    assert gittask("edit", task).id == task
    stored = gittask.task(task)
    assert (stored["title"], stored["priority"], stored["labels"]) == ("Fix it", 0, ["late"])
    assert stored["changed"].keys() == {"title", "priority"}
    (text,) = shown(tmp_path)
    assert text.startswith("# Lines that begin with # are dropped.")
    assert (
        git(gittask.folder, "log", "-1", "--format=%s", "gittask") == f"set {task}: title, priority"
    )
    assert kept(gittask) == []


@pytest.mark.parametrize("step", ["pass", "text = ''", "text = '# only a comment\\n'"])
def test_no_change(gittask: Program, task: str, editor: Editor, git: Git, step: str) -> None:
    before = git(gittask.folder, "rev-parse", "gittask")
    editor(step)
    result = gittask("edit", task)
    assert "nothing changed" in result.err
    editor(step, step)
    assert gittask.json("edit", task)["commit"] is None
    assert git(gittask.folder, "rev-parse", "gittask") == before
    assert kept(gittask) == []


def test_a_line_that_is_taken_out_clears_the_field(
    gittask: Program, task: str, editor: Editor
) -> None:
    editor("text = re.sub(r'why:.*\\n', '', text)")
    gittask("edit", task)
    assert gittask.task(task)["why"] is None


MISTAKES = {
    "priority: 9": "must be at most 4",
    "priority: [": "cannot be read as YAML",
    "prioritee: 2": "is not a field",
    "epoch: 0": "cannot be edited",
}


@pytest.mark.parametrize(("wrong", "says"), MISTAKES.items())
def test_a_mistake_comes_back_to_the_editor(
    gittask: Program, task: str, editor: Editor, tmp_path: Path, wrong: str, says: str
) -> None:
    right = "epoch: 0" if wrong.startswith("epoch") else "priority: 2"
    wrong = "epoch: 7" if wrong.startswith("epoch") else wrong
    editor(
        f"text = text.replace({right!r}, {wrong!r}).replace('Fix routing', 'Fix it')",
        f"text = text.replace({wrong!r}, {right!r})",
    )
    gittask("edit", task)
    assert gittask.task(task)["title"] == "Fix it"
    _, again = shown(tmp_path)
    assert "Fix it" in again
    assert wrong in again
    complaints = [line for line in again.splitlines() if line.startswith("#!")]
    assert any(says in line for line in complaints)
    assert kept(gittask) == []


def test_what_only_the_rules_forbid_comes_back_too(
    gittask: Program, task: str, editor: Editor, tmp_path: Path
) -> None:
    editor(
        f"text = text.replace('depends_on: []', 'depends_on: [{task}]')",
        f"text = text.replace('[{task}]', '[]').replace('priority: 2', 'priority: 1')",
    )
    gittask("edit", task)
    assert gittask.task(task)["priority"] == 1
    assert "would close a circle" in shown(tmp_path)[1]


def test_a_mistake_that_stays_is_kept_in_a_file(
    gittask: Program, task: str, editor: Editor
) -> None:
    editor("text = text.replace('priority: 2', 'priority: 9')", "pass")
    result = gittask("edit", task, "--json", code=5)
    (file,) = kept(gittask)
    assert str(file) in result.error["hint"]
    assert "priority: 9" in file.read_text()
    assert gittask.task(task)["priority"] == 2


def test_an_editor_that_never_mends_it(
    gittask: Program, task: str, editor: Editor, tmp_path: Path
) -> None:
    editor("text = text.replace('priority: 2', 'priority: [')", *["text += '# again\\n'"] * 9)
    error = gittask("edit", task, "--json", code=5).error
    assert len(shown(tmp_path)) == 4
    (file,) = kept(gittask)
    assert error["message"].startswith(f"edit refused: {file}:")
    assert "priority: [" in file.read_text()


def test_two_mistakes_keep_two_files(gittask: Program, task: str, editor: Editor) -> None:
    editor(*["text = text.replace('priority: 2', 'priority: 8')", "pass"] * 2)
    gittask("edit", task, code=5)
    gittask("edit", task, code=5)
    assert len(kept(gittask)) == 2


@pytest.mark.parametrize(
    ("step", "left"),
    [("sys.exit(3)", 0), ("path.write_text(text + '# more'); sys.exit(3)", 1)],
)
def test_an_editor_that_fails(
    gittask: Program, task: str, editor: Editor, step: str, left: int
) -> None:
    editor(step)
    error = gittask("edit", task, "--json", code=1).error
    assert error["message"] == "the editor ended with exit code 3"
    assert len(kept(gittask)) == left
    assert ("your text is kept in" in error["hint"]) == bool(left)


def test_an_editor_that_is_not_there(
    gittask: Program, task: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", "no-such-editor --wait")
    assert gittask("edit", task, "--json", code=1).error["hint"] == "set EDITOR"
    assert kept(gittask) == []


class TestMeanwhile:
    """Somebody else changes the task while the editor is open."""

    @pytest.fixture
    def edit(self, gittask: Program, task: str, editor: Editor) -> Callable[..., Result]:
        def run(mine: str, *theirs: str, code: int = 0) -> Result:
            call = [sys.executable, "-m", "gittask", "set", task, *theirs, "--as", "bob"]
            editor(f"subprocess.run({call!r}, check=True, capture_output=True); {mine}")
            return gittask("edit", task, "--json", code=code)

        return run

    def test_another_field(self, gittask: Program, task: str, edit: Callable[..., Result]) -> None:
        edit("text = text.replace('Fix routing', 'Mine')", "priority=0", "labels+=theirs")
        stored = gittask.task(task)
        found = (stored["title"], stored["priority"], stored["labels"])
        assert found == ("Mine", 0, ["late", "theirs"])
        assert stored["changed"]["title"].endswith(" ann")
        assert stored["changed"]["priority"].endswith(" bob")
        assert kept(gittask) == []

    def test_other_elements_of_a_list(
        self, gittask: Program, task: str, edit: Callable[..., Result]
    ) -> None:
        item = gittask.task(task)["acceptance"][0]["id"]
        edit("text = text.replace('- late', '- mine')", "labels+=b", f"acceptance.{item}.met=true")
        stored = gittask.task(task)
        assert stored["labels"] == ["b", "mine"]
        assert stored["acceptance"][0]["met"] is True

    def test_the_same_field(self, gittask: Program, task: str, edit: Callable[..., Result]) -> None:
        error = edit("text = text.replace('Fix routing', 'Mine')", "title=Theirs", code=4).error
        assert error["message"] == f"task {task} was changed while you edited it: title by bob"
        (file,) = kept(gittask)
        assert str(file) in error["hint"]
        assert "Mine" in file.read_text()
        assert gittask.task(task)["title"] == "Theirs"

    def test_the_same_change(
        self, gittask: Program, task: str, edit: Callable[..., Result]
    ) -> None:
        edit("text = text.replace('Fix routing', 'Same')", "title=Same")
        assert gittask.task(task)["title"] == "Same"
        assert kept(gittask) == []
