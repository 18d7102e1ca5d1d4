"""What commands share that ask the remote: how long they wait, and what they say meanwhile."""

from __future__ import annotations

import sys
from collections.abc import Callable

import click

from gittask.cli.output import Output
from gittask.exchange.asked import TIMEOUT

timeout_option = click.option(
    "--timeout",
    type=click.IntRange(1, 86_400),
    default=int(TIMEOUT),
    show_default=True,
    metavar="SECONDS",
    help="How long one call to the remote may take.",
)


def progress(output: Output) -> Callable[[str], None]:
    """Says what is being waited for, to a person at a terminal."""
    return output.message if sys.stderr.isatty() else lambda _: None
