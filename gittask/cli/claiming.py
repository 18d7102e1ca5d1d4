"""Claiming from the command line: before all the world, or said to be provisional."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any, TypeVar

import click

from gittask.cli.context import Context
from gittask.cli.signs import keep_signs
from gittask.core.change import Act, Change
from gittask.core.record import Reader
from gittask.exchange.claim import claim
from gittask.exchange.sync import Pace
from gittask.session import Outcome

F = TypeVar("F", bound=Callable[..., Any])


def remote_options(command: F) -> F:
    """``--offline`` and ``--no-push``."""
    command = click.option(
        "--no-push", is_flag=True, help="Ask the remote, but do not push the claim."
    )(command)
    return click.option("--offline", is_flag=True, help="Do not ask the remote.")(command)


def pace() -> Pace:
    """Real time and real chance, for whatever waits its turn at a remote."""
    return Pace(time.monotonic, time.sleep, lambda: random.random())


def claim_here(
    here: Context,
    decide: Callable[[Reader, Act], Change],
    *,
    offline: bool = False,
    no_push: bool = False,
) -> Outcome:
    """Carry out a claim as whoever calls, and say if it is only provisional."""
    reader, act = here.acting(None)
    here.announce(reader, act.actor)
    from gittask.cli.arrived import arrivals_judged  # slow to load, for what reads only

    with arrivals_judged(here):
        done = claim(
            here.session,
            lambda snapshot: decide(snapshot, act),
            act,
            here.writer(reader, here.actor(reader)),
            pace(),
            fetch=not offline,
            push=not no_push,
        )
    with here.afterwards():
        keep_signs(here.beats, done.outcome.change)
    if not done.confirmed:
        here.output.warn(
            f"the claim is provisional ({done.why}); the next gittask sync confirms it, or says "
            "who was first"
        )
    elif here.repo.remote:
        here.output.message(f"the remote {here.repo.remote} has the claim")
    return done.outcome
