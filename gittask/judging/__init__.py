"""Whether the records, and the commits that brought them, are right."""
