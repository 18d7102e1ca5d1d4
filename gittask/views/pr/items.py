"""What a report says, thing by thing, as items of a page: their words, and what each is worth."""

from __future__ import annotations

from collections.abc import Iterator

from gittask.core.record import Data
from gittask.core.text import shorten, spaced
from gittask.views.pr.page import Bit, Item, Line, code, ours, text
from gittask.views.words import when

_MOST_COMMITS = 10
_LONGEST = 300
"""Of an objective, which the brief has in full, so many characters stand in the table."""


def doubts(task: Data) -> Iterator[Item]:
    """What is uncertain, what was not verified, and evidence that does not count."""
    for item in task["uncertain"]:
        line: Line = (ours(": "), text(item["question"]))
        below: tuple[Line, ...] = ((ours("matters for: "), text(item["impact"])),)
        if item["who"]:
            below += ((text(item["who"]), ours(" could say")),)
        if item["waived"]:
            waived = item["waived"]
            who: Line = (
                ours("waived by "),
                code(waived["by"]),
                ours(f", {when(waived['at'])}: "),
                text(_flat(waived["reason"])),
            )
            yield Item(
                (Bit("mark", f"Uncertain {item['n']}, waived"), *line),
                below=(who, *below),
                worth=70,
            )
        else:
            yield Item(
                (Bit("bad", f"Uncertain {item['n']}"), *line, *_by(item)), below=below, worth=99
            )
    for item in task["not_verified"]:
        because: Line = (ours(", because "), text(item["why"]))
        yield Item(
            (Bit("bad", "Not verified"), ours(": "), text(item["claim"]), *because, *_by(item)),
            worth=96,
        )
    for verdict, mark in _VERDICTS.items():
        claims = [check["claim"] for check in task["evidence"] if check["verdict"] == verdict]
        if claims and verdict != "green":
            line = (mark, ours(", so that it shows nothing for this head:"))
            yield Item(line, below=tuple((text(claim),) for claim in claims), worth=94)


def _by(item: Data) -> Line:
    return (ours(" ("), code(item["by"]), ours(")"))


def _flat(words: str) -> str:
    """A text of several lines as one."""
    return " ".join(words.split())


def reasons(task: Data) -> Iterator[Item]:
    """Why the work exists, and what came of it."""
    if task["why"]:
        yield Item((ours("Said by "), code(task["why_by"]), ours(":")), quote=task["why"], worth=98)
    for name, label in (("outcome", "What came of it"), ("reason", f"Why it is {task['status']}")):
        if task[name]:
            yield Item((ours(f"{label}:"),), quote=task[name], worth=65)


# -- what is known ----------------------------------------------------------------------------

_MET = {
    "met": Bit("good", "Met"),
    "open": Bit("bad", "Not met"),
    "missing": Bit("bad", "Met, without evidence"),
    "stale": Bit("bad", "Met, with stale evidence"),
}


def criterion(item: Data) -> Item:
    """A point of acceptance."""
    below: list[Line] = []
    if item["evidence"]:
        by: Line = (ours(" ("), code(item["by"]), ours(")")) if item["by"] else ()
        below.append((ours("evidence: "), text(_flat(item["evidence"])), *by))
    below += [_placed(place) for place in item["commits"]]
    first, *rest = item["text"].strip().splitlines()
    return Item(
        (_MET[item["verdict"]], ours(": "), text(first)), "\n".join(rest), tuple(below), worth=97
    )


_VERDICTS = {
    "green": Bit("good", "Green"),
    "failed": Bit("bad", "Failed"),
    "stale": Bit("bad", "Stale"),
    "unknown": Bit("bad", "Unknown whether stale"),
    "loose": Bit("bad", "Of no commit"),
}


def evidence(check: Data) -> Item:
    """A check with what it comes to for this head."""
    below: list[Line] = []
    if check.get("command"):
        ended_with = check.get("exit_code")
        ended = "" if ended_with is None else f" ended with exit code {ended_with}"
        below.append((code(check["command"]), ours(ended)))
    if check.get("dirty"):
        below.append((ours("with changes that were not committed"),))
    if check["place"]:
        below.append(_placed(check["place"]))
    return Item(
        (_VERDICTS[check["verdict"]], ours(": "), text(check["claim"]), *_by(check)),
        below=tuple(below),
        worth=90,
    )


def _placed(place: Data) -> Line:
    """Where a commit stands to the head."""
    sha, now = code(place["sha"][:12]), ", ".join(sha[:12] for sha in place["now"])
    after = place["after"]
    since = f", {after} commit{'' if after == 1 else 's'} before the head" if after else ""
    said: dict[str, Line] = {
        "head": (ours("on the files of the head, at "), sha),
        "in": (ours("at "), sha, ours(f", which is in the head{since}")),
        "patch": (
            ours("at "),
            sha,
            ours(", whose patch is in the head as "),
            code(now),
            ours(since),
        ),
        "stale": (ours("at "), sha, ours(", which is not in the head")),
        "unknown": (ours("at "), sha, ours(": history is cut off here, so that nobody can tell")),
    }
    return said[place["state"]]


def decision(item: Data) -> Item:
    """A decision, by whom, and whether it still stands."""
    who = ", ".join(item["deciders"])
    gone: Line = (ours(", "), Bit("mark", "superseded")) if item["superseded_by"] else ()
    line: Line = (text(item["title"]), ours(" ("), code(who), ours(f", {when(item['at'])})"))
    return Item((*line, *gone), quote=item["outcome"], worth=40 if gone else 75)


def handoff(item: Data, *, last: bool) -> Item:
    """What a handoff says was changed, and where its commits are now."""
    kind, worth = spaced(item["kind"]), 85 if last else 45
    bad = item["condition"] != "green"
    condition = Bit("bad" if bad else "good", item["condition"].capitalize())
    lost = Bit("mark", "late: its execution had lost the task")
    late: Line = (ours(", "), lost) if item["late"] else ()
    role: Line = (ours(" as "), code(item["role"])) if item["role"] else ()
    who: Line = (code(item["by"]), *role, ours(f", {when(item['at'])}, {kind}"))
    below: list[Line] = [
        (ours("handoff "), code(item["id"]), ours(" of execution "), code(item["execution"]))
    ]
    if item["verdict"]:
        below.append((ours(f"reviewed: {spaced(item['verdict'])}"),))
    below += [(code(file["path"]), ours(": "), text(file["what"])) for file in item["changed"]]
    commits = item["commits"]
    below += [_commit(one) for one in commits[-_MOST_COMMITS:]]
    more = len(commits) - _MOST_COMMITS
    below += [(ours(f"and {more} earlier commits"),)] if more > 0 else []
    return Item(
        (condition, ours(": "), text(item["summary"]), ours(" ("), *who, *late, ours(")")),
        below=tuple(below),
        worth=worth,
    )


def _commit(item: Data) -> Line:
    words: Line = (ours("commit "), code(item["sha"][:12]))
    if item["subject"]:
        words += (ours(" "), text(item["subject"]))
    new = ", ".join(each["sha"][:12] for each in item["new"])
    state = item["state"]
    if item["reverted_by"]:
        back = ", ".join(sha[:12] for sha in item["reverted_by"])
        return (*words, ours(", "), Bit("bad", "taken back"), ours(" by "), code(back))
    if state in ("moved", "squashed"):
        return (
            *words,
            ours(", in the head as " + ("a part of " if state == "squashed" else "")),
            code(new),
        )
    if state == "gone":
        unknown = item["place"]["state"] == "unknown"
        return (
            *words,
            ours(", "),
            Bit("mark", "unknown whether in the head" if unknown else "not in the head"),
        )
    return words


def execution(item: Data) -> Item:
    """A row for an execution."""
    kind = f" ({item['kind']})" if item["kind"] else ""
    models: Line = tuple(bit for model in item["models"] for bit in (ours(", "), text(model)))
    cells: tuple[Line, ...] = (
        (code(item["actor"]), ours(kind), *models),
        (code(item["role"]), ours(f", {item['lane']}")),
        (code(item["id"]),),
        (ours(when(item["since"])),),
        (ours(spaced(item["status"])),),
        (text(shorten(_flat(item["objective"]), _LONGEST)),),
    )
    return Item(cells=cells, worth=55)


def following(task: Data) -> Iterator[Item]:
    """What the last report says is to be done next."""
    action = task["next_action"]
    if action:
        who: Line = (ours(" (by "), text(action["by"]), ours(")"))
        yield Item((Bit("mark", "Next"), ours(": "), text(action["do"]), *who), worth=88)


_OPEN = {
    "question": "Question",
    "wait": "Wait",
    "approval": "To be approved",
    "conflict": "Conflict",
}


def unsettled(item: Data) -> Item:
    """A question, a wait, an approval or a conflict that is open."""
    to: Line = (ours(" to "), code(item["to"])) if item.get("to") else ()
    expires = f", until {when(item['expires'])}" if item.get("expires") else ""
    who: Line = (ours(" (from "), code(item["by"]), ours(f", {when(item['at'])}{expires})"))
    line: Line = (Bit("bad", _OPEN[item["kind"]]), *to, *who)
    return Item(line, quote=item["text"], worth=93)


def review(item: Data) -> Item:
    """A review, with its findings and questions."""
    how = {"approved": "good", "changes_requested": "bad"}.get(item["verdict"], "mark")
    line: Line = (
        Bit(how, spaced(item["verdict"]).capitalize()),  # type: ignore[arg-type]
        ours(" by "),
        code(item["by"]),
        ours(f", {when(item['at'])}, of "),
        code(item["handoff"] or item["note"]),
    )
    below: list[Line] = [(ours("found: "), text(_flat(each))) for each in item["findings"] or ()]
    below += [(ours("asks: "), text(_flat(each))) for each in item["questions"] or ()]
    return Item(line, quote=item["synthesis"] or "", below=tuple(below), worth=80)


def entry(item: Data) -> Item:
    """An entry of the timeline."""
    late = " (late)" if item["late"] else ""
    line: Line = (
        ours(f"{when(item['at'])} "),
        code(item["by"] or "nobody"),
        ours(f" {item['kind']}{late} "),
    )
    return Item((*line, text(item["text"] or "-")), worth=10)
