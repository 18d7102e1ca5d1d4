"""The versions of a record, from the commits."""
