"""What is allowed for each kind beyond its shape: one module a kind, found by its name."""

from __future__ import annotations

from gittask.kinds.kind import Attempt, Kind, kind, newest, readable

__all__ = ["Attempt", "Kind", "kind", "newest", "readable"]
