"""The records of a task as elements of its page: what each says, in full."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from xml.etree.ElementTree import Element

from gittask.core.record import Data
from gittask.core.text import spaced
from gittask.views import words
from gittask.views.entries import Entry
from gittask.views.site.frame import Page
from gittask.views.site.tags import (
    Child,
    chip,
    code,
    facts,
    line,
    listed,
    mark,
    output,
    quote,
    said,
    tag,
    time,
)

DEEPEST = 3
"""The depth from which on replies are set in no further."""

_CONDITIONS = {"green": "good", "watch": "", "blocked": "bad"}


def signed(page: Page, by: str | None, at: str | None) -> Element:
    """Who did something, and when."""
    return tag("span", page.actor(by, nobody="nobody"), ", ", time(at), class_="of")


def criterion(item: Data) -> Element:
    """A point of acceptance."""
    found = mark("Met", "good") if item["met"] else mark("Not met", "bad")
    made = line(found, ": ", said(item["text"]))
    if item["evidence"]:
        made.append(tag("div", "Evidence: ", said(item["evidence"]), class_="soft"))
    return made


# -- handoffs -----------------------------------------------------------------------------------


def handoff(page: Page, data: Data, *, late: bool) -> Element:
    """A handoff: what holds, what was not checked and what nobody knows stand apart."""
    how = _CONDITIONS.get(data["condition"], "")
    head = tag(
        "h3",
        mark(data["condition"].capitalize(), how),
        ": ",
        said(data["summary"]),
        id=data["id"],
    )
    about = tag(
        "p",
        f"{spaced(data['kind']).capitalize()} by ",
        page.actor(data["actor"]),
        ", ",
        time(data["at"]),
        ", under ",
        code(data["execution"]),
        ". " if late else ".",
        mark("Late: its execution had lost the task.", "bad") if late else None,
        class_="of",
    )
    return tag(
        "article",
        head,
        about,
        *_parts(data),
        class_="box",
        aria_labelledby=data["id"],
    )


def _parts(data: Data) -> Iterator[Element | None]:
    uncertain = [
        line(
            said(item["question"]),
            tag("div", "Matters for: ", said(item["impact"]), class_="soft"),
            tag("div", said(item["who"]), " could say", class_="soft") if item["who"] else None,
        )
        for item in data["uncertain"]
    ]
    unchecked = [
        line(said(item["claim"]), ", because ", said(item["why"])) for item in data["not_verified"]
    ]
    changed = [line(code(item["path"]), ": ", said(item["what"])) for item in data["changed"]]
    commits = [
        line(code(item["sha"][:12]), " ", said(item.get("subject") or ""))
        for item in data.get("commits") or ()
    ]
    yield _part("Uncertain", uncertain)
    yield _part("Not verified", unchecked)
    yield _part("Verified", [_check(item) for item in data["verified"]])
    yield _part("Changed", changed)
    yield _part("Commits", commits) if commits else None
    for name in ("decisions", "contingencies"):
        texts = data.get(name) or ()
        yield _part(name.capitalize(), [said(each) for each in texts]) if texts else None
    left = data.get("unanswered")
    if left:
        yield tag("p", mark("Questions left open"), ": ", said(left["reason"]))
    following = data["next_action"]
    yield tag("p", mark("Next"), ": ", said(following["do"]), " (by ", said(following["by"]), ")")


def _part(title: str, items: list[Element]) -> Element:
    if not items:
        return tag("p", mark(title), ": none")
    return tag("div", tag("p", mark(title)), listed(items))


def _check(item: Data) -> Element:
    failed = bool(item.get("exit_code"))
    made = line(mark("Failed: ", "bad") if failed else None, said(item["claim"]))
    if item.get("command"):
        ended = item.get("exit_code")
        at = item.get("commit")
        made.append(
            tag(
                "div",
                code(item["command"]),
                "" if ended is None else f" ended with exit code {ended}",
                line(", at ", code(at[:12])) if at else None,
                ", with changes that were not committed" if item.get("dirty") else None,
                class_="soft",
            )
        )
    if item.get("tail"):
        made.append(output(item["tail"]))
    return made


# -- what was said and decided --------------------------------------------------------------------


def decision(page: Page, data: Data, superseded_by: str | None) -> Element:
    """A decision, with what was weighed."""
    gone = line(mark("Superseded"), " by ", code(superseded_by), ". ") if superseded_by else None
    about = tag(
        "p",
        gone,
        "By ",
        page.actors(data["deciders"]),
        ", ",
        time(data["created"]["at"]),
        class_="of",
    )
    texts = [
        child
        for name, title in (("context", "Context"), ("consequences", "Consequences"))
        if data.get(name)
        for child in (tag("p", title, class_="soft"), quote(data[name]))
    ]
    options = listed(map(said, data.get("options") or ()))
    return tag(
        "article",
        tag("h3", said(data["title"]), id=data["id"]),
        about,
        quote(data["outcome"]),
        *texts,
        tag("p", "Considered", class_="soft") if options is not None else None,
        options,
        class_="box",
        aria_labelledby=data["id"],
    )


def message(page: Page, each: Data) -> Element:
    """A message of a thread, as ``views.discussion`` gives it."""
    data = each["message"]
    to = data.get("to")
    about = tag(
        "p",
        mark(data["kind"].capitalize()),
        " from ",
        page.actor(data["from"]),
        line(" to ", page.actor(to)) if to else None,
        ", ",
        time(data["created"]["at"]),
        ", by ",
        data["channel"],
        line(", ", mark("not answered yet", "bad")) if each["open"] else None,
        class_="of",
    )
    depth = min(each["depth"], DEEPEST)
    return tag("li", about, quote(data["body"]), class_=f"in-{depth}", id=data["id"])


def review(page: Page, data: Data) -> Element:
    """A review: its verdict, and the receiver's own words."""
    how = {"approved": "good", "changes_requested": "bad"}.get(data["verdict"], "")
    subject = data.get("handoff") or data.get("note") or ""
    return tag(
        "div",
        tag(
            "p",
            mark(spaced(data["verdict"]).capitalize(), how),
            " of ",
            code(subject),
            ". ",
            signed(page, data["created"]["by"], data["created"]["at"]),
        ),
        quote(data["synthesis"]) if data.get("synthesis") else None,
        listed(line("Found: ", said(each)) for each in data.get("findings") or ()),
        listed(line("Asks: ", said(each)) for each in data.get("questions") or ()),
        id=data["id"],
    )


# -- what is in the way -----------------------------------------------------------------------


def wait(page: Page, data: Data, end: str | None) -> Element:
    """A wait; ``end`` is what ended it, as it is computed."""
    state = data["state"]["status"]
    stands = state if state != "open" else end or "waiting"
    target: Child = page.actor(data.get("responder"))
    if data["on"] == "task" and data.get("subject"):
        target = page.task(data["subject"], title=True)
    elif data["on"] == "time":
        target = line("until ", time(data.get("until")))
    return tag(
        "div",
        tag("p", chip(stands), f" For {data['on']} ", target, ": ", said(data["condition"])),
        tag("p", "Asked by ", signed(page, data["created"]["by"], data["created"]["at"]),
            line(", until ", time(data["expires"])) if data.get("expires") else None,
            class_="of"),
        tag("p", "Otherwise: ", said(data["otherwise"])) if data.get("otherwise") else None,
        reason(page, data["state"]) if state != "open" else None,
        id=data["id"],
    )  # fmt: skip


def approval(page: Page, data: Data, stands: str) -> Element:
    """A request to be allowed something, and the answer."""
    return tag(
        "div",
        tag("p", chip(stands), " ", code(data["action"]), f", for {_SCOPES[data['scope']]}"),
        tag("p", "Asked for by ", signed(page, data["requested_by"], data["created"]["at"]),
            line(", until ", time(data["expires"])) if data.get("expires") else None,
            class_="of"),
        reason(page, data["state"]) if data["state"]["status"] != "requested" else None,
        id=data["id"],
    )  # fmt: skip


_SCOPES = {
    "once": "one time",
    "execution": "one execution",
    "task": "this task",
    "project": "the whole project",
}


def conflict(page: Page, data: Data) -> Element:
    """Two values that met, and which of them stands."""
    state = data["state"]
    sides = (("Kept", "kept"), ("Lost", "lost"))
    rows: list[tuple[str, Child]] = [
        (title, line(code(words.value(data[side], 500)), " ",
                     signed(page, data[f"{side}_by"]["by"], data[f"{side}_by"]["at"])))
        for title, side in sides
    ]  # fmt: skip
    return tag(
        "div",
        tag("p", mark(state["status"], "bad" if state["status"] == "open" else ""), ": ",
            code(data["field"] or "all"), " of ", code(data["record"])),
        facts(rows),
        reason(page, state) if state["status"] != "open" else None,
        id=data["id"],
    )  # fmt: skip


def reason(page: Page, state: Data) -> Element:
    """Who brought a record to where it stands, when, and why."""
    why = line(": ", said(state["reason"])) if state.get("reason") else None
    status = f"{state['status'].capitalize()} by "
    return tag("p", status, signed(page, state.get("by"), state["at"]), why, class_="soft")


# -- what happened ------------------------------------------------------------------------------


def entry(page: Page, each: Entry, known: Collection[str]) -> Element:
    """An entry of the timeline; what stands in full on the page (``known``) is linked to."""
    first, *rest = each.text.splitlines() or [""]
    name: Child = tag("a", each.kind, href=f"#{each.id}") if each.id in known else each.kind
    about = tag("span", time(each.at), " ", page.actor(each.by, nobody="nobody"), " ")
    late = line(mark("late", "bad"), " ") if each.late else None
    more = "\n".join([*rest, *each.more]) if each.id not in known else ""
    body = line(about, tag("strong", name), " ", late, said(first))
    return line(body, output(more)) if more.strip() else body
