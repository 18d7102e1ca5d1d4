"""Merges that git makes, and what other tools made of the records."""
