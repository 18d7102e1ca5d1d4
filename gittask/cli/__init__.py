"""The command line: parse, call, print. The only reader of environment, clock and randomness."""

from gittask.cli.app import main

__all__ = ["main"]
