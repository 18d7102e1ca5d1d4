"""The colours of pages of ours, in light and dark. Text of each has a contrast of 4.5 to 1 or more
on every ground that it stands on; tests compute it."""

from __future__ import annotations

PALETTE = """\
:root { color-scheme: light dark; --ink: #1c1e21; --paper: #fff; --soft: #57606a;
  --line: #d0d7de; --tint: #f6f8fa; --bad: #a40e26; --good: #116329; --link: #0550ae; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --paper: #0d1117; --soft: #9da7b3;
  --line: #30363d; --tint: #161b22; --bad: #ff8f87; --good: #6fdd8b; --link: #79b8ff; } }
"""
