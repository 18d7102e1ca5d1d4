"""From words to a task and what is wanted of it."""
