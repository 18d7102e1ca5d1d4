"""The CI files of the documentation, and the scripts in them."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gittask.core.codec import decode

CI = Path(__file__).parents[2] / "docs" / "ci"
ACTION = CI / "github" / "action.yml"
REPORT = CI / "github" / "report.yml"
COMMENT = CI / "github" / "comment.yml"
GITLAB = CI / "gitlab" / "gittask.gitlab-ci.yml"
SHELL = CI / "report.sh"


def read(file: Path) -> Any:
    """What a YAML file holds, by the rules of YAML 1.2: ``on`` is a word."""
    return decode(file.read_bytes(), name=file.name)


def steps(file: Path) -> Iterator[dict[str, Any]]:
    """All steps of a workflow, or of an action."""
    data = read(file)
    for job in data["jobs"].values() if "jobs" in data else [data["runs"]]:
        yield from job["steps"]


def step(file: Path, name: str) -> dict[str, Any]:
    (found,) = [one for one in steps(file) if one.get("name") == name]
    return found


def gitlab_script() -> str:
    """The job as GitLab runs it: all lines of the script by one shell, which ends at a failure."""
    return "set -e\n" + "\n".join(read(GITLAB)["gittask report"]["script"])


def documented(language: str) -> list[str]:
    """The blocks of a language in the page on CI."""
    page = (CI.parent / "ci.md").read_text("utf-8")
    return re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)


def tool(name: str) -> str | None:
    """A program of the development environment, if it is installed."""
    return shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)
