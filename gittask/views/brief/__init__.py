"""The brief: all that the next actor needs to go on with a task."""
