"""Read models: pure functions from the records of one commit to what people and agents ask."""
