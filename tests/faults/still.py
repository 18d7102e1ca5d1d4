"""The program with a clock that stands and a chance that is told: it writes the same each time."""

from __future__ import annotations

import os
import random
import sys
from datetime import datetime, tzinfo
from unittest import mock

from gittask.cli import main


class Clock(datetime):
    """The time at which all is written, as the environment tells it in seconds."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Clock:
        return cls.fromtimestamp(int(os.environ["FAULTS_NOW"]), tz)


if __name__ == "__main__":
    with (
        mock.patch("gittask.cli.context.datetime", Clock),
        mock.patch("secrets.token_bytes", random.Random("still").randbytes),
        mock.patch("os.urandom", random.Random("still").randbytes),
    ):
        sys.exit(main())
