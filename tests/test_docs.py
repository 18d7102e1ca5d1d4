"""The documentation says what the program does."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gittask.cli.app import SECTIONS
from tests import reference

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("path", reference.documents(), ids=lambda path: path.name)
def test_made_parts_are_up_to_date(path: Path) -> None:
    assert path.read_text("utf-8") == reference.documents()[path], "run: python tests/reference.py"


def test_links_between_documents_lead_somewhere() -> None:
    documents = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    for document in documents:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", document.read_text("utf-8")):
            assert (document.parent / target).exists(), f"{document.name} links to {target}"


def test_readme_names_only_commands_that_exist() -> None:
    known = {name for names in SECTIONS.values() for name in names.split()}
    shown = re.findall(r"^gittask ([a-z-]+)", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    assert shown
    assert set(shown) <= known


def _blocks(document: str) -> list[tuple[str, str]]:
    """What stands under each marker of a document: (marker, block)."""
    return re.findall(r"<!-- (\w+(?:: [^ ]+)?) -->\n```\w+\n(.*?)```", document, re.DOTALL)


def test_add_a_kind_does_what_it_says(tmp_path: Path, repo: Path) -> None:
    source = tmp_path / "source"
    for folder in ("gittask", "schemas"):
        shutil.copytree(ROOT / folder, source / folder)
    script = ""
    for marker, block in _blocks((ROOT / "docs" / "add-a-kind.md").read_text("utf-8")):
        name, _, argument = marker.partition(": ")
        if name == "file":
            (source / argument).write_text(block, "utf-8")
        elif argument:
            script += f"set +e\n{block}test $? = {argument} || exit 99\n"
        else:
            script += f"set -e\n{block}"
    shim = tmp_path / "bin" / "gittask"
    shim.parent.mkdir()
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m gittask "$@"\n')
    shim.chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{shim.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(source),
    }
    done = subprocess.run(
        ["sh", "-c", script], cwd=repo, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Something that could go wrong" in done.stdout
    assert "likelihood: must be one of low, medium, high" in done.stderr
