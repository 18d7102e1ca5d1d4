"""What the checks of a pull request came to, in the forms that CI systems read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import quote
from xml.etree.ElementTree import Element, SubElement, tostring

from gittask.core.meaning import joined, meant
from gittask.core.record import Data
from gittask.core.text import one_line
from gittask.kinds.gates import RULES
from gittask.views.pr.checks import Checked, Finding

SARIF = "https://json.schemastore.org/sarif-2.1.0.json"
_SKIPPED = {"off": "this check is off", "skipped": "no task is linked"}
_NO_XML = re.compile("[\ufffe\uffff]")
"""What XML cannot hold, beyond what is shown as an escape anyway."""


def lines(checked: Checked) -> Iterator[str]:
    """For people: each rule with its state, and below it what was found."""
    for rule, (_, what) in RULES.items():
        state = checked.state(rule)
        shown = meant(state, {"failed": "urgent", "warned": "warning"}.get(state))  # type: ignore[arg-type]
        yield joined(shown, " " * (8 - len(state)), meant(rule, "heading"), f": {what}")
        for finding in checked.findings:
            if finding.rule == rule:
                task = f"{finding.task}: " if finding.task else ""
                yield f"    {task}{one_line(finding.message)}"
                yield from [f"      {one_line(finding.hint)}"] if finding.hint else []


def github(checked: Checked) -> Iterator[str]:
    """Workflow commands, by which GitHub Actions shows what was found beside the change."""
    for finding in checked.findings:
        properties = {"file": finding.file, "title": f"gittask {finding.rule}"}
        said = ",".join(f"{name}={_property(text)}" for name, text in properties.items() if text)
        level = "error" if finding.error else "warning"
        yield f"::{level} {said}::{_data(_whole(finding))}"


def _data(text: str) -> str:
    """A text as a workflow command carries it: https://github.com/actions/toolkit, command.ts."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(one_line(text)).replace(":", "%3A").replace(",", "%2C")


def sarif(checked: Checked, version: str) -> Data:
    """SARIF 2.1.0: one run, with a result for each thing that was found."""
    rules = [
        {
            "id": rule,
            "shortDescription": {"text": f"{what[0].upper()}{what[1:]}."},
            "defaultConfiguration": {"enabled": level != "off", "level": _sarif_level(level)},
        }
        for (rule, (_, what)), level in zip(RULES.items(), checked.levels.values(), strict=True)
    ]
    driver = {"name": "gittask", "semanticVersion": version, "rules": rules}
    results = [_result(finding) for finding in checked.findings]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": SARIF, "version": "2.1.0", "runs": [run]}


def _sarif_level(level: str) -> str:
    return {"fail": "error", "warn": "warning", "off": "none"}[level]


def _result(finding: Finding) -> Data:
    found: Data = {
        "ruleId": finding.rule,
        "ruleIndex": list(RULES).index(finding.rule),
        "level": "error" if finding.error else "warning",
        "message": {"text": _whole(finding)},
    }
    if finding.file:
        place = {"artifactLocation": {"uri": quote(finding.file)}}
        found["locations"] = [{"physicalLocation": place}]
    if finding.task:
        found["partialFingerprints"] = {"task/v1": f"{finding.task}:{finding.message}"}
    return found


def junit(checked: Checked) -> str:
    """JUnit XML: one test case for each rule; a warning is told in the output of its case."""
    states = {rule: checked.state(rule) for rule in RULES}
    counted = {
        "tests": str(len(RULES)),
        "failures": str(sum(state == "failed" for state in states.values())),
        "errors": "0",
        "skipped": str(sum(state in _SKIPPED for state in states.values())),
    }
    suites = Element("testsuites", counted)
    suite = SubElement(suites, "testsuite", {"name": "gittask pr check", **counted})
    for rule, state in states.items():
        case = SubElement(suite, "testcase", {"classname": "gittask.pr", "name": rule})
        if state in _SKIPPED:
            SubElement(case, "skipped", {"message": _SKIPPED[state]})
        found = [finding for finding in checked.findings if finding.rule == rule]
        errors = [_xml(_whole(finding)) for finding in found if finding.error]
        if errors:
            failure = SubElement(case, "failure", {"message": errors[0], "type": rule})
            failure.text = "\n".join(errors)
        warnings = [_xml(_whole(finding)) for finding in found if not finding.error]
        if warnings:
            SubElement(case, "system-out").text = "\n".join(warnings)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(suites, encoding="unicode")


def _whole(finding: Finding) -> str:
    task = f"{finding.task}: " if finding.task else ""
    hint = f" ({finding.hint})" if finding.hint else ""
    return one_line(f"{task}{finding.message}{hint}")


def _xml(text: str) -> str:
    return _NO_XML.sub("?", text)
