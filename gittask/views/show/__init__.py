"""One record in full, and what is around it."""
