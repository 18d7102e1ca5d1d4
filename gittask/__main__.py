"""``python -m gittask``."""

from gittask.cli import program

program()
