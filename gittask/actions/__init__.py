"""Decisions: pure functions from what is there and who acts to what should be written."""
