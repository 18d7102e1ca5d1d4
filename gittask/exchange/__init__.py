"""What passes between two copies of the store, and between its branch and that of the code."""
