"""The outcome of the checks in each form, by what readers of that form need."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import pytest

from gittask.errors import Problem
from gittask.kinds.gates import RULES, Level
from gittask.store.packaged import schemas
from gittask.views.pr import outcome
from gittask.views.pr.checks import Checked, Finding, check
from tests.views.pr.pulls import records, reported

HOSTILE = "100%\r\n::error::gone <b>&amp; ]]> \ufffe, a:b\x1b[31m"
LEVELS: dict[str, Level] = dict.fromkeys(RULES, "fail")
CHECKED = Checked(
    {**LEVELS, "handoff": "off", "linked": "warn"},
    (
        Finding("linked", "no task", error=False),
        Finding("evidence", HOSTILE, "hint, with: signs", "abcd00000000", "tasks/a,b:c%/t.yaml"),
        Finding("uncertain", "one", task="abcd00000000"),
        Finding("uncertain", "two", task="abcd00000000"),
    ),
)


def test_states_follow_from_what_was_found() -> None:
    states = {rule: CHECKED.state(rule) for rule in RULES}
    assert states["linked"] == "warned"
    assert states["handoff"] == "off"
    assert states["evidence"] == states["uncertain"] == "failed"
    assert states["acceptance"] == "passed"
    assert CHECKED.failed
    assert not Checked(LEVELS, CHECKED.findings[:1]).failed


def test_sarif_has_what_its_schema_requires() -> None:
    """Section 3 of the SARIF 2.1.0 standard: what each object shall contain, and its values."""
    log = outcome.sarif(CHECKED, "1.2.3")
    assert log.keys() == {"$schema", "version", "runs"}
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "gittask"
    ids = [rule["id"] for rule in driver["rules"]]
    assert ids == list(RULES)
    for rule in driver["rules"]:
        assert rule["shortDescription"]["text"].endswith(".")
        assert rule["defaultConfiguration"]["level"] in ("none", "note", "warning", "error")
    assert len(run["results"]) == len(CHECKED.findings)
    for result in run["results"]:
        assert result["level"] in ("warning", "error")
        assert result["message"]["text"]
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        for place in result.get("locations", ()):
            uri = place["physicalLocation"]["artifactLocation"]["uri"]
            assert re.fullmatch(r"[\w./%-]+", uri), uri


def test_github_commands_are_one_line_each_and_escaped() -> None:
    lines = list(outcome.github(CHECKED))
    assert len(lines) == len(CHECKED.findings)
    assert lines[0] == "::warning title=gittask linked::no task"
    assert lines[1].startswith(
        "::error file=tasks/a%2Cb%3Ac%25/t.yaml,title=gittask evidence::abcd00000000: 100%25"
    )
    for line in lines:
        assert len(line.splitlines()) == 1
        assert "\x1b" not in line


def test_junit_is_xml_with_a_case_for_each_rule() -> None:
    suites = ElementTree.fromstring(outcome.junit(CHECKED))
    (suite,) = suites
    cases = {case.get("name"): case for case in suite}
    assert list(cases) == list(RULES)
    counted: dict[str, Any] = {name: suite.get(name) for name in ("tests", "failures", "skipped")}
    assert counted == {"tests": str(len(RULES)), "failures": "2", "skipped": "1"}
    failure = cases["evidence"].find("failure")
    assert failure is not None
    assert "<b>&amp; ]]>" in str(failure.text)
    assert cases["handoff"].find("skipped") is not None
    assert cases["linked"].find("failure") is None
    assert "no task" in str(cases["linked"].findtext("system-out"))
    assert len(str(cases["uncertain"].findtext("failure")).splitlines()) == 2


def test_text_for_people_names_the_next_step() -> None:
    text = "\n".join(outcome.lines(CHECKED))
    assert "failed" in text
    assert "hint, with: signs" in text
    assert "\x1b" not in text


@pytest.mark.parametrize("level", ["off", "warn", "fail"])
def test_a_level_decides_what_a_finding_is(level: Level) -> None:
    facts = reported(records("plain", "plain"))
    problems = {"authority": [Problem("tasks/x", "", "is wrong", "mend it")]}
    checked = check(schemas(), facts, {None: dict.fromkeys(RULES, level)}, problems)
    assert checked.failed == (level == "fail")
    found = {finding.rule for finding in checked.findings}
    expected = set() if level == "off" else {*RULES} - {"linked", "handoff", "signatures"}
    assert found == expected
    assert all(finding.error == (level == "fail") for finding in checked.findings)


def test_without_a_task_most_is_not_judged() -> None:
    facts = {**reported(records("plain", "plain")), "tasks": []}
    checked = check(schemas(), facts, {None: {**LEVELS, "signatures": "off"}}, {})
    states = {rule: checked.state(rule) for rule in RULES}
    assert states.pop("linked") == "failed"
    assert states.pop("signatures") == "off"
    assert set(states.values()) == {"skipped"}
    (suite,) = ElementTree.fromstring(outcome.junit(checked))
    assert suite.get("skipped") == "7"


def test_only_what_is_not_waived_is_uncertain() -> None:
    facts = reported(records("plain", "plain"))
    checked = check(schemas(), facts, {None: LEVELS}, {})
    found = [finding for finding in checked.findings if finding.rule == "uncertain"]
    assert ["--uncertain 2" in finding.hint for finding in found] == [True]


def test_each_task_is_judged_by_its_own_project() -> None:
    facts = reported(records("plain", "plain"))
    (task,) = facts["tasks"]
    other = {**task, "id": "abce00000000", "project": "shop"}
    lax: dict[str, Level] = {**LEVELS, "uncertain": "off", "acceptance": "warn"}
    found = check(schemas(), {**facts, "tasks": [task, other]}, {None: LEVELS, "shop": lax}, {})
    of = {(each.rule, each.task, each.error) for each in found.findings}
    assert ("uncertain", task["id"], True) in of
    assert not any(rule == "uncertain" and id == other["id"] for rule, id, _ in of)
    assert ("acceptance", other["id"], False) in of
    assert found.levels["uncertain"] == "fail"
