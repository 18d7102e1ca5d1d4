"""How one goes on with a task: the same, whoever says it."""

from __future__ import annotations

from typing import Any

import pytest

from gittask.core.beat import Signs
from gittask.core.record import Record
from tests.memory import START, actor, event, store, task
from tests.views.asking import Store
from tests.views.briefs import ACTORS, commands, made

SILENT = Signs(silence=2000.0, lease=900.0, gone=None)
HOLDER = event("execution", "abcd", 1, actor="claude-1", created_by="claude-1")
REPORT = event("handoff", "abcd", 3, execution=HOLDER.id, actor="claude-1", created_by="claude-1")
READ = event("review", "abcd", 4, handoff=REPORT.id, synthesis="s", created_by="codex-1")


def ended(status: str) -> Record:
    data = {**HOLDER.data, "state": {"status": status, "at": START, "reason": None}}
    return Record("execution", HOLDER.id, data)


def of(status: str, held: bool, **fields: Any) -> Record:
    holder = {"holder": HOLDER.id, "since": START} if held else {}
    return task("abcd", status, epoch=1, title="Route the vans", **holder, **fields)


@pytest.mark.parametrize(
    ("found", "records", "heard", "line"),
    [
        (of("open", False), [], {}, "start ID"),
        (of("open", False, why=None), [], {}, 'start ID --why "..."'),
        (of("open", False), [ended("failed"), REPORT], {}, 'start ID --ack "..."'),
        (of("open", False), [ended("failed"), REPORT, READ], {}, "start ID"),
        (of("active", True), [ended("reported")], {}, "start ID"),
        (of("active", True), [HOLDER], {HOLDER.id: SILENT}, "recover ID"),
        (of("active", True), [], {}, 'takeover ID --reason "..."'),
        (of("done", False), [], {}, 'reopen ID --reason "..."'),
    ],
)
def test_a_brief_and_a_route_offer_the_same(
    found: Record, records: list[Record], heard: dict[str, Signs], line: str
) -> None:
    offered = commands(made(found, *records, heard=heard))
    assert f"gittask {line.replace('ID', found.id)}" in offered
    asked = Store(found, store(), *ACTORS, *records)
    routed = asked.asks("codex-1", "continue route the vans", heard=heard).command
    assert routed == f"gittask {line.replace('ID', found.id[:4])}"


def test_one_who_works_is_overtaken_only_if_need_be() -> None:
    found = of("active", True)
    offered = commands(made(found, HOLDER))
    assert f'gittask takeover {found.id} --reason "..."' in offered
    assert not any(each.startswith("gittask recover") for each in offered)
    asked = Store(found, store(), *ACTORS, HOLDER)
    assert asked.asks("codex-1", "continue route the vans").command == "gittask brief abcd"


def test_what_another_is_charged_with_is_acknowledged_by_who_calls() -> None:
    """Without ``--as`` the command acts as whoever asked, whatever provider it names."""
    codex = actor("codex-1", "agent", provider="codex")
    asked = Store(of("open", False), store(), actor("alice"), codex, ended("failed"), REPORT, READ)
    routed = asked.asks("alice", "let codex-1 continue route the vans").command
    assert routed == "gittask start abcd --as codex-1"
    assert (
        asked.asks("alice", "continue route the vans").command == 'gittask start abcd --ack "..."'
    )


def test_a_lost_holder_gives_way_to_whoever_is_charged() -> None:
    codex = actor("codex-1", "agent", provider="codex")
    asked = Store(of("active", True), store(), actor("alice"), codex, HOLDER)
    routed = asked.asks("alice", "let codex continue route the vans", heard={HOLDER.id: SILENT})
    assert routed.command.startswith("gittask recover abcd --new --provider codex")
