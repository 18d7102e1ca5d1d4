"""Approvals in a few words: asked for and granted, and whether an action is allowed."""

from __future__ import annotations

from typing import Any

from gittask.store.packaged import schemas
from tests.cli.acting import Actor

DROP = "drop index orders_old"
PAST = "2020-01-01T00:00:00.000Z"


def granted(codex: Actor, ann: Actor, task: str, action: str = DROP, *args: str) -> str:
    approval = codex("approve", "request", task, action, *args).id
    return ann("approve", "grant", approval).id


def allowed(actor: Actor, task: str, action: str = DROP, *args: str) -> bool:
    code = actor("approve", "check", task, action, *args, code=None).code
    assert code in (0, 4)
    return code == 0


def path(approval: dict[str, Any]) -> str:
    owner = {"task": approval.get("task"), "project": approval.get("project")}
    return schemas().path("approval", approval["id"], **owner)


def standing(actor: Actor, *args: str) -> list[str]:
    return [row["standing"] for row in actor.json("approve", "list", *args)["approvals"]]
