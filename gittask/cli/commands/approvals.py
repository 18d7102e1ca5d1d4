"""Commands that ask for approval, answer, and find out whether something is allowed."""

from __future__ import annotations

from collections.abc import Callable

import click

from gittask.actions import approvals as actions
from gittask.actions.approvals import Asking
from gittask.actions.reliance import refuse_doubtful
from gittask.cli.command import Group
from gittask.cli.complete import ACTOR, GRANTED, REQUESTED, complete_task
from gittask.cli.context import Context, context
from gittask.cli.options import F, after_option, page, page_options, task_argument
from gittask.cli.result import show_page, told
from gittask.cli.table import table
from gittask.core import names
from gittask.core.change import Act, Change
from gittask.core.meaning import Meaning, meant
from gittask.core.record import Reader, Record
from gittask.errors import Refused, Usage
from gittask.kinds.approval import of_task, standing
from gittask.session import Outcome
from gittask.views.words import first_line, short, timed

SCOPES = ["once", "execution", "task", "project"]
STANDINGS = ["requested", "granted", "denied", "revoked", "spent", "expired", "void"]

requested_argument = click.argument("approval", type=REQUESTED)
granted_argument = click.argument("approval", type=GRANTED)


def asking(command: F) -> F:
    """What a request says beside the action."""
    options: list[Callable[[F], F]] = [
        click.option(
            "--scope", type=click.Choice(SCOPES), help="How far a grant reaches; once if not said."
        ),
        click.option("--expires", metavar="TIME", help="When it lapses: a time, or 2h, 3d."),
        click.option("--to", type=ACTOR, help="Who is asked; else somebody who may grant it."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def _asking(scope: str | None, expires: str | None, to: str | None) -> Asking:
    return Asking(scope or "once", expires, to)


@click.group("approve", cls=Group)
def approve_command() -> None:
    """Being allowed an exact action: ask, answer, check.

    An action is matched as it is written. One that begins with "glob:" is a pattern: each * in
    it stands for any text without line breaks and without the characters by which a shell begins
    another command.
    """


@approve_command.command("request")
@task_argument
@click.argument("action")
@asking
def approve_request(
    task: str, action: str, scope: str | None, expires: str | None, to: str | None
) -> None:
    """Ask to be allowed an action; the task waits for the answer. Prints the approval's id.

    \b
    gittask approve request k3m9 "drop index orders_old" --to alice
    gittask approve request k3m9 "glob:pytest *" --scope task --expires 3d
    """
    here = context()

    def decide(reader: Reader, act: Act) -> Change:
        return actions.request(reader, act, task, action, _asking(scope, expires, to))

    told(here, here.act(decide, task=task), f"asked for: {action}")


@approve_command.command("grant")
@requested_argument
@click.option("--expires", metavar="TIME", help="When the grant lapses: a time, or 2h, 3d.")
@click.option("--reason", metavar="TEXT", help="Why, or what to mind.")
def approve_grant(approval: str, expires: str | None, reason: str | None) -> None:
    """Allow what was asked for.

    Those may whom the task names as approvers, else its project, else the store; where nobody is
    named, any person. Nobody grants their own request.

    \b
    gittask approve grant 20261130t100411z-k3m9q2 --expires 2h
    gittask approve grant k3m9
    """
    _answer(approval, "granted", reason, expires)


@approve_command.command("deny")
@requested_argument
@click.option("--reason", required=True, metavar="TEXT", help="Why not.")
def approve_deny(approval: str, reason: str) -> None:
    """Refuse what was asked for.

    \b
    gittask approve deny k3m9 --reason "Not before the backup"
    """
    _answer(approval, "denied", reason)


@approve_command.command("revoke")
@granted_argument
@click.option("--reason", required=True, metavar="TEXT", help="Why no more.")
def approve_revoke(approval: str, reason: str) -> None:
    """Take a grant back.

    \b
    gittask approve revoke 20261130t100411z-k3m9q2 --reason "The window is over"
    """
    _answer(approval, "revoked", reason)


def _answer(approval: str, status: str, reason: str | None, expires: str | None = None) -> None:
    here = context()

    def decide(reader: Reader, act: Act) -> Change:
        return actions.answer(reader, act, approval, status, reason=reason, expires=expires)

    done = here.act(decide)
    told(here, done, f"{status}: {done.change.main.data['action']}")


@approve_command.command("check")
@task_argument
@click.argument("action")
@click.option("--use", is_flag=True, help="Use it now: a grant for once is spent by that.")
@click.option("--request", is_flag=True, help="If it is not granted, ask for it.")
@asking
def approve_check(
    task: str,
    action: str,
    use: bool,
    request: bool,
    scope: str | None,
    expires: str | None,
    to: str | None,
) -> None:
    """Say by exit code whether an action is allowed now: 0 it is, 4 it is not.

    It is by a grant or, unless it was denied or revoked on the task, by what the task, its
    project, the store or the actor lists as allowed. The result says which.

    Nothing is allowed by what came with commits that failed verification, until a person has
    looked at them (gittask verify, as the inbox says).

    With --use a grant for once is spent: of many who ask at the same time one gets exit code 0.
    With --request the request and the wait for its answer are one commit; the exit code is 4.

    \b
    gittask approve check k3m9 "drop index old" --use && psql -c "drop index old"
    gittask approve check k3m9 "git push origin main" --request --scope task
    """
    here = context()
    if not request and (scope or expires or to):
        raise Usage("--scope, --expires and --to are for asking", hint="add --request")
    ask = _asking(scope, expires, to) if request else None

    doubts = here.local.failed()

    def decide(reader: Reader, act: Act) -> Change:
        found = actions.check(reader, act, task, action, use=use, asking=ask)
        of = names.task(reader, task)
        refuse_doubtful(here.session.schemas, act, of, action, found, doubts)
        return found

    done = here.act(decide, task=task)
    main = done.change.main
    if main.kind != "approval":
        level = {"level": main.kind, "id": main.id}
        document = {"approval": None, "policy": level, "commit": None}
        here.output.result(document, f"allowed by {main.kind} {main.id}")
        return
    if main.data["state"]["status"] != "granted":
        raise _asked(done)
    here.output.result({"approval": main.data, "policy": None, "commit": done.commit}, main.id)
    used = f", used now by {main.data['spent']['by']}" if done.commit else ""
    by = main.data["state"]["by"]
    here.output.message(f"granted for {main.data['scope']} by {by}{used}")


def _asked(done: Outcome) -> Refused:
    approval = done.change.main
    wait = next(one for one in done.change.records if one.kind == "wait")
    return Refused(
        f"{approval.data['action']!r} is not granted yet: "
        f"{wait.data['responder']} is asked now, by approval {approval.id}",
        hint="ask again later, or go on with something else",
        details={
            "action": approval.data["action"],
            "approval": approval.id,
            "status": "requested",
            "wait": wait.id,
            "commit": done.commit,
        },
    )


@approve_command.command("list")
@click.argument("task", required=False, metavar="[TASK]", shell_complete=complete_task)
@click.option(
    "--status",
    "statuses",
    multiple=True,
    type=click.Choice(STANDINGS),
    help="How it stands; may be repeated.",
)
@page_options
@after_option("APPROVAL")
def approve_list(
    task: str | None,
    statuses: tuple[str, ...],
    limit: int,
    everything: bool,
    after: str | None,
) -> None:
    """List approvals, the newest first: of a task and its project, or all.

    "spent" was used once, "expired" has lapsed, "void" was granted by somebody who may not; only
    "granted" allows anything. With --json this stands beside each record as "standing".

    \b
    gittask approve list k3m9
    gittask approve list --status requested --status granted
    """
    here = context()
    reader = here.reader
    records = list(of_task(reader, names.task(reader, task)) if task else reader.all("approval"))
    records.sort(key=lambda one: one.data["created"]["at"], reverse=True)
    chosen = [one for one in records if not statuses or standing(reader, one, here.at) in statuses]
    most = None if everything else limit
    some, more = page(chosen, most, after, lambda one: one.id)
    rows = [(one, standing(reader, one, here.at)) for one in some]
    shown_rows = [_row(here, *pair) for pair in rows]
    lines = table(shown_rows, here.output.terminal.width, spare=(2, 4, 3))
    shown = [{**one.data, "standing": status} for one, status in rows]
    show_page(here, "approvals", shown, len(chosen), lines, more=more)


def _row(here: Context, approval: Record, status: str) -> list[str]:
    data = approval.data
    owner = short(here.reader, approval.task) if approval.task else data["project"]
    lapses = timed("until", here.when(data["expires"])) if data.get("expires") else ""
    return [
        *(meant(approval.id, "id"), meant(status, _MEANINGS.get(status)), data["scope"]),
        *(meant(owner, "id"), lapses),
        f"{data['requested_by']}: {first_line(data['action'])}",
    ]


_MEANINGS: dict[str, Meaning] = {"requested": "warning", "granted": "ready"}
